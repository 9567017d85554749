//! What tools said, as a running session knows it: what is in the conversation, what leaves it, and how it
//! is read again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_agent::compaction::{Message, Role};
use hud_agent::prune::Output;
use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_derive::class::Seen;
use hud_observe::observation::Observation;
use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log};
use hud_store::memory::MemoryLog;
use hud_store::sqlite::SqliteLog;
use hud_store::state::{HudState, OutputClass};
use jiff::Timestamp;
use serde_json::{Value, json};

/// A session with a client that keeps its conversation as opencode does.
struct Played {
    session: Session<MemoryLog>,
    messages: Vec<Message>,
    contents: Vec<(String, String)>,
    seconds: i64,
}

impl Played {
    fn new() -> Self {
        let id = SessionId::new("s").unwrap();
        Self {
            session: Session::open(MemoryLog::new(), id).unwrap(),
            messages: vec![message("u0", Role::User)],
            contents: Vec::new(),
            seconds: 0,
        }
    }

    fn at(&self) -> Timestamp {
        Timestamp::from_second(self.seconds).unwrap()
    }

    fn observe(&mut self, observation: &Observation) {
        let at = self.at();
        self.session.observe(observation, at).unwrap();
    }

    /// A request: what leaves before it leaves, and it is answered with a call of a tool.
    fn turn(&mut self, tool: &str, input: Value, content: &str, used: u64) {
        self.seconds += 30;
        self.observe(&Observation::ModelCall);
        self.prune();
        let n = self.messages.len();
        let call = format!("c{n}");
        let result = json!({
            "type": "tool_result", "call": call, "client": "opencode", "tool": tool,
            "input": input, "content": content,
        });
        self.observe(&hud_clients::report(result).unwrap().observation);
        let mut answer = message(&format!("m{n}"), Role::Assistant);
        answer.outputs.push(Output {
            call: call.clone(),
            tool: tool.to_owned(),
            chars: content.chars().count() as u64,
            pruned: false,
        });
        self.messages.push(answer);
        self.contents.push((call, content.to_owned()));
        self.uses(used);
    }

    fn uses(&mut self, used: u64) {
        let usage = json!({ "type": "usage", "input": used, "window": { "context": 100_000 } });
        self.observe(&hud_clients::report(usage).unwrap().observation);
    }

    fn reads(&mut self, path: &str, content: &str, used: u64) {
        self.turn("read", json!({ "filePath": path }), content, used);
    }

    fn works(&mut self, times: usize, used: u64) {
        for _ in 0..times {
            self.turn("bash", json!({ "command": "true" }), "ok", used);
        }
    }

    /// Reports what is to leave.
    fn prune(&mut self) -> Vec<String> {
        let trimmed = self
            .session
            .trim(&self.messages, self.at(), &Settings::default());
        let leaving: Vec<String> = trimmed
            .leaving
            .iter()
            .map(|call| (*call).to_owned())
            .collect();
        for call in &leaving {
            let (_, content) = self
                .contents
                .iter()
                .find(|(known, _)| known == call)
                .unwrap();
            let leaves = json!({
                "type": "output_leaves", "call": call, "tool": "read", "content": content,
            });
            self.observe(&hud_clients::report(leaves).unwrap().observation);
        }
        leaving
    }

    /// The texts in the places of what left.
    fn placed(&self) -> Vec<String> {
        let trimmed = self
            .session
            .trim(&self.messages, self.at(), &Settings::default());
        let placeholders = trimmed.placeholders.iter();
        placeholders
            .map(|(_, placeholder)| placeholder.to_string())
            .collect()
    }

    fn call(&mut self, tool: &str, args: Value) -> Result<Value, String> {
        let at = self.at();
        let call = json!({ "tool": tool, "args": args });
        self.session
            .call(&call, at)
            .map_err(|error| error.to_string())
    }

    fn state(&self) -> &HudState {
        self.session.state()
    }
}

fn message(id: &str, role: Role) -> Message {
    Message {
        id: id.to_owned(),
        role,
        compacts: false,
        summarises: None,
        outputs: Vec::new(),
    }
}

fn code(lines: usize) -> String {
    (1..=lines)
        .map(|line| match line % 40 {
            5 => format!("{line:05}| fn limiter_{line}() {{\n"),
            _ => format!("{line:05}|     work({line});\n"),
        })
        .collect()
}

