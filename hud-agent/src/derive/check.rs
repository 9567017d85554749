//! Checks: which commands are tests, linters, formatters, builds, and what came of a run of them.

use super::command::{self, Link, Part};
use super::output::{self, Output};

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Test,
    Lint,
    Format,
    Types,
    Build,
}

/// A check of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub kind: Kind,
    /// The check as a person would write it, on what it runs: it is a command line itself.
    pub name: String,
    /// The program and what it is asked to do.
    head: String,
    /// On which files, packages, tests.
    targets: Vec<String>,
    /// The options that narrow it, with their values.
    narrowing: Vec<(String, String)>,
    /// The long options that change what is run.
    options: Vec<String>,
}

impl Check {
    /// Whether a pass of this run means that all that another one ran passes.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let covered = |target: &String| self.targets.iter().any(|own| reaches(own, target));
        let targets = match (self.targets.is_empty(), other.targets.is_empty()) {
            (true, _) => true,
            (false, true) => self.targets.iter().any(|own| is_all(own)),
            (false, false) => other.targets.iter().all(covered),
        };
        self.head == other.head
            && targets
            && self
                .narrowing
                .iter()
                .all(|one| other.narrowing.contains(one))
            && other.options.iter().all(|one| self.options.contains(one))
    }

    /// Whether the run is of a test of that name, among others or alone.
    pub(super) fn runs_test(&self, test: &str) -> bool {
        let is_narrow = !self.narrowing.is_empty() || !self.targets.iter().all(|own| is_all(own));
        self.kind == Kind::Test && (!is_narrow || self.names_test(test))
    }

    /// Whether the run is narrowed to tests of which one has that name.
    pub(super) fn names_test(&self, test: &str) -> bool {
        let mut names = self
            .narrowing
            .iter()
            .map(|(_, value)| value)
            .chain(&self.targets);
        names.any(|name| {
            let name = name.trim_matches(['^', '$', '"']);
            let mut parts = name.split('|');
            name.len() > 2 && parts.any(|part| part.len() > 2 && test.contains(part))
        })
    }

    /// Whether a formatter only says what it would change.
    pub(super) fn only_looks(&self) -> bool {
        let mut words = self.name.split([' ', ':', '-', '_']);
        words.any(|word| matches!(word, "check" | "diff" | "verify"))
    }

    /// Whether the run looks at a file.
    pub(super) fn looks_at(&self, path: &str) -> bool {
        self.targets.is_empty() || self.targets.iter().any(|own| reaches(own, path))
    }
}

/// Whether a target is everything.
fn is_all(target: &str) -> bool {
    matches!(target, "." | "./..." | "..." | "./" | "*" | "all")
}

/// Whether a target has another one in it: a folder its files, a file its tests.
fn reaches(target: &str, other: &str) -> bool {
    let plain = |target: &str| {
        let target = target.trim_start_matches("./").trim_end_matches("...");
        target.trim_end_matches(['/', '*']).to_owned()
    };
    let (target, whole, other) = (plain(target), target, plain(other));
    is_all(whole)
        || other == target
        || other
            .strip_prefix(&target)
            .is_some_and(|rest| !target.is_empty() && rest.starts_with(['/', ':', '[', '.']))
}

/// The checks of a command line, each with its part of it.
pub(super) fn checks(command: &str) -> Vec<(Check, Part)> {
    let mut folder: Option<String> = None;
    let mut checks = Vec::new();
    for part in command::linked(output::upto(command, 8 * 1024)).iter() {
        if let [cd, to] = part.words.as_slice()
            && cd == "cd"
        {
            let is_below = !to.starts_with(['/', '~', '$', '-']) && !to.starts_with("..");
            folder = is_below.then(|| to.clone());
            continue;
        }
        for mut check in of(&part.words) {
            if let Some(folder) = &folder {
                check.name = format!("cd {folder} && {}", check.name);
                check.head = format!("{folder}/ {}", check.head);
            }
            checks.push((check, part.clone()));
        }
    }
    checks
}

