//! What a run says of the whole: `42 passed`, `2 failed`.

/// What linters and compilers count. The last on a line wins: `3 problems (2 errors, 1 warning)`.
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

/// How many passed and failed, as far as a line or a run says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub passed: Option<u64>,
    pub failed: Option<u64>,
    /// What a linter or a compiler found.
    pub problems: Option<u64>,
    /// How many there are in all, where it is not said how many passed.
    pub total: Option<u64>,
}

impl Counts {
    /// The counts of a line of a summary; none for any other line.
    pub(super) fn of(line: &str) -> Option<Self> {
        const PARTS: &[&str] = &[
            "Snapshots:",
            "Test Suites:",
            "Test Files",
            "Suites:",
            "Duration",
        ];
        if line.len() > 200 || PARTS.iter().any(|part| line.starts_with(part)) {
            return None;
        }
        // `# fail 1`: a count a line.
        let is_tally = line.starts_with(['#', 'ℹ']);
        let mut counts = Self::default();
        let mut words = line
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '(' | ')' | '='))
            .map(|word| word.trim_end_matches('.'))
            .filter(|word| !word.is_empty())
            .peekable();
        let mut before = "";
        while let Some(word) = words.next() {
            let Some(next) = words.peek() else { break };
            let label = word.trim_end_matches(':');
            let numbered = std::mem::replace(&mut before, word);
            // `3 failed`, else `Failures: 3` and `failures=3`.
            if let Ok(count) = word.parse() {
                // Nothing but a space is between them.
                let is_one = is_numbered(numbered, next)
                    && line.contains(&format!("{numbered} {word} {next}"));
                if !is_one {
                    counts.take(next, count);
                }
            } else if let (true, Ok(count)) = (
                label.starts_with(|c: char| c.is_ascii_alphabetic()),
                next.parse(),
            ) && (word.ends_with(':') || is_tally || line.contains(&format!("{word}=")))
            {
                counts.take(label, count);
            }
        }
        (counts != Self::default()).then_some(counts)
    }

    fn take(&mut self, word: &str, count: u64) {
        let word = word.trim_end_matches(':');
        let is = |word: &str, one: &[&str]| one.iter().any(|one| word.eq_ignore_ascii_case(one));
        if is(word, &["passed", "passing", "passes", "pass"]) {
            self.passed = Some(count);
        } else if is(word, &["failed", "failing", "failure", "failures", "fail"]) {
            self.failed = Some(count);
        } else if is(word, PROBLEMS) {
            self.problems = Some(count);
        } else if is(word, &["tests", "examples", "runs", "specs"]) {
            self.total = Some(count);
        }
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

    /// Whether they say that something failed.
    pub(super) fn has_failures(self) -> bool {
        self.failed.unwrap_or(0) > 0 || self.problems.unwrap_or(0) > 0
    }

    /// In words: `2 failed, 40 passed`.
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

/// Whether a number says which one it is and not how many: `run 27 failed`, `shard 2 passed`.
fn is_numbered(before: &str, what: &str) -> bool {
    const JOINS: &[&str] = &["and", "with", "of", "total", "only", "but", "are", "were"];
    let what = what.trim_end_matches(':');
    let is_outcome = ["passed", "failed", "passes", "fails", "pass", "fail"].contains(&what);
    let is_one = before.starts_with(char::is_alphabetic) && !before.ends_with([':', 's']);
    is_outcome && is_one && !JOINS.iter().any(|join| before.eq_ignore_ascii_case(join))
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
        ] {
            let counts = Counts::of(line.trim()).unwrap_or_default();
            assert_eq!(counts.said().unwrap_or_default(), said, "{line}");
            assert_eq!(counts.has_failures(), fails, "{line}");
        }
        assert_eq!(Counts::of("Snapshots: 5 passed"), None);
    }
}
