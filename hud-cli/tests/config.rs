//! What a user has set, and what a repository may set.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A user with a project.
struct World {
    directory: TempDir,
}

impl World {
    /// A user who has set something, with a project that sets something.
    fn with(user: impl AsRef<[u8]>, project: impl AsRef<[u8]>) -> Self {
        let world = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        for (file, text) in [
            (world.user(), user.as_ref()),
            (world.project(), project.as_ref()),
        ] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            if !text.is_empty() {
                fs::write(file, text).unwrap();
            }
        }
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn user(&self) -> PathBuf {
        self.path("config/agent-hud/config.toml")
    }

    fn project(&self) -> PathBuf {
        self.path("project/.hud/config.toml")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env_remove("HUD_DB")
            .env_remove("HUD_DEADLINE_MS")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    fn hud(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command writes that must succeed and has nothing to say besides.
    fn shown(&self, arguments: &[&str]) -> String {
        let output = self.hud(arguments);
        assert_eq!(self.text(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
        self.text(&output.stdout)
    }

    /// What a command says that must fail, and nothing else.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.hud(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(self.text(&output.stdout), "", "{arguments:?}");
        self.text(&output.stderr)
    }

    /// Text without the directory's name.
    fn text(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let canonical = fs::canonicalize(self.directory.path()).unwrap();
        text.replace(&format!("{}/", canonical.display()), "")
            .replace(&format!("{}/", self.directory.path().display()), "")
    }

    /// Runs a command with some input, and gives what it wrote and what it said.
    fn given(&self, arguments: &[&str], input: &str) -> (String, String) {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        (self.text(&output.stdout), self.text(&output.stderr))
    }

    /// What a bridge answers to requests, each a method with its params.
    fn bridged(&self, requests: &[(&str, Value)]) -> (Vec<Value>, String) {
        let line = |(method, params): &(&str, Value)| {
            json!({ "id": 1, "method": method, "params": params }).to_string() + "\n"
        };
        let input: String = requests.iter().map(line).collect();
        let (answers, said) = self.given(&["bridge"], &input);
        let answers = answers.lines().map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap();
            answer["result"].clone()
        });
        (answers.collect(), said)
    }
}

/// What is used of a window of 100,000 tokens.
fn used(used: u64) -> Value {
    json!({ "session": "s", "reports": [
        { "type": "user", "text": "Add rate limits" },
        { "type": "model_call" },
        { "type": "usage", "input": used, "model": "m", "window": { "context": 100_000 } },
    ] })
}

#[test]
fn each_setting_is_shown_with_its_value_and_where_that_comes_from() {
    let world = World::with(
        "deadline = 2000\nfast = true\n\n[bands]\ncompact_from = 60\nminimal_from = 75\n",
        "[bands]\nminimal_from = 80\n\n[models]\n\"my model\" = [64_000, 128_000]\n\
         \"*gpt-5*\" = 272_000\n\n[sections.notes]\non = false\n",
    );
    insta::assert_snapshot!(world.shown(&["config"]));

    let said = |command: &mut Command| world.text(&command.output().unwrap().stdout);
    let deadline = |text: String| {
        let mut lines = text.lines().map(ToOwned::to_owned);
        lines.find(|line| line.starts_with("deadline")).unwrap()
    };
    let mut command = world.command(&["config"]);
    command.env("HUD_DEADLINE_MS", "300");
    let from_variable = deadline(said(&mut command));
    assert!(
        from_variable.ends_with("# $HUD_DEADLINE_MS"),
        "{from_variable}"
    );
    command.args(["--deadline", "400"]);
    let from_flag = deadline(said(&mut command));
    assert!(from_flag.starts_with("deadline = 400 "), "{from_flag}");
    assert!(from_flag.ends_with("# --deadline"), "{from_flag}");

    let settings = world.shown(&["config", "--json"]);
    let of = |key: &str| {
        let mut settings = settings
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        settings
            .find(|setting: &Value| setting["key"] == key)
            .unwrap()
    };
    assert_eq!(
        of("bands.minimal_from"),
        json!({
            "key": "bands.minimal_from", "value": 80, "source": "project",
            "name": "project/.hud/config.toml", "line": 2,
        })
    );
    assert_eq!(of("bands.margin")["source"], "default");
}

#[test]
fn profiles_are_shown_where_they_are_in_use_or_asked_for_and_a_placement_that_hooks_do_not_have_is_said()
 {
    let world = World::with("", "[profiles.gemini]\nread = 0.25\n");
    let profiles = |args: &[&str]| {
        let shown = world.shown(args);
        let lines = shown.lines().filter(|line| line.starts_with("profiles."));
        lines.map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    let own = profiles(&["config"]);
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(own[0].starts_with("profiles.gemini.read = 0.25 "));
    let others = world.shown(&["config"]);
    assert!(
        others.contains("anthropic, anthropic-1h, gemini, openai, openai-before-5.6"),
        "{others}"
    );
    let openai = profiles(&["config", "profiles.openai"]);
    assert!(openai.len() > 10, "{openai:?}");
    assert!(
        openai
            .iter()
            .all(|line| line.starts_with("profiles.openai."))
    );
    assert_eq!(world.shown(&["config", "budget.tokens"]).lines().count(), 1);
    let refused = world.refused(&["config", "budget.token"]);
    assert!(
        refused.contains("nothing is set at `budget.token`"),
        "{refused}"
    );

    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/sessions/rate-limiter.jsonl"
    );
    let replayed = world.hud(&["replay", example, "--db", "hud.db"]);
    assert!(replayed.status.success());
    let mut command = world.command(&["config"]);
    let shown = command.env("HUD_DB", "hud.db").output().unwrap();
    let shown = world.text(&shown.stdout);
    assert!(shown.contains("profiles.anthropic.write = 1.25"), "{shown}");

    let world = World::with("placement = \"epoch\"\n", "");
    let said = world.hud(&["config"]).stderr;
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.contains("with hooks it is `delta`"), "{said}");
}