/// Options after which nothing is checked.
const ONLY_SAY: &[&str] = &[
    "--co",
    "--collect-only",
    "--dry-run",
    "--fixtures",
    "--help",
    "--init",
    "--just-print",
    "--list",
    "--list-tests",
    "--listTests",
    "--no-run",
    "--print-config",
    "--recon",
    "--show-config",
    "--version",
    "--watch",
    "-h",
];

/// The checks of one part of a command line.
fn of(words: &[String]) -> Vec<Check> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut words = words.as_slice();
    if words.iter().any(|word| ONLY_SAY.contains(word)) {
        return Vec::new();
    }
    // What a prefix took: `timeout 60`.
    while let [first, rest @ ..] = words
        && (is_duration(first) || first.starts_with('-'))
    {
        words = rest;
    }
    words = unwrapped(words);
    let Some((program, rest)) = words.split_first() else {
        return Vec::new();
    };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let program = program.trim_end_matches(".exe");
    if MANY.contains(&program) {
        return many(program, rest);
    }
    let (kind, used) = match recognise(words[0], program, rest) {
        Some(found) => found,
        None => return Vec::new(),
    };
    let shown = if words[0].starts_with("./") || is_script(words[0]) {
        words[0]
    } else {
        program
    };
    let (asked, rest) = rest.split_at(used.min(rest.len()));
    let mut head = vec![shown];
    head.extend(asked);
    vec![check(kind, &head, rest)]
}

/// Runners that take several tasks at once.
const MANY: &[&str] = &[
    "make", "gmake", "ninja", "gradle", "gradlew", "mvn", "mvnw", "rake", "task",
];

fn many(program: &str, rest: &[&str]) -> Vec<Check> {
    if rest.contains(&"-n") && program.ends_with("make") {
        return Vec::new();
    }
    let mut tasks = Vec::new();
    let mut options = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match *word {
            "-C" | "-f" | "--directory" | "--file" | "-pl" | "--tests" => {
                options.push(*word);
                options.extend(words.next());
            }
            "-j" | "-x" | "-l" => drop(words.next()),
            word if word.starts_with('-') || word.contains('=') => {}
            word => tasks.push(word),
        }
    }
    if tasks.is_empty() && matches!(program, "make" | "gmake" | "ninja") {
        return vec![check(Kind::Build, &[program], &options)];
    }
    let checked = |task: &&str| {
        // By custom it runs the tests.
        let kind = match (*task, task_kind(task)?) {
            ("check", _) => Kind::Test,
            ("install", _) => return None,
            (_, kind) => kind,
        };
        Some(check(kind, &[program, task], &options))
    };
    tasks.iter().filter_map(checked).collect()
}

/// Programs that run another one, and how many words they are.
const WRAPPERS: &[&[&str]] = &[
    &["npx"],
    &["bunx"],
    &["pnpx"],
    &["pnpm", "exec"],
    &["pnpm", "dlx"],
    &["yarn", "exec"],
    &["yarn", "dlx"],
    &["bun", "x"],
    &["npm", "exec", "--"],
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["pdm", "run"],
    &["rye", "run"],
    &["bundle", "exec"],
    &["mise", "exec", "--"],
    &["mise", "x", "--"],
    &["direnv", "exec", "."],
    &["xvfb-run"],
    &["coverage", "run", "-m"],
    &["python", "-m"],
    &["python3", "-m"],
    &["dotenv", "--"],
    &["nix", "develop", "-c"],
    &["env"],
    &["time"],
    &["command"],
    &["then"],
    &["do"],
    &["if"],
    &["!"],
];

fn unwrapped<'w, 'c>(mut words: &'w [&'c str]) -> &'w [&'c str] {
    while let Some(wrapper) = WRAPPERS.iter().find(|wrapper| words.starts_with(wrapper)) {
        words = &words[wrapper.len()..];
        while let [first, rest @ ..] = words
            && (first.starts_with('-') || first.contains('='))
        {
            words = rest;
        }
    }
    words
}

/// Options with a value that come before what a runner is asked to do.
const BEFORE: &[&str] = &[
    "--cwd",
    "--dir",
    "--filter",
    "--manifest-path",
    "--prefix",
    "-C",
];

