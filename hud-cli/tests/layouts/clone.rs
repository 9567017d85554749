//! A layout that came with a project: nothing of it is shown, and none of its functions runs, before the user allowed it.

use std::fs;

use serde_json::json;

use super::MINE;
use super::machine::Machine;

/// What each of the ways says that an agent is given a HUD: a bridge, a hook, a server of MCP, and a command.
fn given(machine: &Machine) -> Vec<(&'static str, String)> {
    let directory = machine.project();
    let hook = |name: &str| {
        let event = json!({ "session_id": "s", "cwd": directory, "hook_event_name": name, "source": "startup",
            "prompt": "go on" });
        machine.answer(&["hook"], &event.to_string())
    };
    let request = |id: u64, method: &str, params: serde_json::Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } });
    let requests = [
        request(1, "initialize", hello),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        request(2, "resources/read", json!({ "uri": "hud://frame" })),
        request(3, "resources/read", json!({ "uri": "hud://frame/json" })),
    ];
    let rendered = machine.hud(&["render", "--session", "s"]);
    vec![
        ("a bridge", machine.bridge().frame()),
        ("a hook", hook("SessionStart") + &hook("UserPromptSubmit")),
        (
            "a server",
            machine.answer(&["mcp", "--session", "s"], &(requests.join("\n") + "\n")),
        ),
        ("a command", String::from_utf8(rendered.stdout).unwrap()),
    ]
}

/// A machine with a session in its project.
fn cloned(layout: &str) -> Machine {
    let machine = Machine::new();
    machine.layout(layout);
    machine
        .bridge()
        .call("task.set", &json!({ "description": "Add rate limits" }));
    machine
}

#[test]
fn nothing_that_an_agent_is_given_has_a_layout_of_a_clone_in_it_until_its_user_allowed_it() {
    let machine = cloned(
        MINE.replace("<NotesSection", "**of the clone**\n\n<NotesSection")
            .as_str(),
    );
    for (way, given) in given(&machine) {
        assert!(given.contains("Add rate limits"), "{way}: {given}");
        assert!(!given.contains("of the clone"), "{way}: {given}");
    }
    assert!(machine.hud(&["layout", "trust"]).status.success());
    for (way, given) in given(&machine) {
        assert!(given.contains("of the clone"), "{way}: {given}");
    }
    // What it calls is a part of what was allowed.
    let components = machine.project().join(".hud/components");
    fs::create_dir_all(&components).unwrap();
    fs::write(components.join("Other.mdx"), "other\n").unwrap();
    let check = machine.hud(&["layout", "check"]);
    let said = String::from_utf8_lossy(&check.stderr);
    assert!(said.contains("no agent is shown it yet"), "{said}");
    for (way, given) in given(&machine) {
        assert!(
            given.contains("of the clone"),
            "{way}, the one that was allowed stays: {given}"
        );
    }
}

#[cfg(feature = "script")]
#[test]
fn no_function_of_a_clone_runs_until_its_user_allowed_it_nor_when_it_is_another_one() {
    // What it returns is nowhere in its text.
    let function = |count: usize| {
        format!(
            "export function ran() {{\n  return 'ran'.repeat({count});\n}}\n\n## Cloned\n\n{{ran()}}\n"
        )
    };
    // On a busy machine its process is stopped before it says anything, and that is said.
    let has_run = |text: &str| text.contains("ranran") || text.contains("failed: built-in shown");
    let machine = cloned(&function(2));
    let said = |words: [&str; 2]| {
        let seen = machine.hud(&words);
        String::from_utf8([seen.stdout, seen.stderr].concat()).unwrap()
    };
    for words in [["layout", "check"], ["layout", "show"]] {
        let said = said(words);
        assert!(!said.contains("ranran"), "{words:?}: {said}");
        assert!(
            said.contains("its functions do not run"),
            "{words:?}: {said}"
        );
        for (way, given) in given(&machine) {
            assert!(!has_run(&given), "{words:?}, {way}: {given}");
        }
    }
    said(["layout", "trust"]);
    let checked = said(["layout", "check"]);
    assert!(!checked.contains("hud layout trust"), "{checked}");
    let shown = said(["layout", "show"]);
    assert!(has_run(&shown), "{shown}");
    // The one that was allowed stays, with its own functions.
    machine.layout(&function(3));
    for (way, given) in given(&machine) {
        assert!(!given.contains("ranranran"), "{way}: {given}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_of_the_project_is_no_layout_and_keeps_nobody_waiting() {
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let outside = |machine: &Machine| {
        let folder = machine.home().join("outside");
        fs::create_dir_all(folder.join("components")).unwrap();
        fs::write(folder.join("layout.mdx"), "## Outside\n\n<Part />\n").unwrap();
        fs::write(folder.join("components/Own.mdx"), "## Outside\n").unwrap();
        folder
    };
    type Put<'p> = &'p dyn Fn(&Machine, &Path);
    let attacks: [(&str, Put<'_>); 7] = [
        ("a pipe", &|_, hud| pipe(&hud.join("layout.mdx"))),
        ("a folder", &|_, hud| {
            fs::create_dir(hud.join("layout.mdx")).unwrap()
        }),
        ("a link to a pipe", &|machine, hud| {
            pipe(&machine.home().join("pipe"));
            symlink(machine.home().join("pipe"), hud.join("layout.mdx")).unwrap();
        }),
        ("a link to a device", &|_, hud| {
            symlink("/dev/zero", hud.join("layout.mdx")).unwrap()
        }),
        ("a link out of the project", &|machine, hud| {
            symlink(outside(machine).join("layout.mdx"), hud.join("layout.mdx")).unwrap();
        }),
        ("a component that is a pipe", &|_, hud| {
            fs::write(hud.join("layout.mdx"), "## Outside\n").unwrap();
            fs::create_dir_all(hud.join("components")).unwrap();
            pipe(&hud.join("components/Own.mdx"));
        }),
        (
            "components that are a link out of the project",
            &|machine, hud| {
                fs::write(hud.join("layout.mdx"), "<Own />\n").unwrap();
                symlink(outside(machine).join("components"), hud.join("components")).unwrap();
            },
        ),
    ];
    for (attack, put) in attacks {
        let machine = Machine::trusting(MINE);
        let mut bridge = machine.bridge();
        assert!(bridge.frame().contains("## Mine"), "{attack}");
        let hud = machine.project().join(".hud");
        fs::remove_file(hud.join("layout.mdx")).unwrap();
        put(&machine, &hud);
        let checked = machine.hud(&["layout", "check"]);
        assert_eq!(checked.status.code(), Some(1), "{attack}");
        for frame in [bridge.frame(), machine.bridge().frame()] {
            assert!(
                frame.contains("# Task") || frame.contains("## Mine"),
                "{attack}: {frame}"
            );
            assert!(!frame.contains("Outside"), "{attack}: {frame}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_settings_that_is_a_link_out_of_the_project_has_no_layout() {
    let machine = Machine::trusting(MINE);
    let hud = machine.project().join(".hud");
    let away = machine.home().join("away");
    fs::rename(&hud, &away).unwrap();
    std::os::unix::fs::symlink(&away, &hud).unwrap();
    assert!(!machine.bridge().frame().contains("## Mine"));
}
