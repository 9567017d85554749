//! The amount of detail: [`Density`], and the [`Bands`] of context use that select it.

/// The amount of detail that a component shows. `Minimal < Compact < Full`.
///
/// No variant will be added, so a `match` may list all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Density {
    /// One line for everything: only what the agent cannot do without.
    Minimal,
    /// One line for each section.
    Compact,
    /// Sections with headings and lists.
    #[default]
    Full,
}

impl Density {
    /// All densities, from the most to the least detailed.
    pub const ALL: [Self; 3] = [Self::Full, Self::Compact, Self::Minimal];

    /// The density's name in lower case: `full`, `compact` or `minimal`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::Minimal => "minimal",
        }
    }
}

impl std::fmt::Display for Density {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is no [`Density`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown density `{0}`: write `full`, `compact` or `minimal`")]
pub struct UnknownDensity(pub String);

impl std::str::FromStr for Density {
    type Err = UnknownDensity;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|density| density.name() == name)
            .ok_or_else(|| UnknownDensity(name.to_owned()))
    }
}

/// A range of context use. `Green < Yellow < Red < Critical`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Band {
    /// There is room.
    Green,
    /// The context is filling up. Compact at a good moment.
    Yellow,
    /// The context is nearly full.
    Red,
    /// The context is full. Facts that are not recorded now may be lost.
    Critical,
}

impl Band {
    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Red => "red",
            Self::Critical => "critical",
        }
    }
}

/// The bands of context use, as percentages of the context window, and the density of each.
///
/// By default the density is full below 70 %, compact below 85 %, and minimal from there on. The
/// band is red above 85 % and critical above 92 %.
///
/// ```
/// use hud_core::{Band, Bands, Density};
///
/// let bands = Bands::default();
/// assert_eq!((bands.density(45), bands.band(45)), (Density::Full, Band::Green));
/// assert_eq!((bands.density(72), bands.band(72)), (Density::Compact, Band::Yellow));
/// assert_eq!((bands.density(89), bands.band(89)), (Density::Minimal, Band::Red));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// The first percentage that is compact and yellow.
    pub compact_from: u8,
    /// The first percentage that is minimal.
    pub minimal_from: u8,
    /// A percentage above this one is red.
    pub red_above: u8,
    /// A percentage above this one is critical.
    pub critical_above: u8,
    /// The hysteresis, in percentage points: the use counts as fallen only by what it falls beyond
    /// this margin. It keeps a value that wavers at a border from changing the HUD on every turn.
    pub margin: u8,
    /// The step size in which the use is shown, in percentage points. 0 counts as 1. Steps keep the
    /// text of the HUD the same while the use grows slowly.
    pub step: u8,
    /// The number of turns before an expected compaction at which it is announced. 0 announces it
    /// only when the client compacts.
    pub announced_turns: u8,
}

impl Default for Bands {
    fn default() -> Self {
        Self {
            compact_from: 70,
            minimal_from: 85,
            red_above: 85,
            critical_above: 92,
            margin: 3,
            step: 5,
            announced_turns: 3,
        }
    }
}

impl Bands {
    /// The density for a percentage.
    pub const fn density(&self, percentage: u8) -> Density {
        if percentage < self.compact_from {
            Density::Full
        } else if percentage < self.minimal_from {
            Density::Compact
        } else {
            Density::Minimal
        }
    }

    /// The band of a percentage.
    pub const fn band(&self, percentage: u8) -> Band {
        if percentage > self.critical_above {
            Band::Critical
        } else if percentage > self.red_above {
            Band::Red
        } else if percentage >= self.compact_from {
            Band::Yellow
        } else {
            Band::Green
        }
    }

    /// The percentage that counts after a sequence of readings, oldest first. It rises at once, and
    /// stays up to [`margin`](Self::margin) points above a reading that fell. `None` without
    /// readings.
    ///
    /// ```
    /// use hud_core::Bands;
    ///
    /// let bands = Bands::default();
    /// assert_eq!(bands.steady([69, 70, 69, 68]), Some(70));
    /// assert_eq!(bands.steady([69, 70, 69, 40]), Some(43));
    /// ```
    pub fn steady(&self, readings: impl IntoIterator<Item = u8>) -> Option<u8> {
        readings.into_iter().fold(None, |before, now| {
            let fallen = now.saturating_add(self.margin);
            Some(before.map_or(now, |before: u8| before.min(fallen).max(now)))
        })
    }

    /// The percentage rounded down to a multiple of [`step`](Self::step).
    pub const fn shown(&self, percentage: u8) -> u8 {
        match self.step {
            0 => percentage,
            step => percentage - percentage % step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_the_denser_band() {
        let bands = Bands::default();
        let at = |percentage| bands.density(percentage);
        assert_eq!([at(69), at(70)], [Density::Full, Density::Compact]);
        assert_eq!([at(84), at(85)], [Density::Compact, Density::Minimal]);
        let band = |percentage| bands.band(percentage);
        assert_eq!([band(69), band(70)], [Band::Green, Band::Yellow]);
        assert_eq!([band(85), band(86)], [Band::Yellow, Band::Red]);
        assert_eq!([band(92), band(93)], [Band::Red, Band::Critical]);
    }

    #[test]
    fn a_value_that_wavers_at_a_border_does_not_flap() {
        let bands = Bands::default();
        assert_eq!(bands.steady([69, 70, 69, 68]), Some(70));
        assert_eq!(bands.steady([69, 70, 69, 66]), Some(69));
        assert_eq!(bands.steady([90, 20]), Some(23));
        assert_eq!(bands.steady([90, 83]), Some(86));
        assert_eq!(bands.steady([]), None);
    }

    #[test]
    fn the_use_is_shown_in_steps() {
        let shown = |step, percentage| {
            let bands = Bands {
                step,
                ..Bands::default()
            };
            bands.shown(percentage)
        };
        assert_eq!([shown(5, 69), shown(5, 70), shown(5, 100)], [65, 70, 100]);
        assert_eq!([shown(0, 69), shown(1, 69), shown(200, 69)], [69, 69, 0]);
    }

    #[test]
    fn names_are_read_back() {
        for density in Density::ALL {
            assert_eq!(density.name().parse(), Ok(density));
        }
        assert!("medium".parse::<Density>().is_err());
    }
}
