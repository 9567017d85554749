//! What a hook costs a client: `cargo bench -p hud-cli --bench bridge`.
//!
//! A bridge is started as a plugin does it, and asked for what a plugin asks on each turn. Beside it, in turns with
//! it, a line goes to `cat` and back: what that takes, any process at the other end of two pipes takes. With `--test`
//! only a few times. `HUD_BIN` names another `hud` to compare with.
//!
//! A frame that is asked for when many messages were read before it is slower than one that is not: the messages are in the
//! processor's caches then, and what the frame needs is not.
//!
//! On a machine that has nothing else to do, the processor that the other end runs on has gone to sleep when a request
//! comes, and waking it up takes longer than the frame. Where both ends are on one processor, as a client's are that
//! waits for its answer, what is left is what the frame costs: `taskset 1 cargo bench -p hud-cli --bench bridge`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hud_agent::tool::{Definition, Operations, compact_definition};
use serde_json::json;

fn main() {
    let turns = if std::env::args().any(|argument| argument == "--test") {
        10
    } else {
        3000
    };
    for Definition {
        name,
        description,
        schema,
    } in [Operations::built_in().definition(), compact_definition()]
    {
        let declared = json!({ "name": name, "description": description, "parameters": schema });
        let declared = declared.to_string();
        let tokens = bpe_openai::o200k_base().count(&declared);
        let bytes = declared.len();
        println!("the definition of {name}: {tokens} tokens (o200k), {bytes} bytes");
    }
    for durability in [&[][..], &["--fast"]] {
        let mut times = measure(turns, durability);
        let name = if durability.is_empty() {
            "full"
        } else {
            "fast"
        };
        println!("{turns} turns, durability {name}");
        for (what, times) in KINDS.into_iter().zip(&mut times) {
            times.sort_unstable();
            let at = |share: f64| {
                let index = (times.len() as f64 * share) as usize;
                times[index.min(times.len() - 1)].as_secs_f64() * 1e3
            };
            println!(
                "  {what:<32} p50 {:>7.3} ms, p99 {:>7.3} ms",
                at(0.5),
                at(0.99)
            );
        }
    }
}

/// What is timed.
const KINDS: [&str; 7] = [
    "a line to `cat` and back",
    "a report that is waited for",
    "a frame after a report",
    "the same frame again",
    "a report and a frame",
    "what stays of 500 messages",
    "a frame after 500 messages",
];

/// How long the model works at least. It works much longer.
const PAUSE: Duration = Duration::from_millis(1);

/// A process that answers lines.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    answer: String,
}

impl Peer {
    fn start(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            answer: String::new(),
        }
    }

    /// How long it takes until the answer to some lines is there, which says something.
    fn ask(&mut self, requests: &str, says: &str) -> Duration {
        self.answer.clear();
        let start = Instant::now();
        self.input.write_all(requests.as_bytes()).unwrap();
        self.output.read_line(&mut self.answer).unwrap();
        let took = start.elapsed();
        assert!(self.answer.contains(says), "{}", self.answer);
        took
    }

    fn end(mut self) {
        drop(self.input);
        self.child.wait().unwrap();
    }
}

/// The times of each kind.
fn measure(turns: u64, arguments: &[&str]) -> [Vec<Duration>; KINDS.len()] {
    let directory = tempfile::tempdir().unwrap();
    let hud = std::env::var_os("HUD_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_hud").into());
    let mut hud = Command::new(hud);
    hud.arg("bridge").arg("--db");
    hud.arg(directory.path().join("hud.db")).args(arguments);
    let mut hud = Peer::start(hud.current_dir(&directory));
    let mut cat = Peer::start(&mut Command::new("cat"));
    let mut ask = |requests: String| hud.ask(&requests, "\"result\"");
    let frame = json!({ "id": 1, "method": "frame", "params": { "session": "s" } });
    let messages = (0..500).map(|n| {
        let role = if n % 10 == 0 { "user" } else { "assistant" };
        let outputs = json!([{ "call": format!("call_{n}"), "tool": "read", "chars": 900 }]);
        json!({ "id": format!("msg_{n}"), "role": role, "outputs": outputs })
    });
    let messages: Vec<_> = messages.collect();
    let trim = json!({ "id": 1, "method": "trim",
        "params": { "session": "s", "messages": messages } });
    let mut times = [const { Vec::new() }; KINDS.len()];
    for turn in 0..turns {
        let note = json!({ "id": 1, "method": "call", "params": { "session": "s", "input": {
            "tool": "notes.add", "args": { "content": format!("note {turn}") } } } });
        if turn < 20 {
            ask(format!("{note}\n"));
        }
        let mut report = json!({ "method": "observe", "params": { "session": "s", "reports": [
            { "type": "usage", "input": 20_000 + turn, "window": { "context": 200_000 } } ] } });
        let unawaited = format!("{report}\n{frame}\n");
        report["id"] = 1.into();
        let (frame, report) = (format!("{frame}\n"), format!("{report}\n"));
        let asked = [
            (report, PAUSE),
            (frame.clone(), Duration::ZERO),
            (frame.clone(), Duration::ZERO),
            (unawaited, Duration::ZERO),
            (format!("{trim}\n"), PAUSE),
            (frame.clone(), Duration::ZERO),
        ];
        let [echoed, rest @ ..] = &mut times;
        echoed.push(cat.ask(&frame, "frame"));
        for (times, (requests, pause)) in rest.iter_mut().zip(asked) {
            times.push(ask(requests));
            thread::sleep(pause);
        }
    }
    hud.end();
    cat.end();
    times
}
