//! Lines that say of the whole run whether it passed.

use std::sync::LazyLock;

use crate::derive::cues::Cues;

/// What a line begins with that says that the run failed.
const BEGINS_FAILED: &[&str] = &[
    "BUILD FAIL",
    "Build FAILED",
    "Build failed",
    "Code style issues",
    "Command failed with",
    "ELIFECYCLE",
    "ERRORS!",
    "FAILED",
    "FAILURE",
    "Failed to compile",
    "Some tests failed",
    "TESTS FAILED",
    "Tests failed",
    "There are test failures",
    "There were test failures",
    "[ERROR] BUILD",
    "[warn] Code style issues",
    "error Command failed",
    "error during build",
    "error: aborting due",
    "error: build failed",
    "error: could not compile",
    "error: test failed",
    "exit status ",
    "ninja: build stopped",
    "ninja: error",
    "npm ERR!",
    "npm error",
];

/// What a line begins with that says that the run passed.
const BEGINS_PASSED: &[&str] = &[
    "All checks passed",
    "All done!",
    "All matched files use",
    "BUILD SUCC",
    "Build succeeded",
    "Compiled successfully",
    "Finished",
    "No errors",
    "No issues",
    "OK (",
    "OK, but",
    "Result: PASS",
    "Success",
    "[OK]",
    "ninja: no work to do",
];

/// What a line has anywhere in it that says whether the run passed.
const ANYWHERE: &[(&str, bool)] = &[
    ("** BUILD FAILED", false),
    ("** BUILD SUCCEEDED", true),
    ("** TEST FAILED", false),
    ("** TEST SUCCEEDED", true),
    ("All specs pass", true),
    ("All tests pass", true),
    ("All tests successful", true),
    ("BUILD FAILURE", false),
    ("BUILD SUCCESS", true),
    ("Build completed successfully", true),
    ("Build did NOT complete", false),
    ("Result: FAIL", false),
    ("compiled successfully", true),
    ("did not complete successfully: exit code", false),
    ("exited with code ", false),
    ("failed to solve: ", false),
    ("failed with exit code", false),
    ("no offenses detected", true),
    ("returned a non-zero code", false),
    (": *** ", false),
];

/// Lines of parts of a run, each of which counts what failed in other units than tests: files, suites.
const PARTS: &[&str] = &["Test Suites:", "Test Files", "Suites:"];

/// Whether a line says that the run passed, or that it failed; none for most lines.
pub(super) fn verdict(text: &str) -> Option<bool> {
    static CUES: LazyLock<Cues<bool>> = LazyLock::new(|| Cues::new(ANYWHERE.iter().copied()));
    // What ends a run is short.
    if text.len() > 300 {
        return None;
    }
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if begins(BEGINS_FAILED) {
        // `exited with code 0` and `exit status 0` are no failures.
        return (!text.ends_with("status 0")).then_some(false);
    }
    if begins(PARTS) {
        return fails_in_part(text).then_some(false);
    }
    if let Some(named) = text.strip_prefix("Failed:") {
        // A number is a count: `Failed: 0`.
        let is_name = |c: char| c.is_alphabetic() || matches!(c, '@' | '/');
        return named.trim_start().starts_with(is_name).then_some(false);
    }
    if text == "OK" || begins(BEGINS_PASSED) {
        // `Finished in 0.03 seconds` ends failing runs as well.
        return (!text.starts_with("Finished in ")).then_some(true);
    }
    let (at, cue, passed) = CUES.within(text).next()?;
    let rest = text.get(at + cue.len()..).unwrap_or_default();
    match cue {
        // `make: *** [all] Error 2`, whichever make and in whatever language; not a line of stars.
        ": *** " => text[..at].contains("make").then_some(false),
        "exited with code " => (!rest.starts_with('0')).then_some(false),
        _ => Some(passed),
    }
}

/// Whether a line of a part counts something that failed.
fn fails_in_part(text: &str) -> bool {
    text.split_once(" failed").is_some_and(|(before, _)| {
        let count = before.rsplit(' ').next().unwrap_or_default();
        count.parse::<u64>().is_ok_and(|count| count > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(verdict(line), Some(false), "{line}");
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
            assert_eq!(verdict(line), Some(true), "{line}");
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
            assert_eq!(verdict(line), None, "{line}");
        }
    }
}