/// What a program checks, and how many of its words say so.
fn recognise(path: &str, program: &str, rest: &[&str]) -> Option<(Kind, usize)> {
    let word = |index: usize| rest.get(index).copied().unwrap_or_default();
    let mut at = 0;
    while word(at).starts_with(['-', '+']) {
        at += if BEFORE.contains(&word(at)) { 2 } else { 1 };
    }
    let task = word(at);
    let one = |kind: Kind| Some((kind, at + 1));
    match program {
        "cargo" => match task {
            "nextest" if word(at + 1) == "run" => Some((Kind::Test, at + 2)),
            "test" | "t" | "miri" | "llvm-cov" | "tarpaulin" => one(Kind::Test),
            "clippy" | "deny" | "audit" | "machete" => one(Kind::Lint),
            "fmt" => one(Kind::Format),
            "check" | "c" => one(Kind::Types),
            "build" | "b" | "doc" => one(Kind::Build),
            "xtask" => Some((task_kind(word(at + 1))?, at + 2)),
            _ => None,
        },
        "go" => match task {
            "test" if !rest.contains(&"-c") && !rest.contains(&"-list") => one(Kind::Test),
            "vet" => one(Kind::Lint),
            "build" => one(Kind::Build),
            "fmt" => one(Kind::Format),
            _ => None,
        },
        "docker" | "podman" | "nerdctl"
            if matches!(task, "compose" | "buildx" | "image" | "builder") =>
        {
            Some((task_kind(word(at + 1))?, at + 2))
        }
        "dotnet" | "swift" | "zig" | "mix" | "cabal" | "stack" | "sbt" | "lein" | "dart"
        | "flutter" | "bazel" | "bazelisk" | "meson" | "rails" | "hatch" | "nx" | "turbo"
        | "deno" | "ng" | "next" | "vite" | "astro" | "svelte-check" | "helm" | "terraform"
        | "tofu" | "forge" | "hardhat" | "pants" | "buck2" | "pio" | "docker" | "podman"
        | "nix" | "gleam" | "crystal" | "shards" | "dune" | "spago" | "elm" => match task {
            "analyze" | "credo" | "dialyzer" => one(Kind::Lint),
            _ => Some((task_kind(task)?, at + 1)),
        },
        "npm" | "pnpm" | "yarn" | "bun" | "mise" | "just" | "composer" | "poe" | "invoke"
        | "inv" | "grunt" | "gulp" | "lerna" | "moon" | "lage" | "wireit" | "melos" | "ant"
        | "earthly" => match task {
            "run" | "run-script" | "r" | "tasks" => {
                let more = rest.iter().skip(at + 1);
                let skipped = more.take_while(|word| word.starts_with('-')).count();
                let task = word(at + 1 + skipped);
                Some((task_kind(task)?, at + 2 + skipped))
            }
            "t" if matches!(program, "npm" | "pnpm") => one(Kind::Test),
            "audit" | "install" | "ci" => None,
            _ => Some((task_kind(task)?, at + 1)),
        },
        "tox" | "nox" => Some((Kind::Test, 0)),
        "node" if rest.contains(&"--test") => Some((Kind::Test, 0)),
        "php" if task == "artisan" && word(at + 1) == "test" => Some((Kind::Test, at + 2)),
        "cmake" if rest.first() == Some(&"--build") => Some((Kind::Build, 1)),
        "playwright" | "cypress" | "karma" | "ginkgo" | "vitest" | "wtr" | "artisan" => {
            let is_task = matches!(task, "test" | "run" | "start");
            Some((Kind::Test, if is_task { at + 1 } else { 0 }))
        }
        "ruff" | "biome" | "golangci-lint" | "pre-commit" | "prek" | "buf" | "rome" => match task {
            "format" | "fmt" => one(Kind::Format),
            "check" | "lint" | "run" | "ci" => one(Kind::Lint),
            _ => None,
        },
        "bash" | "sh" | "zsh" | "python" | "python3" | "ruby" | "node" | "php" | "perl" | "tsx"
        | "ts-node" | "uv" => {
            if program == "python" || program == "python3" || program == "php" || program == "ruby"
            {
                let tasks = (task.ends_with("manage.py") || task.ends_with("setup.py"))
                    && word(at + 1) == "test";
                if tasks {
                    return Some((Kind::Test, at + 2));
                }
            }
            let kind = is_script(task).then(|| task_kind(stem(task)))??;
            Some((kind, at + 1))
        }
        _ => match tool(program) {
            Some(kind) => Some((kind, 0)),
            None if is_script(path) => match task_kind(stem(path)) {
                Some(kind) => Some((kind, 0)),
                None => {
                    const TASKS: &[&str] = &[
                        "test",
                        "tests",
                        "lint",
                        "build",
                        "typecheck",
                        "fmt",
                        "format",
                    ];
                    TASKS
                        .contains(&task)
                        .then(|| task_kind(task))?
                        .map(|kind| (kind, at + 1))
                }
            },
            None => None,
        },
    }
}

