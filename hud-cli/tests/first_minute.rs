//! What somebody sees who has just installed `hud`: what to do next, which clients there are, and whether
//! all of it works.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::place::{Place, said};
use serde_json::{Value, json};

const CLAUDE: &str = "#!/bin/sh\necho '2.1.332 (Claude Code)'\n";

/// A machine with programs of its own.
struct Machine(Place);

impl Machine {
    fn new() -> Self {
        let machine = Self(Place::new());
        for folder in ["bin", "tmp"] {
            fs::create_dir(machine.0.path(folder)).unwrap();
        }
        machine
    }

    /// One on which `hud` and Claude Code are on the `PATH`.
    fn with_claude() -> Self {
        let machine = Self::new();
        machine.program("claude", CLAUDE);
        machine.with_hud()
    }

    fn with_hud(self) -> Self {
        symlink(env!("CARGO_BIN_EXE_hud"), self.0.path("bin/hud")).unwrap();
        self
    }

    fn program(&self, name: &str, script: &str) {
        self.0.program(&format!("bin/{name}"), script);
    }

    /// Has Claude Code and Gemini CLI keep that their user trusts the project.
    fn trusts(&self) {
        let project = self.0.path("project").canonicalize().unwrap();
        let said = json!({ "projects": { project.to_str().unwrap(): { "hasTrustDialogAccepted": true } } });
        self.0.write("home/.claude.json", &said.to_string());
        let said = json!({ project.to_str().unwrap(): "TRUST_FOLDER" });
        self.0
            .write("home/.gemini/trustedFolders.json", &said.to_string());
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.0.path("project"))
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.0.path("bin").display()),
            )
            .env("HOME", self.0.path("home"))
            .env("TMPDIR", self.0.path("tmp"))
            .env("HUD_DEADLINE_MS", "60000")
            .stdin(Stdio::null());
        command
    }

    fn hud(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_hud").as_ref());
        command.args(arguments).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        said(&self.hud(arguments))
    }

    /// What is said at a terminal to whoever answers so.
    fn at_terminal(&self, arguments: &str, answer: &str) -> String {
        let input = self.0.write("answer", answer);
        let mut command = self.command("script".as_ref());
        let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_hud"));
        command.args(["-qec", &line, "/dev/null"]);
        said(
            &command
                .stdin(fs::File::open(input).unwrap())
                .output()
                .unwrap(),
        )
    }
}

#[test]
fn without_a_command_it_says_what_to_do_next() {
    let machine = Machine::with_claude();
    let text = machine.done(&[]);
    assert!(text.contains("has no log yet"), "{text}");
    assert!(
        text.contains("Claude Code doesn't show the HUD here."),
        "{text}"
    );
    assert!(text.contains("\n  hud install "), "{text}");
    machine.done(&["install", "claude", "--yes"]);
    let text = machine.done(&[]);
    assert!(
        text.contains("Claude Code is configured, but shows no HUD here."),
        "{text}"
    );
    assert!(text.contains("say that you trust the project"), "{text}");
    machine.trusts();
    let text = machine.done(&[]);
    assert!(text.contains("Claude Code shows the HUD here."), "{text}");
    assert!(text.contains("\n  claude "), "{text}");
}

#[test]
fn clients_are_found_and_listed_and_nobody_is_asked_who_is_not_there() {
    let machine = Machine::with_claude();
    fs::create_dir(machine.0.path("home/.gemini")).unwrap();
    let before = machine.0.everything();
    let text = machine.done(&["install"]);
    assert!(
        text.contains("claude    Claude Code: does not show the HUD here yet"),
        "{text}"
    );
    assert!(text.contains("gemini    Gemini CLI: "), "{text}");
    assert!(!text.contains("opencode  "), "{text}");
    assert!(text.contains("`hud install --all`"), "{text}");
    assert_eq!(machine.0.everything(), before);
    let unclear = machine.hud(&["install", "--yes"]);
    assert_eq!(unclear.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unclear.stderr).contains("--all"));
}

