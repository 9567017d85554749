//! Erased text is gone from every file: 200 secrets in random logs, while others search, archive, sweep and copy.
//!
//! The seed of the random logs is printed; the variable `HUD_SEED` sets it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(
    clippy::print_stdout,
    reason = "the figures are shown to who asks for them"
)]

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::common::{hud, shown};
use hud_store::event::{
    Actor, DecisionRecord, EventId, HudEvent, NewEvent, NoteAdd, OutputKeep, SessionId,
    SessionStart, TaskSet,
};
use hud_store::log::{Expected, Log};
use hud_store::sqlite::SqliteLog;
use serde_json::json;
use uuid::Uuid;

/// Numbers that look random, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut next = self.0;
        next = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        next = (next ^ (next >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (next ^ (next >> 31)) % end
    }

    fn word(&mut self) -> String {
        let length = 3 + self.below(9);
        (0..length)
            .map(|_| char::from(b'a' + u8::try_from(self.below(26)).unwrap()))
            .collect()
    }

    /// A text of words, with a secret in it, if there is one.
    fn text(&mut self, secret: Option<&str>) -> String {
        let most = [4, 12, 60, 900][usize::try_from(self.below(4)).unwrap()];
        let words = 1 + self.below(most);
        let at = self.below(words);
        let mut text = String::new();
        for nth in 0..words {
            let word = self.word();
            text += &word;
            if let Some(secret) = secret.filter(|_| nth == at) {
                let (before, after) = [(" ", " "), ("=\"", "\"\n"), ("\\", "\t"), ("(", ")")]
                    [usize::try_from(self.below(4)).unwrap()];
                text += &format!("{before}{secret}{after}");
            }
            text.push(' ');
        }
        text
    }

    fn event(&mut self, id: u64, secret: Option<&str>) -> NewEvent {
        let text = self.text(secret);
        let id = format!("i{id}");
        let event: HudEvent = match self.below(6) {
            0 => TaskSet { description: text }.into(),
            1 => DecisionRecord {
                id,
                summary: self.text(None),
                details: Some(text),
                weight: None,
            }
            .into(),
            2 => OutputKeep {
                call: Some(id),
                tool: "Read".into(),
                target: Some(self.word()),
                content: text.into(),
                outline: None,
            }
            .into(),
            _ => NoteAdd { id, content: text }.into(),
        };
        NewEvent::now(1, Actor::Agent, event)
    }
}

fn seed() -> u64 {
    let given = std::env::var("HUD_SEED").ok();
    let seed = given.and_then(|seed| seed.parse().ok()).unwrap_or(11);
    println!("seed {seed}");
    seed
}

/// A session, with its secrets and the versions of the events that have them.
struct Filled {
    session: SessionId,
    secrets: Vec<(String, u64)>,
}

/// Fills a log with sessions side by side, in batches of any size, each by a connection of its own.
fn fill(db: &Path, random: &mut Random, sessions: u64, secrets: u64, others: u64) -> Vec<Filled> {
    let mut filled: Vec<Filled> = (0..sessions)
        .map(|_| Filled {
            session: SessionId::new(format!("name-{}", secret(random))).unwrap(),
            secrets: Vec::new(),
        })
        .collect();
    let mut versions = vec![0_u64; filled.len()];
    let mut left: Vec<Option<usize>> = (0..sessions * others).map(|_| None).collect();
    for which in 0..filled.len() {
        left.extend((0..secrets).map(|_| Some(which)));
    }
    let mut id = 0;
    while !left.is_empty() {
        let mut log = SqliteLog::open(db).unwrap();
        for _ in 0..=random.below(40) {
            if left.is_empty() {
                break;
            }
            let next = usize::try_from(random.below(left.len() as u64)).unwrap();
            let hides = left.swap_remove(next);
            let any = usize::try_from(random.below(sessions)).unwrap();
            let which = hides.unwrap_or(any);
            let hidden = hides.map(|_| secret(random));
            id += 1;
            let event = random.event(id, hidden.as_deref());
            let Filled { session, secrets } = &mut filled[which];
            log.append(session, Expected::Any, &[event]).unwrap();
            versions[which] += 1;
            secrets.extend(hidden.map(|hidden| (hidden, versions[which])));
        }
        drop(log);
        match random.below(8) {
            0 => drop(hud(&[
                "search",
                "--db",
                db.to_str().unwrap(),
                &random.word(),
            ])),
            1 => drop(hud(&["sweep", "--db", db.to_str().unwrap()])),
            2 => drop(hud(&[
                "archive",
                "--db",
                db.to_str().unwrap(),
                "--before",
                "30",
            ])),
            3 => {
                let log = SqliteLog::open(db).unwrap();
                hud_store::log::state_of(&log, &filled[0].session).unwrap();
            }
            _ => {}
        }
    }
    filled
}

