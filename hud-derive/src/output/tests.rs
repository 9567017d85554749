#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;

use super::*;

/// The messages of the failures in an output.
fn failures(output: &str) -> Vec<String> {
    read(output).found.iter().map(Found::message).collect()
}

#[test]
fn go_tests_fail_by_name_with_the_line_that_says_why() {
    let quiet = "ok  \tx/a\t0.1s\n--- FAIL: TestB (0.00s)\n    b_test.go:9: no redis\n\
                 --- FAIL: TestC (0.00s)\n    --- FAIL: TestC/case (0.00s)\n        c_test.go:3: got 1\n\
                 FAIL\nFAIL\tx/b\t0.2s\nFAIL";
    let expected = [
        "TestB: b_test.go:9: no redis",
        "TestC/case: c_test.go:3: got 1",
    ];
    assert_eq!(failures(quiet), expected);
    let verbose = "=== RUN   TestA\n    a_test.go:1: all is well\n--- PASS: TestA (0.00s)\n\
                   === RUN   TestB\n    b_test.go:9: no redis\n--- FAIL: TestB (0.00s)\nFAIL";
    assert_eq!(failures(verbose), ["TestB: b_test.go:9: no redis"]);
    assert!(read(verbose).passed.contains("TestA"));
    assert_eq!(read(verbose).tests.unwrap(), "1 failed, 1 passed");
    let passing = "ok  \tx/a\t0.1s\n?   \tx/b\t[no test files]\nok  \tx/c\t(cached)";
    assert_eq!(read(passing).tests.unwrap(), "ok, 2 packages");
    assert_eq!(read(passing).says, Some(true));
}

#[test]
fn of_the_lines_of_a_test_the_one_that_says_what_is_wrong_counts() {
    let lines =
        "a_test.go:1: first phase\n    a_test.go:5: second phase\n    a_test.go:9: should be 1";
    let expected = ["TestA: a_test.go:9: should be 1"];
    assert_eq!(
        failures(&format!("--- FAIL: TestA (0.0s)\n    {lines}\nFAIL")),
        expected
    );
    assert_eq!(
        failures(&format!(
            "=== RUN   TestA\n    {lines}\n--- FAIL: TestA (0.0s)"
        )),
        expected
    );
}

#[test]
fn what_is_left_of_a_line_behind_a_gap_names_nothing() {
    let output = "ok  \ta\t0.1s\n\n... [813 characters truncated] ...\n\n_test.go:7: got 1\nFAIL\nFAIL\tx/b\t1s";
    assert_eq!(failures(output), ["x/b failed"]);
}

#[test]
fn compilers_and_linters_name_places_and_warnings_are_none() {
    let go = "# pkg\ncmd/a.go:50:21: env.run undefined\nFAIL\tpkg [build failed]";
    assert_eq!(failures(go), ["cmd/a.go:50:21: env.run undefined"]);
    let rust = "warning: unused variable\n --> src/a.rs:1:2\nerror[E0425]: cannot find value `x`\n\
                \x20--> src/b.rs:3:4\n  |\nerror: could not compile `b`";
    assert_eq!(
        failures(rust),
        ["src/b.rs:3:4: error[E0425]: cannot find value `x`"]
    );
    let ts = "src/a.ts(12,5): error TS2304: Cannot find name 'x'.\n\nFound 1 error.";
    assert_eq!(
        failures(ts),
        ["src/a.ts:12:5: error TS2304: Cannot find name 'x'."]
    );
    let eslint = "/p/a.js\n  1:2  warning  odd  no-odd\n  3:4  error  'x' is unused  no-unused\n\n\
                  ✖ 2 problems (1 error, 1 warning)";
    assert_eq!(failures(eslint), ["/p/a.js:3:4: 'x' is unused  no-unused"]);
    let golangci =
        "main.go:19:13: G304: Potential file inclusion (gosec)\n\tf := os.Create(x)\n1 issues:";
    assert_eq!(
        failures(golangci),
        ["main.go:19:13: G304: Potential file inclusion (gosec)"]
    );
    let ruff = "F401 [*] `os` imported but unused\n --> a.py:1:8\nFound 1 error.";
    assert_eq!(
        failures(ruff),
        ["a.py:1:8: F401 [*] `os` imported but unused"]
    );
    let mypy = "a.py:3: error: no [x]\na.py:3: note: see\nFound 1 error in 1 file";
    assert_eq!(failures(mypy), ["a.py:3: error: no [x]"]);
    let gcc = "a.c: In function 'f':\na.c:3:5: warning: unused\na.c:4:5: error: 'x' undeclared";
    assert_eq!(failures(gcc), ["a.c:4:5: error: 'x' undeclared"]);
    assert!(failures("a.rs:1:2: warning: odd").is_empty());
}

