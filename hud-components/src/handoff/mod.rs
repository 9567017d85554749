//! The handoff: what an agent must know of the part of a conversation that it can no longer see.
//!
//! The user's and the agent's own words are quoted, and what was done is tabulated. Each message, file and command is
//! an item of several units (sentences, list items, lines of a diff or of an output), of which as many are shown
//! as the room allows. A unit is worth what it adds: names, numbers and rare words that nothing more important shows
//! already, times the priority of its item, which falls with age. [`solve`](hud_core::fit::solve()) chooses; no kind of
//! item has a fixed number of characters. No unit is cut. Where some are left out, `[…]` stands for them.
//!
//! ```
//! use hud_components::handoff::Handoff;
//! use hud_core::{Density, Renderer, Scope};
//! use hud_core::tokens::Estimate;
//! use hud_store::state::HudState;
//!
//! let state = HudState::default();
//! let handoff = Handoff::of(&state);
//! let scope = Scope::new(Density::Full);
//! let shown = handoff.within(1_000, &Estimate, &Renderer::default(), scope)?;
//! assert_eq!(shown.text, "");
//! # Ok::<(), hud_core::fit::FitError>(())
//! ```

mod choose;
mod collect;
mod diff;
mod unit;
mod weigh;

use std::borrow::Cow;

use hud_core::fit::FitError;
use hud_core::node::{Code, CodeBlock, Item as ListItem, List, Paragraph, Part, Section};
use hud_core::tokens::TokenCounter;
use hud_core::{Element, LowerError, Renderer, Scope, component, rsx};
use hud_store::state::HudState;

use self::unit::Unit;
use crate::text::{is_document, line, with_code};

/// The handoff of a state: all that could be shown.
#[derive(Clone, Debug)]
pub struct Handoff<'s> {
    state: &'s HudState,
    items: Vec<Item<'s>>,
}

/// A handoff within a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text, as GFM markdown.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: u64,
    /// Each item: why it is there, and how much of it is shown.
    pub items: Vec<ShownItem>,
}

/// An item, and the part of it that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownItem {
    /// The heading that it is under.
    pub heading: &'static str,
    /// The beginning of it.
    pub name: String,
    /// Its priority, in thousandths.
    pub priority: u64,
    /// The number of its units that are shown; none if the item is left out.
    pub shown: Option<usize>,
    /// The number of its units.
    pub units: usize,
}

/// The headings, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Heading {
    Task,
    Rules,
    InProgress,
    Failing,
    Changes,
    Checks,
    Repository,
    Reports,
    Commands,
    Decisions,
    Notes,
    Answers,
    Learnt,
}

impl Heading {
    const ALL: [Self; 13] = [
        Self::Task,
        Self::Rules,
        Self::InProgress,
        Self::Failing,
        Self::Changes,
        Self::Checks,
        Self::Repository,
        Self::Reports,
        Self::Commands,
        Self::Decisions,
        Self::Notes,
        Self::Answers,
        Self::Learnt,
    ];

    const fn title(self) -> &'static str {
        match self {
            Self::Task => "The user asked (their words, newest last)",
            Self::Rules => "Rules",
            Self::InProgress => "In progress",
            Self::Failing => "Failing",
            Self::Changes => "Changes (newest last)",
            Self::Checks => "Checks",
            Self::Repository => "Repository",
            Self::Reports => "Your last reports (newest last)",
            Self::Commands => "Commands (newest last)",
            Self::Decisions => "Decisions",
            Self::Notes => "Notes",
            Self::Answers => "Answers and refusals",
            Self::Learnt => "Learnt from files and searches",
        }
    }
}

impl Heading {
    /// The sections of the state whose items are under it; none for what only the record has.
    const fn sections(self) -> &'static [&'static str] {
        match self {
            Self::Task => &["task", "requests"],
            Self::Rules => &["constraints"],
            Self::InProgress => &["next_steps", "blockers"],
            Self::Failing => &["errors"],
            Self::Changes => &["active_files"],
            Self::Checks => &["checks"],
            Self::Repository => &["repository"],
            Self::Decisions => &["decisions"],
            Self::Notes => &["notes", "findings"],
            Self::Reports | Self::Commands | Self::Answers | Self::Learnt => &[],
        }
    }
}

