//! What a reader of `hud inspect` waits for: `cargo bench -p hud-cli --features inspect --bench inspect`.
//!
//! The events of the example session are repeated until a log has 10,000 of them, and 1,000,000. On each the page's
//! server is started as a person starts it, and asked over HTTP what the page asks. The time of a
//! step of the slider is printed beside that of a reader who keeps nothing, and so folds from the first event
//! (`state_at`), as `hud render --turn` does. Behind each figure is the one that is wanted. With `--test` the logs are short.
//! `HUD_BIN` names another `hud` to compare with.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use hud_agent::replay::Replay;
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_store::event::{Actor, EventId, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log as _, Moment, state_at, state_of};
use hud_store::sqlite::{Durability, SqliteLog};
use serde_json::Value;

/// The sessions beside the long one.
const OTHERS: usize = 9;

/// How many readers ask at once.
const READERS: usize = 8;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (sizes, steps, news) = match is_test {
        true => ([4_000, 12_000], 5, 2),
        false => ([10_000, 1_000_000], 200, 30),
    };
    let example = Example::read();
    for size in sizes {
        let directory = tempfile::tempdir().unwrap();
        let db = directory.path().join("hud.db");
        let (long, turns) = example.repeated(&db, size);
        println!("{size} events in {} sessions; {turns} turns", OTHERS + 1);
        measure(&db, &long, turns, steps, news);
    }
}

/// The events of the example session.
struct Example {
    events: Vec<NewEvent>,
    turns: u64,
}

impl Example {
    fn read() -> Self {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
        let mut replay = Replay::new(SessionId::new("rate-limiter").unwrap());
        let mut events = Vec::new();
        let each = &mut |entry| {
            events.extend(replay.observe(entry));
            Ok::<(), TranscriptError>(())
        };
        Transcript::open(&file).unwrap().read(each).unwrap();
        Self {
            turns: replay.turn(),
            events,
        }
    }

    /// They again, so many turns later.
    fn later(&self, turns: u64) -> impl Iterator<Item = NewEvent> {
        self.events.iter().map(move |event| NewEvent {
            id: EventId::now_v7(),
            turn: event.turn + turns,
            cause: None,
            ..event.clone()
        })
    }

    /// A log with so many events, most of them in one session: its name, and how many turns it has. Its snapshot is
    /// as recent as the writers of a session leave it.
    fn repeated(&self, db: &Path, size: usize) -> (SessionId, u64) {
        let mut log = SqliteLog::open_with(db, Durability::Fast).unwrap();
        let mut left = size;
        for other in 0..OTHERS {
            let events: Vec<NewEvent> = self.later(0).collect();
            let name = SessionId::new(format!("other-{other}")).unwrap();
            log.append(&name, Expected::NoStream, &events).unwrap();
            left = left.saturating_sub(events.len());
        }
        let long = SessionId::new("long").unwrap();
        let mut turns = 0;
        let mut batch = Vec::new();
        while left > 0 {
            batch.extend(self.later(turns).take(left - batch.len().min(left)));
            turns += self.turns;
            if batch.len() >= 8_000.min(left) {
                batch.truncate(left);
                log.append(&long, Expected::Any, &batch).unwrap();
                left -= batch.len();
                batch.clear();
            }
        }
        let state = state_of(&log, &long).unwrap();
        (long, state.turn)
    }
}

