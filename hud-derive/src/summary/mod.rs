//! Lifts the summary that a model writes at a compaction into events.
//!
//! A summary is the best account of the removed messages, written by the model that continues the work. Its [outline]
//! has the texts under each heading, and the [kind](kind::Kind) of a heading decides on their events:
//!
//! | under headings of | events |
//! | --- | --- |
//! | the goal | `task.set`, `task.update`, if nothing of the user is known |
//! | rules | `constraint.add`, if nothing of the user is known; `finding.record` for texts that are not rules |
//! | findings, current work | `finding.record` |
//! | decisions, completed work | `decision.record`, `step.complete` of the plan; `finding.record` |
//! | next steps | `step.add` |
//! | files | `file.open`, and `finding.record` for the text about them |
//! | the user's messages | `request.make`, if nothing of the user is known |
//!
//! Items that are in the state already are not recorded again. Derived items that the summary restates are removed.
//! Items of an earlier summary stay until they are marked as done, wrong or replaced, because a model that sees the HUD
//! is asked not to repeat it. All other text is kept in [`Lifted::rest`]. If the user's own words are known, the goal
//! and the rules are kept there too, because a model's account never speaks for the user.

mod events;
mod files;
mod kind;
mod markdown;
mod nothing;
mod outline;

use hud_store::event::HudEvent;
use hud_store::state::HudState;

use self::events::Events;
use self::files::names_file;
use self::kind::Kind;
use self::nothing::{is_all_done, is_nothing};
use self::outline::{Piece, outline};
use super::prose::ends;
use crate::numbering::Numbering;

/// The number of bytes of a summary that are read at its beginning and at its end.
const READ: (usize, usize) = (24 * 1024, 8 * 1024);

/// The longest item, in characters. A longer text becomes several items.
const LONGEST: usize = 300;

/// The result of lifting a summary.
#[derive(Debug, Default)]
pub(super) struct Lifted {
    /// The events of the summary.
    pub(super) events: Vec<HudEvent>,
    /// The text without an event. May be empty.
    pub(super) rest: String,
    /// The files in it, each with its name there and its name in the session.
    pub(super) files: Vec<(String, String)>,
}

/// Lifts a summary into a session in that state. `named` returns the name of a file in the session.
pub(super) fn lift(
    summary: &str,
    state: &HudState,
    numbering: &mut Numbering,
    named: impl Fn(&str) -> Option<String>,
) -> Lifted {
    let mut sorted = Sorted::default();
    let parts = ends(summary, READ);
    for part in parts {
        match outline(part) {
            Some(pieces) => {
                for piece in &pieces {
                    sorted.walk(piece, None);
                }
            }
            None => sorted.rest.push(part.to_owned()),
        }
    }
    Events::new(&parts, state, numbering, named).of(sorted)
}

/// True if a heading or label names rules, or the task.
pub(super) fn names_rules(label: &str) -> bool {
    matches!(
        Kind::of(label),
        Some(Kind::Rules | Kind::Instructions | Kind::Task)
    )
}

/// The statements of a part of a session, by kind.
#[derive(Debug, Default)]
pub struct Part {
    /// Requests of the user.
    pub requests: Vec<String>,
    /// Rules of the user.
    pub rules: Vec<String>,
    /// Findings of the agent.
    pub findings: Vec<String>,
    /// Decisions of the agent.
    pub decisions: Vec<String>,
    /// Completed steps.
    pub done: Vec<String>,
    /// Next steps.
    pub next: Vec<String>,
}

/// Returns the events of a part of a session, for a session in that state.
pub fn of_part(part: Part, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    Events::new(&[], state, numbering, |_| None).of_part(part)
}

/// The texts of a summary, by kind.
#[derive(Default)]
struct Sorted {
    task: Vec<String>,
    said: Vec<String>,
    rules: Vec<String>,
    instructions: Vec<String>,
    findings: Vec<String>,
    decisions: Vec<String>,
    done: Vec<String>,
    now: Vec<String>,
    next: Vec<String>,
    /// Texts that begin with paths.
    files: Vec<String>,
    rest: Vec<String>,
}

impl Sorted {
    /// Sorts a piece and its children. `within` is the kind of its parent.
    fn walk(&mut self, piece: &Piece, within: Option<Kind>) {
        let own = piece.kind(within);
        let kind = match (piece.done, own.or(within)) {
            (Some(true), kind) if kind != Some(Kind::Files) => Some(Kind::Done),
            (Some(false), kind) if kind != Some(Kind::Files) => Some(Kind::Next),
            (_, None) if piece.label.is_some() => Some(Kind::Findings),
            (_, kind) => kind,
        };
        // Items of a list under current work are still to be done.
        let kind = match kind {
            Some(Kind::Now) if piece.is_item && own.is_none() => Some(Kind::Next),
            kind => kind,
        };
        // A label that names the kind is left out, because its text is shown under that kind.
        let is_said = own.is_some()
            && own == kind
            && (piece.is_heading || within.is_none() || kind != Some(Kind::Findings));
        if is_said || piece.label.is_some() && has_kinds(piece, kind) {
            if !piece.text.is_empty() {
                self.take(pieces(&piece.text, &[]), kind);
            }
            if !is_said
                && let Some(label) = &piece.label
                && within.is_some()
            {
                self.take(vec![label.clone()], kind);
            }
            for child in &piece.children {
                self.walk(child, kind);
            }
            return;
        }
        if has_kinds(piece, kind) || kind == Some(Kind::Files) && !names_file(&head(piece)) {
            let text = head(piece);
            if !text.is_empty() {
                self.take(pieces(&text, &[]), kind);
            }
            for child in &piece.children {
                self.walk(child, kind);
            }
            return;
        }
        self.take(pieces(&head(piece), &under(piece)), kind);
    }

