//! Replaying recorded sessions into a log: speed and peak memory.
//!
//! `cargo bench -p hud-agent` measures the largest Claude Code session below `HUD_DATA` (else the
//! example's), and a session of 25 MB that is made of it. The speed is shown beside that of a named
//! peer: parsing each line to a `serde_json::Value` and doing nothing with it. Each measurement
//! runs in a process of its own, so that its peak memory is its own (Linux only).

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use hud_agent::replay::Replay;
use hud_agent::transcript::Transcript;
use hud_store::event::SessionId;
use hud_store::log::Expected;
use hud_store::sqlite::SqliteLog;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The size of the long session.
const LONG: u64 = 25 * 1024 * 1024;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    if let (Some(work), Some(file)) = (args.next(), args.next()) {
        let start = Instant::now();
        match work.as_str() {
            "replay" => replay(Path::new(&file))?,
            _ => parse(Path::new(&file))?,
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds} {}", peak_memory().unwrap_or(0));
        return Ok(());
    }
    let largest = largest()?;
    let long = tempfile::NamedTempFile::with_suffix(".jsonl")?;
    lengthen(&largest, long.as_file())?;
    println!(
        "{:<28} {:>8} {:>12} {:>12} {:>12} {:>8} {:>10}",
        "session", "MB", "longest line", "replay MB/s", "parse MB/s", "ratio", "peak MB"
    );
    for (name, path) in [
        ("largest recorded", largest.as_path()),
        ("25 MB of it", long.path()),
    ] {
        let megabytes = fs::metadata(path)?.len() as f64 / 1e6;
        let (seconds, memory) = best("replay", path)?;
        let (parsing, _) = best("parse", path)?;
        println!(
            "{name:<28} {megabytes:>8.1} {:>12} {:>12.0} {:>12.0} {:>8.2} {:>10.1}",
            longest_line(path)?,
            megabytes / seconds,
            megabytes / parsing,
            seconds / parsing,
            memory as f64 / 1e6
        );
    }
    Ok(())
}

/// The fastest of five runs, and the memory that it took at most, in bytes.
fn best(work: &str, path: &Path) -> Outcome<(f64, u64)> {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..5 {
        let output = Command::new(std::env::current_exe()?)
            .arg(work)
            .arg(path)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let text = String::from_utf8(output.stdout)?;
        let (seconds, memory) = text.trim().split_once(' ').ok_or("two figures")?;
        let seconds = seconds.parse()?;
        if seconds < best.0 {
            best = (seconds, memory.parse()?);
        }
    }
    Ok(best)
}

/// The whole way: read, derive, fold, append to a durable log.
fn replay(path: &Path) -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let mut log = SqliteLog::open(directory.path().join("hud.db"))?;
    let session = SessionId::new("s")?;
    let mut replay = Replay::new(session.clone());
    log.append_from(&session, Expected::Any, |append| {
        Transcript::open(path)?.read(&mut |entry| {
            for event in replay.observe(entry) {
                append(&event)?;
            }
            Ok::<_, Ended>(())
        })?;
        Ok::<_, Ended>(())
    })?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error(transparent)]
    Log(#[from] hud_store::log::LogError),
    #[error(transparent)]
    Transcript(#[from] hud_agent::transcript::TranscriptError),
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

/// The most memory that this process had at once, in bytes.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn largest() -> Outcome<PathBuf> {
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    let Some(data) = std::env::var_os("HUD_DATA") else {
        return Ok(example);
    };
    let mut largest = (0, example);
    for entry in fs::read_dir(Path::new(&data).join("sessions/claude-code"))? {
        let path = entry?.path();
        let size = fs::metadata(&path)?.len();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
            && size > largest.0
        {
            largest = (size, path);
        }
    }
    Ok(largest.1)
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

fn longest_line(path: &Path) -> Outcome<usize> {
    let text = fs::read_to_string(path)?;
    Ok(text.lines().map(str::len).max().unwrap_or(0))
}
