//! The texts that the model saw, with the size of each part and the reason for its form.

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

/// The form in which a state is shown. By default, the settings decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The maximum density of the parts. `None` lets the context use decide.
    pub density: Option<Density>,
    /// The budget in tokens. `None` uses that of the settings.
    pub budget: Option<u64>,
    /// The placement of the layers. `None` uses that of the settings.
    pub placement: Option<Placement>,
}

impl View {
    /// True if it differs from the settings on purpose.
    const fn is_trial(&self) -> bool {
        self.density.is_some() || self.budget.is_some()
    }
}

/// The texts that the model saw, or would see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// The version of the state.
    pub version: u64,
    /// The maximum density of the dynamic layer.
    pub density: &'static str,
    /// The placement of the layers.
    pub placement: &'static str,
    /// The budget in tokens, if there is one.
    pub budget: Option<u64>,
    /// The number of tokens of all texts.
    pub tokens: u64,
    /// The name of the token counter.
    pub counter: String,
    /// The texts, in the order of a request.
    pub layers: Vec<LayerText>,
    /// The lines of all texts, in the order of the texts.
    pub lines: Vec<Line>,
    /// The calls that rendered the lines. Each follows the call around it.
    pub calls: Vec<TreeCall>,
    /// The parts of the layout, in order.
    pub sections: Vec<SectionShown>,
    /// The items of the state that are in no line.
    pub absent: Vec<Absent>,
    /// The comparison with the frame that the client was handed.
    pub sent: Sent,
}

/// A text and its place in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayerText {
    /// `system` or `message`, or `whole` for a trial.
    pub name: &'static str,
    /// The text.
    pub markdown: String,
    /// The number of its tokens.
    pub tokens: u64,
    /// The number of its lines in [`Shown::lines`].
    pub lines: usize,
}

/// A part of the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionShown {
    /// Its name; empty for content outside of parts.
    pub name: String,
    /// Its layer: `static` or `dynamic`.
    pub layer: &'static str,
    /// Its choice: a density, a number of items, `handle` or `absent`.
    pub choice: String,
    /// The number of its tokens.
    pub tokens: u64,
    /// The number of tokens of the whole part.
    pub full: u64,
    /// Its priority in its current form.
    pub worth: String,
    /// Its priority when whole.
    pub whole: String,
    /// The reason for its priority, if that differs from the part's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The reason why it does not show more.
    pub reason: String,
    /// The number of items of its section.
    pub items: usize,
    /// The number of its items that are in no line.
    pub absent: usize,
}

/// The reason why a state cannot be shown.
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
    /// Shows a state of a session in a view. If the frame that the client was [handed](History::handed)
    /// is known and the view requests nothing else, that frame is reproduced with its placement, bands
    /// and budget.
    ///
    /// # Errors
    /// [`ShownError`]. It never fails with the built-in layout and an estimate of tokens.
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

    /// Shows a state of a session in a view.
    ///
    /// # Errors
    /// [`ShownError`]. It never fails with the built-in layout and an estimate of tokens.
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
            // A requested density is shown without a limit.
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
                // The static layer is full at any context use.
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
    // Two parts may have the same name. Each gets the full size of the part at its position.
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

/// Returns the items of the state that are in no line.
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
