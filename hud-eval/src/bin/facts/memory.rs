//! Compares the scores of a HUD with memory and without.

use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_store::state::HudState;
use serde_json::{Value, json};

use super::room::Room;
use super::score::{Fact, Sheet, Want};
use super::{Call, Outcome, hud, play, without};

/// The memory sections.
const SECTIONS: [&str; 5] = [
    "core_memory",
    "working_memory",
    "knowledge",
    "dependencies",
    "attention",
];

/// The lengths of HUDs in characters. `None` is the whole HUD.
const LENGTHS: [Option<usize>; 4] = [None, Some(2_000), Some(1_000), Some(200)];

/// Records memory calls of an agent with the contents of a state: the task as its goal, the first steps as its
/// progress, and a few facts of the work.
pub(super) fn remember(replay: &mut Replay, turn: u64) {
    let state = replay.state().clone();
    let clipped = |text: &str| text.chars().take(300).collect::<String>();
    let mut calls: Vec<Value> = Vec::new();
    if let Some(task) = &state.task {
        let goal = json!({ "block": "goal", "content": clipped(&task.description) });
        calls.push(json!({ "tool": "core_memory.update", "args": goal }));
    }
    let steps = state.next_steps.iter().take(8);
    let steps: Vec<String> = steps
        .map(|step| format!("- {}", clipped(&step.description)))
        .collect();
    if !steps.is_empty() {
        let progress = json!({ "block": "progress", "content": steps.join("\n") });
        calls.push(json!({ "tool": "core_memory.update", "args": progress }));
    }
    for (nth, file) in state.active_files.iter().take(5).enumerate() {
        let known =
            json!({ "path": format!("files.f{nth}"), "value": format!("{} was read", file.path) });
        calls.push(json!({ "tool": "knowledge.set", "args": known }));
    }
    for note in [
        "The shell of this machine is bash",
        "Nobody else works here",
    ] {
        let note = json!({ "content": note });
        calls.push(json!({ "tool": "working_memory.add", "args": note }));
    }
    for (number, input) in calls.into_iter().enumerate() {
        let call = Call {
            session: String::new(),
            turn,
            input,
        };
        play(replay, 1_000 + number, &call);
    }
}

/// The scores with memory and without, at each length.
pub(super) struct Memory {
    setup: Setup,
    bare: Setup,
    sheets: [[Sheet; 2]; LENGTHS.len()],
    /// The number of lengths at which memory must not lower the score.
    checked: usize,
}

impl Memory {
    /// Returns empty scores. Text that the agent wrote takes room, so then only the whole HUDs are checked.
    pub(super) fn new(is_written: bool) -> Self {
        Self {
            setup: Setup::default(),
            bare: without(SECTIONS),
            sheets: Default::default(),
            checked: if is_written { 1 } else { LENGTHS.len() },
        }
    }

    pub(super) fn score(
        &mut self,
        place: &(String, u64),
        state: &HudState,
        facts: &[Fact],
    ) -> Outcome<()> {
        for (length, [with, bare]) in LENGTHS.into_iter().zip(&mut self.sheets) {
            let text = hud(state, length.map(Room::Chars), &self.setup)?;
            with.score("with", place, &text, facts, false)?;
            let text = hud(state, length.map(Room::Chars), &self.bare)?;
            bare.score("without", place, &text, facts, false)?;
        }
        Ok(())
    }

    /// Prints a row for each kind, with memory and without. Fails if the score of a kind is lower with it.
    pub(super) fn print(&self) -> Outcome<()> {
        let mut lower = Vec::new();
        println!(
            "per cent of the facts with memory / without, of the HUD whole and in so many characters"
        );
        println!(
            "{:<24} {:>14} {:>14} {:>14} {:>14}",
            "", "whole", "2000", "1000", "200"
        );
        let kinds = self.sheets[0][0].kinds("with");
        for (want, kind) in kinds {
            let what = match want {
                Want::Show => "held",
                Want::Not => "kept out",
            };
            print!("{:<24}", format!("{kind} {what}"));
            for (nth, (length, [with, bare])) in LENGTHS.iter().zip(&self.sheets).enumerate() {
                let with = with.percent("with", want, &kind);
                let bare = bare.percent("without", want, &kind);
                print!(" {:>14}", format!("{with:.1} / {bare:.1}"));
                if with + 1e-9 < bare && nth < self.checked {
                    let length = length.map_or("whole".to_owned(), |most| most.to_string());
                    lower.push(format!("{kind} {what} ({length})"));
                }
            }
            println!();
        }
        match lower.is_empty() {
            true => Ok(()),
            false => Err(format!("lower with memory: {}", lower.join(", ")).into()),
        }
    }
}
