//! Replaying recorded sessions into a log: speed and peak memory.
//!
//! `cargo bench -p hud-agent --bench replay` measures all Claude Code sessions below `HUD_DATA` (else the
//! example's), the largest of them, and a session of 25 MB that is made of it. The time is shown beside that of a
//! named peer in the same run: parsing each line to a `serde_json::Value` and doing nothing with it. So figures of
//! several machines can be compared, and those of a commit with those of another. `derive` is the same way without
//! a log. Each measurement runs in a process of its own, so that its peak memory is its own (Linux only); the
//! peers take turns, and the least of many counts. Times are those on a processor: what else runs on the machine
//! does not count, nor does waiting for its disk, which `by clock` has. With `--test` each is measured once.
//!
//! `of 223cd5d` is how many times longer the replay takes, beside the peer, than it took at that commit, the last
//! one that read neither what is said nor what tools print for anything but errors; `derive of` is the same of the
//! way without a log, beside that commit's whole replay. What it took there is in [`BEFORE`]; this file measures it
//! there, too, when it is put in the place of that commit's.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use hud_agent::replay::Replay;
use hud_clients::transcript::Transcript;
use hud_store::event::SessionId;
use hud_store::log::Expected;
use hud_store::sqlite::SqliteLog;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The size of the long session.
const LONG: u64 = 25 * 1024 * 1024;

/// How often each is measured.
const ROUNDS: u32 = 15;

/// How many times as long as parsing the replay took at commit 223cd5d: of all 13 sessions, of the largest, and of
/// the long one. They hold for those sessions only.
const BEFORE: [Option<f64>; 3] = [Some(1.63), Some(1.96), Some(1.52)];

/// What is measured.
const WORKS: [&str; 3] = ["replay", "derive", "parse"];

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let mut rounds = ROUNDS;
    match args.next() {
        Some(test) if test == "--test" => rounds = 1,
        Some(work) => {
            let files: Vec<PathBuf> = args.map(PathBuf::from).collect();
            let (start, before) = (Instant::now(), processor());
            match work.as_str() {
                "replay" => replay(&files)?,
                "derive" => files.iter().try_for_each(|file| derive(file))?,
                _ => files.iter().try_for_each(|file| parse(file))?,
            }
            let clock = start.elapsed();
            let used = processor()
                .zip(before)
                .map(|(after, before)| after - before);
            let seconds = used.unwrap_or(clock).as_secs_f64();
            println!(
                "{seconds} {} {}",
                clock.as_secs_f64(),
                peak_memory().unwrap_or(0)
            );
            return Ok(());
        }
        None => {}
    }
    let sessions = sessions()?;
    let is_shared = sessions.len() == 13;
    let largest = sessions.last().ok_or("no session")?;
    let long = tempfile::NamedTempFile::with_suffix(".jsonl")?;
    lengthen(largest, long.as_file())?;
    println!(
        "{:<18} {:>5} {:>12} {:>9} {:>9} {:>9} {:>9} {:>6} {:>10} {:>9} {:>8}",
        "session",
        "MB",
        "longest line",
        "replay ms",
        "by clock",
        "derive ms",
        "parse ms",
        "ratio",
        "of 223cd5d",
        "derive of",
        "peak MB"
    );
    let largest = std::slice::from_ref(largest);
    let rows = [
        (format!("all {}", sessions.len()), &sessions[..]),
        ("largest recorded".to_owned(), largest),
        ("25 MB of it".to_owned(), &[long.path().to_owned()][..]),
    ];
    for ((name, files), before) in rows.iter().zip(BEFORE) {
        let rounds = if *name == rows[2].0 {
            rounds.min(5)
        } else {
            rounds
        };
        let (times, clock, memory) = best(files, rounds)?;
        let [replay, derive, parse] = times.map(|seconds| seconds * 1e3);
        let before = before.filter(|_| is_shared);
        let of_before = |taken: f64| {
            before.map_or("-".to_owned(), |before| {
                format!("{:.2}", taken / parse / before)
            })
        };
        let sizes = files.iter().map(|file| Ok(fs::metadata(file)?.len()));
        let bytes: u64 = sizes.sum::<std::io::Result<u64>>()?;
        println!(
            "{name:<18} {:>5.1} {:>12} {replay:>9.1} {:>9.1} {derive:>9.1} {parse:>9.1} {:>6.2} {:>10} {:>9} {:>8.1}",
            bytes as f64 / 1e6,
            longest_line(files)?,
            clock * 1e3,
            replay / parse,
            of_before(replay),
            of_before(derive),
            memory as f64 / 1e6
        );
    }
    Ok(())
}