#[test]
fn what_tools_say_is_known_by_its_class_and_size_and_what_is_short_is_not() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(50), 1_000);
    played.works(1, 1_000);
    let known: Vec<_> = (played.state().outputs.seen.iter())
        .map(|output| {
            (
                output.call.as_str(),
                output.class,
                output.target.as_deref(),
                output.rows,
            )
        })
        .collect();
    assert_eq!(known, [("c1", OutputClass::Read, Some("/p/a.rs"), 50)]);
}

#[test]
fn a_call_on_a_file_touches_what_was_read_of_it_and_a_newer_read_supersedes_it() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(50), 1_000);
    let edit = json!({ "filePath": "/p/a.rs", "oldString": "a", "newString": "b" });
    played.turn("edit", edit, "ok", 1_000);
    let known = &played.state().outputs.seen[0];
    assert_eq!(
        (known.edited, known.superseded, known.touched),
        (true, false, 2)
    );
    played.reads("/p/a.rs", &code(60), 1_000);
    let known: Vec<bool> = (played.state().outputs.seen.iter())
        .map(|output| output.superseded)
        .collect();
    assert_eq!(known, [true, false]);
}

#[test]
fn an_old_file_leaves_with_its_outline_and_is_read_again_whole_or_in_part() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(2_000), 75_000);
    played.observe(&Observation::Agent {
        text: "The limiter_1005 is what matters".into(),
    });
    played.reads("/p/b.rs", &code(2_000), 75_000);
    played.works(14, 75_000);
    let placed = played.placed();
    assert_eq!(placed.len(), 2, "{placed:?}");
    assert!(
        placed[0].contains("2000 lines, of Read /p/a.rs. "),
        "{}",
        placed[0]
    );
    assert!(
        placed[0].contains("\n00005| fn limiter_5() {\n") && placed[0].contains("limiter_1005"),
        "{}",
        placed[0]
    );
    assert_eq!(played.state().outputs.of("c1"), None);

    let whole = played.call("recall", json!({ "call": "c1" })).unwrap();
    assert_eq!(whole["payload"]["content"], code(2_000));
    assert_eq!(whole["payload"]["outline"], Value::Null);
    let part = played
        .call("recall", json!({ "call": "c1", "lines": "5-6" }))
        .unwrap();
    assert_eq!(
        part["payload"]["content"],
        "00005| fn limiter_5() {\n00006|     work(6);\n"
    );
    for (args, said) in [
        (
            json!({ "call": "c1", "lines": "9000" }),
            "it has lines 1-2000",
        ),
        (json!({ "call": "c1", "lines": "x" }), "as 10-40"),
        (json!({ "call": "c99" }), "outputs.list names"),
        (json!({}), "name the `version`"),
    ] {
        let refusal = played.call("recall", args).unwrap_err();
        assert!(refusal.contains(said), "{refusal}");
    }
}

#[test]
fn what_takes_the_place_of_an_output_is_the_same_for_ever() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(4_000), 75_000);
    played.works(10, 75_000);
    let first = played.placed();
    assert_eq!(first.len(), 1);
    played.observe(&Observation::Agent {
        text: "limiter_2045 and limiter_3045".into(),
    });
    played.works(20, 90_000);
    assert_eq!(played.placed(), first);
    let id = SessionId::new("s").unwrap();
    let other = Session::open(played.session.log().clone(), id).unwrap();
    let trimmed = other.trim(&played.messages, played.at(), &Settings::default());
    assert_eq!(trimmed.placeholders[0].1.to_string(), first[0]);
}

#[test]
fn what_is_to_be_kept_stays_and_the_list_says_what_is_where() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(4_000), 75_000);
    played.reads("/p/b.rs", &code(4_000), 75_000);
    assert_eq!(
        played
            .call("outputs.keep", json!({ "call": "c1" }))
            .unwrap(),
        json!({ "stays": true })
    );
    played
        .call("outputs.keep", json!({ "call": "c1" }))
        .unwrap();
    played.works(15, 75_000);
    let listed = played.call("outputs.list", json!({})).unwrap();
    assert_eq!(listed["here"][0]["call"], "c1");
    assert_eq!(listed["left"][0]["target"], "/p/b.rs");
    let refusal = played
        .call("outputs.keep", json!({ "call": "c2" }))
        .unwrap_err();
    assert!(refusal.contains("recall it by its call `c2`"), "{refusal}");
    let refusal = played
        .call("outputs.keep", json!({ "call": "c77" }))
        .unwrap_err();
    assert!(refusal.contains("outputs.list"), "{refusal}");
}

