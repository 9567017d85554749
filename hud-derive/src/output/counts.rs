//! The counts of a whole run: `42 passed`, `2 failed`.

/// The names of problems of linters and compilers. The last one on a line counts: `3 problems (2 errors, 1 warning)`.
const PROBLEMS: &[&str] = &[
    "error",
    "errors",
    "issue",
    "issues",
    "offenses",
    "problem",
    "problems",
    "violations",
];

/// The numbers of passed and failed tests, as far as a line or a run reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub passed: Option<u64>,
    pub failed: Option<u64>,
    /// The number of problems that a linter or a compiler found.
    pub problems: Option<u64>,
    /// The total, if the number of passed tests is not reported.
    pub total: Option<u64>,
}

impl Counts {
    /// Returns the counts of a line of a summary. `None` for any other line.
    pub(super) fn of(line: &str) -> Option<Self> {
        const PARTS: &[&str] = &[
            "Snapshots:",
            "Test Suites:",
            "Test Files",
            "Suites:",
            "Duration",
        ];
        let has_number = || line.bytes().any(|byte| byte.is_ascii_digit());
        if line.len() > 200
            || !has_number()
            || PARTS.iter().any(|part| line.starts_with(part))
            || shows_code(line)
        {
            return None;
        }
        // `# fail 1` has one count on the line. `Total 5, Failed 1, Passed 4` has several.
        let is_tally = line.starts_with(['#', 'ℹ']) || line.contains("Total ");
        let mut counts = Self::default();
        let mut words = words(line);
        let mut before = "";
        let mut missing = 0;
        while let Some(Word { text: word, ends }) = words.next() {
            let numbered = std::mem::replace(&mut before, word);
            let counted = Counted::of(word, words.clone());
            // The number after `of` is the total.
            if let Some(counted) = counted.filter(|_| !ends && numbered != "of") {
                // The number follows the word before it after a single space.
                let is_one = is_numbered(numbered, counted.what)
                    && line.contains(&format!("{numbered} {word}"));
                if !is_one {
                    missing += counted.missing();
                    // `A run with 5 tests failed` reports the outcome of the run.
                    let of_all = numbered == "with" && counted.what != counted.first;
                    let what = if of_all { counted.first } else { counted.what };
                    counts.take(what, counted.count);
                }
            }
            // The number follows its label: `Failures: 3` and `failures=3`, `Failed 2/5 subtests`.
            let label = word.trim_end_matches(':');
            if label.starts_with(|c: char| c.is_ascii_alphabetic())
                && let Some((count, of)) = words.clone().next().and_then(|next| number(next.text))
                && (is_tally
                    || of.is_some()
                    || word.ends_with(':')
                    || line.contains(&format!("{word}=")))
            {
                counts.take(label, count);
            }
        }
        // `4 of 5 tests passed`: the other tests failed, unless the line reports another outcome of them.
        if missing > 0 && counts.failed.is_none() && !says_skipped(line) {
            counts.failed = Some(missing);
        }
        (counts != Self::default()).then_some(counts)
    }

    fn take(&mut self, word: &str, count: u64) {
        if is(word, PASSED) {
            self.passed = Some(count);
        } else if is(word, FAILED) {
            self.failed = Some(count);
        } else if is(word, PROBLEMS) || (self.problems.is_some() && is(word, &["remaining"])) {
            // The last number counts in `3 problems (2 errors, 1 warning)` and `Found 3 errors (3 fixed, 0 remaining)`.
            self.problems = Some(count);
        } else if is(word, &["tests", "examples", "runs", "specs"]) {
            self.total = Some(count);
        }
    }

    /// Merges the counts of a later line. A part without failures does not reset the failures of an earlier part.
    pub(super) fn follow(&mut self, next: Self) {
        self.passed = next.passed.or(self.passed);
        self.total = next.total.or(self.total);
        self.failed = self.failed.max(next.failed);
        self.problems = self.problems.max(next.problems);
    }

