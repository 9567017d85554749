//! The levels of detail of a part.

use crate::density::Density;
use crate::part::{Amount, PartMeta};

/// A level of detail: a density, and a maximum number of list items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The density.
    pub density: Density,
    /// The maximum number of listed items, if the part lists any and has no lower
    /// [`Cap`](crate::part::Cap).
    pub items: Option<u32>,
    /// The number of characters after which it is cut, if the required parts do not fit as a whole.
    pub chars: Option<u32>,
    /// The priority of the level, in percent of the part's priority.
    pub percent: u8,
}

/// The levels that a fit chooses from, by density. The first items of a list have a higher priority
/// than the last, and being shown at all has half of the priority.
pub const LEVELS: [Level; 18] = [
    level(Density::Minimal, None, 54),
    level(Density::Compact, Some(1), 57),
    level(Density::Compact, Some(2), 61),
    level(Density::Compact, Some(3), 63),
    level(Density::Compact, None, 66),
    level(Density::Full, Some(1), 60),
    level(Density::Full, Some(2), 68),
    level(Density::Full, Some(3), 74),
    level(Density::Full, Some(4), 80),
    level(Density::Full, Some(5), 84),
    level(Density::Full, Some(6), 87),
    level(Density::Full, Some(7), 90),
    level(Density::Full, Some(8), 92),
    level(Density::Full, Some(9), 94),
    level(Density::Full, Some(10), 96),
    level(Density::Full, Some(11), 97),
    level(Density::Full, Some(12), 98),
    level(Density::Full, None, 100),
];

/// The levels at which required parts are cut if not all of them fit: the number of characters of
/// the output at the floor, and the percentage of the part's priority.
pub const CUTS: [(u32, u8); 5] = [(60, 45), (36, 35), (20, 25), (10, 15), (4, 5)];

const fn level(density: Density, items: Option<u32>, percent: u8) -> Level {
    Level {
        density,
        items,
        chars: None,
        percent,
    }
}

impl Level {
    /// The levels of a part from its floor up to a density.
    pub(super) fn of(part: &PartMeta, ceiling: Density) -> impl Iterator<Item = Self> {
        let least = part.floor.unwrap_or(Density::Minimal);
        let most = part.at(ceiling);
        let levels = LEVELS.into_iter();
        levels.filter(move |level| (least..=most).contains(&level.density))
    }

    /// The levels at which a required part is cut if there is no room for all of it.
    pub(super) fn cuts(part: &PartMeta) -> impl Iterator<Item = Self> {
        let cut = |density| {
            CUTS.into_iter().map(move |(chars, percent)| Self {
                chars: Some(chars),
                ..level(density, None, percent)
            })
        };
        part.floor.into_iter().flat_map(cut)
    }

    pub(super) const fn amount(self) -> Amount {
        Amount {
            density: self.density,
            items: self.items,
            chars: self.chars,
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let density = self.density;
        let text = match (self.items, self.chars) {
            (_, Some(chars)) => format!("{density}, cut after {chars} characters"),
            (None, _) => density.to_string(),
            (Some(1), _) => format!("{density}, 1 item"),
            (Some(items), _) => format!("{density}, {items} items"),
        };
        f.pad(&text)
    }
}
