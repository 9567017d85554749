//! Layouts in files, as a user writes one and a client that runs takes it up.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod clone;
mod machine;

use std::fs;
use std::path::Path;
use std::process::Output;

use machine::Machine;
use serde_json::{Value, json};

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const MINE: &str = "## Mine\n\n<NotesSection notes={state.notes} />\n";

#[test]
fn the_layout_of_a_project_is_shown_once_its_user_allowed_it_and_until_it_is_another() {
    let machine = Machine::new();
    machine.layout(MINE);
    let mut bridge = machine.bridge();
    bridge.call("notes.add", &json!({ "content": "tests need redis" }));
    assert!(!bridge.frame().contains("Mine"), "nobody allowed it");
    let check = machine.hud(&["layout", "check"]);
    assert!(check.status.success(), "{}", errors(&check));
    assert!(machine.hud(&["layout", "trust"]).status.success());
    let mut bridge = machine.bridge();
    let shown = bridge.frame();
    assert!(
        shown.contains("## Mine") && shown.contains("tests need redis"),
        "{shown}"
    );
    machine.layout(&MINE.replace("Mine", "Another's"));
    let shown = machine.bridge().frame();
    assert!(
        shown.contains("## Mine") && !shown.contains("Another's"),
        "only the first was allowed: {shown}"
    );
}

#[test]
fn a_change_is_in_the_next_frame_and_a_mistake_leaves_the_last_good_layout() {
    let machine = Machine::trusting(MINE);
    let mut bridge = machine.bridge();
    assert!(bridge.frame().contains("## Mine"));
    machine.layout(&MINE.replace("Mine", "Newer"));
    assert!(bridge.frame().contains("## Newer"));
    machine.layout("## Broken\n\n<NotesSecton notes={state.nots} />\n");
    let shown = bridge.frame();
    assert!(
        shown.contains("## Newer") && !shown.contains("## Broken"),
        "{shown}"
    );
    assert!(
        shown.contains("layout"),
        "it says that there is a mistake: {shown}"
    );
    machine.layout(&MINE.replace("Mine", "Mended"));
    assert!(bridge.frame().contains("## Mended"));
}

#[test]
fn a_component_that_is_there_no_longer_leaves_the_last_good_layout() {
    let machine = Machine::trusting(MINE);
    let components = machine.project().join(".hud/components");
    fs::create_dir_all(&components).unwrap();
    let count = "---\nname: Count\nprops: {of: \"array\"}\n---\n**{props.of.length}** of them\n";
    fs::write(components.join("Count.mdx"), count).unwrap();
    machine.layout(&format!("{MINE}\n<Count of={{state.notes}} />\n"));
    let mut bridge = machine.bridge();
    let shown = bridge.frame();
    assert!(shown.contains("**0** of them"), "{shown}");

    fs::remove_file(components.join("Count.mdx")).unwrap();
    let shown = bridge.frame();
    assert!(
        shown.contains("**0** of them") && shown.contains("1 mistake at 5:2, last good shown"),
        "{shown}"
    );
    let said = errors(&machine.hud(&["layout", "check"]));
    assert!(said.contains("there is no tag `<Count>`"), "{said}");
}

#[test]
fn a_process_that_begins_while_the_file_has_a_mistake_shows_what_the_one_before_it_did() {
    let machine = Machine::trusting(MINE);
    assert!(machine.bridge().frame().contains("## Mine"));
    machine.layout("## Broken\n\n<NotesSecton notes={state.nots} />\n");
    let shown = machine.bridge().frame();
    assert!(
        shown.contains("## Mine") && shown.contains("2 mistakes at 3:2, last good shown"),
        "{shown}"
    );
    // What is not allowed any more is not shown, whatever it was.
    assert!(
        machine
            .hud(&["layout", "trust", "--revoke"])
            .status
            .success()
    );
    assert!(!machine.bridge().frame().contains("## Mine"));
    // And where there never was a good one, it is the built-in one.
    let other = Machine::trusting("<NotesSecton />\n");
    let shown = other.bridge().frame();
    assert!(
        shown.contains("1 mistake at 1:2, built-in shown"),
        "{shown}"
    );
}

#[test]
fn all_mistakes_of_a_layout_are_reported_with_their_places() {
    let machine = Machine::new();
    machine.layout("<NotesSecton />\n\n<NextSteps step={state.next_steps} />\n");
    let check = machine.hud(&["layout", "check"]);
    assert_eq!(check.status.code(), Some(1));
    let errors = errors(&check);
    for mend in [
        "1:2: ",
        "did you mean `<NotesSection>`",
        "3:12: ",
        "did you mean `steps`",
    ] {
        assert!(errors.contains(mend), "{mend}: {errors}");
    }
}