fn secret(random: &mut Random) -> String {
    format!("zq{}K{}", random.word(), 100_000 + random.below(900_000))
}

/// The files in a folder that have a text, in capitals or not.
fn having(folder: &Path, text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut having = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap().to_ascii_lowercase();
        if memchr::memmem::find(&bytes, text.as_bytes()).is_some() {
            having.push(path.display().to_string());
        }
    }
    having
}

/// All events of a log, unpacked.
fn all(db: &Path) -> String {
    let log = SqliteLog::open_read_only(db).unwrap();
    let mut all = String::new();
    log.read_all(1, &mut |mut event| {
        if let Some(content) = event.event.content()
            && let Some(text) = log.content(&content.hash).unwrap()
        {
            event.event.set_text(Some(text));
        }
        all += &format!("{event:?}\n");
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

/// Has others use a log while something is done.
fn beside<T>(db: &Path, act: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    let copies = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        let (is_over, copies) = (&is_over, copies.path());
        scope.spawn(move || {
            for nth in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let copy = copies.join(format!("{nth}.db"));
                let args: &[&str] = match nth % 4 {
                    0 => &["search", "zq"],
                    1 => &["archive", "--before", "40"],
                    2 => &["sweep"],
                    _ => &["backup", copy.to_str().unwrap()],
                };
                let args = [args, &["--db", db.to_str().unwrap()]].concat();
                hud(&args);
            }
        });
        let done = act();
        is_over.store(true, Ordering::Relaxed);
        done
    })
}

/// Erases, again where somebody was reading.
fn erase(args: &[&str]) -> Output {
    let mut output = hud(args);
    for _ in 0..20 {
        if output.status.success() {
            break;
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("old pages are in the files"), "{said}");
        output = hud(args);
    }
    output
}

fn redact(db: &Path, event: &str) -> Output {
    erase(&["redact", "--db", db.to_str().unwrap(), event, "--yes"])
}

fn back_up(db: &Path, copy: &Path) {
    shown(&[
        "backup",
        "--db",
        db.to_str().unwrap(),
        copy.to_str().unwrap(),
    ]);
}

#[test]
fn redacted_secrets_are_in_no_file() {
    let mut random = Random(seed());
    let mut count = 0;
    for _ in 0..4 {
        let directory = tempfile::tempdir().unwrap();
        let db = directory.path().join("hud.db");
        let filled = fill(&db, &mut random, 3, 9, 60);
        beside(&db, || {
            for Filled { session, secrets } in &filled {
                for (secret, version) in secrets {
                    let event = format!("{session}:{version}");
                    redact(&db, &event);
                    count += 1;
                    assert!(!all(&db).contains(secret), "seed, {event}, {secret}");
                }
            }
        });
        // Whoever read meanwhile may have kept old pages from going.
        let Filled { session, secrets } = &filled[0];
        let again = format!("{session}:{}", secrets[0].1);
        let again = redact(&db, &again);
        assert!(again.status.success(), "{again:?}");
        back_up(&db, &directory.path().join("copy"));
        for (secret, version) in filled.iter().flat_map(|filled| &filled.secrets) {
            let having = having(directory.path(), secret);
            assert!(
                having.is_empty(),
                "{secret} of version {version}: {having:?}"
            );
        }
        shown(&["doctor", "--db", db.to_str().unwrap()]);
    }
    println!("{count} redacted secrets, and 0 left");
    assert!(count >= 100);
}

