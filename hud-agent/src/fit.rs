//! As much of a HUD as a length holds.

use hud_core::Density;
use hud_core::part::PartMeta;
use hud_store::state::HudState;

use crate::frame::Frame;
use crate::layout::LayoutError;
use crate::settings::Settings;
use crate::setup::Setup;

/// How much a part says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    density: Density,
    /// How many items it lists at most, where that is fewer than it would.
    items: Option<u32>,
    /// What it is worth to say so much, in hundredths of the part's worth.
    worth: u64,
}

/// From the one that says least to the one that says most. The first items are worth more than the
/// last.
const LEVELS: [Level; 11] = [
    level(Density::Minimal, None, 52),
    level(Density::Compact, Some(1), 56),
    level(Density::Compact, Some(2), 61),
    level(Density::Compact, None, 66),
    level(Density::Full, Some(2), 68),
    level(Density::Full, Some(3), 74),
    level(Density::Full, Some(4), 80),
    level(Density::Full, Some(6), 87),
    level(Density::Full, Some(8), 92),
    level(Density::Full, Some(11), 97),
    level(Density::Full, None, 100),
];

const fn level(density: Density, items: Option<u32>, worth: u64) -> Level {
    Level {
        density,
        items,
        worth,
    }
}

/// A part, with what it takes to say as much as each level.
struct Measured {
    part: PartMeta,
    /// The level that was chosen; none if the part is left out.
    chosen: Option<usize>,
    /// In characters, by level.
    chars: [usize; LEVELS.len()],
}

impl Measured {
    fn taken(&self) -> usize {
        self.chosen.map_or(0, |level| self.chars[level])
    }

    /// What a level is worth: nothing where the part has nothing to say at it.
    fn worth(&self, level: usize) -> u64 {
        match self.chars[level] {
            0 => 0,
            _ => LEVELS[level].worth,
        }
    }

    /// The level above the chosen one that is worth most for what it takes more, if one fits.
    fn next(&self, left: usize) -> Option<(u64, usize)> {
        let from = self.chosen.map_or(0, |level| level + 1);
        let now = self.chosen.map_or(0, |level| self.worth(level));
        let rises = (from..LEVELS.len()).filter_map(|level| {
            let more = self.chars[level].saturating_sub(self.taken());
            let gain = self.worth(level).saturating_sub(now) * u64::from(self.part.worth) * 100;
            (more <= left).then(|| (gain / (more as u64 + 1), level))
        });
        rises.max_by_key(|(rate, level)| (*rate, *level))
    }
}

impl Frame {
    /// As much of the HUD of a state as `chars` characters hold, in [`system`](Self::system): of each part
    /// as many items, or as dense, as its worth earns beside the others. Parts do not go below their
    /// floors: where those are too long together, so is the HUD.
    ///
    /// ```
    /// use hud_agent::frame::Frame;
    /// use hud_agent::setup::Setup;
    /// use hud_store::state::HudState;
    ///
    /// let frame = Frame::within(&HudState::default(), 10, &Setup::default())?;
    /// assert_eq!(frame.system, "no task\n");
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::render`](crate::layout::Layout::render).
    pub fn within(state: &HudState, chars: usize, setup: &Setup) -> Result<Self, LayoutError> {
        let mut measured = Vec::new();
        for part in setup.layout.parts(state)? {
            measured.push(measure(part, state, setup)?);
        }
        let mut budget = chars;
        loop {
            choose(&mut measured, budget);
            let frame = render(&measured, state, setup)?;
            let length = frame.system.chars().count();
            let is_least = measured.iter().all(|part| part.chosen == least(&part.part));
            if length <= chars || is_least {
                return Ok(frame);
            }
            // What is between the parts was not measured.
            budget = budget.saturating_sub((length - chars).max(1));
        }
    }
}

/// The level that a part has to be shown at.
fn least(part: &PartMeta) -> Option<usize> {
    let floor = part.floor?;
    LEVELS.iter().position(|level| level.density >= floor)
}

/// Chooses a level for each part: from the least on, whatever is worth most for what it takes more.
fn choose(parts: &mut [Measured], budget: usize) {
    for part in parts.iter_mut() {
        part.chosen = least(&part.part);
    }
    loop {
        let taken: usize = parts.iter().map(Measured::taken).sum();
        let left = budget.saturating_sub(taken);
        let rises = parts.iter().enumerate();
        let rises =
            rises.filter_map(|(at, part)| part.next(left).map(|(rate, level)| (rate, at, level)));
        // Of two that are worth the same, the one farther up.
        let Some((_, at, level)) =
            rises.max_by_key(|(rate, at, _)| (*rate, std::cmp::Reverse(*at)))
        else {
            return;
        };
        parts[at].chosen = Some(level);
    }
}

fn measure(part: PartMeta, state: &HudState, setup: &Setup) -> Result<Measured, LayoutError> {
    let mut chars = [0; LEVELS.len()];
    for (level, chars) in LEVELS.iter().zip(&mut chars) {
        let settings = listing(&part, level, setup.settings.clone());
        let alone = setup
            .layout
            .render(state, &settings, level.density, &mut |other| {
                (other.name == part.name).then_some(level.density)
            })?;
        *chars = alone.markdown.chars().count();
    }
    Ok(Measured {
        part,
        chosen: None,
        chars,
    })
}

/// The settings with a part that lists no more items than a level has.
fn listing(part: &PartMeta, level: &Level, mut settings: Settings) -> Settings {
    if let Some(most) = level.items {
        let section = settings.sections.entry(part.name.to_string()).or_default();
        let cap = section.cap.or(part.cap).unwrap_or(most);
        section.cap = Some(cap.min(most));
    }
    settings
}

fn render(parts: &[Measured], state: &HudState, setup: &Setup) -> Result<Frame, LayoutError> {
    let mut settings = setup.settings.clone();
    for Measured { part, chosen, .. } in parts {
        if let Some(level) = chosen {
            settings = listing(part, &LEVELS[*level], settings);
        }
    }
    let whole = setup
        .layout
        .render(state, &settings, Density::Full, &mut |part| {
            let chosen = parts
                .iter()
                .find(|known| known.part.name == part.name)?
                .chosen?;
            Some(LEVELS[chosen].density)
        })?;
    Ok(Frame {
        density: Density::Full,
        parts: whole.parts,
        system: whole.markdown,
        message: String::new(),
    })
}
