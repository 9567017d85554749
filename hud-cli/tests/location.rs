//! Where the log of a project is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{example, log_of};

/// A command in a project.
fn hud(project: &Path, state: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(arguments)
        .current_dir(project)
        .env("XDG_STATE_HOME", state)
        .env("XDG_CONFIG_HOME", state)
        .env_remove("HUD_DB")
        .output()
        .unwrap()
}

fn is_done(output: &Output) -> bool {
    output.status.success()
}

#[test]
fn each_project_has_a_folder_with_a_name_that_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    let long = "long ".repeat(40);
    let names = [
        "one/harbor",
        "two/harbor",
        ".dotted",
        "a b",
        "a-b",
        "é中",
        &long,
    ];
    let mut found = HashSet::new();
    for name in names {
        let project = directory.path().join(name);
        fs::create_dir_all(&project).unwrap();
        let log = log_of(&project, &state);
        let folder = log.parent().unwrap();
        assert_eq!(folder.parent().unwrap(), state.join("agent-hud"));
        let folder = folder.file_name().unwrap().to_str().unwrap();
        let is_plain = |c: char| c.is_alphanumeric() || c == '-';
        assert!(folder.chars().all(is_plain), "{folder}");
        let start: String = Path::new(name)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .trim_start_matches('.')
            .chars()
            .take(3)
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        assert!(folder.starts_with(&start) && folder.len() < 70, "{folder}");
        assert!(found.insert(log));
    }
}

#[cfg(unix)]
#[test]
fn a_project_has_one_log_whatever_way_leads_to_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let state = path("state");
    fs::create_dir_all(path("project/.git")).unwrap();
    fs::create_dir_all(path("project/src/deep")).unwrap();
    std::os::unix::fs::symlink(path("project/src"), path("short")).unwrap();
    let log = log_of(&path("project"), &state);
    for way in ["project/src/deep", "short", "short/deep/../.."] {
        assert_eq!(log_of(&path(way), &state), log, "{way}");
    }
}

#[test]
fn commands_find_the_log_of_their_project() {
    let directory = tempfile::tempdir().unwrap();
    let (project, state) = (
        directory.path().join("project"),
        directory.path().join("state"),
    );
    fs::create_dir_all(project.join("src")).unwrap();
    fs::create_dir(project.join(".git")).unwrap();
    let given = project.join("given.db");
    let replayed = hud(
        &project,
        &state,
        &["replay", &example(), "--db", "given.db"],
    );
    assert!(is_done(&replayed), "{replayed:?}");
    let missing = hud(&project, &state, &["render"]);
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(
        said.contains("there is no log at") && said.contains("agent-hud"),
        "{said}"
    );
    assert!(is_done(&hud(
        &project,
        &state,
        &["adopt", "given.db", "--yes"]
    )));
    let copy = directory.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    for arguments in [
        &["render"][..],
        &["log"],
        &["sessions"],
        &["at", "turn:3"],
        &["diff", "turn:3"],
        &["search", "bucket"],
        &["export"],
        &["doctor"],
        &["archive"],
        &["backup", copy],
    ] {
        let output = hud(&project.join("src"), &state, arguments);
        assert!(is_done(&output), "{output:?}");
    }
    let named = Command::new(env!("CARGO_BIN_EXE_hud"))
        .arg("where")
        .env("HUD_DB", &given)
        .output()
        .unwrap();
    assert_eq!(
        PathBuf::from(String::from_utf8(named.stdout).unwrap().trim_end()),
        given
    );
}

#[test]
fn a_project_that_was_moved_takes_its_log_along() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let (project, moved, state) = (path("project"), path("moved"), path("state"));
    fs::create_dir(&project).unwrap();
    let given = path("given.db");
    let given = given.to_str().unwrap();
    assert!(is_done(&hud(
        &project,
        &state,
        &["replay", &example(), "--db", given]
    )));
    assert!(is_done(&hud(&project, &state, &["adopt", given, "--yes"])));
    let before = hud(&project, &state, &["render"]).stdout;
    let log = log_of(&project, &state);
    fs::rename(&project, &moved).unwrap();
    assert!(!is_done(&hud(&moved, &state, &["render"])));
    let adopted = hud(&moved, &state, &["adopt", log.to_str().unwrap(), "--yes"]);
    assert!(is_done(&adopted), "{adopted:?}");
    assert_eq!(hud(&moved, &state, &["render"]).stdout, before);
}
