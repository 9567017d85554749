//! The commands of a page, run where its reader would run them.

use std::any::Any;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::page::{Block, Page, root};
use crate::program;

/// What serves until it is ended: of these the arguments are tried.
const SERVES: [&str; 6] = [
    "hud inspect",
    "hud watch",
    "hud mcp",
    "hud bridge",
    "hud log --follow",
    "hud push --watch",
];

/// What pages name and a test has something of its own in the place of: where a model answers, and the server of a
/// fleet.
pub(crate) const MODEL: &str = "http://127.0.0.1:11434/v1";
pub(crate) const SERVER: &str = "db.example";

/// What only a program with a feature has, or without it.
const OPTIONAL: [(&str, bool); 10] = [
    // One that counts tokens exactly fits something else into as many.
    ("--budget", !cfg!(feature = "bpe")),
    ("hud distill", cfg!(feature = "distill")),
    ("hud inspect", cfg!(feature = "inspect")),
    ("hud rooms", cfg!(feature = "rooms")),
    ("--db rooms.db", cfg!(feature = "rooms")),
    ("hud watch", cfg!(feature = "watch")),
    ("hud push", cfg!(feature = "postgres")),
    ("hud pull", cfg!(feature = "postgres")),
    ("hud fleet", cfg!(feature = "postgres")),
    ("--prometheus", cfg!(feature = "telemetry")),
];

/// A server of the test that answers in the place of one that pages name.
struct Served {
    /// The address on the pages.
    name: &'static str,
    /// The server's own address.
    address: String,
    /// The server, which ends when this is dropped.
    _server: Box<dyn Any>,
}

/// The machine of a page's reader: a project, `hud`, and the clients that say their version.
pub(crate) struct Machine {
    place: TempDir,
    served: Vec<Served>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self {
            place: tempfile::tempdir().unwrap(),
            served: Vec::new(),
        };
        for folder in ["me/harbor/.git", "me/harbor/docs", "bin", "tmp"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_hud"), machine.path("bin/hud")).unwrap();
        for (name, version) in [
            ("claude", "2.1.332 (Claude Code)"),
            ("codex", "codex-cli 0.171.0"),
        ] {
            let program = machine.path(&format!("bin/{name}"));
            program::write(&program, &format!("#!/bin/sh\necho '{version}'\n"));
        }
        let harbor = fs::canonicalize(machine.path("me/harbor")).unwrap();
        let trusted =
            json!({ "projects": { harbor.to_str().unwrap(): { "hasTrustDialogAccepted": true } } });
        fs::write(machine.path("me/.claude.json"), trusted.to_string()).unwrap();
        let examples = root().join("examples");
        fs::copy(
            examples.join("sessions/rate-limiter.jsonl"),
            machine.path("me/harbor/session.jsonl"),
        )
        .unwrap();
        for file in [
            "sessions/rate-limiter.jsonl",
            "rooms/world.toml",
            "rooms/answer.json",
        ] {
            let to = machine.path("me/harbor/examples").join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(examples.join(file), to).unwrap();
        }
        machine
    }

    /// Has Claude Code's transcript of a session, and the session in the log of the project.
    pub(crate) fn has_worked(&self) {
        let transcript = self.path("me/.claude/projects/-home-me-work/3f3a.jsonl");
        fs::create_dir_all(transcript.parent().unwrap()).unwrap();
        symlink(self.path("me/harbor/session.jsonl"), transcript).unwrap();
        for line in [
            "hud replay session.jsonl --db old.db",
            "hud replay session.jsonl --db old.db --session rate-limiter",
            "hud adopt old.db --yes",
        ] {
            let (said, is_well) = self.run(line);
            assert!(is_well, "{said}");
        }
    }

    /// Has something answer in the place of what pages name, until the machine is gone.
    #[cfg(any(feature = "rooms", feature = "postgres"))]
    pub(crate) fn serve(&mut self, name: &'static str, address: String, server: impl Any) {
        self.served.push(Served {
            name,
            address,
            _server: Box::new(server),
        });
    }

    /// Makes a program of this machine one of the reader's, by its own name.
    #[cfg(feature = "postgres")]
    pub(crate) fn link(&self, program: &Path) {
        let name = program.file_name().unwrap().to_str().unwrap();
        symlink(program, self.path(&format!("bin/{name}"))).unwrap();
    }