#[test]
fn tests_of_each_runner_fail_by_name() {
    for (output, expected) in [
        (
            "test a::b ... ok\ntest a::c ... FAILED\n---- a::c stdout ----\nthread 'a::c' panicked at \
          src/a.rs:1:2:\nno redis\ntest result: FAILED. 1 passed; 1 failed;",
            "a::c: src/a.rs:1:2: no redis",
        ),
        (
            "        FAIL [   0.005s] krate a::c\n        PASS [ 0.1s] krate a::b",
            "a::c failed",
        ),
        (
            "FAILED tests/a.py::test_b - AssertionError: 1 != 2\n=== 1 failed, 3 passed in 0.1s ===",
            "tests/a.py::test_b: AssertionError: 1 != 2",
        ),
        (
            "tests/a.py::test_a PASSED [ 50%]\ntests/a.py::test_b FAILED [100%]",
            "tests/a.py::test_b failed",
        ),
        (
            "FAIL: test_b (a.T)\n------\nTraceback (most recent call last):\n  File \"a.py\", line 3, in \
          test_b\n    x\nAssertionError: 1 != 2\n------\nFAILED (failures=1)",
            "test_b: a.py:3: AssertionError: 1 != 2",
        ),
        (
            "FAIL src/a.test.ts\n  ✓ works (2 ms)\n  ✕ adds (5 ms)\n\n  ● Sum › adds\n\n    expected 2\n\
          Tests:       1 failed, 1 passed, 2 total",
            "Sum › adds: expected 2",
        ),
        (
            " FAIL  src/a.test.ts > Sum > adds\nAssertionError: no",
            "src/a.test.ts > Sum > adds failed",
        ),
        (
            "TAP version 13\nok 1 - works\nnot ok 2 - adds # time=1ms\nnot ok 3 - later # TODO",
            "adds failed",
        ),
        (
            "Failures:\n\n  1) Sum adds\n     expected 2\n\n10 examples, 1 failure",
            "Sum adds: expected 2",
        ),
        (
            "  3 - adds (Failed)\n90% tests passed, 1 tests failed out of 10",
            "adds failed",
        ),
        (
            "  Failed A.Sum.Adds [12 ms]\nFailed!  - Failed:     1, Passed:     5",
            "A.Sum.Adds failed",
        ),
        (
            "SumTest > adds() FAILED\n    java.lang.AssertionError\nBUILD FAILED in 3s",
            "SumTest > adds(): java.lang.AssertionError",
        ),
    ] {
        assert_eq!(failures(output), [expected], "{output}");
        assert_ne!(read(output).says, Some(true), "{output}");
    }
}

#[test]
fn a_trace_says_its_innermost_place_and_what_was_raised() {
    let trace = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n  \
                 File \"b.py\", line 9, in f\nValueError: no";
    assert_eq!(failures(trace), ["b.py:9: ValueError: no"]);
    assert_eq!(failures("panic: boom\n\ngoroutine 1"), ["panic: boom"]);
}

#[test]
fn colours_and_names_of_tasks_do_not_hide_what_failed() {
    assert_eq!(
        failures("[test] \u{1b}[31m--- FAIL: TestA (0.0s)\u{1b}[0m\n[test] ERROR task failed"),
        ["TestA failed"]
    );
}

#[test]
fn of_what_a_person_writes_only_what_was_pasted_counts() {
    let pasted = |text| -> Vec<String> {
        let found = read_pasted(text).found;
        found.iter().map(Found::message).collect()
    };
    for prose in [
        "1) rename a\n2) fix b",
        "src/a.rs:12: please rename this",
        "● one\n● two",
        "Error handling: it should be better",
        "the test fails",
    ] {
        assert!(pasted(prose).is_empty(), "{prose}");
    }
    assert_eq!(
        pasted("fix this:\n  a.go:1:2: string `x` has 5 occurrences (goconst)\n      return x"),
        ["a.go:1:2: string `x` has 5 occurrences (goconst)"]
    );
    assert_eq!(
        pasted(
            "--- FAIL: TestA (0.04s)\n    --- FAIL: TestA/b (0.01s)\n        a_test.go:6: no\nFAIL"
        ),
        ["TestA/b: a_test.go:6: no"]
    );
}

proptest! {
    #[test]
    fn no_output_is_too_much_to_read(
        words in prop::collection::vec(prop_oneof![
            Just("--- FAIL: T".to_owned()), Just("a.rs:1:2: error".to_owned()), Just("\n".to_owned()),
            Just("error[E1]: x".to_owned()), Just("  --> a.rs:1:2".to_owned()), Just("● x".to_owned()),
            Just("Traceback (most recent call last)".to_owned()), Just("\u{1b}[".to_owned()),
            Just("thread 'x' panicked at :".to_owned()), Just("FAIL [".to_owned()), ".{0,9}",
        ], 0..60),
        times in 1_usize..40,
    ) {
        let output = words.concat().repeat(times);
        for read in [read(&output), read_pasted(&output)] {
            prop_assert!(read.found.len() <= FOUND_CAP);
            prop_assert!(read.found.iter().all(|one| one.message().len() <= 3 * LINE));
        }
    }
}