fn measure(db: &Path, long: &SessionId, turns: u64, steps: usize, news: usize) {
    let begun = Instant::now();
    let server = Server::start(db);
    let address = begun.elapsed();
    let first = server.reader().get("/");
    let page = begun.elapsed();
    assert!(first.starts_with(b"<!doctype html>"));
    say("start to address", address, Some(50));
    say("start to page", page, Some(100));

    let mut reader = server.reader();
    let begun = Instant::now();
    let newest = reader.ask(&format!("/api/s/{long}/frame?tree=1"));
    say("newest turn after the start", begun.elapsed(), Some(1_000));
    assert_eq!(newest["turn"], Value::from(turns + 1));
    let begun = Instant::now();
    while reader.ask(&format!("/api/s/{long}/timeline"))["read"] != Value::Bool(true) {}
    say("all turns after that", begun.elapsed(), None);

    let mut order = Shuffled::new(turns);
    let mut times: Vec<Duration> = (0..steps)
        .map(|_| reader.scrub(long, order.next()))
        .collect();
    let p50 = percentile(&mut times, 0.5);
    say("a step of the slider, p50", p50, Some(40));
    say(
        "a step of the slider, p95",
        percentile(&mut times, 0.95),
        Some(100),
    );
    let log = SqliteLog::open_read_only(db).unwrap();
    let mut folds: Vec<Duration> = (0..steps.min(9))
        .map(|_| {
            let begun = Instant::now();
            state_at(&log, long, Moment::Turn(order.next() - 1)).unwrap();
            begun.elapsed()
        })
        .collect();
    let fold = percentile(&mut folds, 0.5);
    let ratio = fold.as_secs_f64() / p50.as_secs_f64();
    println!(
        "  {:<36} {:>9.2} ms, {ratio:.1} times a step",
        "  folded from the first event, p50",
        ms(fold)
    );

    for tab in ["state?turn=", "diff?a=1&b="] {
        let mut times: Vec<Duration> = (0..steps.min(50))
            .map(|_| {
                let path = format!("/api/s/{long}/{tab}{}", order.next());
                let begun = Instant::now();
                reader.ask(&path);
                begun.elapsed()
            })
            .collect();
        let what = tab.split('?').next().unwrap_or(tab);
        say(
            &format!("the {what} of a turn, p50"),
            percentile(&mut times, 0.5),
            Some(40),
        );
    }

    let (mut told, mut shown) = server.news(db, long, &mut reader, news);
    say(
        "append to news on the wire, p50",
        percentile(&mut told, 0.5),
        Some(100),
    );
    say(
        "append to the new frame, p50",
        percentile(&mut shown, 0.5),
        Some(100),
    );
    say(
        "append to the new frame, p95",
        percentile(&mut shown, 0.95),
        Some(200),
    );

    let mut times: Vec<Duration> = thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|nth| {
                let (mut reader, mut order) = (server.reader(), Shuffled::from(turns, nth));
                scope.spawn(move || -> Vec<Duration> {
                    let steps = 0..steps.div_ceil(READERS);
                    steps.map(|_| reader.scrub(long, order.next())).collect()
                })
            })
            .collect();
        let times = readers.into_iter().map(|reader| reader.join().unwrap());
        times.flatten().collect()
    });
    say(
        "a step, eight readers at once, p50",
        percentile(&mut times, 0.5),
        None,
    );
    say(
        "a step, eight readers at once, p95",
        percentile(&mut times, 0.95),
        None,
    );
    if let Some(memory) = server.peak() {
        println!(
            "  {:<36} {memory:>9.1} MB, wanted at most 128",
            "memory at most"
        );
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn say(what: &str, time: Duration, wanted: Option<u64>) {
    let wanted = wanted.map_or_else(String::new, |wanted| format!(", wanted at most {wanted}"));
    println!("  {what:<36} {:>9.2} ms{wanted}", ms(time));
}

fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let index = (times.len() as f64 * share) as usize;
    times[index.min(times.len() - 1)]
}

/// Turns in an order that no cache foresees, the same in each run.
struct Shuffled {
    turns: u64,
    seed: u64,
}

impl Shuffled {
    fn new(turns: u64) -> Self {
        Self::from(turns, 0)
    }

    fn from(turns: u64, nth: usize) -> Self {
        let seed = 0x9e37_79b9_7f4a_7c15 ^ nth as u64;
        Self { turns, seed }
    }

    /// One from 2 on.
    fn next(&mut self) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        2 + (self.seed >> 33) % (self.turns - 1)
    }
}

/// `hud inspect`, as a person starts it.
struct Server {
    child: Child,
    host: String,
    key: String,
}

