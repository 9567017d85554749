//! Who may read a log.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use hud_store::log::{Expected, Log};
use hud_store::sqlite::SqliteLog;

use crate::given::{contents, notes, session};

/// The names and modes of all files in a directory.
fn modes(dir: &Path) -> Vec<(String, u32)> {
    let mut modes: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|file| {
            let file = file.unwrap();
            let mode = file.metadata().unwrap().permissions().mode() & 0o777;
            (file.file_name().to_string_lossy().into_owned(), mode)
        })
        .collect();
    modes.sort();
    modes
}

fn all_private(dir: &Path) {
    let modes = modes(dir);
    assert!(modes.len() >= 3, "{modes:?}");
    assert!(modes.iter().all(|(_, mode)| *mode == 0o600), "{modes:?}");
}

#[test]
fn a_new_log_and_its_copies_are_for_their_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    log.backup(dir.path().join("copy.db"), &mut |_| ()).unwrap();
    all_private(dir.path());
    assert_eq!(log.narrow().unwrap(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn what_others_may_do_with_an_older_log_is_taken_from_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    let open_all = || {
        for (name, _) in modes(dir.path()) {
            fs::set_permissions(dir.path().join(name), Permissions::from_mode(0o664)).unwrap();
        }
    };
    open_all();
    assert_eq!(log.narrow().unwrap().len(), 3, "the log, -wal and -shm");
    all_private(dir.path());

    open_all();
    let writer = SqliteLog::open(&path).unwrap();
    all_private(dir.path());
    assert_eq!(contents(&writer).len(), 3);
}

#[test]
fn anothers_file_keeps_its_permissions() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("notes.txt");
    fs::write(&path, "mine").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    assert!(SqliteLog::open(&path).is_err());
    assert_eq!(modes(dir.path()), [("notes.txt".to_owned(), 0o644)]);
}