/// Programs that do nothing but check.
fn tool(program: &str) -> Option<Kind> {
    Some(match program {
        "pytest" | "py.test" | "nosetests" | "unittest" | "doctest" | "jest" | "mocha" | "ava"
        | "tap" | "jasmine" | "rspec" | "minitest" | "phpunit" | "pest" | "ctest" | "gotestsum"
        | "busted" | "bats" | "behave" | "cucumber" | "kotest" | "prove" | "xctest" | "trial"
        | "stestr" | "ward" | "green" => Kind::Test,
        "eslint" | "tslint" | "oxlint" | "stylelint" | "xo" | "flake8" | "pylint" | "bandit"
        | "rubocop" | "standardrb" | "phpstan" | "psalm" | "phpcs" | "shellcheck" | "hadolint"
        | "yamllint" | "markdownlint" | "actionlint" | "ktlint" | "detekt" | "checkstyle"
        | "clang-tidy" | "cppcheck" | "staticcheck" | "revive" | "luacheck" | "selene"
        | "swiftlint" | "hlint" | "sqlfluff" | "tflint" | "vulture" | "semgrep" | "codespell"
        | "typos" => Kind::Lint,
        "tsc" | "vue-tsc" | "mypy" | "pyright" | "basedpyright" | "pytype" | "pyre" | "flow"
        | "srb" | "svelte-check" => Kind::Types,
        "prettier" | "black" | "isort" | "gofmt" | "goimports" | "gofumpt" | "rustfmt"
        | "clang-format" | "php-cs-fixer" | "stylua" | "shfmt" | "autopep8" | "yapf" | "dprint"
        | "ormolu" | "scalafmt" | "swiftformat" => Kind::Format,
        "webpack" | "rollup" | "tsup" | "esbuild" | "parcel" | "gcc" | "g++" | "clang"
        | "clang++" | "cc" | "c++" | "rustc" | "javac" | "kotlinc" | "scalac" | "ghc"
        | "xcodebuild" | "msbuild" => Kind::Build,
        _ => return None,
    })
}

/// What a task checks, by the words of its name: `test:ci`, `check-types`, `lint`.
fn task_kind(task: &str) -> Option<Kind> {
    if task.starts_with('-') || task.len() > 60 {
        return None;
    }
    let words: Vec<String> = task
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(str::to_lowercase)
        .collect();
    let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
    let kinds: [(Kind, &[&str]); 6] = [
        (
            Kind::Types,
            &[
                "type",
                "types",
                "typecheck",
                "typing",
                "tsc",
                "mypy",
                "pyright",
            ],
        ),
        (
            Kind::Format,
            &["fmt", "format", "formatting", "prettier", "style"],
        ),
        (
            Kind::Lint,
            &[
                "lint", "linter", "linting", "eslint", "clippy", "vet", "ruff",
            ],
        ),
        (
            Kind::Test,
            &[
                "test", "tests", "testing", "spec", "specs", "e2e", "ci", "verify", "jest",
                "vitest", "pytest", "unittest", "runtests", "phpunit",
            ],
        ),
        (
            Kind::Build,
            &["build", "compile", "bundle", "assemble", "package"],
        ),
        (
            Kind::Lint,
            &["check", "checks", "validate", "analyze", "analyse"],
        ),
    ];
    kinds
        .into_iter()
        .find(|(_, words)| has(words))
        .map(|(kind, _)| kind)
}