impl Server {
    fn start(db: &Path) -> Self {
        let hud = std::env::var_os("HUD_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_hud").into());
        let mut child = Command::new(hud)
            .args(["inspect", "--read-only", "--db"])
            .arg(db)
            .current_dir(db.parent().unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut url).unwrap();
        let rest = url.trim().strip_prefix("http://").unwrap();
        let (host, key) = rest.split_once("/#key=").unwrap();
        Self {
            child,
            host: host.to_owned(),
            key: key.to_owned(),
        }
    }

    fn reader(&self) -> Reader {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_nodelay(true).unwrap();
        Reader {
            head: format!("Host: {}\r\nAuthorization: Bearer {}", self.host, self.key),
            stream: BufReader::new(stream),
        }
    }

    /// How long it takes after appends by this process until the server tells of them, and until the page has asked
    /// what is new and has it.
    fn news(
        &self,
        db: &Path,
        session: &SessionId,
        reader: &mut Reader,
        count: usize,
    ) -> (Vec<Duration>, Vec<Duration>) {
        let heard = self.listen();
        let mut log = SqliteLog::open(db).unwrap();
        let turn = state_of(&log, session).unwrap().turn;
        let (mut told, mut shown) = (Vec::new(), Vec::new());
        for nth in 0..count {
            let turn = turn + 1 + nth as u64;
            let note = NoteAdd {
                id: format!("n{turn}"),
                content: format!("said in turn {turn}"),
            };
            let begun = Instant::now();
            let event = NewEvent::now(turn, Actor::Agent, note);
            let seq = (log.append(session, Expected::Any, &[event]).unwrap()).last_seq;
            let wanted = format!("\"seq\":{seq},");
            let at = loop {
                let (at, news) = heard.recv_timeout(Duration::from_secs(60)).unwrap();
                if news.contains(&wanted) {
                    break at;
                }
            };
            told.push(at.duration_since(begun));
            reader.ask(&format!("/api/s/{session}/timeline"));
            let frame = reader.ask(&format!("/api/s/{session}/frame?tree=1"));
            shown.push(begun.elapsed());
            assert_eq!(frame["turn"], Value::from(turn + 1));
        }
        (told, shown)
    }

    /// Its news, each with when it came.
    fn listen(&self) -> Receiver<(Instant, String)> {
        let mut stream = self.reader();
        stream.request("/api/live");
        let (tell, heard) = channel();
        // Once the head of the answer is there, nothing is missed.
        stream.head();
        thread::spawn(move || {
            for line in stream.stream.lines().map_while(Result::ok) {
                if tell.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        heard
    }

    /// The most memory that it had, in megabytes, where the system says so.
    fn peak(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes * 1_024.0 / 1e6)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is kept, as a browser keeps it.
struct Reader {
    head: String,
    stream: BufReader<TcpStream>,
}

impl Reader {
    fn request(&mut self, path: &str) {
        let request = format!("GET {path} HTTP/1.1\r\n{}\r\n\r\n", self.head);
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// The length of an answer that was found good; 0 where it has none.
    fn head(&mut self) -> usize {
        let (mut length, mut line) = (0, String::new());
        self.stream.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        length
    }

    fn get(&mut self, path: &str) -> Vec<u8> {
        self.request(path);
        let mut body = vec![0; self.head()];
        self.stream.read_exact(&mut body).unwrap();
        body
    }

    fn ask(&mut self, path: &str) -> Value {
        serde_json::from_slice(&self.get(path)).unwrap()
    }

    /// What the page asks when its slider moves: the frame, and then the events around it.
    fn scrub(&mut self, session: &SessionId, turn: u64) -> Duration {
        let begun = Instant::now();
        let frame = self.ask(&format!("/api/s/{session}/frame?tree=1&turn={turn}"));
        let version = frame["shown"]["version"].as_u64().unwrap();
        let skip = version.saturating_sub(70);
        self.ask(&format!("/api/s/{session}/events?limit=100&skip={skip}"));
        let took = begun.elapsed();
        assert_eq!(frame["turn"], Value::from(turn));
        took
    }
}
