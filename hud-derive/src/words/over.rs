//! Statements that no longer hold.

use hud_store::event::{
    Actor, CheckEvent, DecisionEvent, FileEvent, FindingEvent, HudEvent, NoteEvent, RequestEvent,
};
use hud_store::state::HudState;

use super::known::{Known, Sort, known, removed};
use crate::Derived;
use crate::alike::{Words, alike};
use crate::lexicon::Intent;

/// Removes the statements that no longer hold after these events, in a session in that state: that something is broken,
/// after a passed check; statements that the agent recorded since; places in a deleted file.
pub(crate) fn over(events: &[Derived], state: &HudState) -> Vec<HudEvent> {
    let mut over = Vec::new();
    // A statement that is recorded again under its id still holds.
    let is_renewed = |id: &str| {
        let mut recorded = events.iter().map(|said| recorded(&said.event));
        recorded.any(|renewed| renewed == Some(id))
    };
    for Derived { actor, event } in events {
        match event {
            HudEvent::Decision(DecisionEvent::Record(e)) if actor.is_agent() => {
                let details = e.details.as_deref().unwrap_or_default();
                let said = format!("{} {details}", e.summary);
                over.extend(said_before(&said, &is_renewed, state));
            }
            HudEvent::Finding(FindingEvent::Record(e)) if actor.is_agent() => {
                over.extend(said_before(&e.text, &is_renewed, state));
            }
            HudEvent::Note(NoteEvent::Add(e)) if actor.is_agent() => {
                over.extend(said_before(&e.content, &is_renewed, state));
            }
            HudEvent::Check(CheckEvent::Run(run)) if run.passed => {
                let broken = state.findings.iter().filter(|finding| {
                    finding.by == Actor::Derived && says_broken(&finding.text.to_lowercase())
                });
                over.extend(broken.map(|finding| removed(Sort::Finding, &finding.id)));
            }
            // A request of the user is not a finding.
            HudEvent::Request(RequestEvent::Make(e)) if e.text.len() >= SAME => {
                let findings = state.findings.iter().filter(|finding| {
                    finding.by == Actor::Derived && finding.text.starts_with(e.text.as_str())
                });
                over.extend(findings.map(|finding| removed(Sort::Finding, &finding.id)));
            }
            // A place in a deleted file is gone.
            HudEvent::File(FileEvent::Delete(e)) => {
                let findings = state.findings.iter().filter(|finding| {
                    finding.by == Actor::Derived && is_place_in(&finding.text, &e.path)
                });
                over.extend(findings.map(|finding| removed(Sort::Finding, &finding.id)));
            }
            _ => {}
        }
    }
    over
}

/// The least length of a request that replaces a finding with the same beginning, in bytes.
const SAME: usize = 12;

/// True if a text contains a place in a file: the file with a directory of its path, or with a line number.
pub(super) fn is_place_in(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.is_empty() {
        return false;
    }
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let directory = before
            .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '.')))
            .next()
            .unwrap_or_default();
        let is_file = path
            .strip_suffix(name)
            .is_some_and(|parent| parent.ends_with(directory));
        let has_line = behind
            .strip_prefix(':')
            .is_some_and(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let ends = !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        is_file && ends && (!directory.is_empty() || has_line)
    })
}

/// Removes the derived statements that the agent recorded since.
fn said_before(
    said: &str,
    is_renewed: &dyn Fn(&str) -> bool,
    state: &HudState,
) -> impl Iterator<Item = HudEvent> {
    let words = Words::of(said);
    let known = known(state).into_iter();
    let known = known.filter(move |known| {
        !known.is_recorded && !is_renewed(&known.id) && alike(&known.words, &words)
    });
    known.map(Known::removed)
}

/// The id of the statement that an event records.
fn recorded(event: &HudEvent) -> Option<&str> {
    match event {
        HudEvent::Decision(DecisionEvent::Record(e)) => Some(&e.id),
        HudEvent::Finding(FindingEvent::Record(e)) => Some(&e.id),
        _ => None,
    }
}

/// True if a sentence states that something is broken now.
pub(super) fn says_broken(lower: &str) -> bool {
    Intent::Broken.is_in(lower)
}