/// The form in which the items under a heading that are left out are mentioned.
#[derive(Clone, Copy)]
enum Rest {
    /// By the operation that lists all of them.
    Listed(&'static str),
    /// By their number at the end of the handoff: a noun for one item and for several.
    Counted([&'static str; 2]),
}

impl Heading {
    const fn rest(self) -> Rest {
        match self {
            Self::Rules => Rest::Listed("hud constraints.list"),
            Self::InProgress => Rest::Listed("hud steps.list"),
            Self::Checks => Rest::Listed("hud checks.list"),
            Self::Repository => Rest::Listed("hud git.list"),
            Self::Decisions => Rest::Listed("hud decisions.list"),
            Self::Notes => Rest::Listed("hud notes.list"),
            Self::Task => Rest::Counted(["message", "messages"]),
            Self::Failing => Rest::Counted(["failure", "failures"]),
            Self::Changes => Rest::Counted(["change", "changes"]),
            Self::Reports => Rest::Counted(["report", "reports"]),
            Self::Commands => Rest::Counted(["command", "commands"]),
            Self::Answers => Rest::Counted(["answer", "answers"]),
            Self::Learnt => Rest::Counted(["read", "reads"]),
        }
    }
}

/// True for a section whose items a handoff shows.
pub fn covers(section: &str) -> bool {
    let headings = Heading::ALL.iter();
    headings
        .flat_map(|heading| heading.sections())
        .any(|own| *own == section)
}

/// The form in which the units of an item are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Behind the head, as text.
    Text,
    /// Below the head, as code in a language.
    Code(&'static str),
    /// Behind a check box.
    Step {
        /// True if the step is done.
        done: bool,
    },
}

/// Something that is shown whole, in part, or not at all.
#[derive(Clone, Debug)]
struct Item<'s> {
    heading: Heading,
    /// The text before the units: a turn, a path.
    head: Head<'s>,
    units: Vec<Unit<'s>>,
    form: Form,
    /// The factor of the weights of its units, in thousandths.
    priority: u64,
    /// True if it is shown whole or not at all.
    needs_all: bool,
}

/// The number of tokens from which on a handoff ends with what it leaves out.
const NOTED: u64 = 800;

/// The number of characters of a path or a command that are shown.
const CODE: usize = 400;

/// The text before the units of an item.
#[derive(Clone, Debug, Default)]
struct Head<'s> {
    /// Code: a path, a command.
    code: Option<Cow<'s, str>>,
    /// Text after it.
    text: Cow<'s, str>,
}

impl Head<'_> {
    /// True for the path of a document.
    fn is_of_document(&self) -> bool {
        self.code.as_deref().is_some_and(is_document)
    }

    fn text(&self) -> String {
        match &self.code {
            Some(code) => format!("`{code}`{}", self.text),
            None => self.text.to_string(),
        }
    }
}

impl<'s> Handoff<'s> {
    /// The handoff of a state.
    pub fn of(state: &'s HudState) -> Self {
        Self {
            state,
            items: collect::items(state),
        }
    }

    /// The handoff without the headings whose sections are all turned off.
    #[must_use]
    pub fn without(mut self, is_off: impl Fn(&str) -> bool) -> Self {
        self.items.retain(|item| {
            let sections = item.heading.sections();
            sections.is_empty() || !sections.iter().all(|section| is_off(section))
        });
        self
    }

    /// As much of the handoff as a budget of tokens holds, written by a renderer in a scope. Rules are left out last.
    ///
    /// # Errors
    ///
    /// [`FitError`], where a text cannot be counted or rendered.
    pub fn within(
        &self,
        tokens: u64,
        counter: &dyn TokenCounter,
        renderer: &Renderer,
        scope: Scope<'_>,
    ) -> Result<Shown, FitError> {
        let choices = choose::choices(&self.items, self.state, counter)?;
        let mut room = tokens;
        loop {
            let chosen = choices.within(room);
            let text = self.text(&chosen, tokens >= NOTED, renderer, scope)?;
            let count = u64::from(counter.count(&text)?);
            let over = count.saturating_sub(tokens);
            if over == 0 || room == 0 {
                return Ok(self.shown(text, count, &chosen));
            }
            room = room.saturating_sub(over.max(4));
        }
    }