fn is_duration(word: &str) -> bool {
    let number = word.trim_end_matches(['s', 'm', 'h']);
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Whether a word names a file that is run.
fn is_script(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "sh", "bash", "py", "rb", "js", "mjs", "cjs", "ts", "pl", "php",
    ];
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending)) || word.contains('/')
}

/// The name of a file without its folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Options with a value that narrow what is run.
const NARROW: &[&str] = &[
    "-E",
    "-F",
    "-R",
    "-e",
    "-k",
    "-m",
    "-p",
    "-run",
    "-skip",
    "-t",
    "-tags",
    "--bench",
    "--bin",
    "--example",
    "--exclude",
    "--features",
    "--filter",
    "--grep",
    "--only",
    "--package",
    "--project",
    "--run",
    "--skip",
    "--tags",
    "--test",
    "--testNamePattern",
    "--tests",
    "--workspace",
    "-C",
    "--directory",
    "--manifest-path",
    "--prefix",
    "-pl",
    "-w",
];

/// Options with a value that says nothing about what is run.
const VALUED: &[&str] = &[
    "-c",
    "-count",
    "-j",
    "-n",
    "-o",
    "-parallel",
    "-timeout",
    "-W",
    "-D",
    "--color",
    "--config",
    "--durations",
    "--format",
    "--jobs",
    "--log-level",
    "--max-warnings",
    "--maxfail",
    "--message-format",
    "--out-dir",
    "--output",
    "--profile",
    "--reporter",
    "--rootdir",
    "--target",
    "--tb",
    "--timeout",
    "--workers",
];

/// Options without a value that belong to what is run.
const SHOWN: &[&str] = &[
    "-race",
    "--all",
    "--all-features",
    "--all-targets",
    "--check",
    "--doc",
    "--ignored",
    "--include-ignored",
    "--lib",
    "--no-default-features",
    "--release",
    "--workspace",
];

/// Options that only change how a run is reported, or on which part it is.
const REPORTING: &[&str] = &[
    "--bins",
    "--color",
    "--doc",
    "--fix",
    "--lib",
    "--no-color",
    "--no-fail-fast",
    "--nocapture",
    "--quiet",
    "--silent",
    "--tests",
    "--verbose",
    "--if-present",
    "--coverage",
    "--write",
];

fn check(kind: Kind, head: &[&str], rest: &[&str]) -> Check {
    let head = head.join(" ");
    let (mut targets, mut narrowing, mut options) = (Vec::new(), Vec::new(), Vec::new());
    let mut shown = Vec::new();
    let is_cargo = head.starts_with("cargo");
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if word.starts_with('-') => (option, Some(value)),
            _ => (word, None),
        };
        // `-p` of pytest is a plugin, `-t` of others a flag; `--workspace` has a value for npm alone.
        let takes_value = NARROW.contains(&option)
            && !(option == "--workspace" && is_cargo)
            && !(option == "-p" && head.ends_with("pytest"))
            && (option != "-e" || head.starts_with("tox"))
            && (option != "-w" || head.starts_with(['n', 'p']));
        if word == "--" {
        } else if takes_value {
            let next = || words.next_if(|next| !next.starts_with('-'));
            if let Some(value) = value.or_else(next) {
                narrowing.push((option.to_owned(), value.to_owned()));
            }
        } else if word.starts_with('-') {
            if VALUED.contains(&option) && value.is_none() {
                words.next_if(|next| !next.starts_with('-'));
            }
            if SHOWN.contains(&option) {
                shown.push(option);
            }
            if option.starts_with("--") && !REPORTING.contains(&option) && !VALUED.contains(&option)
            {
                options.push(option.to_owned());
            }
        } else {
            targets.push(word.to_owned());
        }
    }
    let mut name = head.clone();
    let narrow = narrowing
        .iter()
        .flat_map(|(option, value)| [option.as_str(), value.as_str()]);
    let words = shown
        .into_iter()
        .chain(narrow)
        .chain(targets.iter().map(String::as_str));
    for word in words {
        let is_plain = word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./:@%+=,^~[]*".contains(c));
        name.push(' ');
        match is_plain {
            true => name.push_str(word),
            false => name.push_str(&format!("'{}'", word.replace('\'', ""))),
        }
    }
    Check {
        kind,
        name,
        head,
        targets,
        narrowing,
        options,
    }
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// It did not run, or nobody can say.
    Unknown,
}

