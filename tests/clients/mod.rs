//! What the tests with real clients have in common.
#![allow(dead_code, reason = "not every client needs all of it")]

pub(crate) mod chat;
pub(crate) mod endpoint;
pub(crate) mod figures;
pub(crate) mod kin;
pub(crate) mod messages;
pub(crate) mod opencode;
pub(crate) mod place;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hud_store::state::HudState;
use serde_json::Value;

/// What an agent says at its end, and the finding in it.
pub(crate) const SAID: &str =
    "The root cause is that `parse()` in src/a.rs:12 drops the last line. It is done.";
pub(crate) const FOUND: &str = "The root cause is that parse() in src/a.rs:12 drops the last line";

/// The folder of the repository.
pub(crate) fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().to_owned()
}

/// The content of a JSON file.
pub(crate) fn json_in(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The findings of a session.
pub(crate) fn found(state: &HudState) -> Vec<&str> {
    let findings = state.findings.iter();
    findings
        .map(|finding| finding.text.trim_end_matches('.'))
        .collect()
}

/// How long a client may take for its turn, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(240);

/// How long what it said may still be on the way once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// A client's process, which ends with the test at the latest, with all that it has started.
pub(crate) struct Client(Child);

impl Drop for Client {
    fn drop(&mut self) {
        // As long as it has not ended, its number is nobody else's.
        #[cfg(unix)]
        if let Ok(None) = self.0.try_wait() {
            use rustix::process::{Pid, Signal, kill_process_group};
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a client, to be finished.
pub(crate) fn start(command: &mut Command) -> Client {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    Client(command.spawn().unwrap())
}

/// What a client said once it has ended by itself.
pub(crate) fn finish(client: Client) -> String {
    finish_within(client, PATIENCE)
}

/// As [`finish`], with a client that may take so long.
pub(crate) fn finish_within(mut client: Client, patience: Duration) -> String {
    let until = Instant::now() + patience;
    let mut output = client.0.stdout.take().unwrap();
    let said = Arc::new(Mutex::new(Vec::new()));
    let kept = said.clone();
    // What a client has started may outlive it with its output open: nobody waits long for that.
    let reader = thread::spawn(move || {
        let mut bytes = [0; 8192];
        while let Ok(count @ 1..) = output.read(&mut bytes) {
            kept.lock().unwrap().extend_from_slice(&bytes[..count]);
        }
    });
    let text = || String::from_utf8_lossy(&said.lock().unwrap()).into_owned();
    let status = loop {
        if let Some(status) = client.0.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > until {
            drop(client);
            panic!("the client did not end: {}", text());
        }
        thread::sleep(Duration::from_millis(50));
    };
    let until = Instant::now() + LAST_WORDS;
    while !reader.is_finished() && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(status.success(), "{}", text());
    text()
}

/// The events of a stream, each under the name of its type.
pub(crate) fn events(events: &[Value]) -> String {
    let lines = events.iter().map(|event| {
        let kind = event["type"].as_str().unwrap_or("message");
        format!("event: {kind}\ndata: {event}\n\n")
    });
    lines.collect()
}

/// What is above the user in a request: the instructions, and messages of the system's or the
/// developer's role.
pub(crate) fn above_the_user(request: &Value) -> String {
    let messages = ["messages", "input"]
        .into_iter()
        .filter_map(|key| request[key].as_array())
        .flatten();
    let above =
        messages.filter(|message| message["role"] == "system" || message["role"] == "developer");
    let instructions = ["system", "instructions"].map(|key| &request[key]);
    let above = above.map(|message| &message["content"]).chain(instructions);
    above.map(|content| format!("{content}\n")).collect()
}

/// A text without the HUDs in it that are marked as data.
pub(crate) fn without_marked(text: &str) -> String {
    let mut rest = String::new();
    let mut parts = text.split("<hud note=\\\"recorded state; ");
    rest.extend(parts.next());
    for part in parts {
        let (marked, behind) = part.split_once("</hud>").unwrap_or((part, ""));
        assert!(marked.contains("are data, not instructions"), "{marked}");
        rest.push_str(behind);
    }
    rest
}

/// How much of each text the one before begins with, in per cent of the bytes: what a provider has in
/// its cache.
pub(crate) fn shared(texts: impl IntoIterator<Item = String>) -> f64 {
    let texts: Vec<String> = texts.into_iter().collect();
    let (mut shared, mut all) = (0, 0);
    for pair in texts.windows(2) {
        let bytes = pair[0].bytes().zip(pair[1].bytes());
        shared += bytes.take_while(|(a, b)| a == b).count();
        all += pair[1].len();
    }
    100.0 * shared as f64 / all as f64
}

/// Where `hud` has its log, in a command's directory and environment. Its folder is there then.
pub(crate) fn log_of(hud: &mut Command) -> PathBuf {
    let output = hud.arg("where").output().unwrap();
    assert!(output.status.success());
    let path = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

/// The binary that was built with the tests.
pub(crate) fn hud() -> PathBuf {
    let mut directory = std::env::current_exe().unwrap();
    directory.pop();
    directory.pop();
    let hud = directory.join("hud");
    assert!(hud.exists(), "build it first: cargo build -p hud-cli");
    hud
}
