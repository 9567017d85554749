//! `hud install` and `hud uninstall`, in a home of their own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod place;

use std::fs;
use std::path::Path;

use place::Place;
use serde_json::Value;

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

const KEPT: &str = r#"{
  // What I like.
  "model": "x",
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "cargo fmt" }] } // mine
    ]
  }
}
"#;

#[test]
fn hooks_come_and_go_and_the_rest_stays_as_it_was() {
    let place = Place::new();
    let file = place.path("project/.claude/settings.json");
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, KEPT).unwrap();
    let shown = place.done(&["install", "claude"]);
    assert!(
        shown.contains("+ ") && shown.contains("say --yes"),
        "{shown}"
    );
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        KEPT,
        "it was only shown"
    );

    place.done(&["install", "claude", "--yes"]);
    let installed = fs::read_to_string(&file).unwrap();
    assert!(
        installed.contains("// What I like.") && installed.contains("// mine"),
        "{installed}"
    );
    assert_eq!(installed.matches(" hook").count(), 5, "{installed}");
    assert!(
        place
            .done(&["install", "claude", "--yes"])
            .contains("nothing to change")
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), installed);

    place.done(&["uninstall", "claude", "--yes"]);
    let left = fs::read_to_string(&file).unwrap();
    assert!(
        left.contains("cargo fmt") && !left.contains(" hook\""),
        "{left}"
    );
    assert!(
        place
            .done(&["uninstall", "claude", "--yes"])
            .contains("nothing to change")
    );
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_link_stays_one_and_stays_private() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = Place::new();
    let (file, linked) = (
        place.path("project/.claude/settings.json"),
        place.path("own"),
    );
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&linked, "{}").unwrap();
    fs::set_permissions(&linked, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&linked, &file).unwrap();
    place.done(&["install", "claude", "--yes"]);
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    let mode = fs::metadata(&linked).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(json(&linked)["hooks"].as_object().unwrap().len(), 5);
}

#[test]
fn the_plugin_is_written_and_named_and_goes_again() {
    let place = Place::new();
    let start = place.everything();
    place.done(&["install", "opencode", "--user", "--yes"]);
    let config = json(&place.path("home/.config/opencode/opencode.json"));
    let plugin = place.path("home/.local/share/agent-hud/opencode.js");
    let address = format!("file://{}", plugin.display());
    assert_eq!(config["plugin"][0][0], address);
    let program = config["plugin"][0][1]["bin"].as_str().unwrap();
    assert!(program.ends_with("/hud"), "{program}");
    assert!(fs::read_to_string(&plugin).unwrap().contains("agent-hud"));

    place.done(&["install", "opencode", "--yes"]);
    let config = json(&place.path("project/opencode.json"));
    assert_eq!(
        config["plugin"][0], "./.agents/plugins/agent-hud/opencode.js",
        "other machines have it, too"
    );
    place.done(&["uninstall", "opencode", "--yes"]);
    assert!(plugin.exists());
    place.done(&["uninstall", "opencode", "--user", "--yes"]);
    assert_eq!(place.everything(), start);
}

#[test]
fn every_client_can_be_configured_for_all_projects() {
    let place = Place::new();
    for (client, file) in [
        ("opencode", "home/.config/opencode/opencode.json"),
        ("claude", "home/.claude/settings.json"),
        ("codex", "home/.codex/hooks.json"),
        ("gemini", "home/.gemini/settings.json"),
        ("cline", "home/.cline/data/settings/cline_mcp_settings.json"),
        ("goose", "home/.agents/plugins/agent-hud/hooks/hooks.json"),
    ] {
        place.done(&["install", client, "--user", "--yes"]);
        let installed = json(&place.path(file)).to_string();
        assert!(
            ["hook", "opencode.js", "mcp"]
                .iter()
                .any(|ours| installed.contains(ours)),
            "{installed}"
        );
        assert!(
            fs::read_dir(place.path("project"))
                .unwrap()
                .next()
                .is_none()
        );
    }
}