    fn take(&mut self, texts: Vec<String>, kind: Option<Kind>) {
        let list = match kind {
            Some(Kind::Task) => &mut self.task,
            Some(Kind::Said) => &mut self.said,
            Some(Kind::Rules) => &mut self.rules,
            Some(Kind::Instructions) => &mut self.instructions,
            Some(Kind::Findings) => &mut self.findings,
            Some(Kind::Decisions) => &mut self.decisions,
            Some(Kind::Done) => &mut self.done,
            Some(Kind::Now) => &mut self.now,
            Some(Kind::Next) => &mut self.next,
            Some(Kind::Files) => &mut self.files,
            Some(Kind::Whole) | None => &mut self.rest,
        };
        let is_over = |text: &str| kind == Some(Kind::Next) && is_all_done(text);
        list.extend(
            texts
                .into_iter()
                .filter(|text| !is_nothing(text) && !is_over(text)),
        );
    }
}

/// True if a descendant of a piece has another kind.
fn has_kinds(piece: &Piece, kind: Option<Kind>) -> bool {
    piece.children.iter().any(|child| {
        let own = child.kind(kind);
        own.is_some() && own != kind || child.done.is_some() || has_kinds(child, kind)
    })
}

/// The text of a piece without its children.
fn head(piece: &Piece) -> String {
    match &piece.label {
        Some(label) if piece.text.is_empty() => label.clone(),
        Some(label) => format!("{label}: {}", piece.text),
        None => piece.text.clone(),
    }
}

/// The texts of the children of a piece, one for each child.
fn under(piece: &Piece) -> Vec<String> {
    let whole = |child: &Piece| {
        let mut text = head(child);
        let under = under(child);
        if !under.is_empty() {
            text = joined(&text, &under.join("; "));
        }
        text
    };
    piece
        .children
        .iter()
        .map(whole)
        .filter(|text| !text.is_empty())
        .collect()
}

/// A text joined with the text of its children.
fn joined(text: &str, under: &str) -> String {
    if text.is_empty() {
        return under.to_owned();
    }
    let separator = match text.ends_with(['.', '!', '?', ':', '。', '：']) {
        true => " ",
        false => ": ",
    };
    format!("{text}{separator}{under}")
}

/// A text and the texts of its children, in pieces of at most [`LONGEST`] characters.
fn pieces(text: &str, under: &[String]) -> Vec<String> {
    let fits = |piece: &str| piece.chars().nth(LONGEST).is_none();
    let mut all: Vec<String> = Vec::new();
    for sentence in in_parts(text) {
        match all.last_mut() {
            Some(last) if fits(&format!("{last} {sentence}")) => {
                last.push(' ');
                last.push_str(&sentence);
            }
            _ => all.push(sentence),
        }
    }
    let mut is_first = true;
    for part in under.iter().flat_map(|text| in_parts(text)) {
        match all.last_mut() {
            Some(last) => {
                let more = match is_first {
                    true => joined(last, &part),
                    false => format!("{last}; {part}"),
                };
                match fits(&more) {
                    true => *last = more,
                    false => all.push(part),
                }
            }
            None => all.push(part),
        }
        is_first = false;
    }
    all.retain(|piece| !piece.trim().is_empty());
    all
}

/// The sentences of a text that is too long for one item. A sentence that is too long is cut.
fn in_parts(text: &str) -> Vec<String> {
    if text.chars().nth(LONGEST).is_none() {
        return vec![text.to_owned()];
    }
    super::prose::sentences(text).flat_map(cut).collect()
}

/// A text in pieces of at most [`LONGEST`] characters, cut between words if possible.
fn cut(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(LONGEST) {
        let at = rest[..end]
            .rfind("; ")
            .map(|at| at + 1)
            .filter(|at| at * 2 > end);
        let at = at
            .or_else(|| rest[..end].rfind(' ').filter(|at| at * 2 > end))
            .unwrap_or(end);
        let (piece, behind) = rest.split_at(at);
        pieces.push(piece.trim().trim_end_matches(';').to_owned());
        rest = behind.trim_start();
    }
    pieces.push(rest.to_owned());
    pieces
}

#[cfg(test)]
mod tests;