#[test]
fn an_agent_changes_its_layout_only_where_its_user_lets_it() {
    let machine = Machine::new();
    let mut bridge = machine.bridge();
    let set = json!({ "input": { "tool": "layout.set", "args": { "source": MINE } } });
    let answer = bridge.ask("call", &set);
    assert!(answer.to_string().contains("layout.set"), "{answer}");
    assert!(!bridge.frame().contains("## Mine"));

    machine.settings("agent_layout = true\n");
    let mut bridge = machine.bridge();
    bridge.call("task.set", &json!({ "description": "Add rate limits" }));
    bridge.call("layout.set", &json!({ "source": MINE }));
    let shown = bridge.frame();
    assert!(shown.contains("## Mine"), "{shown}");
    assert!(shown.contains("Add rate limits"), "the task stays: {shown}");
    let wrong = json!({ "input": { "tool": "layout.set", "args": { "source": "<Nots />" } } });
    assert!(
        bridge
            .ask("call", &wrong)
            .to_string()
            .contains("there is no tag")
    );
    assert!(bridge.frame().contains("## Mine"));
    bridge.call("layout.undo", &json!({}));
    assert!(!bridge.frame().contains("## Mine"));
}

#[test]
fn an_agent_sees_the_file_that_is_in_use_and_changes_it_for_itself() {
    let machine = Machine::new();
    machine.settings("agent_layout = true\n");
    let components = machine.project().join(".hud/components");
    fs::create_dir_all(&components).unwrap();
    let loud = "---\nprops: {text: \"string\"}\n---\n**{props.text.toUpperCase()}**\n";
    fs::write(components.join("Loud.mdx"), loud).unwrap();
    machine.layout("<Loud text=\"ours\" />\n");
    assert!(machine.hud(&["layout", "trust"]).status.success());
    let mut bridge = machine.bridge();
    assert!(bridge.frame().contains("**OURS**"));
    let got = bridge.call("layout.get", &json!({}));
    assert_eq!(got["from"], ".hud/layout.mdx");
    assert_eq!(got["source"], "<Loud text=\"ours\" />\n");
    let edit = json!({ "old": "ours", "new": "mine", "base": got["hash"] });
    bridge.call("layout.set", &edit);
    assert!(bridge.frame().contains("**MINE**"));
    assert!(
        bridge.ask(
            "frame",
            &json!({ "session": "other", "placement": "system-tail" })
        )["result"]["system"]
            .as_str()
            .unwrap()
            .contains("**OURS**")
    );
}

#[test]
fn a_layout_that_an_agent_proposes_is_taken_when_its_user_allows_it() {
    let machine = Machine::new();
    machine.settings("agent_layout = \"ask\"\n");
    let none = machine.hud(&["layout", "allow"]);
    assert_eq!(none.status.code(), Some(1));
    let mut bridge = machine.bridge();
    let proposed = bridge.call("layout.set", &json!({ "source": MINE }));
    let hash = proposed["hash"].as_str().unwrap();
    assert!(
        proposed["waits"].as_str().unwrap().contains(hash),
        "{proposed}"
    );
    let shown = bridge.frame();
    assert!(
        shown.contains(&format!("hud layout allow {hash}")),
        "{shown}"
    );
    assert!(!shown.contains("## Mine"), "{shown}");

    // It is shown to the user, who allows it as it is.
    let seen = machine.hud(&["layout", "allow"]);
    assert_eq!(String::from_utf8_lossy(&seen.stdout), MINE);
    assert!(errors(&seen).contains(hash), "{}", errors(&seen));
    assert!(!bridge.frame().contains("## Mine"), "it was only looked at");
    assert_eq!(
        machine
            .hud(&["layout", "allow", "0123456789abcdef"])
            .status
            .code(),
        Some(1)
    );
    let allowed = machine.hud(&["layout", "allow", hash]);
    assert!(allowed.status.success(), "{}", errors(&allowed));
    let shown = bridge.frame();
    assert!(
        shown.contains("## Mine") && !shown.contains("proposed"),
        "{shown}"
    );

    bridge.call(
        "layout.set",
        &json!({ "old": "## Mine", "new": "## Other" }),
    );
    assert!(machine.hud(&["layout", "refuse"]).status.success());
    assert!(bridge.frame().contains("## Mine"));
    let log = machine.hud(&["log"]);
    let log = String::from_utf8_lossy(&log.stdout);
    for kind in ["layout.propose", "layout.allow", "layout.refuse"] {
        assert!(log.contains(kind), "{kind}: {log}");
    }
}

#[test]
fn a_project_can_not_let_agents_change_their_layout() {
    let machine = Machine::new();
    fs::write(
        machine.project().join(".hud/config.toml"),
        "agent_layout = true\n",
    )
    .unwrap();
    let mut bridge = machine.bridge();
    let set = json!({ "input": { "tool": "layout.set", "args": { "source": MINE } } });
    bridge.ask("call", &set);
    assert!(!bridge.frame().contains("## Mine"));
}