    /// A text of a page, with the addresses of what serves here.
    fn with_addresses(&self, text: &str) -> String {
        let put = |text: String, it: &Served| text.replace(it.name, &it.address);
        self.served.iter().fold(text.to_owned(), put)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path("me/harbor").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Keeps what a page has its reader write: a layout of the project, the settings.
    pub(crate) fn keep(&self, block: &Block) {
        match block.info.as_str() {
            "mdx" => self.write(".hud/layout.mdx", &block.body),
            "toml" => self.write(
                "../.config/agent-hud/config.toml",
                &self.with_addresses(&block.body),
            ),
            _ => {}
        }
    }

    /// What a command says, all of it in its order, and whether it went well.
    pub(crate) fn run(&self, line: &str) -> (String, bool) {
        let served = SERVES.iter().any(|serves| line.starts_with(serves));
        let line = match served && !line.contains("--export") && !line.contains('<') {
            true => format!(
                "{} --help > /dev/null",
                line.split(" # ").next().unwrap_or(line).trim_end()
            ),
            false => line.to_owned(),
        };
        self.of_shell(&self.with_addresses(&line))
    }

    fn of_shell(&self, line: &str) -> (String, bool) {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {line}\n}} 2>&1")])
            .current_dir(self.path("me/harbor"))
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("bin").display()),
            )
            .env("HOME", self.path("me"))
            .env("TMPDIR", self.path("tmp"))
            .env("LC_ALL", "C.UTF-8")
            .env("HUD_DEADLINE_MS", "60000")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let home = fs::canonicalize(self.path("me")).unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let text = text
            .replace(home.to_str().unwrap(), "/home/me")
            .replace(self.path("me").to_str().unwrap(), "/home/me");
        (text, output.status.success())
    }

    /// Whether this program has a command, and no reason to leave it out here.
    fn has(&self, line: &str) -> bool {
        let lacks = |(command, is_there): &(&str, bool)| !is_there && line.contains(command);
        let serves = |name| self.served.iter().any(|it| it.name == name);
        !OPTIONAL.iter().any(lacks)
            && [MODEL, SERVER]
                .iter()
                .all(|name| !line.contains(name) || serves(*name))
    }

    /// What is wrong with a block of commands without their output.
    pub(crate) fn plain(&self, block: &Block) -> Vec<String> {
        let mut wrong = Vec::new();
        for line in joined(&block.body) {
            let line = line.split("  #").next().unwrap_or(&line).trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(found) = of_the_repository(line) {
                wrong.extend(found);
            } else if self.has(line) {
                let (said, is_well) = self.run(line);
                if !is_well {
                    wrong.push(format!("`{line}` fails: {said}"));
                }
            }
        }
        wrong
    }

    /// What a command in a sentence names that is not there: it may be a part of one, or have words for values, so it is
    /// not run.
    pub(crate) fn mentioned(&self, span: &str) -> Vec<String> {
        if let Some(found) = of_the_repository(span) {
            return found;
        }
        let mut words = span.split_whitespace();
        if words.next() != Some("hud") || !self.has(span) {
            return Vec::new();
        }
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
        let command: Vec<&str> = words.take_while(is_name).collect();
        // What the agent calls has a dot.
        if command.first().is_some_and(|name| name.contains('.')) {
            return Vec::new();
        }
        let (help, is_well) = self.of_shell(&format!("hud {} --help", command.join(" ")));
        if !is_well {
            return vec![format!("`{span}` fails: {help}")];
        }
        let is_of_flag = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let known: Vec<&str> = help.split(|c| !is_of_flag(c)).collect();
        let words = span.split(|c| !is_of_flag(c));
        words
            .filter(|word| word.starts_with("--") && !known.contains(word))
            .map(|flag| format!("`{span}`: there is no `{flag}`"))
            .collect()
    }

    /// A block of commands with their output, as it is when they are run.
    pub(crate) fn session(&self, block: &Block) -> String {
        let mut now = String::new();
        let mut commands: Vec<(String, String)> = Vec::new();
        for line in block.body.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push((command.to_owned(), String::new())),
                None => {
                    let Some((_, output)) = commands.last_mut() else {
                        continue;
                    };
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
        for (command, output) in commands {
            let said = match of_the_repository(&command) {
                Some(wrong) if !wrong.is_empty() => wrong.join("\n"),
                None if self.has(&command) => self.run(&command).0,
                _ => output.clone(),
            };
            // Where the page leaves something out, what was said does, too.
            let shown = match is_like(&output, &said) {
                true => output,
                false => said,
            };
            now.push_str(&format!("$ {command}\n{shown}"));
            if !now.ends_with('\n') {
                now.push('\n');
            }
        }
        now
    }
}

