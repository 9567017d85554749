//! Which programs check something, and what.

use super::options::check;
use super::{Check, Kind};

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
pub(super) fn of(words: &[String]) -> Vec<Check> {
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