/// What is in a clone is read by every command that is started in it, and by what serves a client.
#[test]
fn no_file_takes_a_command_or_the_hud_of_a_client_away() {
    let attacks = [
        ("10 MB", "x".repeat(10 * 1024 * 1024)),
        ("tags, 10,000 deep", "<Quote>".repeat(10_000)),
        (
            "lists, 10,000 deep",
            format!("{{{}1{}}}", "[".repeat(10_000), "]".repeat(10_000)),
        ),
        (
            "functions without an end",
            "export function a(\n".repeat(3_000),
        ),
        ("functions that are none", "export function\n".repeat(4_000)),
        ("half a file", MINE[..20].to_owned()),
        ("what is no text", "\0\u{1b}[2J\u{f0001}".repeat(1_000)),
    ];
    for (attack, text) in attacks {
        let machine = Machine::trusting(MINE);
        let mut bridge = machine.bridge();
        bridge.call("task.set", &json!({ "description": "Try it" }));
        assert!(bridge.frame().contains("## Mine"), "{attack}");
        machine.layout(&text);
        for words in [["layout", "check"], ["layout", "show"]] {
            let refused = machine.hud(&words);
            let said = errors(&refused);
            assert_eq!(
                refused.status.code(),
                Some(1),
                "{attack}: {words:?}: {said}"
            );
            assert!(said.starts_with("error: "), "{attack}: {words:?}: {said}");
            assert!(
                said.len() < 20_000,
                "{attack}: {words:?}: {} bytes",
                said.len()
            );
            assert!(!said.contains('\u{1b}'), "{attack}: {said}");
        }
        assert!(
            bridge.frame().contains("## Mine"),
            "{attack}: the last good one stays"
        );
        let another = machine.bridge().frame();
        assert!(
            another.contains("# Task"),
            "{attack}: the built-in one: {another}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_no_layout() {
    let checked = Machine::new().hud(&["layout", "check", "/dev/zero"]);
    assert_eq!(checked.status.code(), Some(1));
    let said = errors(&checked);
    assert!(
        said.contains("/dev/zero: a layout has at most 65536 bytes"),
        "{said}"
    );
}

#[test]
fn a_link_out_of_the_project_is_no_layout() {
    let machine = Machine::new();
    let outside = machine.home().join("outside.mdx");
    fs::write(&outside, MINE).unwrap();
    let inside: &Path = &machine.project().join(".hud/layout.mdx");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, inside).unwrap();
    #[cfg(not(unix))]
    let _ = inside;
    machine.hud(&["layout", "trust", "--always"]);
    assert!(!machine.bridge().frame().contains("## Mine"));
}

#[test]
fn the_built_in_layout_as_a_file_shows_the_same() {
    let machine = Machine::new();
    let replayed = machine.hud(&["replay", &example(), "--db", "hud.db"]);
    assert!(replayed.status.success());
    let built_in = machine.hud(&["render", "--db", "hud.db"]).stdout;
    assert!(machine.hud(&["layout", "eject"]).status.success());
    assert!(machine.hud(&["layout", "trust"]).status.success());
    let ejected = machine.hud(&["render", "--db", "hud.db"]).stdout;
    assert_eq!(
        String::from_utf8_lossy(&ejected),
        String::from_utf8_lossy(&built_in)
    );
}

#[test]
fn the_catalogue_has_each_tag_with_its_schema_and_pictures_in_each_format() {
    let machine = Machine::new();
    let catalogue = |format: &str| {
        let shown = machine.hud(&["catalogue", "--format", format]);
        assert!(shown.status.success(), "{}", errors(&shown));
        String::from_utf8(shown.stdout).unwrap()
    };
    let tags: Vec<Value> = serde_json::from_str(&catalogue("json")).unwrap();
    let (markdown, html) = (catalogue("markdown"), catalogue("html"));
    let mut pictured = 0;
    for tag in &tags {
        let name = tag["name"].as_str().unwrap();
        assert_eq!(tag["schema"]["type"], "object", "{name}");
        assert!(markdown.contains(&format!("## {name}\n")), "{name}");
        assert!(html.contains(&format!("<h2>{name}</h2>")), "{name}");
        let schema = format!("```json\n{:#}\n```", tag["schema"]);
        assert!(markdown.contains(&schema), "{name}");
        for (density, picture) in tag["pictures"].as_object().unwrap() {
            pictured += 1;
            assert!(
                markdown.contains(picture["markdown"].as_str().unwrap()),
                "{name}"
            );
            assert!(html.contains(picture["html"].as_str().unwrap()), "{name}");
            // At a low density some components have nothing to say.
            let is_empty = picture["markdown"] == "";
            assert!(!is_empty || density == "minimal", "{name} at {density}");
            assert_eq!(picture["json"].is_null(), is_empty, "{name}");
        }
    }
    assert_eq!(html.matches("language-json").count(), tags.len());
    assert!(
        tags.len() > 40 && pictured >= 3 * 15,
        "{} {pictured}",
        tags.len()
    );
}

fn example() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    path.to_str().unwrap().to_owned()
}