#[test]
fn what_is_shown_is_a_file_of_settings_itself() {
    let world = World::with("deadline = 2000\n[models]\n\"a \\\"b\\\"\" = 4_000\n", "");
    let value = |line: &str| line.split("  #").next().unwrap().to_owned();
    let values = |text: &str| text.lines().map(value).collect::<Vec<_>>();
    let shown = world.shown(&["config"]);
    fs::write(world.user(), &shown).unwrap();
    assert_eq!(values(&world.shown(&["config"])), values(&shown));
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_the_mend_all_at_once() {
    let world = World::with(
        "deadline = 5\nfsat = true\nplacement = \"somewhere\"\nbands = 70\n\n[bnads]\nmargin = 3\n\n\
         [prune]\nprotected_tools = [\"skill\", 7]\n\n[models]\nm = []\nn = \"200k\"\n\n\
         [sections.notes]\norder = 1.5\nof = true\n\n[sections]\ntask = true\n",
        "[bands]\ncompact_from = 90\n",
    );
    insta::assert_snapshot!(world.refused(&["config"]));
    let broken = World::with("[bands\n", "");
    assert_eq!(
        broken.refused(&["config"]),
        "error: config/agent-hud/config.toml:1:7: unclosed table, expected `]`\n"
    );
}

#[test]
fn a_section_that_is_almost_called_so_is_a_mistake_and_one_of_another_program_is_left_out() {
    let world = World::with(
        "",
        "[sections.notse]\non = false\n[sections.risks]\ncap = 1\ncapp = 2\n",
    );
    let refused = world.refused(&["config"]);
    for said in [
        "warning: project/.hud/config.toml:3:11: this program has no section `sections.risks`, \
         and leaves it out: it has task, ",
        "error: project/.hud/config.toml:1:11: there is no section `sections.notse`: did you mean `notes`?",
    ] {
        assert!(refused.contains(said), "{refused}");
    }
    let world = World::with("", "[sections.risks]\ncap = 1\n[sections.notes]\ncap = 1\n");
    let output = world.hud(&["config"]);
    assert!(output.status.success());
    let shown = world.text(&output.stdout);
    assert!(shown.contains("sections.notes.cap = 1"), "{shown}");
    assert!(!shown.contains("risks"), "{shown}");
    let said = world.text(&output.stderr);
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    assert!(!said.contains("error: "), "{said}");
    let (_, said) = world.bridged(&[("frame", json!({ "session": "s" }))]);
    assert!(
        said.contains("project/.hud/config.toml:1:11: this program has no"),
        "{said}"
    );
}

#[test]
fn a_repository_may_not_set_what_its_user_relies_on() {
    let world = World::with(
        "",
        "deadline = 600_000\nfast = true\nbands.step = 10\n[prune]\nprotect = 0\nminimum = 0\n\
         [derive]\nerrors = false\n",
    );
    insta::assert_snapshot!(world.refused(&["config"]));
    let (answers, said) = world.bridged(&[
        ("observe", used(78_000)),
        ("frame", json!({ "session": "s" })),
    ]);
    assert_eq!(
        said.matches("is not for a project's file").count(),
        5,
        "{said}"
    );
    let message = answers[1]["message"].as_str().unwrap();
    assert!(message.contains("70%"), "what it may set holds: {message}");
}

#[test]
fn settings_hold_for_commands_and_clients() {
    let world = World::with(
        "placement = \"message-tail\"\n[bands]\ncompact_from = 10\nminimal_from = 20\n",
        "",
    );
    let asked = [
        ("observe", used(15_000)),
        ("frame", json!({ "session": "s" })),
        (
            "frame",
            json!({ "session": "s", "placement": "system-tail" }),
        ),
    ];
    let (answers, _) = world.bridged(&asked);
    assert_eq!(answers[1]["system"], "# Task\n\nAdd rate limits\n");
    assert_eq!(answers[2]["message"], "");
    let rendered = world.shown(&["render", "--json"]);
    let rendered: Value = serde_json::from_str(&rendered).unwrap();
    assert_eq!(rendered["density"], "compact");
}

#[test]
fn a_section_has_the_share_of_the_budget_that_is_set_and_wrong_shares_are_said() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/sessions/rate-limiter.jsonl"
    );
    let findings = |shares: &str| {
        let settings = format!("[budget]\ntokens = 500\n[budget.shares]\n{shares}");
        let world = World::with("", &settings);
        let output = world.hud(&["replay", example, "--explain"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let hud = world.text(&output.stdout);
        let line = hud.lines().rfind(|line| line.starts_with("findings "));
        (line.unwrap_or_default().to_owned(), said)
    };
    let (none, _) = findings("findings = \"%* to 0\"\n");
    assert!(none.contains(" 0 tokens"), "{none}");
    let (much, _) = findings("findings = \"60%\"\n");
    assert!(much.contains("full"), "{much}");
    assert!(much.ends_with("; its share is 60%"), "{much}");
    let (_, said) = findings("findngs = \"60%\"\n");
    assert!(said.contains("did you mean `findings`?"), "{said}");
    let (_, said) = findings("findings = \"60 percent\"\n");
    assert!(said.contains("`60 percent` is no share"), "{said}");
    let (_, said) = findings("findings = \"60%\"\nnotes = \"50%\"\n");
    assert!(said.contains("more than 100 % together"), "{said}");
}

#[test]
fn sections_are_left_out_moved_and_capped() {
    let settings = "[sections.active_files]\non = false\n[sections.notes]\norder = -1\ncap = 2\n";
    let world = World::with("", settings);
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/sessions/rate-limiter.jsonl"
    );
    let output = world.hud(&["replay", example]);
    let hud = world.text(&output.stdout);
    assert!(!hud.contains("Active Files"), "{hud}");
    let notes = hud.find("## Notes (4)").unwrap();
    assert!(notes < hud.find("## Decisions").unwrap(), "{hud}");
    assert_eq!(
        hud[notes..]
            .lines()
            .take(6)
            .filter(|line| line.starts_with("- "))
            .count(),
        3
    );
    assert!(hud[notes..].contains("- 2 more: `hud notes.list`"), "{hud}");
}