/// What came of the checks of a command line, by its exit code and by what it printed.
pub(super) fn outcomes(
    command: &str,
    checks: &[(Check, Part)],
    output: &Output,
    failed: bool,
) -> Vec<Outcome> {
    let says_failed = output.says == Some(false) || !output.found.is_empty();
    let culprit = (failed || says_failed)
        .then(|| culprit(checks, output))
        .flatten();
    let mut stopped = false;
    let outcome = |(index, (check, part)): (usize, &(Check, Part))| {
        if stopped {
            return Outcome::Unknown;
        }
        let is_culprit = culprit == Some(index);
        let outcome = match (part.is_masked, failed) {
            (true, _) if is_culprit && says_failed => Outcome::Failed,
            (true, _) if says_failed => Outcome::Unknown,
            (true, _) if output.says == Some(true) => Outcome::Passed,
            (true, _) => {
                match output.is_empty && check.kind != Kind::Test && is_only_cut(command) {
                    true => Outcome::Passed,
                    false => Outcome::Unknown,
                }
            }
            (false, false) => match is_culprit
                && output.says == Some(false)
                && (check.kind == Kind::Test || !output.found.is_empty())
            {
                true => Outcome::Failed,
                false => Outcome::Passed,
            },
            (false, true) if is_culprit => Outcome::Failed,
            // What came before the one that failed passed, if a failure would have stopped the line.
            (false, true) => match culprit.is_some_and(|culprit| index < culprit) {
                true => Outcome::Passed,
                false => Outcome::Unknown,
            },
        };
        stopped = part.link == Link::And && outcome == Outcome::Failed;
        outcome
    };
    checks.iter().enumerate().map(outcome).collect()
}

/// The check that failed, if one did.
fn culprit(checks: &[(Check, Part)], output: &Output) -> Option<usize> {
    let has = |kind: output::Kind| output.found.iter().any(|one| one.kind == kind);
    let fits = |check: &Check| match check.kind {
        Kind::Test => has(output::Kind::Test) || output.fails_tests,
        Kind::Lint | Kind::Types | Kind::Build => has(output::Kind::Place) && !output.fails_tests,
        Kind::Format => false,
    };
    let position = checks.iter().position(|(check, _)| fits(check));
    // Nothing says which: the last one, unless something else ran behind it.
    let last = || {
        let (_, part) = checks.last()?;
        let is_last = matches!(part.link, Link::End | Link::Pipe) || part.is_masked;
        let says_passed = output.says == Some(true);
        (is_last && !says_passed || output.says == Some(false)).then(|| checks.len() - 1)
    };
    position.or_else(last)
}

/// Whether nothing but the length of an output is changed behind a pipe.
fn is_only_cut(command: &str) -> bool {
    let parts = command::linked(command);
    let mut behind = parts.windows(2).filter(|pair| pair[0].link == Link::Pipe);
    behind.all(|pair| matches!(pair[1].words[0].as_str(), "head" | "tail" | "cat" | "tee"))
        && parts.iter().all(|part| part.link != Link::Or)
}

/// Whether a filter may have left out a part of what was printed.
pub(super) fn is_cut(command: &str) -> bool {
    command::linked(command)
        .iter()
        .any(|part| part.link == Link::Pipe)
}

#[cfg(test)]
mod tests;
