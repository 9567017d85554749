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
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use vt100::Parser;

const HUD: &str = env!("CARGO_BIN_EXE_hud");

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal.
struct Terminal {
    child: Child,
    display: Arc<Mutex<Display>>,
    tty: PathBuf,
}

/// The output for a terminal, and an emulator of one.
struct Display {
    written: Vec<u8>,
    parser: Parser,
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
        let display = Arc::new(Mutex::new(Display {
            written: Vec::new(),
            parser: Parser::new(Parser::<()>::DEFAULT_ROWS, Parser::<()>::DEFAULT_COLS, 0),
        }));
        let (mut output, shown) = (child.stdout.take().unwrap(), Arc::clone(&display));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut display = shown.lock().unwrap();
                display.written.extend_from_slice(&bytes[..count]);
                display.parser.process(&bytes[..count]);
            }
        });
        Self {
            child,
            display,
            tty,
        }
    }

    /// The whole output.
    fn written(&self) -> String {
        String::from_utf8_lossy(&self.display.lock().unwrap().written).into_owned()
    }

    /// The text of the alternate screen; none while the other one is shown.
    fn screen(&self) -> Option<String> {
        let display = self.display.lock().unwrap();
        let screen = display.parser.screen();
        screen.alternate_screen().then(|| screen.contents())
    }

    /// Waits until the alternate screen shows a text, or no longer does.
    fn wait_for(&mut self, text: &str, is_shown: bool) {
        let started = Instant::now();
        loop {
            let screen = self.screen();
            if screen
                .as_ref()
                .is_some_and(|screen| screen.contains(text) == is_shown)
            {
                return;
            }
            if started.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!(
                    "{text:?} shown: {}, in\n{}",
                    !is_shown,
                    screen.unwrap_or_default()
                );
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Gives it another size.
    fn resize(&mut self, rows: u16, columns: u16) {
        let size = |count: u16| NonZeroU16::new(count).unwrap();
        // First the emulator: the program redraws as soon as the size changes.
        let mut display = self.display.lock().unwrap();
        display.parser.set_size(size(rows), size(columns));
        drop(display);
        let tty = fs::read_to_string(&self.tty).unwrap();
        let set = Command::new("stty")
            .args(["-F", tty.trim(), "rows", &rows.to_string()])
            .args(["cols", &columns.to_string()])
            .status()
            .unwrap();
        assert!(set.success());
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
                panic!("it did not end: {:?}", self.written());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asserts that it left the alternate screen after it drew on it.
    fn assert_left(&self) {
        let written = self.written();
        let (_, drawn) = written.rsplit_once("\u{1b}[?1049h").unwrap();
        assert!(drawn.contains("\u{1b}[?1049l"), "it stays: {drawn:?}");
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
    terminal.wait_for("live", true);
    terminal.press("\u{1b}[H");
    terminal.wait_for("turn 1 of", true);
    terminal.press("?");
    terminal.wait_for("the newest turn, and follow it", true);
    terminal.press("x");
    terminal.wait_for("the newest turn, and follow it", false);
    terminal.wait_for("Why", false);
    terminal.resize(40, 130);
    terminal.wait_for("Why", true);
    terminal.resize(8, 30);
    terminal.wait_for("Why", false);
    terminal.wait_for("What the model sees", true);
    terminal.resize(30, 100);
    terminal.press("f");
    terminal.wait_for("live", true);
    // What another process writes is seen at once.
    let bridge = Command::new(HUD)
        .args(["bridge", "--db"])
        .arg(directory.path().join("hud.db"))
        .env("XDG_CONFIG_HOME", directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut bridge = bridge.unwrap();
    let session = "rate-limiter";
    writeln!(
        bridge.stdin.take().unwrap(),
        r#"{{"id":1,"method":"call","params":{{"session":"{session}","input":{{"tool":"notes.add","args":{{"content":"zebra crossing"}}}}}}}}"#
    )
    .unwrap();
    assert!(bridge.wait().unwrap().success());
    terminal.wait_for("zebra", true);
    assert!(is_coloured(&terminal.written()));
    terminal.press("q");
    assert!(terminal.end());
    terminal.assert_left();
}

#[test]
fn a_key_that_is_pressed_while_the_size_changes_is_obeyed() {
    let directory = recorded();
    let mut terminal = Terminal::start(directory.path(), &[]);
    terminal.wait_for("live", true);
    for columns in 100..120 {
        terminal.resize(30, columns);
        terminal.press("?");
        terminal.wait_for("the newest turn, and follow it", true);
        terminal.resize(30, columns + 40);
        terminal.press("x");
        terminal.wait_for("the newest turn, and follow it", false);
    }
    terminal.press("q");
    assert!(terminal.end());
}

#[test]
fn who_is_ended_from_outside_leaves_a_terminal_that_can_be_used() {
    for signal in [Signal::TERM, Signal::HUP] {
        let directory = recorded();
        let mut terminal = Terminal::start(directory.path(), &[]);
        terminal.wait_for("live", true);
        kill_process(process_of(directory.path()), signal).unwrap();
        assert!(terminal.end(), "{signal:?}: {:?}", terminal.written());
        terminal.assert_left();
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
    terminal.wait_for("live", true);
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
    terminal.wait_for("the-other-one  turn", true);
    terminal.press("s");
    terminal.wait_for("opens", true);
    terminal.press("\u{1b}[H\r");
    terminal.wait_for("rate-limiter  turn", true);
    terminal.press("c");
    terminal.wait_for("⋯", true);
    terminal.press("q");
    assert!(terminal.end());
}

#[test]
fn without_colours_and_without_a_terminal() {
    let directory = recorded();
    let mut terminal = Terminal::start(directory.path(), &[("NO_COLOR", "1")]);
    terminal.wait_for("live", true);
    terminal.press("\u{3}");
    assert!(terminal.end());
    assert!(
        !is_coloured(&terminal.written()),
        "{:?}",
        terminal.written()
    );
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