#[test]
fn of_a_compacted_conversation_nothing_is_known_and_nothing_leaves() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(4_000), 75_000);
    let ends = Observation::CompactionEnds {
        summary: None,
        boundary: Some("m2".into()),
    };
    played.works(1, 75_000);
    played.observe(&ends);
    assert_eq!(played.state().outputs.seen, []);
    played.works(15, 75_000);
    assert_eq!(played.placed(), Vec::<String>::new());
}

#[test]
fn secrets_are_in_no_outline() {
    let mut played = Played::new();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    let text = format!("00001| const TOKEN = \"{secret}\"\n{}", code(4_000));
    played.reads("/p/a.rs", &text, 75_000);
    played.works(12, 75_000);
    let placed = played.placed();
    assert_eq!(placed.len(), 1);
    assert!(!placed[0].contains(secret), "{}", placed[0]);
    assert!(!json!(played.state()).to_string().contains(secret));
}

#[test]
fn a_text_that_looks_like_a_placeholder_is_a_text() {
    let mut played = Played::new();
    let line =
        "[Taken out to make room: 1 characters. The hud tool has them: {\"tool\":\"recall\"}]\n";
    played.reads("/p/a\n# Task\n.rs", &line.repeat(2_000), 75_000);
    assert_eq!(played.placed(), Vec::<String>::new());
    played.works(12, 75_000);
    let placed = played.placed();
    assert_eq!(placed.len(), 1);
    assert!(
        placed[0].contains(&format!("{} characters", line.len() * 2_000)),
        "{placed:?}"
    );
    assert!(!placed[0].contains("\n# Task"), "{placed:?}");
}

#[test]
fn a_session_learns_how_long_its_tokens_are() {
    let mut played = Played::new();
    played.works(1, 10_000);
    played.reads("/p/a.rs", &"x".repeat(30_000), 10_000);
    played.works(1, 20_000);
    assert_eq!(played.state().outputs.ratio(), Some(30));
}

#[test]
fn where_use_is_not_reported_outputs_leave_at_a_moderate_pressure() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(4_000), 0);
    played.works(8, 0);
    assert_eq!(played.placed().len(), 0);
    played.works(3, 0);
    assert_eq!(played.placed().len(), 1);
    assert!(played.state().context.is_none());
}

#[test]
fn parallel_calls_and_huge_and_empty_outputs_do_no_harm() {
    let mut played = Played::new();
    played.reads("/p/huge", &"é\n".repeat(2_500_000), 75_000);
    played.reads("/p/empty", "", 75_000);
    let mut twin = played.messages[1].outputs[0].clone();
    twin.call = "nobody".into();
    played.messages[1].outputs.push(twin);
    played.contents.push(("nobody".into(), "x".repeat(9_000)));
    played.works(12, 75_000);
    let placed = played.placed();
    assert_eq!(placed.len(), 2);
    assert!(
        placed.iter().all(|text| text.chars().count() < 1_300),
        "{placed:?}"
    );
}

#[test]
fn a_story_of_sixty_turns_with_two_compactions_loses_nothing_unread() {
    let mut played = Played::new();
    let mut left = 0;
    for turn in 0..60 {
        match turn % 3 {
            0 => played.reads(&format!("/p/f{turn}.rs"), &code(900), 60_000 + turn * 600),
            1 => {
                let pattern = json!({ "pattern": "limiter" });
                played.turn("grep", pattern, &code(200), 60_000 + turn * 600);
            }
            _ => played.works(1, 60_000 + turn * 600),
        }
        // What was called for with the last answer is there, whole.
        let trimmed = played
            .session
            .trim(&played.messages, played.at(), &Settings::default());
        let newest = played.messages.last().unwrap().outputs[0].call.as_str();
        assert!(
            !trimmed.leaving.contains(&newest),
            "{newest} was never read"
        );
        assert!(trimmed.placeholders.iter().all(|(call, _)| *call != newest));
        left = left.max(trimmed.placeholders.len());
        if turn == 25 || turn == 45 {
            let boundary = played.messages.last().unwrap().id.clone();
            let ends = Observation::CompactionEnds {
                summary: None,
                boundary: Some(boundary),
            };
            played.observe(&ends);
            assert_eq!(played.placed(), Vec::<String>::new());
        }
    }
    assert!(left > 5, "{left}");
}

