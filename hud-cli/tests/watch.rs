//! `hud watch` in a real terminal, which `script` makes: what it is asked by keys and by another size, and that it
//! leaves the terminal as it was.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

const HUD: &str = env!("CARGO_BIN_EXE_hud");

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal.
struct Terminal {
    child: Child,
    output: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    fn start(directory: &Path, environment: &[(&str, &str)]) -> Self {
        let tty = directory.join("tty");
        let db = directory.join("hud.db");
        let command = format!(
            "stty rows 24 cols 80; tty > '{}'; echo $$ > '{}'; exec '{HUD}' watch --db '{}'",
            tty.display(),
            directory.join("pid").display(),
            db.display()
        );
        let mut child = Command::new("script")
            .args(["-qefc", &command, "/dev/null"])
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .env("XDG_CONFIG_HOME", directory)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = Arc::new(Mutex::new(Vec::new()));
        let (mut written, kept) = (child.stdout.take().unwrap(), Arc::clone(&output));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = written.read(&mut bytes) {
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Self { child, output }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().unwrap()).into_owned()
    }

    /// Waits until the terminal was written a text from a place on, and gives the end of it.
    fn wait_for(&mut self, wanted: &str, from: usize) -> usize {
        let started = Instant::now();
        loop {
            let text = self.text();
            let found = text.get(from..).and_then(|text| text.find(wanted));
            if let Some(at) = found {
                return from + at + wanted.len();
            }
            if started.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("no {wanted:?} in {text:?}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn press(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(keys.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Waits for its end, and gives whether that is a good one.
    fn end(&mut self) -> bool {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            if started.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("it did not end: {:?}", self.text());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn recorded() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let session =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    let replayed = Command::new(HUD)
        .args(["replay", "--session", "rate-limiter"])
        .arg(session)
        .arg("--db")
        .arg(directory.path().join("hud.db"))
        .env("XDG_CONFIG_HOME", directory.path())
        .output()
        .unwrap();
    assert!(replayed.status.success());
    directory
}

/// Whether something is written in a colour.
fn is_coloured(text: &str) -> bool {
    let mut orders = text.split("\u{1b}[").skip(1);
    orders.any(|order| {
        let end = order.find(|c: char| c.is_ascii_alphabetic());
        // Others move the cursor.
        let style = end.filter(|end| order[*end..].starts_with('m'));
        let mut parts = style.map_or("", |end| &order[..end]).split(';');
        parts.any(|part| matches!(part.parse(), Ok(30..=38 | 90..=97)))
    })
}

#[test]
fn a_session_is_watched_by_keys_through_another_size_until_it_is_left() {
    let directory = recorded();
    let mut terminal = Terminal::start(directory.path(), &[]);
    terminal.wait_for("\u{1b}[?1049h", 0);
    let at = terminal.wait_for("live", 0);
    // Only what is another character than before is written.
    terminal.press("\u{1b}[H");
    let at = terminal.wait_for("of", at);
    terminal.press("?");
    let at = terminal.wait_for("newest", at);
    terminal.press("x");
    let size = |rows: &str, columns: &str| {
        let tty = fs::read_to_string(directory.path().join("tty")).unwrap();
        let set = Command::new("stty")
            .args(["-F", tty.trim(), "rows", rows, "cols", columns])
            .status()
            .unwrap();
        assert!(set.success());
    };
    size("40", "130");
    let at = terminal.wait_for("Why", at);
    size("8", "30");
    let at = terminal.wait_for("sees", at);
    // What another process writes is seen at once.
    let note = Command::new(HUD)
        .args(["bridge", "--db"])
        .arg(directory.path().join("hud.db"))
        .env("XDG_CONFIG_HOME", directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut bridge = note.unwrap();
    size("30", "100");
    terminal.press("f");
    let at = terminal.wait_for("live", at);
    let session = "rate-limiter";
    writeln!(
        bridge.stdin.take().unwrap(),
        r#"{{"id":1,"method":"call","params":{{"session":"{session}","input":{{"tool":"notes.add","args":{{"content":"zebra crossing"}}}}}}}}"#
    )
    .unwrap();
    assert!(bridge.wait().unwrap().success());
    terminal.wait_for("zebra", at);
    assert!(is_coloured(&terminal.text()));
    terminal.press("q");
    assert!(terminal.end());
    let text = terminal.text();
    let (_, left) = text.rsplit_once("\u{1b}[?1049h").unwrap();
    assert!(
        left.contains("\u{1b}[?1049l"),
        "it leaves the other screen: {left:?}"
    );
}

#[test]
fn who_is_ended_from_outside_leaves_a_terminal_that_can_be_used() {
    for signal in [Signal::TERM, Signal::HUP] {
        let directory = recorded();
        let mut terminal = Terminal::start(directory.path(), &[]);
        terminal.wait_for("live", 0);
        kill_process(process_of(directory.path()), signal).unwrap();
        assert!(terminal.end(), "{signal:?}: {:?}", terminal.text());
        let text = terminal.text();
        let (_, left) = text.rsplit_once("\u{1b}[?1049h").unwrap();
        assert!(left.contains("\u{1b}[?1049l"), "{signal:?}: {left:?}");
    }
}

/// The process of `hud watch` in the terminal.
fn process_of(directory: &Path) -> Pid {
    let pid = fs::read_to_string(directory.join("pid")).unwrap();
    Pid::from_raw(pid.trim().parse().unwrap()).unwrap()
}

#[test]
fn a_terminal_that_is_closed_ends_it() {
    let directory = recorded();
    let mut terminal = Terminal::start(directory.path(), &[]);
    terminal.wait_for("live", 0);
    let process = process_of(directory.path());
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();
    let started = Instant::now();
    loop {
        // Its new parent may not have asked for its outcome yet.
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        if stat.contains(") Z ") || test_kill_process(process).is_err() {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "it goes on: {stat}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn another_session_is_chosen_and_what_changed_is_shown() {
    let directory = recorded();
    let log = directory.path().join("hud.db");
    let replayed = Command::new(HUD)
        .args(["replay", "--session", "the-other-one"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl"))
        .arg("--db")
        .arg(log)
        .env("XDG_CONFIG_HOME", directory.path())
        .output();
    assert!(replayed.unwrap().status.success());
    let mut terminal = Terminal::start(directory.path(), &[]);
    let at = terminal.wait_for("live", 0);
    terminal.press("s");
    let at = terminal.wait_for("opens", at);
    terminal.press("\u{1b}[H\r");
    let at = terminal.wait_for("rate-limiter", at);
    terminal.press("c");
    terminal.wait_for("⋯", at);
    terminal.press("q");
    assert!(terminal.end());
}

#[test]
fn without_colours_and_without_a_terminal() {
    let directory = recorded();
    let mut terminal = Terminal::start(directory.path(), &[("NO_COLOR", "1")]);
    terminal.wait_for("live", 0);
    terminal.press("\u{3}");
    assert!(terminal.end());
    assert!(!is_coloured(&terminal.text()), "{:?}", terminal.text());
    let piped = Command::new(HUD)
        .args(["watch", "--db"])
        .arg(directory.path().join("hud.db"))
        .env("XDG_CONFIG_HOME", directory.path())
        .output()
        .unwrap();
    assert!(!piped.status.success() && piped.stdout.is_empty());
    let said = String::from_utf8_lossy(&piped.stderr).into_owned();
    assert!(
        said.contains("no terminal") && said.contains("hud render"),
        "{said}"
    );
}