    /// Adds the counts of another part of the run.
    pub(super) fn add(&mut self, other: Self) {
        let sum = |to: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *to = Some(to.unwrap_or(0).saturating_add(more));
            }
        };
        sum(&mut self.passed, other.passed);
        sum(&mut self.failed, other.failed);
        sum(&mut self.problems, other.problems);
        sum(&mut self.total, other.total);
    }

    /// True if something failed.
    pub(super) fn has_failures(self) -> bool {
        self.failed.unwrap_or(0) > 0 || self.problems.unwrap_or(0) > 0
    }

    /// The counts in words: `2 failed, 40 passed`.
    pub(super) fn said(self) -> Option<String> {
        let some = |count: Option<u64>, word: &str| {
            let count = count.filter(|count| *count > 0)?;
            let ending = if word == "error" && count > 1 {
                "s"
            } else {
                ""
            };
            Some(format!("{count} {word}{ending}"))
        };
        let mut parts: Vec<String> = some(self.failed, "failed").into_iter().collect();
        match (self.problems, self.passed.or(self.failed), self.total) {
            (Some(0), None, None) => parts.push("0 issues".to_owned()),
            (problems, ..) => parts.extend(some(problems, "error")),
        }
        parts.extend(some(self.passed, "passed"));
        if parts.is_empty() {
            parts.extend(some(self.total, "tests"));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Words for passed tests.
const PASSED: &[&str] = &[
    "passed",
    "passing",
    "passes",
    "pass",
    "succeeded",
    "successful",
    "success",
];

/// Words for failed tests.
const FAILED: &[&str] = &["failed", "failing", "failure", "failures", "fail", "fails"];

/// The words between a number and an outcome: `2 unit tests have failed`.
const BETWEEN: &[&str] = &[
    "are",
    "case",
    "cases",
    "check",
    "checks",
    "example",
    "examples",
    "has",
    "have",
    "is",
    "programs",
    "scenario",
    "scenarios",
    "spec",
    "specs",
    "subtests",
    "suite",
    "suites",
    "targets",
    "tasks",
    "test",
    "tests",
    "unit",
    "was",
    "were",
];

/// A number with its noun or outcome: `3 failed`, `1 of 2 tests failed`, `4/5 specs passed`.
struct Counted<'l> {
    count: u64,
    /// The total.
    of: Option<u64>,
    /// The word after the number, and the word for the outcome.
    first: &'l str,
    what: &'l str,
}

impl<'l> Counted<'l> {
    /// Returns the number at a word, from the word and the words after it.
    fn of(word: &str, mut behind: impl Iterator<Item = Word<'l>>) -> Option<Self> {
        let (count, mut of) = number(word)?;
        let mut next = behind.next()?;
        if next.text == "out" {
            next = behind.next()?;
        }
        if next.text == "of" {
            of = Some(number(behind.next()?.text)?.0);
            next = behind.next()?;
        }
        let first = next.text;
        while BETWEEN.contains(&next.text) && !next.ends {
            next = match behind.next() {
                Some(next) => next,
                None => break,
            };
        }
        let what = match is_outcome(next.text) {
            true => next.text,
            false => first,
        };
        // The count of a part of the total needs an outcome.
        (of.is_none() || is_outcome(what)).then_some(Self {
            count,
            of,
            first,
            what,
        })
    }

    /// The number of missing tests, if all should have passed.
    fn missing(&self) -> u64 {
        let all = self.of.filter(|_| is(self.what, PASSED));
        all.map_or(0, |all| all.saturating_sub(self.count))
    }
}

/// A word of a line.
#[derive(Clone, Copy)]
struct Word<'l> {
    text: &'l str,
    /// True if a clause ends with it: `5 tests, failed at once` does not count failures.
    ends: bool,
}

fn words(line: &str) -> impl Iterator<Item = Word<'_>> + Clone {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_between = |c: char| c.is_whitespace() || ",;|()=".contains(c);
        rest = rest.trim_start_matches(is_between);
        let end = rest.find(is_between).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let text = word.trim_end_matches('.');
        let ends = text.len() < word.len() || behind.starts_with(|c: char| !c.is_whitespace());
        (!word.is_empty()).then_some(Word { text, ends })
    })
    .filter(|word| !word.text.is_empty())
}

/// A number and its total, if it has one: `3`, `3/5`.
fn number(word: &str) -> Option<(u64, Option<u64>)> {
    match word.split_once('/') {
        Some((count, of)) => Some((count.parse().ok()?, Some(of.parse().ok()?))),
        None => Some((word.parse().ok()?, None)),
    }
}

fn is(word: &str, some: &[&str]) -> bool {
    let word = word.trim_end_matches(':');
    some.iter().any(|one| word.eq_ignore_ascii_case(one))
}

fn is_outcome(word: &str) -> bool {
    is(word, PASSED) || is(word, FAILED)
}

/// True for a line that ends with the first line of a code frame: `Task 0 failed: 101 |   });`.
fn shows_code(line: &str) -> bool {
    line.split_once(" |").is_some_and(|(before, code)| {
        let last = before.split_whitespace().next_back();
        last.is_some_and(|number| number.parse::<u64>().is_ok())
            && (code.is_empty() || code.starts_with(' '))
            && !words(code).any(|word| is_outcome(word.text))
    })
}

/// True if a line reports tests that did not run.
fn says_skipped(line: &str) -> bool {
    const SKIPPED: &[&str] = &["skip", "pending", "ignored", "todo", "disabled", "filtered"];
    let lower = line.to_lowercase();
    SKIPPED.iter().any(|word| lower.contains(word))
}