/// Whether a text is what a pattern says: `…` in a line is any text, and alone in one any lines.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    fn lines(pattern: &[&str], text: &[&str]) -> bool {
        match (pattern, text) {
            ([], text) => text.is_empty(),
            (["…", rest @ ..], _) => (0..=text.len()).any(|skip| lines(rest, &text[skip..])),
            ([first, rest @ ..], [line, more @ ..]) => in_line(first, line) && lines(rest, more),
            _ => false,
        }
    }
    fn in_line(pattern: &str, line: &str) -> bool {
        match pattern.split_once('…') {
            // An output may have the sign itself.
            None => pattern == line,
            Some(_) if pattern == line => true,
            Some((begin, rest)) => line.strip_prefix(begin).is_some_and(|line| {
                let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
                ends.into_iter().any(|at| in_line(rest, &line[at..]))
            }),
        }
    }
    let (pattern, text): (Vec<&str>, Vec<&str>) =
        (pattern.lines().collect(), text.lines().collect());
    lines(&pattern, &text)
}

/// The commands of a block, those that go on behind a backslash in one line.
fn joined(body: &str) -> Vec<String> {
    body.replace("\\\n", "")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// What a command of the repository (cargo, a script) names that is not there: it is not run, as it builds or measures
/// for minutes. `None` for any other command.
fn of_the_repository(line: &str) -> Option<Vec<String>> {
    let mut words = line.split(' ').skip_while(|word| word.contains('='));
    let script = match words.next()? {
        "cargo" => return Some(of_cargo(line)),
        "python3" => words.next().unwrap_or_default(),
        word if word.starts_with(".ci/") => word,
        _ => return None,
    };
    let is_there = root().join(script).is_file();
    Some(match is_there {
        true => Vec::new(),
        false => vec![format!("`{line}`: there is no `{script}`")],
    })
}

/// What a command of cargo names that is not there.
fn of_cargo(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let behind = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(word))?;
        words.get(at + 1).copied()
    };
    let mut wrong = Vec::new();
    let package =
        behind(&["-p", "--path"]).map(|name| root().join(name.trim_start_matches("hud-tests")));
    if let Some(package) = &package {
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
        let manifest = match package == &root() {
            true => fs::read_to_string(root().join("tests/Cargo.toml")).unwrap(),
            false => manifest,
        };
        if manifest.is_empty() {
            wrong.push(format!("`{line}`: there is no such package"));
        }
        for feature in behind(&["--features"])
            .into_iter()
            .flat_map(|names| names.split(','))
        {
            if !manifest
                .lines()
                .any(|it| it.starts_with(&format!("{feature} =")))
            {
                wrong.push(format!("`{line}`: there is no feature `{feature}`"));
            }
        }
    }
    let named = |folders: &[&str], name: &str| {
        let mut files = folders.iter().flat_map(|folder| {
            let folder = package
                .clone()
                .unwrap_or_else(|| root().join("examples"))
                .join(folder);
            [
                folder.join(format!("{name}.rs")),
                folder.join(name).join("main.rs"),
            ]
        });
        files.any(|file| Path::is_file(&file))
    };
    for (flag, folders) in [
        ("--example", &["examples", "", "tests"][..]),
        ("--test", &["tests"]),
        ("--bench", &["benches"]),
    ] {
        // In capitals it is a word for any of them.
        if let Some(name) = behind(&[flag])
            && name.contains(|c: char| !c.is_ascii_uppercase())
            && !named(folders, name)
        {
            wrong.push(format!("`{line}`: there is no `{name}`"));
        }
    }
    wrong
}

/// What is wrong with the commands of a page, each with its place.
pub(crate) fn wrong(page: &Page, machine: &Machine) -> Vec<String> {
    let mut wrong = Vec::new();
    for block in page.blocks() {
        let place = format!("{}:{}", page.path, block.line);
        let found = match block.info.as_str() {
            "sh" => machine.plain(&block),
            "console" => {
                let now = machine.session(&block);
                match now == block.body {
                    true => Vec::new(),
                    false => vec![format!("the page says\n{}\nand it is\n{now}", block.body)],
                }
            }
            _ => {
                machine.keep(&block);
                Vec::new()
            }
        };
        wrong.extend(found.into_iter().map(|what| format!("{place}: {what}")));
    }
    wrong
}