    /// The number of items under a heading that are left out.
    fn left_out(&self, chosen: &[Option<Vec<usize>>], heading: Heading) -> usize {
        let items = self.items.iter().zip(chosen);
        let is_left = |(item, chosen): &(&Item<'_>, &Option<Vec<usize>>)| {
            item.heading == heading && chosen.is_none() && item.priority > 0
        };
        items.filter(is_left).count()
    }

    fn shown(&self, text: String, tokens: u64, chosen: &[Option<Vec<usize>>]) -> Shown {
        let items = self.items.iter().zip(chosen);
        let items = items.map(|(item, chosen)| {
            let first = item.units.first().map_or("", |unit| &unit.text);
            ShownItem {
                heading: item.heading.title(),
                name: line(&format!("{}{first}", item.head.text()), 60).into_owned(),
                priority: item.priority,
                shown: chosen.as_ref().map(Vec::len),
                units: item.units.len(),
            }
        });
        Shown {
            text,
            tokens,
            items: items.collect(),
        }
    }

    /// The text with the chosen units of each item.
    fn text(
        &self,
        chosen: &[Option<Vec<usize>>],
        is_noted: bool,
        renderer: &Renderer,
        scope: Scope<'_>,
    ) -> Result<String, LowerError> {
        let sections = rsx! { <Sections handoff={self} chosen is_noted /> };
        renderer.markdown(&sections, scope)
    }
}

/// The chosen units of each item of a handoff, under their headings.
#[component]
fn Sections<'a>(
    handoff: &'a Handoff<'a>,
    chosen: &'a [Option<Vec<usize>>],
    is_noted: bool,
) -> Element<'a> {
    let sections = Heading::ALL.map(|heading| {
        let of_it = handoff.items.iter().zip(chosen);
        let of_it = of_it.filter(|(item, _)| item.heading == heading);
        let more = match heading.rest() {
            Rest::Listed(operation) => Some((handoff.left_out(chosen, heading), operation)),
            Rest::Counted(_) => None,
        };
        let more = more.filter(|(count, _)| *count > 0);
        let items: Vec<Element<'_>> = of_it
            .filter_map(|(item, chosen)| Some(item.element(chosen.as_deref()?)))
            .collect();
        if items.is_empty() {
            return rsx! {};
        }
        let title = match heading {
            Heading::Task => "Task".to_owned(),
            heading => heading.title().to_owned(),
        };
        let level = if heading == Heading::Task { 1 } else { 2 };
        // A part, so that each line can be traced to a section.
        let name = heading.sections().first().unwrap_or(&"record");
        rsx! {
            <Part name={*name}>
                <Section title level={Some(level)}>
                    if heading == Heading::Task {
                        <Paragraph>{heading.title()} ":"</Paragraph>
                    }
                    <List>
                        if let Some((count, operation)) = more {
                            <ListItem>{count} " more: " <Code>{operation}</Code></ListItem>
                        }
                        for item in items { {item} }
                    </List>
                </Section>
            </Part>
        }
    });
    let mut counts = Vec::new();
    for heading in Heading::ALL {
        if let Rest::Counted([one, several]) = heading.rest() {
            match handoff.left_out(chosen, heading) {
                0 => {}
                1 => counts.push(format!("1 {one}")),
                count => counts.push(format!("{count} {several}")),
            }
        }
    }
    let is_cut = |(item, chosen): (&Item<'_>, &Option<Vec<usize>>)| {
        let shown = chosen.as_ref();
        shown.is_some_and(|shown| shown.len() < item.units.len())
    };
    let is_any_cut = !counts.is_empty() || handoff.items.iter().zip(chosen).any(is_cut);
    rsx! {
        for section in sections { {section} }
        if is_noted && is_any_cut {
            <Part name="record">
                <Paragraph>
                    if !counts.is_empty() { "Not shown: " {counts.join(", ")} ". " }
                    "All of a turn: " <Code>"hud record.list"</Code> " with its number."
                </Paragraph>
            </Part>
        }
    }
}