#[test]
fn all_clients_come_and_go_together() {
    let machine = Machine::with_claude();
    machine.program("codex", "#!/bin/sh\necho codex-cli 0.171.0\n");
    let before = machine.0.everything();
    let text = machine.done(&["install", "--all"]);
    assert!(text.contains("nothing was changed yet"), "{text}");
    assert_eq!(machine.0.everything(), before);
    machine.done(&["install", "--all", "--yes"]);
    for file in [".claude/settings.json", ".codex/hooks.json"] {
        assert!(machine.0.path("project").join(file).exists(), "{file}");
    }
    assert!(!machine.0.path("project/.gemini").exists());
    machine.done(&["uninstall", "--all", "--yes"]);
    assert_eq!(machine.0.everything(), before);
    let nothing = machine.hud(&["uninstall"]);
    assert_eq!(nothing.status.code(), Some(1));
}

#[test]
fn a_client_that_can_not_be_configured_does_not_keep_the_others_from_it() {
    let machine = Machine::with_claude();
    machine.program("gemini", "#!/bin/sh\necho 0.61.0\n");
    machine
        .0
        .write("project/.claude/settings.json", "{ damaged");
    let output = machine.hud(&["install", "--all", "--yes"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("1 configuration left as it was"), "{text}");
    assert!(machine.0.path("project/.gemini/settings.json").exists());
}

#[test]
fn a_machine_without_clients_is_told_which_there_are() {
    let refused = Machine::new().hud(&["install"]);
    assert_eq!(refused.status.code(), Some(1));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("opencode, Claude Code, Codex"), "{text}");
}

#[test]
fn at_a_terminal_each_change_is_shown_and_asked_for() {
    let machine = Machine::with_claude();
    let settings = machine.0.path("project/.claude/settings.json");
    for no in ["n\n", "", "\n"] {
        let text = machine.at_terminal("install", no);
        assert!(
            text.contains("make this change for Claude Code? [y/N]"),
            "{text}"
        );
        assert!(text.contains("+ ") && !settings.exists(), "{text}");
    }
    machine.at_terminal("install", "y\n");
    assert!(settings.exists());
    machine.at_terminal("uninstall", "y\n");
    assert!(!settings.exists());
}

#[test]
fn the_doctor_runs_what_clients_run_and_leaves_nothing() {
    let machine = Machine::with_claude();
    machine.program("goose", "#!/bin/sh\necho ' 1.9.0'\n");
    for (name, line) in [
        ("opencode", "1.18.33"),
        ("codex", "codex-cli 0.171.0"),
        ("gemini", "0.61.0"),
        ("cline", "cline v3.0.65"),
    ] {
        machine.program(name, &format!("#!/bin/sh\necho {line}\n"));
    }
    machine.done(&["install", "--all", "--yes"]);
    machine.done(&["install", "cline", "--user", "--yes"]);
    // Codex keeps which hooks its user has looked at, and takes those of the user for that.
    machine.done(&["install", "codex", "--user", "--yes"]);
    machine.trusts();
    let before = machine.0.everything();
    let text = machine.done(&["doctor"]);
    for (client, what) in [
        ("Claude Code 2.1.332", "hook answered in"),
        ("Claude Code 2.1.332", "server answered in"),
        ("Codex 0.171.0", "server answered in"),
        ("Gemini CLI 0.61.0", "hook answered in"),
        ("Cline 3.0.65", "hook answered in"),
        ("goose 1.9.0", "hook answered in"),
        ("opencode 1.18.33", "server answered in"),
    ] {
        let line = text.lines().find(|line| line.starts_with(client));
        assert!(
            line.is_some_and(|line| line.contains(what)),
            "{client}: {text}"
        );
    }
    assert!(text.ends_with("\nall is well\n"), "{text}");
    assert_eq!(machine.0.everything(), before);
    let json: Value = serde_json::from_str(&machine.done(&["doctor", "--json"])).unwrap();
    assert_eq!(json["problems"], Value::Array(Vec::new()));
    assert_eq!(json["clients"].as_array().unwrap().len(), 6);
}