#[test]
fn long_outputs_are_cut_at_entry_only_where_a_user_wants_that() {
    let mut played = Played::new();
    let at = played.at();
    let mut settings = Settings::default();
    let text = code(80);
    let enter = |played: &mut Played, tool: &str, settings: &Settings| {
        played.session.enter(tool, &text, at, settings).unwrap()
    };
    assert_eq!(
        enter(&mut played, "bash", &settings),
        None,
        "off by default"
    );
    settings.prune.entry = true;
    played.uses(10_000);
    let cut = enter(&mut played, "bash", &settings).unwrap();
    assert!(cut.contains("[20 lines left out]"), "{cut}");
    let (_, version) = cut.rsplit_once("\"version\":").unwrap();
    let version: u64 = version.split('}').next().unwrap().parse().unwrap();
    let whole = played
        .call("recall", json!({ "version": version }))
        .unwrap();
    assert_eq!(whole["payload"]["content"], text);
    played.uses(90_000);
    let cut = enter(&mut played, "bash", &settings).unwrap();
    assert!(cut.contains("[60 lines left out]"), "{cut}");
    for tool in ["skill", "question", "hud"] {
        assert_eq!(enter(&mut played, tool, &settings), None, "{tool}");
    }
}

/// Recalls what left last, as a call of the agent's, and gives that call.
fn recalls(played: &mut Played, used: u64) -> String {
    let version = played.state().pruned.last().unwrap().version;
    let args = json!({ "version": version });
    let answer = played.call("recall", args.clone()).unwrap();
    let input = json!({ "tool": "recall", "args": args });
    played.turn("hud", input, &answer.to_string(), used);
    played.contents.last().unwrap().0.clone()
}

#[test]
fn what_was_recalled_ages_again_and_stays_once_it_was_recalled_twice() {
    let mut played = Played::new();
    let text = code(4_000);
    played.reads("/p/a.rs", &text, 75_000);
    played.works(12, 75_000);
    assert_eq!(played.state().pruned.len(), 1);

    let again = recalls(&mut played, 75_000);
    let known = played.state().outputs.of(&again).unwrap();
    assert_eq!(
        (known.class, known.target.as_deref(), known.protected),
        (OutputClass::Read, Some("/p/a.rs"), false)
    );
    played.works(12, 75_000);
    let left: Vec<&str> = (played.state().pruned.iter())
        .map(|left| left.call.as_str())
        .collect();
    assert_eq!(left, ["c1", again.as_str()]);
    let placed = played.placed();
    assert!(placed[1].contains(" of Read /p/a.rs. "), "{}", placed[1]);
    let version = played.state().pruned[1].version;
    let same = played
        .call("recall", json!({ "version": version }))
        .unwrap();
    assert_eq!(
        same["payload"]["content"], text,
        "the text, and not the answer with it"
    );

    let twice = recalls(&mut played, 75_000);
    assert!(played.state().outputs.of(&twice).unwrap().protected);
    played.works(30, 95_000);
    assert!(played.state().outputs.of(&twice).is_some(), "it stays");
    let ends = json!({ "type": "compaction_ends", "summary": "a.rs was read" });
    played.observe(&hud_clients::report(ends).unwrap().observation);
    assert_eq!(played.state().outputs.seen, []);
}

#[test]
fn lines_that_are_to_be_kept_stay_when_the_rest_leaves() {
    let mut played = Played::new();
    played.reads("/p/a.rs", &code(4_000), 75_000);
    let keep = |lines: &str| json!({ "call": "c1", "lines": lines });
    assert_eq!(
        played.call("outputs.keep", keep("100-102")).unwrap(),
        json!({ "stays": { "first": 100, "last": 102 } })
    );
    assert_eq!(
        played.call("outputs.keep", keep("100-102")).unwrap(),
        json!({ "unchanged": true })
    );
    for wrong in ["9000-9001", "7-3", "x"] {
        played.call("outputs.keep", keep(wrong)).unwrap_err();
    }
    played.works(12, 75_000);
    let placed = played.placed();
    let kept = "00100|     work(100);\n00101|     work(101);\n00102|     work(102);\n";
    assert!(placed[0].contains(kept), "{}", placed[0]);
}

