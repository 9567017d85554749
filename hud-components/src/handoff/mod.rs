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
use hud_core::node::{Code, CodeBlock, Item as ListItem, List, Paragraph, Section};
use hud_core::tokens::TokenCounter;
use hud_core::{Element, LowerError, Renderer, Scope, component, rsx};
use hud_store::state::HudState;

use self::unit::Unit;
use crate::text::{line, with_code};

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
            let text = self.text(&chosen, renderer, scope)?;
            let count = u64::from(counter.count(&text)?);
            let over = count.saturating_sub(tokens);
            if over == 0 || room == 0 {
                return Ok(self.shown(text, count, &chosen));
            }
            room = room.saturating_sub(over.max(4));
        }
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
        renderer: &Renderer,
        scope: Scope<'_>,
    ) -> Result<String, LowerError> {
        renderer.markdown(&rsx! { <Sections handoff={self} chosen /> }, scope)
    }
}

/// The chosen units of each item of a handoff, under their headings.
#[component]
fn Sections<'a>(handoff: &'a Handoff<'a>, chosen: &'a [Option<Vec<usize>>]) -> Element<'a> {
    let sections = Heading::ALL.map(|heading| {
        let of_it = handoff.items.iter().zip(chosen);
        let of_it = of_it.filter(|(item, _)| item.heading == heading);
        let left_out = of_it
            .clone()
            .filter(|(item, chosen)| chosen.is_none() && item.priority > 0)
            .count();
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
        rsx! {
            <Section title level={Some(level)}>
                if heading == Heading::Task {
                    <Paragraph>{heading.title()} ":"</Paragraph>
                }
                <List>
                    if left_out == 1 { <ListItem>"1 other is not shown"</ListItem> }
                    if left_out > 1 { <ListItem>{left_out} " others are not shown"</ListItem> }
                    for item in items { {item} }
                </List>
            </Section>
        }
    });
    rsx! { for section in sections { {section} } }
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
