//! `hud install` and `hud uninstall`, in a home of their own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::path::Path;

use crate::place::{Place, said};
use serde_json::Value;

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

const KEPT: &str = r#"{
  "model": "x",
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "cargo fmt" }] }
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
        installed.contains("\"model\": \"x\",\n") && installed.contains("cargo fmt"),
        "{installed}"
    );
    assert_eq!(installed.matches(" hook").count(), 7, "{installed}");
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
fn clients_wait_longer_where_the_user_lets_a_turn_wait_longer() {
    let place = Place::new();
    let waits = || {
        place.done(&["install", "gemini", "--yes"]);
        let settings = json(&place.path("project/.gemini/settings.json"));
        let hook = &settings["hooks"]["BeforeAgent"][0]["hooks"][0]["timeout"];
        let server = &settings["mcpServers"]["hud"]["timeout"];
        (hook.as_u64().unwrap(), server.as_u64().unwrap())
    };
    assert_eq!(waits(), (5_000, 10_000));
    for folder in [".config", "Library/Application Support"] {
        place.write(
            &format!("home/{folder}/agent-hud/config.toml"),
            "deadline = 20_500\n",
        );
    }
    assert_eq!(waits(), (25_000, 30_000));
    place.done(&["install", "cline", "--yes"]);
    let script = place.text("project/.clinerules/hooks/PreToolUse");
    assert!(script.contains("sleep 25 &"), "{script}");
    for client in ["gemini", "cline"] {
        place.done(&["uninstall", client, "--yes"]);
    }
    assert!(!place.path("project/.clinerules").exists());
    assert!(!place.path("project/.gemini").exists());
}

