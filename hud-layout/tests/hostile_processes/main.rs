//! Layouts that are meant to break what shows them, each in a process of its own, which shows a good layout until the
//! hostile one takes its place. The process stays, there is a HUD, and neither the time nor the memory that the hostile
//! one takes is felt. The test runs itself as the process; `hostile_processes attack NAME` tries one attack.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test fails by it, and without a harness it prints by itself"
)]

mod attacks;

use std::process::Command;
use std::time::{Duration, Instant};

use hud_core::{Density, Element, render, rsx};
use hud_layout::live::{Found, Live, Shared};
use hud_layout::{Catalogue, Source, states};

use self::attacks::{Attack, attacks};

/// What a hostile layout may take in a build for release until it is refused or shown, which is tried with
/// `HUD_HOSTILE_LIMITS="50 16" cargo test --release -p hud-layout --test hostile_processes`: milliseconds, and megabytes
/// beside a good one. Without them a build for debugging on a busy machine only has to end.
fn limits() -> (f64, u64) {
    let Ok(wanted) = std::env::var("HUD_HOSTILE_LIMITS") else {
        return (f64::INFINITY, 64 * 1024);
    };
    let numbers: Vec<u32> = wanted.split_whitespace().flat_map(str::parse).collect();
    assert_eq!(
        numbers.len(),
        2,
        "HUD_HOSTILE_LIMITS is milliseconds and megabytes, as in \"50 16\", not {wanted:?}"
    );
    (numbers[0].into(), u64::from(numbers[1]) * 1024)
}

/// A busy machine is asked again so often.
const TRIES: usize = 4;

const GOOD: &str = "## Mine\n\n<NotesSection notes={state.notes} />\n";

/// The most memory that this process has had, in kilobytes; nothing where the system does not say.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// Shows a good layout, and then what an attack is: the milliseconds and kilobytes that this takes.
fn attacked(attack: Attack) -> (f64, u64) {
    let live = Shared::new(Live::new(Catalogue::built_in()));
    let state = states::overfull();
    let shown = || {
        let own: Element<'_> = rsx! { "built-in" };
        render(&live.show(state, own), Density::Full).expect("a HUD")
    };
    let good = || Found::Layout(Source::new("layout.mdx", GOOD), Vec::new());
    live.with(|live| live.found(good(), Duration::ZERO));
    assert!(shown().contains("# Mine"));
    let (text, files) = match attack {
        Attack::Layout(text) => (text, Vec::new()),
        Attack::Files(text, files) => (text, files),
    };
    let files = files.into_iter();
    let files = files.map(|(name, text)| Source::new(name, text)).collect();
    let found = Found::Layout(Source::new("layout.mdx", text), files);
    // What was needed until now does not count.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let (before, start) = (memory(), Instant::now());
    live.with(|live| live.found(found, Duration::from_secs(1)));
    let hud = shown();
    let taken = (
        start.elapsed().as_secs_f64() * 1e3,
        memory().saturating_sub(before),
    );
    let task = &state.task.as_ref().expect("a task").description;
    assert!(hud.contains(&task[..20]), "the task stays: {hud}");
    live.with(|live| live.found(good(), Duration::from_secs(2)));
    assert!(shown().contains("# Mine"), "a good one is taken again");
    taken
}

/// What an attack takes in a process of its own; nothing if that does not end well.
fn measured(name: &str) -> Option<(f64, u64)> {
    let program = std::env::current_exe().unwrap();
    let done = Command::new(program)
        .args(["attack", name])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let (time, memory) = said.trim().split_once(' ')?;
    let taken = (time.parse().ok()?, memory.parse().ok()?);
    done.status.success().then_some(taken)
}

fn main() {
    let mut words = std::env::args().skip(1).skip_while(|word| word != "attack");
    if let Some(wanted) = words.nth(1) {
        let attack = attacks().into_iter().find(|(name, _)| *name == wanted);
        let (time, memory) = attacked(attack.expect("an attack of this name").1);
        println!("{time} {memory}");
        return;
    }
    let (most_time, most_memory) = limits();
    let mut felt = Vec::new();
    let attacks = attacks();
    for (name, _) in &attacks {
        let mut least: Option<(f64, u64)> = None;
        for _ in 0..TRIES {
            let Some((time, memory)) = measured(name) else {
                least = None;
                break;
            };
            let (before, used) = least.unwrap_or((f64::INFINITY, u64::MAX));
            least = Some((before.min(time), used.min(memory)));
            if least.is_some_and(|(time, memory)| time <= most_time && memory <= most_memory) {
                break;
            }
        }
        match least {
            Some((time, memory)) => {
                println!("{time:8.1} ms {memory:6} kB  {name}");
                if time > most_time || memory > most_memory {
                    felt.push(*name);
                }
            }
            None => felt.push(*name),
        }
    }
    println!("{} attacks", attacks.len());
    assert!(felt.is_empty(), "felt, or did not end well: {felt:?}");
}
