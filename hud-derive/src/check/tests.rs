use proptest::prelude::*;

use super::super::output;
use super::*;

fn names(command: &str) -> Vec<String> {
    let name = |(check, _): (Check, Part)| check.name;
    checks(command).into_iter().map(name).collect()
}

fn kind(command: &str) -> Option<Kind> {
    checks(command).first().map(|(check, _)| check.kind)
}

/// The outcome of each check: `+`, `-`, or `?` for unknown.
fn came(command: &str, printed: &str, failed: bool) -> String {
    let outcomes = outcomes(command, &checks(command), &output::read(printed), failed);
    let sign = |outcome: &Outcome| match outcome {
        Outcome::Passed => '+',
        Outcome::Failed => '-',
        Outcome::Unknown => '?',
    };
    outcomes.iter().map(sign).collect()
}

#[test]
fn checks_of_many_ecosystems_are_known() {
    use Kind::{Build, Format, Lint, Test, Types};
    for (command, expected) in [
        ("cargo +nightly test -p a", Test),
        ("cargo nextest run", Test),
        ("cargo clippy -- -D warnings", Lint),
        ("cargo check", Types),
        ("go vet ./...", Lint),
        ("npm test", Test),
        ("npm run -s lint", Lint),
        ("pnpm --filter web build", Build),
        ("yarn typecheck", Types),
        ("bun run format:check", Format),
        ("npx jest src/a", Test),
        ("uv run pytest -q", Test),
        ("python -m unittest", Test),
        ("python3 manage.py test app", Test),
        ("tox -e py312", Test),
        ("ruff check .", Lint),
        ("ruff format --check", Format),
        ("mypy src", Types),
        ("mise run test:ci", Test),
        ("just lint", Lint),
        ("./gradlew check", Test),
        ("mvn -q verify", Test),
        ("dotnet build", Build),
        ("bundle exec rspec spec/a_spec.rb", Test),
        ("vendor/bin/phpunit", Test),
        ("ctest --output-on-failure", Test),
        ("golangci-lint run", Lint),
        ("node_modules/.bin/eslint src", Lint),
        ("npx prettier --check .", Format),
        ("tsc --noEmit", Types),
        ("timeout 60 ./scripts/run-tests.sh", Test),
        ("CI=1 bash ci/lint.sh", Lint),
        ("cmake --build build", Build),
        ("mix test", Test),
        ("npm --workspace web test", Test),
        ("npm -w web run -s lint", Lint),
        ("yarn workspace web test", Test),
        ("docker compose exec -T web pytest -q", Test),
        ("docker exec -it -u root api cargo test", Test),
        ("kubectl exec -n dev pod/a -- npm test", Test),
        ("rtk cargo test", Test),
        ("rtk lint npx eslint .", Lint),
        ("env -u RUSTFLAGS cargo clippy", Lint),
        ("python -W error -m pytest", Test),
        ("node --import tsx --test", Test),
        ("npx -p typescript tsc", Types),
    ] {
        assert_eq!(kind(command), Some(expected), "{command}");
    }
}

#[test]
fn what_only_names_a_check_is_none() {
    for command in [
        "cat test.sh",
        "npm install jest",
        "pip install pytest",
        "which cargo",
        "cargo run",
        "cargo test --help",
        "pytest --collect-only -q",
        "git commit -m 'make test pass'",
        "grep -rn 'go test' .",
        "cat > a.sh <<'EOF'\ngo test ./...\nEOF",
        "# go test ./...",
        "echo cargo test",
        "docker exec web ls",
        "rtk git status",
        "npm ci",
        "go test -c ./pkg",
    ] {
        assert!(names(command).is_empty(), "{command}");
    }
}

