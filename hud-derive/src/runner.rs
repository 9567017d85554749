//! Programs that check something or that run such programs. They are described in `runners/*.toml`, and the options
//! of all of them in `runners.toml`.

mod lines;
mod pattern;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use hud_observe::path::file_name;
use serde::Deserialize;

pub(super) use self::lines::{Line, Part, Report};
use self::lines::{Lines, Output};

/// The kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Test,
    Lint,
    Format,
    Types,
    Build,
}

/// The files of `runners/`, each with its name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/runners.rs"));

/// All runners.
static RUNNERS: LazyLock<Runners> = LazyLock::new(|| {
    let read = |(_, text): &(&str, &str)| toml::from_str::<Runner>(text).ok();
    let common = toml::from_str(include_str!("../runners.toml")).unwrap_or_default();
    Runners::of(FILES.iter().filter_map(read).collect(), common)
});

/// The runner of a program, by the name of its file: `pytest`, `gradlew`.
pub(super) fn runner(program: &str) -> Option<&'static Runner> {
    let at = RUNNERS.by_program.get(program)?;
    RUNNERS.all.get(*at)
}

/// The report of a line that a run printed.
pub(super) fn line(line: &str) -> Line<'_> {
    RUNNERS.lines.line(line)
}

/// The options and names that hold for all runners.
pub(super) fn common() -> &'static Common {
    &RUNNERS.common
}

struct Runners {
    all: Vec<Runner>,
    by_program: HashMap<String, usize>,
    lines: Lines,
    common: Common,
}

impl Runners {
    fn of(mut all: Vec<Runner>, common: Common) -> Self {
        let outputs = all
            .iter_mut()
            .map(|runner| std::mem::take(&mut runner.output));
        let lines = Lines::of(outputs);
        let programs = all.iter().enumerate().flat_map(|(at, runner)| {
            let programs = runner.programs.iter().cloned();
            programs.map(move |program| (program, at))
        });
        Self {
            by_program: programs.collect(),
            lines,
            all,
            common,
        }
    }
}

/// A file of `runners/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Runner {
    /// The names of the program, without folder and `.exe`. Empty for lines that many programs print.
    #[serde(default)]
    programs: Vec<String>,
    /// The kind of its checks, regardless of its arguments.
    #[serde(default)]
    pub(super) kind: Option<Kind>,
    /// The words that ask for a check, by the kind of the check.
    #[serde(default)]
    tasks: BTreeMap<Kind, Vec<Words>>,
    /// The words before the name of a task of the project, which shows its kind: `run` of `npm run lint`. An empty
    /// entry means that no words come before it.
    #[serde(default)]
    named: Vec<Words>,
    /// The words before another program that it runs. An empty entry means that no words come before it.
    #[serde(default)]
    wraps: Vec<Words>,
    /// Tasks and options that check nothing.
    #[serde(default)]
    nothing: Vec<String>,
    /// Options whose value names the check: `tox -e lint`.
    #[serde(default)]
    asked_by: Vec<String>,
    /// True if it prints nothing when it finds nothing.
    #[serde(default)]
    pub(super) silent: bool,
    /// True if each word is a task.
    #[serde(default)]
    pub(super) several: bool,
    /// True if it runs a file whose name shows the check.
    #[serde(default)]
    pub(super) files: bool,
    #[serde(default)]
    options: Options,
    #[serde(default)]
    output: Output,
}

/// Consecutive words on a command line. `_` is any word that is not an option.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "String")]
struct Words(Vec<String>);

impl From<String> for Words {
    fn from(words: String) -> Self {
        Self(words.split_whitespace().map(str::to_owned).collect())
    }
}

/// The options of a program.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// Options with a value that narrows the run.
    narrow: Vec<String>,
    /// Options with any other value.
    valued: Vec<String>,
    /// Options without a value, although options of other programs with that name have one.
    flags: Vec<String>,
    /// Options without a value that are a part of the name of the check.
    shown: Vec<String>,
    /// Options without a value that change the report or the scope of a run.
    reporting: Vec<String>,
}

/// The options and names that hold for all runners: `runners.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Common {
    nothing: Vec<String>,
    /// The extensions of files that an interpreter runs.
    pub(super) scripts: Vec<String>,
    /// The tasks of a script whose name does not show its kind.
    pub(super) asked: Vec<String>,
    options: Options,
    names: Vec<Names>,
}

/// The words in the names of tasks of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    kind: Kind,
    words: Vec<String>,
}

impl Common {
    /// True if an option of a command line makes it check nothing.
    pub(super) fn checks_nothing(&self, words: &[&str]) -> bool {
        words.iter().any(|word| has(&self.nothing, word))
    }