#[test]
fn secrets_of_deleted_sessions_are_in_no_file() {
    let mut random = Random(seed() + 1);
    let mut count = 0;
    for _ in 0..3 {
        let directory = tempfile::tempdir().unwrap();
        let db = directory.path().join("hud.db");
        let filled = fill(&db, &mut random, 6, 7, 50);
        let (kept, gone) = filled.split_at(1);
        // One waits to be recorded, and other sessions come from those that go.
        let waits = secret(&mut random);
        let call = json!({ "tool": "notes.add", "args": { "content": waits } });
        let report = json!({ "id": Uuid::now_v7(), "at": "2026-10-02T10:00:00Z",
                             "session": gone[0].session, "called": call });
        fs::write(
            directory.path().join("hud.db.outbox.jsonl"),
            format!("{report}\n"),
        )
        .unwrap();
        let names = gone.iter().map(|gone| gone.session.as_str());
        for (nth, name) in names.clone().enumerate() {
            let child = format!("child{nth}");
            let start = SessionStart {
                parent: Some(SessionId::new(name).unwrap()),
                resumes: None,
                project: None,
            };
            let mut log = SqliteLog::open(&db).unwrap();
            let start = NewEvent::now(1, Actor::Derived, start);
            log.append(
                &SessionId::new(child).unwrap(),
                Expected::NoStream,
                &[start],
            )
            .unwrap();
        }
        fs::write(
            directory.path().join("HUD.md"),
            format!("# Notes\n- {waits}\n"),
        )
        .unwrap();
        beside(&db, || {
            for name in names.clone() {
                let args = [
                    "sessions",
                    "--db",
                    db.to_str().unwrap(),
                    "--delete",
                    name,
                    "--yes",
                ];
                hud(&args);
            }
        });
        let (session, version) = (&kept[0].session, kept[0].secrets[0].1);
        let again = format!("{session}:{version}");
        let again = redact(&db, &again);
        assert!(again.status.success(), "{again:?}");
        back_up(&db, &directory.path().join("copy"));
        let secrets = gone.iter().flat_map(|gone| &gone.secrets);
        let secrets: Vec<&str> = secrets
            .map(|(secret, _)| secret.as_str())
            .chain(names)
            .chain([waits.as_str()])
            .collect();
        let all = all(&db);
        for secret in &secrets {
            assert!(!all.contains(secret), "{secret}");
            let having = having(directory.path(), secret);
            assert!(having.is_empty(), "{secret}: {having:?}");
        }
        count += secrets.len();
        shown(&["doctor", "--db", db.to_str().unwrap()]);
        assert!(
            all.contains(&kept[0].secrets[1].0),
            "others keep what they said"
        );
    }
    println!("{count} secrets and names of deleted sessions, and 0 left");
    assert!(count >= 100);
}

#[test]
fn a_copy_that_was_killed_is_removed_and_one_beside_the_log_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let mut log = SqliteLog::open(&db).unwrap();
    let session = SessionId::new("s").unwrap();
    let note = NoteAdd {
        id: "n1".into(),
        content: "zqsecretK123456 is the word".into(),
    };
    let event = NewEvent {
        id: EventId::now_v7(),
        ..NewEvent::now(1, Actor::Agent, note)
    };
    log.append(&session, Expected::Any, &[event]).unwrap();
    drop(log);
    let copy = directory.path().join("hud.db.bak");
    back_up(&db, &copy);
    let part = directory.path().join("hud.db.bak.12345-0.part");
    let journal = directory.path().join("hud.db.bak.12345-0.part-journal");
    for path in [&part, &journal] {
        let mut file = fs::File::create(path).unwrap();
        file.write_all(b"zqsecretK123456").unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600))
            .unwrap();
    }
    let mine = directory.path().join("notes.part");
    fs::write(&mine, "not ours").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["redact", "s:1", "--yes", "--db"])
        .arg(&db)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        !part.exists() && !journal.exists() && mine.exists(),
        "{said}"
    );
    assert!(said.contains("hud.db.bak: has words of it still"), "{said}");
    assert!(!output.status.success(), "{said}");
    fs::remove_file(&copy).unwrap();
    assert_eq!(
        having(directory.path(), "zqsecretK123456"),
        Vec::<String>::new()
    );
}