#[test]
fn a_check_is_called_as_a_person_would() {
    for (command, expected) in [
        (
            "go test ./pkg/ -run TestX -v -count=1 2>&1",
            "go test -run TestX ./pkg/",
        ),
        (
            "RUST_LOG=debug cargo test --quiet -p hud -- --nocapture",
            "cargo test -p hud",
        ),
        (
            "mise run test -- ./redact/...",
            "mise run test ./redact/...",
        ),
        (
            "uv run pytest -q --tb short 'tests/a b.py'",
            "pytest 'tests/a b.py'",
        ),
        ("cd sub && npm test | tail -3", "cd sub && npm test"),
        ("cd /repo && npm test", "npm test"),
    ] {
        assert_eq!(names(command), [expected], "{command}");
        assert_eq!(names(expected), [expected], "its name is a command");
    }
    assert_eq!(
        names("make -j 4 fmt lint && go build ./..."),
        ["make fmt", "make lint", "go build ./..."]
    );
}

#[test]
fn a_wider_run_covers_a_narrower_one_and_not_the_other_way_round() {
    let covers = |wide: &str, narrow: &str| match (&checks(wide)[..], &checks(narrow)[..]) {
        ([(wide, _)], [(narrow, _)]) => wide.covers(narrow),
        _ => false,
    };
    for (wide, narrow) in [
        ("go test ./...", "go test -run TestX ./pkg"),
        ("cargo test", "cargo test parser"),
        ("pytest tests", "pytest tests/a.py::test_b"),
        ("cargo test", "cargo test --test e2e"),
    ] {
        assert!(covers(wide, narrow), "{wide}");
        assert!(!covers(narrow, wide), "{narrow}");
    }
    assert!(!covers("cargo test", "cargo build"));
    assert!(!covers(
        "cargo test -q",
        "cargo test --test e2e -- --ignored"
    ));
    assert!(!covers("cd a && make test", "cd b && make test"));
}

#[test]
fn a_failure_is_found_whatever_hides_the_exit_code() {
    let fail = "--- FAIL: TestA (0.0s)\nFAIL";
    for command in [
        "go test ./... 2>&1 | tail -5",
        "go test ./... || true",
        "go test ./...; echo done",
        "go test ./... | grep FAIL",
        "make test",
    ] {
        assert_eq!(came(command, fail, false), "-", "{command}");
    }
    assert_eq!(came("tsc | head", "a.ts(1,2): error TS1: no", false), "-");
    assert_eq!(
        came(
            "cargo build 2>&1 | tail -3",
            "error[E0425]: no\n --> a.rs:1:2",
            false
        ),
        "-"
    );
}

