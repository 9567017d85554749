//! What the model saw: texts, and of each part what it takes and why it is as it is.

use std::collections::{BTreeMap, BTreeSet};

use hud_agent::budget::count;
use hud_agent::frame::{Frame, frame};
use hud_agent::layout::LayoutError;
use hud_agent::placement::{Choice as PlacementChoice, Placement};
use hud_agent::setup::Setup;
use hud_core::fit::{Choice, PartReport, Reason, Report};
use hud_core::tokens::CountError;
use hud_core::trace::Trace;
use hud_core::{Density, Layer};
use hud_store::section::{Errors, Section as _};
use hud_store::state::{Change, HudState};
use serde::Serialize;

use super::absent::{Absence, Absent};
use super::history::History;
use super::provenance::{Items, Line, TreeCall};
use super::sent::{Handed, Sent, Verdict};

/// How a state is to be shown. By default, as the settings say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// No part is denser than this; without it, the use of the context decides.
    pub density: Option<Density>,
    /// How many tokens there are; without it, as many as the settings say.
    pub budget: Option<u64>,
    /// Where the layers go; without it, where the settings put them.
    pub placement: Option<Placement>,
}

impl View {
    /// Whether something else is asked for than what the settings give.
    const fn is_trial(&self) -> bool {
        self.density.is_some() || self.budget.is_some()
    }
}

/// What the model saw, or would see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// The version of the state.
    pub version: u64,
    /// The highest density of what changes from turn to turn.
    pub density: &'static str,
    /// Where the layers are.
    pub placement: &'static str,
    /// The tokens that there are, where they are limited.
    pub budget: Option<u64>,
    /// The tokens that all of it takes.
    pub tokens: u64,
    /// What they were counted with.
    pub counter: String,
    /// The texts, in the order of a request.
    pub layers: Vec<LayerText>,
    /// The lines of all texts, one text below the other.
    pub lines: Vec<Line>,
    /// The calls that gave them, each behind the one that it is within.
    pub calls: Vec<TreeCall>,
    /// The parts of the layout, in its order.
    pub sections: Vec<SectionShown>,
    /// What is in the state and in no line.
    pub absent: Vec<Absent>,
    /// Whether it is what the client was handed.
    pub sent: Sent,
}

/// A text in its place of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayerText {
    /// `system` or `message`, or `whole` where it is asked for what would be.
    pub name: &'static str,
    /// The text.
    pub markdown: String,
    /// The tokens that it takes.
    pub tokens: u64,
    /// How many lines it has, of [`Shown::lines`].
    pub lines: usize,
}

/// A part of the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionShown {
    /// Its name; empty for what is in no part.
    pub name: String,
    /// How often it changes: `static` or `dynamic`.
    pub layer: &'static str,
    /// How it is shown: a density, how many items, `handle` or `absent`.
    pub choice: String,
    /// The tokens that it takes.
    pub tokens: u64,
    /// Those that all of it would take.
    pub full: u64,
    /// What it is worth as it is.
    pub worth: String,
    /// What all of it is worth.
    pub whole: String,
    /// Why that is what it is worth now, where that is another than it says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Why it does not say more.
    pub reason: String,
    /// How many items its section has.
    pub items: usize,
    /// How many of them are in no line.
    pub absent: usize,
}

