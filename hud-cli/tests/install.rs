//! `hud install` and `hud uninstall`, in a home of their own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A project and a home.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.path("project")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn hud(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env("HOME", self.path("home"));
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "GEMINI_HOME",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        command.output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.hud(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).unwrap() + &errors
    }
}

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
    assert_eq!(installed.matches(" hook").count(), 4, "{installed}");
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

#[test]
fn what_held_only_our_hooks_goes_with_them() {
    let place = Place::new();
    let file = place.path("project/.claude/settings.json");
    fs::create_dir(file.parent().unwrap()).unwrap();
    for before in [r#"{"model":"opus"}"#, r#"{"model":"opus","hooks":{}}"#] {
        fs::write(&file, before).unwrap();
        place.done(&["install", "claude", "--yes"]);
        place.done(&["uninstall", "claude", "--yes"]);
        assert_eq!(json(&file)["model"], "opus");
        assert!(json(&file).get("hooks").is_none());
    }
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
    assert_eq!(json(&linked)["hooks"].as_object().unwrap().len(), 4);
}

#[test]
fn the_plugin_is_written_and_named_with_its_program() {
    let place = Place::new();
    place.done(&["install", "opencode", "--yes"]);
    let config = json(&place.path("project/opencode.json"));
    let plugin = place.path("home/.local/share/agent-hud/opencode.js");
    assert_eq!(
        config["plugin"][0][0],
        format!("file://{}", plugin.display())
    );
    assert!(
        config["plugin"][0][1]["bin"]
            .as_str()
            .unwrap()
            .ends_with("hud")
    );
    assert!(fs::read_to_string(&plugin).unwrap().contains("agent-hud"));
    place.done(&["uninstall", "opencode", "--yes"]);
    assert_eq!(
        json(&place.path("project/opencode.json"))["plugin"],
        serde_json::json!([])
    );
}

#[test]
fn every_client_can_be_configured_for_all_projects() {
    let place = Place::new();
    for (client, file) in [
        ("opencode", "home/.config/opencode/opencode.json"),
        ("claude", "home/.claude/settings.json"),
        ("codex", "home/.codex/hooks.json"),
        ("gemini", "home/.gemini/settings.json"),
    ] {
        place.done(&["install", client, "--user", "--yes"]);
        let installed = json(&place.path(file)).to_string();
        assert!(
            installed.contains("hook") || installed.contains("opencode.js"),
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