/// The last lines of each runner, cut by a pipe so that no exit code shows the outcome.
#[test]
fn what_a_runner_prints_last_says_whether_the_run_passed() {
    for (command, failing, passing) in [
        (
            "pytest",
            "FAILED a.py::b - E\n=== 1 failed, 3 passed in 0.1s ===",
            "=== 3 passed, 1 skipped in 0.1s ===",
        ),
        (
            "cargo test",
            "error: test failed, to rerun pass `--lib`",
            "test result: ok. 3 passed; 0 failed; 0 ignored",
        ),
        (
            "go test ./...",
            "exit status 1\nFAIL\ta\t0.1s\nFAIL",
            "ok  \ta\t0.1s",
        ),
        (
            "npx jest",
            "Test Suites: 1 failed, 2 passed, 3 total\nTests:       5 passed, 5 total",
            "Test Suites: 3 passed, 3 total\nTests:       5 passed, 5 total",
        ),
        (
            "npx vitest run",
            " Test Files  1 failed | 2 passed (3)\n      Tests  5 passed (5)",
            " Test Files  3 passed (3)\n      Tests  5 passed (5)",
        ),
        (
            "npx mocha",
            "  4 passing (12ms)\n  1 failing\n\n  1) Sum adds:",
            "  5 passing (12ms)",
        ),
        (
            "bundle exec rspec",
            "Finished in 0.03 seconds\n10 examples, 1 failure\n\nrspec ./a_spec.rb:3 # adds",
            "Finished in 0.03 seconds\n10 examples, 0 failures",
        ),
        (
            "vendor/bin/phpunit",
            "FAILURES!\nTests: 5, Assertions: 7, Failures: 1.",
            "OK (5 tests, 7 assertions)",
        ),
        (
            "./gradlew test",
            "> Task :test FAILED\n10 tests completed, 1 failed",
            "BUILD SUCCESSFUL in 3s",
        ),
        (
            "mvn test",
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
        ),
        (
            "ctest",
            "90% tests passed, 1 tests failed out of 10",
            "100% tests passed, 0 tests failed out of 10",
        ),
        (
            "dotnet test",
            "Failed!  - Failed:     1, Passed:     5, Skipped:     0\n\
             Passed!  - Failed:     0, Passed:     2, Skipped:     0",
            "Passed!  - Failed:     0, Passed:     5, Skipped:     0",
        ),
        (
            "mix test",
            "5 tests, 1 failure",
            "Finished in 0.03 seconds\n5 tests, 0 failures",
        ),
        (
            "swift test",
            "Test Case '-[A.B testC]' failed (0.1 seconds).\n\t Executed 5 tests, with 1 failure",
            "\t Executed 5 tests, with 0 failures (0 unexpected) in 0.01 seconds",
        ),
        ("npx tsc", "Found 3 errors in 2 files.", "Found 0 errors."),
        (
            "npx eslint .",
            "✖ 3 problems (2 errors, 1 warning)",
            "✖ 3 problems (0 errors, 3 warnings)",
        ),
        ("ruff check", "Found 3 errors.", "All checks passed!"),
        (
            "mypy .",
            "Found 1 error in 1 file (checked 5 source files)",
            "Success: no issues found in 5 files",
        ),
        ("make", "make: *** [Makefile:12: all] Error 2", ""),
        (
            "ninja",
            "FAILED: a.o\nninja: build stopped: subcommand failed.",
            "ninja: no work to do.",
        ),
        (
            "docker build .",
            "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 2",
            "Successfully built 3f2a",
        ),
        (
            "docker compose build",
            "failed to solve: no such file",
            "Successfully tagged a:b",
        ),
        ("npm test", "1 of 2 tests failed", "2 of 2 tests passed"),
        (
            "npm test",
            "npm error Lifecycle script `test` failed with error:",
            "5 tests passed",
        ),
        (
            "bun test",
            "(fail) sum > adds [1ms]\n 4 pass\n 1 fail",
            "(pass) sum > adds [1ms]\n[Queue] Task 0 failed: 101 |   });\n 5 pass\n 0 fail",
        ),
        (
            "npx cypress run",
            "✖  1 of 2 failed (50%)",
            "✔  All specs passed!  00:05  5  5",
        ),
        (
            "npx vite build",
            "✗ Build failed in 1.2s\nerror during build:",
            "✓ built in 1.2s",
        ),
        (
            "prove",
            "Failed 1/3 test programs. 1/10 subtests failed.\nResult: FAIL",
            "Result: PASS",
        ),
    ] {
        let piped = format!("{command} 2>&1 | tail -5");
        assert_eq!(came(&piped, failing, false), "-", "{command}: {failing}");
        assert_eq!(came(&piped, passing, false), "+", "{command}: {passing}");
    }
}

#[test]
fn a_pass_needs_the_exit_code_or_a_sign_of_success() {
    assert_eq!(came("make lint", "", false), "+");
    assert_eq!(came("go test ./... | tail -3", "ok  \ta\t0.1s", false), "+");
    assert_eq!(came("go build ./... 2>&1 | head -30", "", false), "+");
    assert_eq!(came("cargo test | grep xyz", "", false), "?");
    assert_eq!(came("pytest; echo done", "done", false), "?");
    assert_eq!(came("cargo test || true", "", false), "?");
}