/// The least of so many runs of each work on a processor, and of replays by the clock, in seconds; and the memory
/// that replays took at most, in bytes.
fn best(files: &[PathBuf], rounds: u32) -> Outcome<([f64; 3], f64, u64)> {
    let mut best = [f64::INFINITY; 3];
    let (mut clock, mut most) = (f64::INFINITY, 0);
    for _ in 0..rounds {
        for (work, best) in WORKS.iter().zip(&mut best) {
            let output = Command::new(std::env::current_exe()?)
                .arg(work)
                .args(files)
                .output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            let text = String::from_utf8(output.stdout)?;
            let figures: Vec<&str> = text.split_whitespace().collect();
            let [used, passed, memory] = figures[..] else {
                return Err(text.into());
            };
            *best = best.min(used.parse()?);
            if *work == "replay" {
                clock = clock.min(passed.parse()?);
                most = most.max(memory.parse()?);
            }
        }
    }
    Ok((best, clock, most))
}

/// The whole way: read, derive, fold, append to a durable log.
fn replay(files: &[PathBuf]) -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let mut log = SqliteLog::open(directory.path().join("hud.db"))?;
    for (number, file) in files.iter().enumerate() {
        let session = SessionId::new(format!("s{number}"))?;
        let mut replay = Replay::new(session.clone());
        log.append_from(&session, Expected::Any, |append| {
            Transcript::open(file)?.read(&mut |entry| {
                for event in replay.observe(entry) {
                    append(&event)?;
                }
                Ok::<_, Ended>(())
            })?;
            Ok::<_, Ended>(())
        })?;
    }
    Ok(())
}

/// The same way without a log: the events are looked at by nobody.
fn derive(path: &Path) -> Outcome<()> {
    let mut replay = Replay::new(SessionId::new("s")?);
    Transcript::open(path)?.read(&mut |entry| {
        std::hint::black_box(replay.observe(entry));
        Ok::<_, Ended>(())
    })?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error(transparent)]
    Log(#[from] hud_store::log::LogError),
    #[error(transparent)]
    Transcript(#[from] hud_clients::transcript::TranscriptError),
}

/// The peer.
fn parse(path: &Path) -> Outcome<()> {
    let mut file = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line)? > 0 {
        let value: serde_json::Value = serde_json::from_slice(&line)?;
        std::hint::black_box(value);
        line.clear();
    }
    Ok(())
}

/// How long this process was on a processor: without what else the machine did meanwhile (Linux only).
fn processor() -> Option<Duration> {
    // What it is now is counted when it gives way.
    std::thread::yield_now();
    let times = fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds = times.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The most memory that this process had at once, in bytes.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The recorded sessions, by size.
fn sessions() -> Outcome<Vec<PathBuf>> {
    let Some(data) = std::env::var_os("HUD_DATA") else {
        let example =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
        return Ok(vec![example]);
    };
    let mut sessions = Vec::new();
    for entry in fs::read_dir(Path::new(&data).join("sessions/claude-code"))? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            sessions.push((fs::metadata(&path)?.len(), path));
        }
    }
    sessions.sort();
    Ok(sessions.into_iter().map(|(_, path)| path).collect())
}

/// Writes a session again and again, as if it went on: ids differ, so that each message counts.
fn lengthen(path: &Path, mut out: &File) -> Outcome<()> {
    let text = fs::read_to_string(path)?;
    let mut written = 0;
    for round in 0.. {
        if written >= LONG {
            break;
        }
        let text = text
            .replace("\"msg_", &format!("\"msg_{round}_"))
            .replace("\"toolu_", &format!("\"toolu_{round}_"))
            .replace("\"uuid\":\"", &format!("\"uuid\":\"{round}_"));
        written += text.len() as u64;
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

fn longest_line(files: &[PathBuf]) -> Outcome<usize> {
    let mut longest = 0;
    for file in files {
        let text = fs::read_to_string(file)?;
        longest = longest.max(text.lines().map(str::len).max().unwrap_or(0));
    }
    Ok(longest)
}
