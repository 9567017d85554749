//! The commands of a page, run where its reader would run them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::page::{Block, Page, root};

/// What serves until it is ended: of these the arguments are tried.
const SERVES: [&str; 4] = ["hud inspect", "hud watch", "hud mcp", "hud bridge"];

/// What only a program with a feature has, or without it.
const OPTIONAL: [(&str, bool); 6] = [
    // One that counts tokens exactly fits something else into as many.
    ("--budget", !cfg!(feature = "bpe")),
    ("hud distill", cfg!(feature = "distill")),
    ("hud inspect", cfg!(feature = "inspect")),
    ("hud rooms", cfg!(feature = "rooms")),
    ("--db rooms.db", cfg!(feature = "rooms")),
    ("hud watch", cfg!(feature = "watch")),
];

/// The machine of a page's reader: a project, `hud`, and the clients that say their version.
pub(crate) struct Machine {
    place: TempDir,
    /// Where a model answers, in the place of the one that pages name.
    pub(crate) model: Option<String>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self {
            place: tempfile::tempdir().unwrap(),
            model: None,
        };
        for folder in ["me/harbor/.git", "me/harbor/docs", "bin", "tmp"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_hud"), machine.path("bin/hud")).unwrap();
        for (name, version) in [
            ("claude", "2.1.330 (Claude Code)"),
            ("codex", "codex-cli 0.169.0"),
        ] {
            let program = machine.path(&format!("bin/{name}"));
            fs::write(&program, format!("#!/bin/sh\necho '{version}'\n")).unwrap();
            fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let examples = root().join("examples");
        fs::copy(
            examples.join("sessions/rate-limiter.jsonl"),
            machine.path("me/harbor/session.jsonl"),
        )
        .unwrap();
        fs::create_dir_all(machine.path("me/harbor/examples/rooms")).unwrap();
        for file in ["world.toml", "answer.json"] {
            let to = machine.path("me/harbor/examples/rooms").join(file);
            fs::copy(examples.join("rooms").join(file), to).unwrap();
        }
        machine
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
            "toml" => self.write("../.config/agent-hud/config.toml", &block.body),
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
        let line = match &self.model {
            Some(model) => line.replace("http://127.0.0.1:11434/v1", model),
            None => line,
        };
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
        !OPTIONAL.iter().any(lacks) && (self.model.is_some() || !line.contains("http://127.0.0.1"))
    }

    /// What is wrong with a block of commands without their output.
    pub(crate) fn plain(&self, block: &Block) -> Vec<String> {
        let mut wrong = Vec::new();
        for line in joined(&block.body) {
            let line = line.split("  #").next().unwrap_or(&line).trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split(' ').next() {
                Some("cargo") => wrong.extend(of_cargo(line)),
                _ if !self.has(line) => {}
                _ => {
                    let (said, is_well) = self.run(line);
                    if !is_well {
                        wrong.push(format!("`{line}` fails: {said}"));
                    }
                }
            }
        }
        wrong
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
            let said = match self.has(&command) {
                true => self.run(&command).0,
                false => output.clone(),
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

/// What a command of cargo names that is not there: it is not run, as it builds for minutes.
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
        ("--example", &["examples", ""][..]),
        ("--test", &["tests"]),
        ("--bench", &["benches"]),
    ] {
        if let Some(name) = behind(&[flag])
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