/// Why a state can't be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShownError {
    /// The layout can't be rendered.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Its tokens can't be counted.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl Shown {
    /// What a view shows of a state of a session. Where it is known what the client was [handed](History::handed) of
    /// it, and nothing else is asked for, that is made again: in its place, with the bands and the budget of then.
    ///
    /// # Errors
    /// [`ShownError`]: never, with the built-in layout and an estimate of tokens.
    pub fn as_handed(
        state: &HudState,
        view: &View,
        setup: &Setup,
        history: &History,
        handed: Option<&Handed>,
    ) -> Result<Self, ShownError> {
        if view.is_trial() || (handed.is_some() && view.placement.is_some()) {
            let mut shown = Self::of(state, view, setup, history)?;
            shown.sent.verdict = Verdict::Trial;
            return Ok(shown);
        }
        let Some(handed) = handed else {
            return Self::of(state, view, setup, history);
        };
        let (own, placement) = handed.setup(setup);
        let view = View {
            placement: placement.or(view.placement),
            ..*view
        };
        let mut shown = Self::of(state, &view, &own, history)?;
        shown.sent = handed.verdict(state, &shown.layers, setup);
        Ok(shown)
    }

    /// What a view shows of a state of a session.
    ///
    /// # Errors
    /// [`ShownError`]: never, with the built-in layout and an estimate of tokens.
    pub fn of(
        state: &HudState,
        view: &View,
        setup: &Setup,
        history: &History,
    ) -> Result<Self, ShownError> {
        let trace = Trace::default();
        let mut traced = setup.clone();
        traced.layout = traced.layout.with_trace(trace.clone());
        let limit = view.budget.or(match view.density {
            // Who asks for a density wants to see it.
            Some(_) => None,
            None => setup.settings.budget.limit(),
        });
        let placement = view.placement.unwrap_or(match setup.settings.placement {
            PlacementChoice::Is(placement) => placement,
            PlacementChoice::Auto => Placement::default(),
        });
        let tokens = limit.unwrap_or(u64::MAX);
        let (_, most) = Frame::fitted(state, Some(Density::Full), u64::MAX, setup)?;
        let (mut whole, mut report) = Frame::fitted(state, view.density, tokens, &traced)?;
        let texts = match view.is_trial() {
            true => vec![("whole", std::mem::take(&mut whole.system))],
            false => {
                trace.clear();
                let frame = frame(state, None, placement, &traced)?;
                // The static layer is full, whatever the use of the context is.
                let full = match limit {
                    Some(limit) => Frame::fitted(state, Some(Density::Full), limit, setup)?.1,
                    None => most.clone(),
                };
                let fixed = full.parts.into_iter();
                for (part, full) in report.parts.iter_mut().zip(fixed) {
                    if full.part.layer == Layer::Static && full.part.name == part.part.name {
                        *part = full;
                    }
                }
                vec![("system", frame.system), ("message", frame.message)]
            }
        };
        let items = Items::of(state, history);
        let (mut layers, mut lines, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for (name, markdown) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            let explained = trace.explain(&markdown);
            let own = items.lines(&markdown, &explained, calls.len());
            let before = calls.len();
            calls.extend(explained.calls.iter().map(|call| {
                let call = TreeCall::from(call);
                let within = call.within.map(|within| within + before);
                TreeCall { within, ..call }
            }));
            layers.push(LayerText {
                name,
                tokens: count(&markdown, state, setup)?,
                lines: own.len(),
                markdown,
            });
            lines.extend(own);
        }
        let absent = absent(&items, &lines, &report, state, history);
        Ok(Self {
            version: state.version,
            density: whole.density.name(),
            placement: placement.name(),
            budget: limit,
            tokens: layers.iter().map(|layer| layer.tokens).sum(),
            counter: report.counter.clone(),
            sections: sections(&report, &most, &items, &absent),
            layers,
            lines,
            calls,
            absent,
            sent: Sent::default(),
        })
    }
}

fn sections(
    report: &Report,
    most: &Report,
    items: &Items<'_>,
    absent: &[Absent],
) -> Vec<SectionShown> {
    // Two parts may have one name: each has the full size of its own place among them.
    let mut full: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for part in most.parts.iter().rev() {
        full.entry(&part.part.name).or_default().push(part.count);
    }
    let section = |part: &PartReport| {
        let name = part.part.name.to_string();
        let full = full.get_mut(&*part.part.name).and_then(Vec::pop);
        let absent = absent.iter().filter(|absent| absent.section == name);
        SectionShown {
            layer: match part.part.layer {
                Layer::Static => "static",
                Layer::Dynamic => "dynamic",
            },
            choice: part.choice.to_string(),
            tokens: part.count.into(),
            full: full.unwrap_or(part.count).into(),
            worth: part.worth.to_string(),
            whole: part.whole.worth.to_string(),
            because: part.whole.because.clone(),
            reason: part.reason.to_string(),
            items: items.in_section(&name).count(),
            absent: absent.count(),
            name,
        }
    };
    report.parts.iter().map(section).collect()
}

/// What is in the state and in no line.
fn absent(
    items: &Items<'_>,
    lines: &[Line],
    report: &Report,
    state: &HudState,
    history: &History,
) -> Vec<Absent> {
    let shown: BTreeSet<(&str, &str)> = lines
        .iter()
        .filter_map(|line| Some((line.section.as_deref()?, line.item.as_deref()?)))
        .collect();
    let parts: BTreeMap<&str, &PartReport> = report
        .parts
        .iter()
        .map(|part| (&*part.part.name, part))
        .collect();
    let why = |section: &str| match parts.get(section) {
        None => Absence::NoPart,
        Some(part) => match part.choice {
            Choice::Level(level) if level.density == Density::Minimal => {
                Absence::Density(level.density)
            }
            Choice::Level(_) => Absence::Maximum,
            _ if part.reason == Reason::Silent => Absence::Silent,
            Choice::Handle | Choice::Absent => Absence::LeftOut {
                reason: part.reason.to_string(),
            },
        },
    };
    let resolved = state.errors.iter().filter(|error| error.is_resolved());
    let resolved: BTreeSet<&str> = resolved.map(|error| &*error.id).collect();
    let is_absent = |item: &&Change| !shown.contains(&(item.section, item.id.as_str()));
    items
        .all()
        .filter(is_absent)
        .map(|item| {
            let event = history.behind(item.section, &item.id, state.version);
            let why = match item.section == Errors::NAME && resolved.contains(&*item.id) {
                true => Absence::Resolved,
                false => why(item.section),
            };
            Absent::of(item, why, event)
        })
        .collect()
}
