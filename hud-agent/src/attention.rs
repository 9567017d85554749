//! The shares of a budget that an agent gives to sections.

use std::collections::BTreeMap;

use hud_core::Density;
use hud_core::fit::share::{Share, divide};
use hud_core::fit::{Choice, FitError, Fitted, Fitting, Valued, Worth};
use hud_core::part::PartMeta;
use hud_core::tokens::TokenCounter;
use hud_store::state::HudState;

use crate::layout::LayoutError;
use crate::settings::Settings;
use crate::setup::Setup;

/// The limits of a section with a share of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attended {
    /// Its maximum density.
    pub(crate) density: Density,
    /// The maximum number of its items.
    pub(crate) items: Option<u32>,
    /// The share in per cent of the budget.
    pub(crate) percent: u64,
}

impl Attended {
    /// Its priority, which is above that of any part without a share.
    pub(crate) fn valued(self) -> Valued {
        Valued {
            worth: Worth::of_thousandths(WORTH),
            because: Some(format!("the agent gives it {} %", self.percent)),
        }
    }
}

/// The priority of a section with a share, in thousandths, which is more than a part can declare.
const WORTH: i64 = 1_000_000;

/// Returns the limits of each section to which the agent gave a share of the HUD. The other sections have the
/// rest of the budget. The map is empty if the shares can't be kept, for example if they exceed the budget.
pub(crate) fn attended(
    state: &HudState,
    density: Density,
    ceiling: &dyn Fn(&PartMeta) -> Option<Density>,
    budget: u64,
    counter: &dyn TokenCounter,
    setup: &Setup,
) -> Result<BTreeMap<String, Attended>, LayoutError> {
    let mut attended = BTreeMap::new();
    let named: Vec<(&str, Share)> = state
        .attention
        .shares()
        .map(|(name, percent)| (name, percent.map_or(Share::REST, Share::percent)))
        .collect();
    // All other sections together have the rest.
    let shares = named.iter().map(|(_, share)| *share).chain([Share::REST]);
    let Ok(parts) = divide(budget, &shares.collect::<Vec<_>>()) else {
        return Ok(attended);
    };
    for ((name, _), part) in named.into_iter().zip(parts) {
        let alone = |meta: &PartMeta| ceiling(meta).filter(|_| meta.name == name);
        let fitting = Fitting::new(part, counter).with_ceiling(&alone);
        let report = match setup.layout.fit(state, &setup.settings, density, &fitting) {
            Ok(Fitted { report, .. }) => report,
            Err(LayoutError::Fit(FitError::TooLarge { smallest })) => smallest.report,
            Err(error) => return Err(error),
        };
        let Some(shown) = report.parts.iter().find(|shown| shown.part.name == name) else {
            continue;
        };
        let (density, items) = match shown.choice {
            Choice::Level(level) => (level.density, level.items),
            Choice::Handle | Choice::Absent => (Density::Minimal, Some(0)),
        };
        let percent = part.saturating_mul(100).checked_div(budget).unwrap_or(0);
        attended.insert(
            name.to_owned(),
            Attended {
                density,
                items,
                percent,
            },
        );
    }
    Ok(attended)
}

/// Returns settings that cap the items of each section at the number in its share.
pub(crate) fn capped(settings: &Settings, attended: &BTreeMap<String, Attended>) -> Settings {
    let mut settings = settings.clone();
    for (name, section) in attended {
        let own = settings.sections.entry(name.clone()).or_default();
        own.cap = match (own.cap, section.items) {
            (Some(own), Some(items)) => Some(own.min(items)),
            (own, items) => own.or(items),
        };
    }
    settings
}