/// True if a number is the name of a run and not a count: `run 27 failed`, `shard 2 passed`.
fn is_numbered(before: &str, what: &str) -> bool {
    const JOINS: &[&str] = &[
        "all", "and", "with", "of", "total", "only", "but", "are", "were", "ran",
    ];
    const BECAME: &[&str] = &[
        "passed",
        "failed",
        "passes",
        "fails",
        "pass",
        "fail",
        "succeeded",
    ];
    let is_one = before.starts_with(char::is_alphabetic) && !before.ends_with([':', 's']);
    is(what, BECAME) && is_one && !JOINS.iter().any(|join| before.eq_ignore_ascii_case(join))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_says_which_run_it_is_counts_nothing() {
        for line in [
            "run 27 failed",
            "Shard 2 passed",
            "test 3 failed",
            "attempt 4 failed: timeout",
            "Step 3 of 5 passed",
        ] {
            assert_eq!(Counts::of(line), None, "{line}");
        }
        for line in [
            "Ran 9 tests, 2 failed",
            "of 9 tests 2 failed",
            "7 ran and 2 failed",
        ] {
            assert_eq!(
                Counts::of(line).and_then(|counts| counts.failed),
                Some(2),
                "{line}"
            );
        }
    }

    #[test]
    fn the_summary_of_each_runner_is_counted() {
        for (line, said, fails) in [
            (
                "==== 2 failed, 3 passed in 0.12s ====",
                "2 failed, 3 passed",
                true,
            ),
            (
                "test result: ok. 42 passed; 0 failed; 0 ignored",
                "42 passed",
                false,
            ),
            (
                "Tests:       1 failed, 5 passed, 6 total",
                "1 failed, 5 passed",
                true,
            ),
            (
                "      Tests  1 failed | 5 passed (6)",
                "1 failed, 5 passed",
                true,
            ),
            ("FAILED (failures=1, errors=2)", "1 failed, 2 errors", true),
            ("10 examples, 1 failure", "1 failed", true),
            ("10 examples, 0 failures", "10 tests", false),
            (
                "5 runs, 7 assertions, 0 failures, 1 errors, 0 skips",
                "1 error",
                true,
            ),
            (
                "Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
                "1 failed",
                true,
            ),
            (
                "Passed!  - Failed:     0, Passed:     5, Skipped: 0",
                "5 passed",
                false,
            ),
            ("0 issues.", "0 issues", false),
            ("3 issues:", "3 errors", true),
            ("✖ 3 problems (2 errors, 1 warning)", "2 errors", true),
            (
                "Found 3 errors in 1 file (checked 5 source files)",
                "3 errors",
                true,
            ),
            ("OK (5 tests, 7 assertions)", "5 tests", false),
            ("    0 Error(s)", "0 issues", false),
            ("# fail 1", "1 failed", true),
            ("1 of 2 tests failed", "1 failed", true),
            ("1 out of 5 tests failed (0.00s)", "1 failed", true),
            ("All 5 tests passed (0.01s)", "5 passed", false),
            ("0 of 5 tests failed", "", false),
            ("4 of 5 tests passed", "1 failed, 4 passed", true),
            ("4 of 5 tests passed, 1 skipped", "4 passed", false),
            ("5/5 specs passed", "5 passed", false),
            ("Failed 2/5 subtests", "2 failed", true),
            ("✖  1 of 2 failed (50%)  00:03", "1 failed", true),
            (
                "90% tests passed, 1 tests failed out of 10",
                "1 failed",
                true,
            ),
            ("100% tests passed, 0 tests failed out of 10", "", false),
            ("Executed 5 of 5 (1 FAILED) (0.01 secs)", "1 failed", true),
            ("Executed 5 of 5 SUCCESS (0.02 secs)", "5 passed", false),
            ("TOTAL: 1 FAILED, 4 SUCCESS", "1 failed, 4 passed", true),
            (
                "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4",
                "1 failed, 4 passed",
                true,
            ),
            (
                "Test summary: total: 6, failed: 1, succeeded: 5, skipped: 0",
                "1 failed, 5 passed",
                true,
            ),
            ("1 test failed", "1 failed", true),
            ("10 tests completed, 1 failed", "1 failed", true),
            (
                "FAILED | 5 passed | 1 failed (12ms)",
                "1 failed, 5 passed",
                true,
            ),
            (
                "Executed 1 out of 1 test: 1 fails locally.",
                "1 failed",
                true,
            ),
            ("Found 3 errors (3 fixed, 0 remaining).", "0 issues", false),
            (
                "Executed 5 tests, with 1 failure (0 unexpected) in 0.012 seconds",
                "1 failed",
                true,
            ),
            (
                "✘ Test run with 5 tests failed after 0.003 seconds with 1 issue.",
                "1 error",
                true,
            ),
            ("2 warnings and 1 error generated.", "1 error", true),
        ] {
            let counts = Counts::of(line.trim()).unwrap_or_default();
            assert_eq!(counts.said().unwrap_or_default(), said, "{line}");
            assert_eq!(counts.has_failures(), fails, "{line}");
        }
        assert_eq!(Counts::of("Snapshots: 5 passed"), None);
        assert_eq!(Counts::of("[Queue] Task 0 failed: 101 |     });"), None);
        assert_eq!(Counts::of("[Queue] Task 2 failed: 84 |"), None);
    }
}