#[test]
fn of_several_checks_in_a_line_the_one_that_failed_is_found() {
    let all = "make fmt && make lint && make test";
    let place = "a.go:1:2: unused (errcheck)\n1 issues:";
    let test = "--- FAIL: TestA (0.0s)\nFAIL";
    assert_eq!(came(all, "0 issues.", false), "+++");
    assert_eq!(came(all, place, true), "+-?");
    assert_eq!(came(all, test, true), "++-");
    assert_eq!(came("make test && make lint", place, true), "+-");
    assert_eq!(came("make lint; make test", test, true), "?-");
    // The program that failed is not a check.
    assert_eq!(came("make build && ./run", "no redis", true), "?");
}

#[test]
fn passing_tests_and_warnings_are_no_failures() {
    let log = "=== RUN   TestA\n    a_test.go:3: error is expected\n--- PASS: TestA (0.0s)\nPASS";
    assert_eq!(came("go test -v ./... | tail", log, false), "+");
    assert_eq!(
        came("cargo clippy", "warning: odd\n --> a.rs:1:2", false),
        "+"
    );
}

proptest! {
    #[test]
    fn any_command_line_is_read(
        words in prop::collection::vec(prop_oneof![
            Just("cargo test ".to_owned()), Just("make ".to_owned()), Just("cd ".to_owned()),
            Just("|".to_owned()), Just("&&".to_owned()), Just(";".to_owned()), Just("<<EOF\n".to_owned()),
            Just("'".to_owned()), Just("\"".to_owned()), Just("\\".to_owned()), Just("npm run ".to_owned()),
            Just("npx -".to_owned()), Just("timeout 5 ".to_owned()), ".{0,9}",
        ], 0..40),
        times in 1_usize..60,
        printed in ".{0,40}",
        failed: bool,
    ) {
        let command = words.concat().repeat(times);
        let checks = checks(&command);
        let outcomes = outcomes(&command, &checks, &output::read(&printed), failed);
        prop_assert_eq!(outcomes.len(), checks.len());
    }
}

/// Real output of a program: `tests/cases/runners/*.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Outputs {
    /// The program and its version.
    version: String,
    case: Vec<Case>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    command: String,
    /// The exit status of the whole command line.
    exit: i32,
    output: String,
    /// The name of the check. Empty if there is none.
    check: String,
    kind: String,
    /// The conclusion of a careful reader: `passed`, `failed`, `unknown`.
    outcome: String,
    /// The outcome that is read, if it is another one.
    reads: Option<String>,
    /// The names of failed tests, or places, as far as they are printed.
    failures: Vec<String>,
}

impl Case {
    /// Returns the differences between the case and the reading of it.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut differs = |what: &str, is: String, wanted: &str| {
            if is != wanted {
                wrong.push(format!(
                    "{}\n    {what}: {is}\n    wanted: {wanted}",
                    self.command
                ));
            }
        };
        let checks = checks(&self.command);
        let Some((check, _)) = checks.first() else {
            differs("check", String::new(), &self.check);
            return wrong;
        };
        differs("check", check.name.clone(), &self.check);
        differs(
            "kind",
            format!("{:?}", check.kind).to_lowercase(),
            &self.kind,
        );
        let output = output::read(&self.output);
        let outcomes = outcomes(&self.command, &checks, &output, self.exit != 0);
        let outcome = outcomes.first().map_or("", |outcome| match outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Unknown => "unknown",
        });
        let reads = self.reads.as_ref().unwrap_or(&self.outcome);
        differs("outcome", outcome.to_owned(), reads);
        let names: Vec<&str> = output.found.iter().map(|one| one.name.as_str()).collect();
        for failure in &self.failures {
            if !names.iter().any(|name| name.contains(failure.as_str())) {
                differs("failures", format!("{names:?}"), failure);
            }
        }
        wrong
    }
}

#[test]
fn real_output_of_each_program_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/runners");
    let (mut cases, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the folder of cases") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let outputs: Outputs =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for case in &outputs.case {
            cases += 1;
            wrong.extend(
                { case.wrong() }
                    .iter()
                    .map(|one| format!("{}: {one}", outputs.version)),
            );
        }
    }
    println!("{} of {cases} cases have something wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