#[test]
fn the_window_of_a_model_is_said_by_the_client_or_set_or_assumed() {
    let used = |model: &str, window: Value| {
        let report = json!({ "type": "usage", "input": 50_000, "model": model, "window": window });
        ("observe", json!({ "session": "s", "reports": [report] }))
    };
    let frame = || {
        (
            "frame",
            json!({ "session": "s", "placement": "system-tail" }),
        )
    };
    let world = World::with("[models]\n\"Own-*\" = 80_000\n", "");
    let asked = [
        used("mystery", Value::Null),
        frame(),
        used("own-1", Value::Null),
        frame(),
        used("mystery", json!({ "context": 100_000 })),
        frame(),
        // What was said once is not assumed to be otherwise.
        used("mystery", Value::Null),
        frame(),
    ];
    let (answers, _) = world.bridged(&asked);
    let shown = [1, 3, 5, 7].map(|nth: usize| {
        let hud = answers[nth]["system"].as_str().unwrap();
        hud.lines()
            .find(|line| line.contains("/"))
            .unwrap()
            .to_owned()
    });
    assert_eq!(
        shown,
        [
            "25% (~50k/200k) assumed, stable",
            "60% (~48k/80k), stable",
            "50% (~50k/100k), stable",
            "50% (~50k/100k), stable",
        ]
    );
    let none = World::with("[context]\nassumed_window = 0\n", "");
    let (answers, _) = none.bridged(&[used("mystery", Value::Null), frame()]);
    assert!(
        answers[1].to_string().contains("~50k tokens, stable"),
        "{}",
        answers[1]
    );
}

#[test]
fn what_is_not_to_be_derived_is_not_recorded_and_what_the_agent_says_is() {
    let world = World::with("[derive]\nnotes = false\ntask = false\n", "");
    let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
    let (answers, _) = world.bridged(&[
        ("observe", used(15_000)),
        ("call", json!({ "session": "s", "input": note })),
    ]);
    assert_eq!(answers[1]["answer"]["id"], "n1");
    let log = world.shown(&["log"]);
    assert!(
        !log.contains("task.set") && log.contains("note.add"),
        "{log}"
    );
}