    /// The kind of a task, by the words of its name: `test:ci`, `check-types`, `lint`.
    pub(super) fn kind_of_name(&self, task: &str) -> Option<Kind> {
        /// The longest name, in bytes.
        const LONGEST: usize = 60;
        if task.starts_with('-') || task.len() > LONGEST {
            return None;
        }
        let words = task.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let is_of = |names: &&Names| words.iter().any(|word| names.words.contains(word));
        self.names.iter().find(is_of).map(|names| names.kind)
    }
}

/// The kind of value that follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    /// A value that narrows the run.
    Narrowing,
    /// Any other value.
    Value,
}

/// Returns the kind of value of an option of a program. A program without a file has the usual options.
pub(super) fn takes(runner: Option<&Runner>, option: &str) -> Takes {
    if runner.is_some_and(|runner| has(&runner.options.flags, option)) {
        return Takes::Nothing;
    }
    for options in options(runner) {
        if has(&options.narrow, option) {
            return Takes::Narrowing;
        }
        if has(&options.valued, option) {
            return Takes::Value;
        }
    }
    Takes::Nothing
}

/// True for an option that is a part of the name of the check.
pub(super) fn is_shown(runner: Option<&Runner>, option: &str) -> bool {
    options(runner).any(|options| has(&options.shown, option))
}

/// True for an option that changes the report or the scope of a run.
pub(super) fn is_reporting(runner: Option<&Runner>, option: &str) -> bool {
    options(runner).any(|options| has(&options.reporting, option))
}

/// The options of a program, followed by the usual ones.
fn options(runner: Option<&Runner>) -> impl Iterator<Item = &Options> {
    let own = runner.map(|runner| &runner.options);
    own.into_iter().chain([&common().options])
}

impl Runner {
    /// True if an option among these words makes it check nothing.
    pub(super) fn checks_nothing(&self, words: &[&str]) -> bool {
        words
            .iter()
            .any(|word| word.starts_with('-') && has(&self.nothing, word))
    }

    /// The index of the file that it runs, which is its first word that is not an option.
    pub(super) fn file(&self, rest: &[&str]) -> Option<usize> {
        let mut at = 0;
        while rest.get(at)?.starts_with('-') {
            at += self.own_width(rest.get(at)?);
        }
        Some(at)
    }

    /// The kind of a task of the program.
    pub(super) fn kind_of_task(&self, task: &str) -> Option<Kind> {
        if has(&self.nothing, task) {
            return None;
        }
        let known = self.tasks.iter().find(|(_, tasks)| {
            let mut tasks = tasks.iter();
            tasks.any(|words| matches!(words.0.as_slice(), [word] if word == task))
        });
        known
            .map(|(kind, _)| *kind)
            .or_else(|| common().kind_of_name(task))
    }

    /// The kind of its check, and the number of words that ask for it.
    pub(super) fn recognize(&self, rest: &[&str]) -> Option<(Kind, usize)> {
        let named = rest.windows(2).find_map(|pair| match pair {
            [option, name] if has(&self.asked_by, option) => common().kind_of_name(name),
            _ => None,
        });
        if let Some(kind) = named {
            return Some((kind, 0));
        }
        let asked = self.tasks.iter().flat_map(|(kind, tasks)| {
            let ends = tasks
                .iter()
                .filter_map(|words| self.end(words, rest, Self::width));
            ends.map(|end| (*kind, end))
        });
        if let Some(found) = asked.max_by_key(|(_, end)| *end) {
            return Some(found);
        }
        let named = { self.named.iter() }.filter_map(|words| self.end(words, rest, Self::width));
        if let Some(at) = named.max() {
            let options = { rest.iter().skip(at) }.take_while(|word| word.starts_with('-'));
            let at = at + options.count();
            let task = rest.get(at).copied().unwrap_or_default();
            if has(&self.nothing, task) {
                return None;
            }
            if let Some(kind) = common().kind_of_name(task) {
                return Some((kind, at + 1));
            }
        }
        let is_nothing = rest.first().is_some_and(|first| has(&self.nothing, first));
        self.kind.filter(|_| !is_nothing).map(|kind| (kind, 0))
    }