impl Item<'_> {
    /// The item with some of its units.
    fn element(&self, chosen: &[usize]) -> Element<'_> {
        let head = rsx! {
            if let Some(code) = &self.head.code { <Code>{line(code, CODE)}</Code> }
            {self.head.text.as_ref()}
        };
        let body = unit::joined(&self.units, chosen);
        match self.form {
            Form::Text => {
                let mut blocks = unit::blocks(&self.units, chosen).into_iter().peekable();
                let first = blocks.next_if(|(code, _)| !code);
                let first = first.map_or_else(String::new, |(_, text)| text);
                rsx! {
                    <ListItem>
                        <Paragraph>{head} {with_code(first)}</Paragraph>
                        for (is_code, text) in blocks {
                            if is_code {
                                <CodeBlock>{text}</CodeBlock>
                            } else {
                                <Paragraph>{with_code(text)}</Paragraph>
                            }
                        }
                    </ListItem>
                }
            }
            Form::Step { done } => rsx! {
                <ListItem checked={Some(done)}>{head} {with_code(body)}</ListItem>
            },
            Form::Code(_) if body.is_empty() => rsx! { <ListItem>{head}</ListItem> },
            Form::Code(lang) => rsx! {
                <ListItem>
                    <Paragraph>{head}</Paragraph>
                    <CodeBlock lang>{body}</CodeBlock>
                </ListItem>
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_core::Density;
    use hud_core::tokens::Estimate;
    use hud_store::event::{
        Actor, CompactAfter, EventId, FileEdit, FindingRecord, HudEvent, RecordMessage, RecordRead,
        SessionId, StepAdd, StoredEvent,
    };
    use hud_store::fold::fold;
    use hud_store::state::Speaker;
    use jiff::Timestamp;

    use super::*;

    fn after(events: impl IntoIterator<Item = (Actor, HudEvent)>) -> HudState {
        let stored = |(at, (actor, event)): (usize, (Actor, HudEvent))| StoredEvent {
            seq: at as u64 + 1,
            session: SessionId::new("s").unwrap(),
            version: at as u64 + 1,
            id: EventId::now_v7(),
            turn: at as u64,
            at: Timestamp::UNIX_EPOCH,
            actor,
            cause: None,
            event,
        };
        let events = events.into_iter().enumerate().map(stored);
        events.fold(HudState::default(), |state, event| fold(state, &event))
    }

    fn shown(state: &HudState, tokens: u64) -> String {
        let scope = Scope::new(Density::Full);
        let renderer = Renderer::default();
        let handoff = Handoff::of(state);
        let shown = handoff.within(tokens, &Estimate, &renderer, scope);
        shown.unwrap().text
    }

    fn said(by: Speaker, text: &str) -> (Actor, HudEvent) {
        let message = RecordMessage {
            by,
            text: text.to_owned(),
            about: None,
            retracts: None,
        };
        let actor = match by {
            Speaker::User => Actor::User,
            Speaker::Agent | Speaker::SubAgent => Actor::Derived,
        };
        (actor, message.into())
    }

    fn read(target: &str, lines: &str) -> (Actor, HudEvent) {
        let read = RecordRead {
            target: target.to_owned(),
            lines: lines.to_owned(),
        };
        (Actor::Derived, read.into())
    }

    fn compacted(summary: &str, boundary: Option<&str>) -> (Actor, HudEvent) {
        let compaction = CompactAfter {
            summary: Some(summary.to_owned()),
            rest: None,
            tokens_after: None,
            boundary: boundary.map(str::to_owned),
        };
        (Actor::Derived, compaction.into())
    }

    fn step(id: &str, description: &str) -> (Actor, HudEvent) {
        let step = StepAdd {
            id: id.to_owned(),
            description: description.to_owned(),
        };
        (Actor::Summary, step.into())
    }

    #[test]
    fn what_the_summary_in_the_conversation_says_is_not_repeated() {
        let summary = "Next steps:\n1. Delete the `old` table.";
        let steps = || [step("s1", "Delete the old table"), step("s2", "Ask Ada")];
        let kept = after(steps().into_iter().chain([compacted(summary, None)]));
        let text = shown(&kept, 1_000);
        assert!(
            text.contains("Ask Ada") && !text.contains("old table"),
            "{text}"
        );
        // Here the conversation has no summary.
        let cut = after(steps().into_iter().chain([compacted(summary, Some("m9"))]));
        let text = shown(&cut, 1_000);
        assert!(
            text.contains("Ask Ada") && text.contains("old table"),
            "{text}"
        );
    }

    #[test]
    fn a_number_is_shown_with_its_option_though_another_one_was_before_it() {
        let state = after([
            said(
                Speaker::Agent,
                "Which one?\n\n6. Fix the parser\n8. Add a cache",
            ),
            said(Speaker::User, "8"),
            said(Speaker::User, "6"),
        ]);
        let text = shown(&state, 1_000);
        assert!(text.contains("Fix the parser”): 6"), "{text}");
    }

    #[test]
    fn without_an_edit_the_changes_say_so() {
        let mut events = vec![
            said(Speaker::User, "Look at a.rs"),
            read("a.rs", "fn a() {}"),
        ];
        let none = "no file was changed with an edit tool";
        assert!(shown(&after(events.clone()), 1_000).contains(none));
        let edit = FileEdit {
            diff: Some("+fn b() {}".into()),
            ..FileEdit::of("a.rs")
        };
        events.push((Actor::Derived, edit.into()));
        assert!(!shown(&after(events), 1_000).contains(none));
    }

    #[test]
    fn what_was_read_and_found_out_is_shown_until_a_report_sums_it_up() {
        const FOUND: &str = "The lock of `pool.rs` is never freed.";
        let finding = FindingRecord {
            id: "f1".into(),
            text: "The lock of pool.rs is never freed.".into(),
            weight: None,
        };
        let mut events = vec![
            said(Speaker::User, "Why does it hang?"),
            read("pool.rs", "fn acquire_lock() {}\nfn release_lock() {}"),
            said(Speaker::Agent, FOUND),
            (Actor::Derived, finding.into()),
            said(Speaker::Agent, "Now I look at the callers:"),
            read("main.rs", "fn main() {}"),
            said(Speaker::Agent, "And at the tests:"),
            read("tests.rs", "fn it_hangs() {}"),
        ];
        let shows = |events: &[(Actor, HudEvent)], text| {
            let shown = shown(&after(events.iter().cloned()), 1_000);
            shown.contains(text)
        };
        for text in [FOUND, "fn release_lock() {}", "fn it_hangs() {}"] {
            assert!(shows(&events, text), "{text}");
        }
        // A message in front of a call is no report.
        assert!(!shows(&events, "at the callers"));
        events.push(said(
            Speaker::Agent,
            "It hangs as `release_lock` is not called.",
        ));
        events.push(said(Speaker::User, "Call it then."));
        for text in [FOUND, "fn acquire_lock() {}", "fn it_hangs() {}"] {
            assert!(!shows(&events, text), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted_with_the_operation_that_lists_it() {
        let messages = (0..60).map(|at| {
            let text = format!("Please look at file{at}.rs, where value {at} is wrong.");
            said(Speaker::User, &text)
        });
        let state = after(messages);
        let whole = shown(&state, 10_000);
        assert!(!whole.contains("record.list"), "{whole}");
        let part = shown(&state, 900);
        let count = part.lines().filter(|line| line.starts_with("- t")).count();
        let note = format!("Not shown: {} messages. ", 60 - count);
        assert!(
            part.contains(&note) && part.contains("hud record.list"),
            "{part}"
        );
    }
}