#[test]
fn wrong_settings_cost_no_turn_and_no_event() {
    let world = World::with("deadlin = 20\n", "[bands\n");
    let event = json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "Add rate limits",
        "cwd": world.path("project"),
    });
    let (answer, said) = world.given(&["hook"], &event.to_string());
    assert!(answer.contains("Add rate limits"), "{answer}");
    assert!(said.contains("did you mean `deadline`?"), "{said}");
    assert!(said.contains("project/.hud/config.toml:1:"), "{said}");
    let (answers, said) = world.bridged(&[("observe", used(1)), ("observe", used(2))]);
    assert!(answers[1]["version"].as_u64().unwrap() > 3);
    assert_eq!(said.matches("deadlin").count(), 2, "once: {said}");
    let refused = world.refused(&["render"]);
    assert!(refused.contains("did you mean `deadline`?"), "{refused}");
    // What does not depend on settings goes on, so that nobody is locked out of a log.
    assert!(world.shown(&["log"]).contains("Add rate limits"));
    let doctor = String::from_utf8(world.hud(&["doctor"]).stdout).unwrap();
    assert!(doctor.contains("sound: "), "{doctor}");
    assert!(doctor.contains("first: mend the settings: "), "{doctor}");
}

#[test]
fn odd_files_are_refused_and_hold_nothing_up() {
    let large = "#".repeat(1024 * 1024 + 1);
    for (bytes, said) in [
        (&b"fast = \"\xff\""[..], "is no UTF-8: save it as that"),
        (large.as_bytes(), "file too large"),
    ] {
        for world in [World::with(bytes, ""), World::with("", bytes)] {
            let refused = world.refused(&["config"]);
            assert!(refused.contains("config.toml"), "{refused}");
            assert!(refused.contains(said), "{refused}");
        }
    }
    let marked = World::with("\u{feff}fast = true\n", "\u{feff}placement = \"delta\"\n");
    let shown = marked.shown(&["config"]);
    assert!(
        shown.contains("fast = true ") && shown.contains("placement = \"delta\" "),
        "{shown}"
    );
    let world = World::with("", "");
    fs::create_dir(world.project()).unwrap();
    assert!(world.refused(&["config"]).contains("is no regular file"));
    fs::remove_dir(world.project()).unwrap();
    fs::create_dir(world.user()).unwrap();
    assert!(world.refused(&["config"]).contains("it is no regular file"));
}

#[cfg(unix)]
#[test]
fn a_users_link_is_followed_and_a_repositorys_is_not_and_nobody_waits_for_a_pipe() {
    let world = World::with("", "");
    let other = world.path("dotfiles.toml");
    fs::write(&other, "placement = \"delta\"\n").unwrap();
    std::os::unix::fs::symlink(&other, world.user()).unwrap();
    assert!(world.shown(&["config"]).contains("placement = \"delta\" "));
    std::os::unix::fs::symlink(&other, world.project()).unwrap();
    let refused = world.refused(&["config"]);
    assert!(refused.contains("config.toml is a link"), "{refused}");
    for file in [world.project(), world.user()] {
        fs::remove_file(&file).unwrap();
        let made = Command::new("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
        let refused = world.refused(&["config"]);
        assert!(refused.contains("is no regular file"), "{refused}");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn the_schema_is_json_for_editors() {
    let world = World::with("deadlin = 20\n", "");
    let schema: Value = serde_json::from_str(&world.shown(&["config", "--schema"])).unwrap();
    assert_eq!(
        schema["properties"]["bands"]["properties"]["step"]["maximum"],
        100
    );
}

#[test]
fn the_hud_of_a_turn_keeps_to_the_budget_of_the_settings() {
    let frame = |project: &str| {
        let world = World::with("", project);
        let (answers, said) = world.bridged(&[
            ("observe", used(9_000)),
            ("frame", json!({ "session": "s" })),
        ]);
        assert_eq!(said, "");
        answers[1].to_string()
    };
    let whole = frame("");
    assert!(
        whole.contains("# Task") && whole.contains("# Context"),
        "{whole}"
    );
    let fitted = frame("[budget]\ntokens = 8\n");
    assert!(
        !fitted.contains("# Context") && fitted.contains("Add rate limits"),
        "{fitted}"
    );
    let wrong = World::with("", "[budget]\ntokens = -1\n").refused(&["config"]);
    assert!(
        wrong.contains("expected a whole number from 0 to"),
        "{wrong}"
    );
}
