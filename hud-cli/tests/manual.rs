//! What shells and `man` are given, loaded by them.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use crate::common::{file, hud, refused, shown};

/// What a shell says that runs a script; nothing where this machine has no such shell.
fn by(shell: &str, script: &str) -> Option<String> {
    let output = Command::new(shell)
        .args(["-c", script])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{shell}: {errors}"
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

#[test]
fn bash_completes_commands_and_arguments() {
    let (_directory, path) = file("hud.bash", shown(&["completions", "bash"]));
    let completed = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let script = format!(
            "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _hud hud '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            path.display(),
            words
                .iter()
                .map(|word| format!("'{word}'"))
                .collect::<Vec<_>>()
                .join(" "),
            words.len() - 1,
            words.last().unwrap(),
            words[words.len().saturating_sub(2)],
        );
        by("bash", &script).unwrap()
    };
    assert_eq!(words(&completed("hud la")), BTreeSet::from(["layout"]));
    assert!(words(&completed("hud layout ")).contains("eject"));
    assert!(words(&completed("hud install ")).is_superset(&BTreeSet::from(["claude", "goose"])));
    assert_eq!(
        words(&completed("hud render --bud")),
        BTreeSet::from(["--budget"])
    );
}

#[test]
fn other_shells_load_their_scripts() {
    let (_directory, fish) = file("hud.fish", shown(&["completions", "fish"]));
    let script = format!("source '{}'; complete -C 'hud layo'", fish.display());
    if let Some(text) = by("fish", &script) {
        assert!(text.starts_with("layout\t"), "{text}");
    }
    let (_directory, zsh) = file("_hud", shown(&["completions", "zsh"]));
    let script = format!(
        "autoload -U compinit; compinit -D -u; source '{}'; whence -w _hud",
        zsh.display()
    );
    if let Some(text) = by("zsh", &script) {
        assert_eq!(text.trim(), "_hud: function");
    }
    assert_eq!(hud(&["completions", "cmd"]).status.code(), Some(2));
}

#[test]
fn every_command_has_a_page_that_man_shows() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("man1");
    shown(&["man", "--dir", folder.to_str().unwrap()]);
    let help = shown(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let lines = commands.lines().take_while(|line| !line.is_empty());
    // The names alone are so far to the left.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"render") && names.len() > 25, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let page = folder.join(format!("hud-{name}.1"));
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains(".SH SYNOPSIS"), "{text}");
    }
    let page = folder.join("hud-layout-check.1");
    assert!(fs::read_to_string(&page).unwrap().contains("Example"));
    let shown_by_man = Command::new("man")
        .args(["--warnings", "-l"])
        .arg(folder.join("hud-render.1"))
        .env("MANWIDTH", "100")
        .env("LC_ALL", "C.UTF-8")
        .output();
    if let Ok(output) = shown_by_man {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("hud render --budget 300 --explain"), "{text}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn a_page_can_be_written_alone() {
    assert!(shown(&["man"]).contains(".SH NAME"));
    assert!(shown(&["man", "layout", "check"]).contains("hud\\-layout\\-check"));
    let directory = tempfile::tempdir().unwrap();
    let text = refused(&["man", "party"], directory.path());
    assert_eq!(
        text,
        "error: there is no command `hud party`: `hud --help` lists them\n"
    );
}