/// The doctor's report, which is that something is wrong.
fn complaint(machine: &Machine) -> String {
    let output = machine.hud(&["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_doctor_says_what_a_client_asks_its_user_for() {
    let machine = Machine::with_claude();
    for name in ["codex", "gemini"] {
        machine.program(name, "#!/bin/sh\necho 1.0.0\n");
    }
    machine.done(&["install", "--all", "--yes"]);
    let text = complaint(&machine);
    for (client, barred) in [
        (
            "Claude Code",
            "Claude Code has not been told that you trust this project",
        ),
        ("Codex", "Codex doesn't trust this project"),
        (
            "Gemini CLI",
            "Gemini CLI runs neither hooks nor servers here",
        ),
    ] {
        assert!(text.contains(barred), "{text}");
        let line = text.lines().find(|line| line.starts_with(client)).unwrap();
        assert!(
            line.contains("doesn't show the HUD here, though it is installed"),
            "{line}"
        );
    }
    assert!(!text.contains("all is well"), "{text}");
    machine.trusts();
    let project = machine.0.path("project").canonicalize().unwrap();
    let config = format!(
        "[projects.{:?}]\ntrust_level = \"trusted\"\n",
        project.to_str().unwrap()
    );
    machine.0.write("home/.codex/config.toml", &config);
    let text = complaint(&machine);
    assert!(
        text.contains("the hooks that you have not looked at: 5 of 5 here"),
        "{text}"
    );
    assert!(
        text.ends_with("first: start `codex` here, and say in /hooks that you trust them\n"),
        "{text}"
    );
    assert!(
        text.contains("Claude Code 2.1.332: shows the HUD here,"),
        "{text}"
    );
    assert!(
        text.contains("Gemini CLI 1.0.0: shows the HUD here,"),
        "{text}"
    );
    // What says no counts, wherever the folder above is trusted.
    let (above, here) = (project.parent().unwrap(), &*project);
    let folders =
        json!({ above.to_str().unwrap(): "TRUST_FOLDER", here.to_str().unwrap(): "DO_NOT_TRUST" });
    machine
        .0
        .write("home/.gemini/trustedFolders.json", &folders.to_string());
    assert!(complaint(&machine).contains("Gemini CLI runs neither"));
    machine
        .0
        .write("home/.claude/settings.json", r#"{"disableAllHooks":true}"#);
    assert!(complaint(&machine).contains("Claude Code runs no hooks"));
}

#[test]
fn the_doctor_says_of_a_session_that_no_hook_came() {
    let machine = Machine::with_claude();
    machine.done(&["install", "claude", "--yes"]);
    machine.trusts();
    let project = machine.0.path("project").canonicalize().unwrap();
    let folder = project
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let had = |session: &str, at: &str| {
        let lines =
            ["user", "assistant"].map(|kind| json!({ "type": kind, "timestamp": at }).to_string());
        let file = format!("home/.claude/projects/{folder}/{session}.jsonl");
        machine.0.write(&file, &(lines.join("\n") + "\n"));
    };
    // What was before there were hooks says nothing of them.
    had("s0", "2020-01-01T00:00:00Z");
    let text = machine.done(&["doctor"]);
    assert!(
        text.contains("there is no log yet; the first turn of an agent makes it"),
        "{text}"
    );
    assert!(text.ends_with("\nall is well\n"), "{text}");

    had("s1", "2099-01-01T00:00:00Z");
    let text = complaint(&machine);
    assert!(
        text.contains("Claude Code had a session here, begun at 2099-01-01T00:00:00Z, since `hud` was installed, and no hook came"),
        "{text}"
    );
    assert!(!text.contains("the first turn"), "{text}");

    let event = json!({ "session_id": "s1", "cwd": project, "hook_event_name": "SessionStart",
                        "source": "startup" });
    let input = machine.0.write("event", &event.to_string());
    let mut hook = machine.command(env!("CARGO_BIN_EXE_hud").as_ref());
    let hook = hook.arg("hook").stdin(fs::File::open(input).unwrap());
    said(&hook.output().unwrap());
    assert!(machine.done(&["doctor"]).ends_with("\nall is well\n"));
}

#[test]
fn the_doctor_says_first_what_is_to_be_done_first() {
    let machine = Machine::with_claude();
    let text = machine.done(&["doctor"]);
    assert!(
        text.contains("no client shows the HUD here yet: hud install"),
        "{text}"
    );
    machine.done(&["install", "claude", "--yes"]);
    fs::remove_file(machine.0.path("bin/hud")).unwrap();
    let output = machine.hud(&["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("the hook of Claude Code isn't answered"),
        "{text}"
    );
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("first: have `hud` on the PATH"), "{text}");

    machine
        .0
        .write("project/.claude/settings.json", "{ damaged");
    let text = String::from_utf8(machine.hud(&["doctor"]).stdout).unwrap();
    assert!(
        text.contains("the configuration of Claude Code can't be read"),
        "{text}"
    );
}