#[test]
fn what_opencode_puts_around_a_file_is_not_in_its_outline() {
    let mut played = Played::new();
    let lines = code(3_000).replace("| ", ": ");
    let file = format!("<path>/p/a.rs</path>\n<type>file</type>\n<content>\n{lines}</content>\n");
    played.reads("/p/a.rs", &file, 75_000);
    played.observe(&Observation::Agent {
        text: "This type of file has a content and a path".into(),
    });
    played.works(12, 75_000);
    let placed = played.placed();
    assert!(placed[0].contains("fn limiter_"), "{}", placed[0]);
    assert!(!placed[0].contains('<'), "{}", placed[0]);
}

#[test]
fn a_session_that_moves_into_another_log_recalls_its_own_events() {
    let mut played = Played::new();
    let text = code(4_000);
    played.reads("/p/a.rs", &text, 75_000);
    played.works(12, 75_000);
    let mut lines = Vec::new();
    hud_store::jsonl::export(played.session.log(), None, &mut lines).unwrap();

    let mut log = SqliteLog::open_in_memory().unwrap();
    let strangers: Vec<_> = (0..200)
        .map(|n| {
            let (id, content) = (format!("n{n}"), "of a stranger".to_owned());
            NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
        })
        .collect();
    let stranger = SessionId::new("stranger").unwrap();
    log.append(&stranger, Expected::Any, &strangers).unwrap();
    log.import_lines(&mut lines.as_slice()).unwrap();
    let mut moved = Session::open(log, SessionId::new("s").unwrap()).unwrap();

    assert_eq!(moved.state(), played.state());
    let trimmed = moved.trim(&played.messages, played.at(), &Settings::default());
    let placed = trimmed.placeholders[0].1.to_string();
    let (_, call) = placed.split_once("The hud tool has them: ").unwrap();
    let (call, _) = call.split_once("}}").unwrap();
    let call = serde_json::from_str(&format!("{call}}}}}")).unwrap();
    let recalled = moved.call(&call, played.at()).unwrap();
    assert_eq!(recalled["payload"]["content"], text);

    let placed = played.state().pruned[0].version;
    let recalled = played.call("recall", json!({ "version": placed })).unwrap();
    assert_eq!(recalled["payload"]["content"], text);

    // What an older program wrote into the conversation names events of the old log.
    let older = json!({ "tool": "recall", "args": { "seq": 1 } });
    let refusal = moved.call(&older, played.at()).unwrap_err().to_string();
    assert!(
        refusal.contains(r#"{"session":"stranger","version":1}"#)
            && !refusal.contains("of a stranger"),
        "{refusal}"
    );
    let in_the_old_log = played.call("recall", json!({ "seq": 1 })).unwrap();
    assert_eq!(in_the_old_log["version"], 1);
}

#[test]
fn each_clients_own_tools_give_the_class_of_an_output() {
    for (client, tool, input, class) in [
        (
            "claude-code",
            "Read",
            json!({ "file_path": "/a" }),
            OutputClass::Read,
        ),
        (
            "opencode",
            "read",
            json!({ "filePath": "/a" }),
            OutputClass::Read,
        ),
        (
            "opencode",
            "grep",
            json!({ "pattern": "x" }),
            OutputClass::Look,
        ),
        (
            "opencode",
            "webfetch",
            json!({ "url": "https://a.org" }),
            OutputClass::Report,
        ),
        (
            "opencode",
            "task",
            json!({ "description": "look" }),
            OutputClass::Report,
        ),
        ("opencode", "question", json!({}), OutputClass::Kept),
        (
            "opencode",
            "hud",
            json!({ "tool": "recall" }),
            OutputClass::Kept,
        ),
        (
            "gemini",
            "run_shell_command",
            json!({ "command": "ls" }),
            OutputClass::Look,
        ),
        (
            "codex",
            "apply_patch",
            json!({ "input": "x" }),
            OutputClass::Look,
        ),
    ] {
        let actions = hud_clients::named(client).unwrap().actions(tool, &input);
        assert_eq!(Seen::of(&actions).class, class, "{client} {tool}");
    }
}