    /// The words of the command that it runs.
    pub(super) fn wrapped<'w, 'c>(&self, rest: &'w [&'c str]) -> Option<&'w [&'c str]> {
        let ends = { self.wraps.iter() }.filter_map(|words| self.end(words, rest, Self::own_width));
        let mut inner = rest.get(ends.max()?..)?;
        // Skips options of the program and variables that it sets.
        while let [first, ..] = inner
            && (first.starts_with('-') || first.contains('='))
        {
            inner = inner.get(self.own_width(first)..).unwrap_or_default();
        }
        Some(inner)
    }

    /// The index after the given words. They come first, except for options.
    fn end(
        &self,
        words: &Words,
        rest: &[&str],
        width: impl Fn(&Self, &str) -> usize,
    ) -> Option<usize> {
        let mut at = 0;
        loop {
            let option = rest.get(at).filter(|word| word.starts_with(['-', '+']));
            // Empty words match before any word that is not an option.
            if (!words.0.is_empty() || option.is_none())
                && let Some(end) = self.end_at(words, rest, at)
            {
                return Some(end);
            }
            at += width(self, option?);
        }
    }

    fn end_at(&self, words: &Words, rest: &[&str], mut at: usize) -> Option<usize> {
        for word in &words.0 {
            if word == "_" {
                while let Some(option) = rest.get(at).filter(|word| word.starts_with('-')) {
                    at += self.own_width(option);
                }
                rest.get(at)?;
            } else if rest.get(at).copied().map(file_name) != Some(word) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// The number of words of an option with its value.
    fn width(&self, option: &str) -> usize {
        match option.contains('=') || takes(Some(self), option) == Takes::Nothing {
            true => 1,
            false => 2,
        }
    }

    /// The number of words of an option, by the program's own options alone. Others may belong to the program that it
    /// runs.
    fn own_width(&self, option: &str) -> usize {
        let Options { narrow, valued, .. } = &self.options;
        match has(narrow, option) || has(valued, option) {
            true => 2,
            false => 1,
        }
    }
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_read() {
        assert!(FILES.len() > 100, "{}", FILES.len());
        for (name, text) in FILES {
            if let Err(error) = toml::from_str::<Runner>(text) {
                panic!("runners/{name}.toml: {error}");
            }
        }
        if let Err(error) = toml::from_str::<Common>(include_str!("../runners.toml")) {
            panic!("runners.toml: {error}");
        }
    }

    #[test]
    fn no_program_has_two_files() {
        let mut known: HashMap<&str, &str> = HashMap::new();
        let runners: Vec<(&str, Runner)> = FILES
            .iter()
            .filter_map(|(name, text)| Some((*name, toml::from_str(text).ok()?)))
            .collect();
        for (name, runner) in &runners {
            for program in &runner.programs {
                let other = known.insert(program, name);
                assert_eq!(other, None, "{program} is in runners/{name}.toml, too");
            }
        }
    }

    #[test]
    fn a_wrong_file_is_an_error_with_its_place() {
        let error = toml::from_str::<Runner>("programs = [\"x\"]\nkinds = \"test\"\n");
        let error = error
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            error.contains("line 2") && error.contains("`kind`"),
            "{error}"
        );
    }

    /// True if a line reports that the whole run passed.
    fn passed(text: &str) -> Option<bool> {
        line(text).run.map(|run| run == Report::RunPassed)
    }

    #[test]
    fn the_last_line_of_a_failing_run_says_so() {
        for line in [
            "make: *** [Makefile:12: all] Error 2",
            "make[1]: *** [src/a.o] Fehler 1",
            "gmake: *** No rule to make target 'x'.  Stop.",
            "ninja: build stopped: subcommand failed.",
            "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 2",
            "The command '/bin/sh -c make' returned a non-zero code: 2",
            "npm ERR! Test failed.  See above for more details.",
            "npm error Lifecycle script `test` failed with error:",
            "ELIFECYCLE  Command failed with exit code 1.",
            "error Command failed with exit code 1.",
            "error: script \"test\" exited with code 1",
            "error: could not compile `a` (lib) due to 1 previous error",
            "error: test failed, to rerun pass `--lib`",
            "FAILURE: Build failed with an exception.",
            "** TEST FAILED **",
            "Test Suites: 1 failed, 2 passed, 3 total",
            "Test Files  1 failed | 2 passed (3)",
            "Failed:    web#test",
            "Result: FAIL",
            "ERRORS!",
            "exit status 1",
        ] {
            assert_eq!(passed(line), Some(false), "{line}");
        }
    }

    #[test]
    fn the_last_line_of_a_passing_run_says_so_and_others_say_nothing() {
        for line in [
            "Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.2s",
            "BUILD SUCCESSFUL in 3s",
            "[INFO] BUILD SUCCESS",
            "webpack 5.9 compiled successfully in 300 ms",
            "10 files inspected, no offenses detected",
            "** BUILD SUCCEEDED **",
            "[OK] No errors",
            "ninja: no work to do.",
            "OK, but incomplete, skipped, or risky tests!",
            "All tests successful.",
        ] {
            assert_eq!(passed(line), Some(true), "{line}");
        }
        for line in [
            "Finished in 0.03 seconds",
            "Test Suites: 3 passed, 3 total",
            "Failed: 0",
            "exit status 0",
            "worker exited with code 0",
            "note: *** stars ***",
            "it failed in the end",
            "",
        ] {
            assert_eq!(passed(line), None, "{line}");
        }
    }
}