#[cfg(unix)]
#[test]
fn messages_call_a_binary_as_its_file_is_called() {
    let place = Place::new();
    let own = place.path("risks-hud");
    fs::copy(env!("CARGO_BIN_EXE_hud"), &own).unwrap();
    place.write("project/layout.rs", "fn hud() { rsx! {   <Task   /> } }\n");
    let output = place.run(&own, &["fmt", "--check", "layout.rs"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("run `risks-hud fmt`"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_link_stays_one_and_stays_private() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = Place::new();
    let (file, linked) = (
        place.path("project/.claude/settings.json"),
        place.path("project/own"),
    );
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&linked, "{}").unwrap();
    fs::set_permissions(&linked, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&linked, &file).unwrap();
    place.done(&["install", "claude", "--yes"]);
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    let mode = fs::metadata(&linked).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(json(&linked)["hooks"].as_object().unwrap().len(), 7);
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
fn another_server_of_our_name_is_reported_and_nothing_is_changed() {
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

#[test]
fn what_cannot_be_edited_is_refused_with_the_place_and_the_mend() {
    let place = Place::new();
    for (text, said) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2, column"),
        ("[1]", "it is a list, and no object: mend it first"),
        ("null", "it is null, and no object"),
        (r#"{"hooks": []}"#, "`hooks` is no object: mend it first"),
        (
            r#"{"hooks": {"PostToolUse": {}}}"#,
            "`hooks.PostToolUse` is no list: mend it first",
        ),
        (
            r#"{"permissions": {"allow": "all"}}"#,
            "`permissions.allow` is no list",
        ),
    ] {
        place.write("project/.claude/settings.json", text);
        let start = place.everything();
        let errors = place.refused(&["install", "claude", "--yes"]);
        assert!(errors.contains(".claude/settings.json: "), "{errors}");
        assert!(errors.contains(said), "{text}: {errors}");
        assert_eq!(place.everything(), start, "{text}");
    }
    for (text, said) in [
        ("a = ", "line 1, column 5"),
        (
            "mcp_servers = 5\n",
            "`mcp_servers` is no table: mend it first",
        ),
        (
            "[[mcp_servers]]\na = 1\n",
            "`mcp_servers` is no table: mend it first",
        ),
    ] {
        place.write("project/.codex/config.toml", text);
        let start = place.everything();
        let errors = place.refused(&["install", "codex", "--yes"]);
        assert!(errors.contains(".codex/config.toml: "), "{errors}");
        assert!(
            errors.replace("\n", " ").contains(said) || errors.contains("mend it first"),
            "{text}: {errors}"
        );
        assert_eq!(place.everything(), start, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_that_may_be_written_is_refused_and_nothing_is_done_by_half() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    type Odd = fn(&Path);
    let odds: [(Odd, &str); 5] = [
        (
            |path| symlink("nowhere.json", path).unwrap(),
            "a link to nowhere.json",
        ),
        (
            |path| symlink(".mcp.json", path).unwrap(),
            "a link to .mcp.json",
        ),
        (|path| fs::create_dir(path).unwrap(), "it is no file"),
        (
            |path| fs::write(path, b"{\"a\": \"\xff\"}").unwrap(),
            "it is no UTF-8",
        ),
        (
            |path| {
                fs::write(path, "{}").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
            },
            "it is read-only: make it writable first (chmod u+w)",
        ),
    ];
    for (odd, said) in odds {
        let place = Place::new();
        odd(&place.path("project/.mcp.json"));
        let start = place.everything();
        let errors = place.refused(&["install", "claude", "--yes"]);
        assert!(errors.contains(".mcp.json: "), "{errors}");
        assert!(errors.contains(said), "{errors}");
        assert_eq!(place.everything(), start, "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_a_link_again_and_its_file_as_it_was() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    place.write("home/dotfiles/settings.json", "{\"model\":\"x\"}");
    fs::create_dir(place.path("home/.claude")).unwrap();
    symlink(
        "../dotfiles/settings.json",
        place.path("home/.claude/settings.json"),
    )
    .unwrap();
    let start = place.everything();
    let shown = place.done(&["install", "claude", "--user", "--yes"]);
    assert!(shown.contains("settings.json -> "), "{shown}");
    place.done(&["uninstall", "claude", "--user", "--yes"]);
    assert_eq!(place.everything(), start);
}

#[test]
fn what_the_user_adds_meanwhile_stays_with_every_other_byte() {
    let place = Place::new();
    for (client, file, before, (from, to), left) in [
        (
            "claude",
            "project/.mcp.json",
            "{\n  \"a\": 1\n}\n",
            ("\"a\": 1,", "\"a\": 1, // one\n  \"b\":2,"),
            "{\n  \"a\": 1, // one\n  \"b\":2\n}\n",
        ),
        (
            "gemini",
            "project/.gemini/settings.json",
            "{}",
            ("\"mcpServers\": {", "\"mcpServers\": {\n    \"db\": {},"),
            "{\n  \"mcpServers\": {\n    \"db\": {}\n  }\n}",
        ),
        (
            "codex",
            "project/.codex/config.toml",
            "model = \"x\"\r\n",
            ("model", "# mine\r\nmodel"),
            "# mine\r\nmodel = \"x\"\r\n",
        ),
    ] {
        place.write(file, before);
        place.done(&["install", client, "--yes"]);
        let installed = place.text(file);
        let changed = installed.replacen(from, to, 1);
        assert_ne!(installed, changed, "{installed}");
        place.write(file, &changed);
        place.done(&["uninstall", client, "--yes"]);
        assert_eq!(place.text(file), left, "{client}");
    }
}

#[test]
fn a_hook_of_ours_that_the_user_added_to_keeps_what_was_added() {
    let place = Place::new();
    let hook = "project/.clinerules/hooks/PostToolUse";
    place.done(&["install", "cline", "--yes"]);
    let own = "date >> log\n";
    place.write(hook, &(place.text(hook) + own));
    place.done(&["uninstall", "cline", "--yes"]);
    assert_eq!(place.text(hook), format!("#!/bin/sh\n{own}"));

    place.done(&["install", "goose", "--yes"]);
    let hooks = "project/.agents/plugins/agent-hud/hooks/hooks.json";
    let text = place.text(hooks).replacen('{', "{\n  \"mine\": true,", 1);
    place.write(hooks, &text);
    place.done(&["uninstall", "goose", "--yes"]);
    assert_eq!(place.text(hooks), "{\n  \"mine\": true\n}\n");
}

#[test]
fn what_was_installed_elsewhere_is_taken_out_without_a_record() {
    for client in ["opencode", "claude", "codex", "gemini", "cline", "goose"] {
        let place = Place::new();
        place.write("project/notes.md", "mine");
        let start = place.everything();
        place.done(&["install", client, "--yes"]);
        fs::remove_dir_all(place.path("home/.local")).unwrap();
        place.done(&["uninstall", client, "--yes"]);
        let left: Vec<_> = place
            .everything()
            .into_iter()
            .filter(|(path, bytes)| !bytes.is_empty() && start.get(path) != Some(bytes))
            .collect();
        assert!(left.is_empty(), "{client}: {left:?}");
    }
}

#[test]
fn a_binary_of_another_name_takes_out_what_it_put_in() {
    let place = Place::new();
    let binary = place.path("agent-hud-2");
    fs::copy(env!("CARGO_BIN_EXE_hud"), &binary).unwrap();
    for client in ["opencode", "claude", "codex", "gemini", "cline", "goose"] {
        for flags in [&["--yes"][..], &["--yes", "--user"]] {
            let start = place.everything();
            let run = |command: &str, binary: &Path| {
                let arguments = [&[command, client], flags].concat();
                said(&place.run(binary, &arguments))
            };
            run("install", &binary);
            assert_ne!(place.everything(), start, "{client}");
            run("uninstall", &binary);
            assert_eq!(place.everything(), start, "{client}");
            // And by another binary, which has only the record to go by.
            run("install", &binary);
            run("uninstall", env!("CARGO_BIN_EXE_hud").as_ref());
            assert_eq!(place.everything(), start, "{client}");
        }
    }
}

#[test]
fn a_binary_of_ones_own_installs_itself_by_its_own_name() {
    for client in ["opencode", "claude", "codex", "gemini", "cline", "goose"] {
        for flags in [&["--yes"][..], &["--yes", "--user"]] {
            let place = Place::new();
            let binary = place.path("risks-hud");
            fs::copy(env!("CARGO_BIN_EXE_hud"), &binary).unwrap();
            // The one that was there before goes: two would both show a HUD.
            place.done(&[&["install", client][..], flags].concat());
            said(&place.run(&binary, &[&["install", client][..], flags].concat()));
            let mut named = 0;
            for path in place.everything().into_keys() {
                let is_ours = path.starts_with("home/.local") || path.ends_with("opencode.js");
                let Ok(text) = fs::read_to_string(place.path("").join(&path)) else {
                    continue;
                };
                if !is_ours {
                    named += text.matches("risks-hud").count();
                    let rest = text.replace("risks-hud", "");
                    for other in ["hud hook", "hud' hook", "\"command\": \"hud\"", "= \"hud\""] {
                        assert!(!rest.contains(other), "{}: {text}", path.display());
                    }
                }
            }
            assert!(named > 0, "{client} {flags:?}");
        }
    }
}

#[test]
fn a_projects_configuration_names_nothing_of_this_machine() {
    for client in ["opencode", "claude", "codex", "gemini", "cline", "goose"] {
        let place = Place::new();
        place.done(&["install", client, "--yes"]);
        let own = place.path("");
        let own = own.to_str().unwrap();
        let binary = env!("CARGO_BIN_EXE_hud");
        for (path, bytes) in place.everything() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if path.starts_with("project") {
                assert!(!text.contains(own) && !text.contains(binary), "{text}");
            }
        }
    }
}

#[test]
fn install_says_what_is_left_to_the_user() {
    let place = Place::new();
    for (arguments, said) in [
        (&["install", "claude"][..], "projects that you trust"),
        (
            &["install", "claude", "--user"],
            "claude mcp add --scope user hud",
        ),
        (
            &["uninstall", "claude", "--user"],
            "claude mcp remove --scope user hud",
        ),
        (&["install", "codex"], "projects that it trusts"),
        (&["install", "codex"], "not on your PATH"),
        (&["install", "gemini", "--user"], "folders that you trust"),
        (&["install", "cline"], "hud install cline --user --yes"),
    ] {
        let shown = place.done(arguments);
        assert!(shown.contains(said), "{shown}");
    }
    let shown = place.done(&["install", "codex", "--user"]);
    assert!(shown.contains("+ trusted_hash = \"sha256:"), "{shown}");
    let shown = place.done(&["install", "gemini", "--user"]);
    assert!(shown.contains("\"trust\": true"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_hook_always_ends_well_and_with_its_shell() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::Read;
    use std::process::{Command, Stdio};

    let place = Place::new();
    let binary = place.path("bin/hud");
    fs::create_dir(place.path("bin")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_hud"), &binary).unwrap();
    let mut commands = Vec::new();
    for client in ["claude", "codex", "gemini", "goose"] {
        for flags in [&["--yes"][..], &["--yes", "--user"]] {
            let place = Place::new();
            said(&place.run(&binary, &[&["install", client], flags].concat()));
            let files = place.everything().into_iter().filter(|(path, _)| {
                let is_json = path.extension() == Some("json".as_ref());
                is_json && !path.ends_with("installed.json")
            });
            let mut texts = files.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned());
            let hooks = texts.find_map(|text| {
                // Behind the JSON is what else is known of the file.
                let text = serde_json::Deserializer::from_str(&text)
                    .into_iter::<Value>()
                    .next();
                let value = text?.ok()?;
                let groups = value["hooks"].as_object()?.values().next()?.clone();
                Some(groups[0]["hooks"][0]["command"].as_str()?.to_owned())
            });
            commands.push(hooks.unwrap());
        }
    }
    for script in [
        None,
        Some("#!/bin/sh\nexit 2\n"),
        Some("#!/bin/sh\nexit 101\n"),
        Some("\u{7f}ELF"),
    ] {
        fs::remove_file(&binary).unwrap_or_default();
        if let Some(script) = script {
            fs::write(&binary, script).unwrap();
            let mode = fs::metadata(env!("CARGO_BIN_EXE_hud"))
                .unwrap()
                .permissions();
            fs::set_permissions(&binary, mode).unwrap();
        }
        for command in &commands {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).stdin(Stdio::null());
            let output = shell.env("PATH", "/usr/bin:/bin").output().unwrap();
            assert!(output.status.success(), "{script:?}: {command}");
        }
    }
    // Gemini ends the shell alone, and then waits for all that it started.
    fs::write(&binary, "#!/bin/sh\necho begun\nexec sleep 60\n").unwrap();
    let waited = commands.iter().filter(|command| command.contains("trap"));
    for (count, command) in waited.enumerate() {
        let mut shell = Command::new("bash");
        shell
            .args(["-c", command])
            .env("PATH", path_with(&place.path("bin")))
            .stdin(Stdio::null());
        let mut shell = shell.stdout(Stdio::piped()).spawn().unwrap();
        let mut started = shell.stdout.take().unwrap();
        started.read_exact(&mut [0; 6]).unwrap();
        kill_process(Pid::from_child(&shell), Signal::TERM).unwrap();
        started.read_to_end(&mut Vec::new()).unwrap();
        assert!(shell.wait().unwrap().success());
        assert!(count < 2, "in a project and for a user: {commands:?}");
    }
}

#[cfg(unix)]
fn path_with(folder: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

#[cfg(unix)]
#[test]
fn clines_hook_hands_its_input_on_and_ends_by_itself_whatever_becomes_of_hud() {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    for (flags, folder) in [
        (&["--yes"][..], "project/.clinerules/hooks"),
        (&["--yes", "--user"], "home/.cline/hooks"),
    ] {
        let place = Place::new();
        place.done(&[&["install", "cline"], flags].concat());
        let hook = place.path(folder).join("PostToolUse");
        let run = |text: &str| {
            place.program("bin/hud", text);
            let output = Command::new(&hook)
                .env("PATH", path_with(&place.path("bin")))
                .stdin(fs::File::open(&hook).unwrap())
                .stderr(Stdio::null())
                .output()
                .unwrap();
            assert!(output.status.success(), "{text}");
            String::from_utf8(output.stdout).unwrap()
        };
        let given = fs::read_to_string(&hook).unwrap();
        assert_eq!(run("#!/bin/sh\ncat\n"), given);
        assert_eq!(run("#!/bin/sh\necho said\nexit 2\n"), "said\n");
        // It asks for nothing, and can't be asked to end.
        let begin = Instant::now();
        assert_eq!(
            run("#!/bin/sh\ntrap '' TERM\necho begun\nexec sleep 600\n"),
            "begun\n"
        );
        assert!(begin.elapsed().as_secs() < 300, "hud ended, not the hook");

        // What a user has behind it runs.
        place.program(&format!("{folder}/PostToolUse"), &(given + "echo mine\n"));
        assert_eq!(run("#!/bin/sh\necho said\nexit 2\n"), "said\nmine\n");
    }
}

/// A client takes nothing of a file that it can't read: what is installed there shows nothing.
#[test]
fn a_file_that_its_client_would_drop_is_refused_and_left_as_it_was() {
    let comment = "{\n  // mine\n  \"a\": 1\n}\n";
    let trailing = "{\n  \"a\": 1,\n}\n";
    let single = "{ 'a': 1 }\n";
    for (client, file, text, is_read) in [
        ("claude", ".claude/settings.json", comment, false),
        ("claude", ".claude/settings.json", trailing, false),
        ("claude", ".mcp.json", comment, false),
        ("codex", ".codex/hooks.json", comment, false),
        ("gemini", ".gemini/settings.json", comment, true),
        ("gemini", ".gemini/settings.json", trailing, false),
        ("opencode", "opencode.json", comment, true),
        ("opencode", "opencode.json", trailing, true),
        ("opencode", "opencode.json", single, false),
    ] {
        let place = Place::new();
        place.write(&format!("project/{file}"), text);
        let before = place.everything();
        let output = place.hud(&["install", client, "--yes"]);
        assert_eq!(output.status.success(), is_read, "{client} {text}");
        if !is_read {
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(
                said.contains("takes nothing of such a file") && said.contains("line "),
                "{said}"
            );
            assert_eq!(place.everything(), before);
        }
    }
}
