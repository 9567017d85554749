//! `hud fmt` as its users run it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const UGLY: &str = "fn hud() {\n    rsx! { <A   b={ 1 }/> }\n}\n";
const TIDY: &str = "fn hud() {\n    rsx! { <A b={1} /> }\n}\n";
const BROKEN: &str = "fn hud() {\n    rsx! { <A   > }\n}\n";

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn hud_fmt(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
    command
        .arg("fmt")
        .args(args)
        .current_dir(directory)
        .env_remove("CLICOLOR_FORCE");
    command
}

/// The code that a command ends with, and what it writes.
fn ended(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status.code().unwrap(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn run(directory: &TempDir, args: &[&str]) -> String {
    ended(&hud_fmt(directory.path(), args).output().unwrap())
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).unwrap()
}

#[test]
fn all_rust_files_of_a_directory_are_formatted_but_those_that_git_ignores() {
    let files = [
        ("a.rs", UGLY),
        ("deep/in/b.rs", UGLY),
        ("c.txt", UGLY),
        ("target/d.rs", UGLY),
        (".gitignore", "target\n"),
    ];
    let files = directory(&files);
    assert_eq!(run(&files, &[]), "0\nnote: 2 files formatted\n");
    let read = |name| read(&files, name);
    assert_eq!([read("a.rs"), read("deep/in/b.rs")], [TIDY, TIDY]);
    assert_eq!([read("c.txt"), read("target/d.rs")], [UGLY, UGLY]);
    assert_eq!(run(&files, &[]), "0\n");
}

#[test]
fn a_check_shows_the_difference_and_changes_nothing() {
    let files = directory(&[("a.rs", UGLY)]);
    insta::assert_snapshot!(run(&files, &["--check"]));
    assert_eq!(read(&files, "a.rs"), UGLY);
    run(&files, &["a.rs"]);
    assert_eq!(run(&files, &["--check"]), "0\n");
}

#[test]
fn what_can_not_be_formatted_is_reported_and_the_rest_is_formatted() {
    let files = directory(&[("a.rs", BROKEN), ("b.rs", UGLY)]);
    fs::write(files.path().join("c.rs"), b"rsx! \xff").unwrap();
    insta::assert_snapshot!(run(&files, &["a.rs", "b.rs", "c.rs", "none.rs"]));
    assert_eq!([read(&files, "a.rs"), read(&files, "b.rs")], [BROKEN, TIDY]);
}

#[test]
fn the_nearest_configuration_of_rustfmt_counts() {
    let files = directory(&[
        ("rustfmt.toml", "max_width = 20\nedition = \"2024\""),
        ("a.rs", UGLY),
        ("b/.rustfmt.toml", "max_width = 80"),
        ("b/a.rs", UGLY),
        ("c/rustfmt.toml", "max_width = \"wide\""),
        ("c/a.rs", UGLY),
    ]);
    let reported = run(&files, &["a.rs", "b", "c"]);
    let place = files.path().canonicalize().unwrap();
    insta::assert_snapshot!(reported.replace(place.to_str().unwrap(), ""));
    assert!(read(&files, "a.rs").contains("{\n        <A b={1} />\n    }"));
    assert_eq!(
        [read(&files, "b/a.rs"), read(&files, "c/a.rs")],
        [TIDY, UGLY]
    );
}

#[test]
fn an_editor_pipes_a_file_through() {
    let files = directory(&[]);
    let pipe = |args: &[&str], source: &str| {
        let mut hud = hud_fmt(files.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        hud.stdin
            .take()
            .unwrap()
            .write_all(source.as_bytes())
            .unwrap();
        ended(&hud.wait_with_output().unwrap())
    };
    assert_eq!(pipe(&["-"], UGLY), format!("0\n{TIDY}"));
    assert_eq!(pipe(&["-", "--check"], TIDY), "0\n");
    insta::assert_snapshot!(pipe(&["-"], BROKEN));
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_a_mode_stays() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let files = directory(&[("a.rs", UGLY)]);
    let target = files.path().join("a.rs");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o754)).unwrap();
    let link = files.path().join("link.rs");
    symlink("a.rs", &link).unwrap();
    run(&files, &["link.rs"]);
    assert_eq!(read(&files, "a.rs"), TIDY);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode() & 0o777,
        0o754
    );
}

#[test]
fn nothing_to_format_is_said() {
    let files = directory(&[("a.txt", UGLY)]);
    assert_eq!(run(&files, &[]), "0\nnote: there are no Rust files here\n");
}

#[cfg(unix)]
#[test]
fn what_has_no_end_and_what_leads_out_is_not_read() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("project");
    fs::create_dir(&folder).unwrap();
    let outside = directory.path().join("outside.rs");
    let text = "fn f() { rsx! { <A   b=1 /> }; }\n";
    fs::write(&outside, text).unwrap();
    symlink(&outside, folder.join("link.rs")).unwrap();
    symlink("/dev/zero", folder.join("endless.rs")).unwrap();
    symlink("/dev/zero", folder.join("rustfmt.toml")).unwrap();
    fs::write(folder.join("own.rs"), text).unwrap();
    let formatted = Command::new(env!("CARGO_BIN_EXE_hud"))
        .arg("fmt")
        .arg(&folder)
        .output()
        .unwrap();
    assert!(formatted.status.success(), "{formatted:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), text);
    assert_ne!(fs::read_to_string(folder.join("own.rs")).unwrap(), text);

    let endless = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["fmt", "-"])
        .stdin(fs::File::open("/dev/zero").unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8(endless.stderr).unwrap();
    assert!(said.contains("more than 67108864 bytes"), "{said}");
}