#[test]
fn the_server_comes_and_goes_and_others_stay() {
    let place = Place::new();
    for (client, file, before) in [
        (
            "claude",
            "project/.mcp.json",
            r#"{"mcpServers":{"db":{"command":"db"}}}"#,
        ),
        (
            "gemini",
            "project/.gemini/settings.json",
            r#"{"mcpServers":{"db":{"command":"db"}}}"#,
        ),
        (
            "codex",
            "project/.codex/config.toml",
            "# mine\nmodel = \"x\"\n\n[mcp_servers.db]\ncommand = \"db\" # it\n\n[a]\nb = 1\n",
        ),
    ] {
        let file = place.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, before).unwrap();
        place.done(&["install", client, "--yes"]);
        let installed = fs::read_to_string(&file).unwrap();
        assert!(
            installed.contains("\"mcp\"") && installed.contains("db"),
            "{installed}"
        );
        place.done(&["install", client, "--yes"]);
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            installed,
            "it is there already"
        );
        place.done(&["uninstall", client, "--yes"]);
        let left = fs::read_to_string(&file).unwrap();
        assert!(!left.contains("hud") && left.contains("db"), "{left}");
        if client == "codex" {
            assert_eq!(left, before);
        }
    }
}

#[test]
fn what_the_user_says_of_our_server_stays() {
    let place = Place::new();
    let file = place.path("project/.codex/config.toml");
    fs::create_dir(file.parent().unwrap()).unwrap();
    let before = "[mcp_servers.hud]\ncommand = \"/old/hud\"\nargs = [\"mcp\", \"--fast\"]\nenabled = false\n";
    fs::write(&file, before).unwrap();
    place.done(&["install", "codex", "--yes"]);
    let installed = fs::read_to_string(&file).unwrap();
    assert!(!installed.contains("/old/hud"), "{installed}");
    assert!(
        installed.contains("\"--fast\"]\nenabled = false"),
        "{installed}"
    );
}

#[test]
fn another_server_of_our_name_is_told_and_nothing_is_changed() {
    let place = Place::new();
    for (client, file, other, text) in [
        (
            "claude",
            "project/.mcp.json",
            "project/.claude/settings.json",
            r#"{"mcpServers":{"hud":{"command":"head-up"}}}"#,
        ),
        (
            "codex",
            "project/.codex/config.toml",
            "project/.codex/hooks.json",
            "[mcp_servers.hud]\nurl = \"http://hud\"\n",
        ),
    ] {
        let file = place.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        let output = place.hud(&["install", client, "--yes"]);
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            errors.contains("is another server: rename it first"),
            "{errors}"
        );
        assert!(!place.path(other).exists(), "nothing was done by half");
        place.done(&["uninstall", client, "--yes"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn clines_hooks_are_programs_and_one_of_the_users_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let hooks = place.path("project/.clinerules/hooks");
    place.done(&["install", "cline", "--yes"]);
    let mode = fs::metadata(hooks.join("PostToolUse"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o500, 0o500);
    place.done(&["uninstall", "cline", "--yes"]);
    assert!(!place.path("project/.clinerules").exists());

    place.write(
        "project/.clinerules/hooks/PostToolUse",
        "#!/bin/sh\necho mine\n",
    );
    let output = place.hud(&["install", "cline", "--yes"]);
    assert_eq!(output.status.code(), Some(1));
    place.done(&["uninstall", "cline", "--yes"]);
    let left: Vec<_> = fs::read_dir(&hooks).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn what_is_no_configuration_is_left_alone() {
    let place = Place::new();
    let file = place.path("project/.codex/hooks.json");
    fs::create_dir(file.parent().unwrap()).unwrap();
    for odd in [
        "{",
        "[]",
        r#"{"hooks": 5}"#,
        r#"{"hooks": {"PreCompact": "x"}}"#,
    ] {
        fs::write(&file, odd).unwrap();
        let output = place.hud(&["install", "codex", "--yes"]);
        assert_eq!(output.status.code(), Some(1), "{odd}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(".codex/hooks.json: "), "{errors}");
        assert_eq!(fs::read_to_string(&file).unwrap(), odd);
    }
}
