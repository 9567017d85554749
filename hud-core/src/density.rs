//! How much is said: [`Density`], and the [`Bands`] of context use that set it.

/// How much a component says. `Minimal < Compact < Full`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Density {
    /// One line for everything: what the agent cannot do without.
    Minimal,
    /// One line for each section.
    Compact,
    /// Sections with headings and lists.
    #[default]
    Full,
}

impl Density {
    /// All densities, from the one that says most to the one that says least.
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

/// A name that is no [`Density`].
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

/// The bands of context use, in per cent of the window, and the density of each.
///
/// The defaults are the seeds' ("Adaptive Density in Practice"): full below 70 %, compact below
/// 85 %, minimal from there on, and a warning above 85 %.
///
/// ```
/// use hud_core::{Bands, Density};
///
/// let bands = Bands::default();
/// assert_eq!(bands.density(45), Density::Full);
/// assert_eq!(bands.density(72), Density::Compact);
/// assert_eq!(bands.density(89), Density::Minimal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// The first percentage that is no longer full.
    pub compact_from: u8,
    /// The first percentage that is no longer compact.
    pub minimal_from: u8,
    /// A percentage above this one is warned about.
    pub warn_above: u8,
    /// How far below a border the use must fall before the density rises again, in percentage
    /// points. It keeps a value that wavers at a border from changing the HUD on every turn.
    pub margin: u8,
}

impl Default for Bands {
    fn default() -> Self {
        Self {
            compact_from: 70,
            minimal_from: 85,
            warn_above: 85,
            margin: 3,
        }
    }
}

impl Bands {
    /// The density for a percentage alone.
    pub const fn density(&self, percentage: u8) -> Density {
        if percentage < self.compact_from {
            Density::Full
        } else if percentage < self.minimal_from {
            Density::Compact
        } else {
            Density::Minimal
        }
    }

    /// The density after a row of readings, oldest first: it falls at once, and rises only when
    /// the use is [`margin`](Self::margin) points below the border. Full without readings.
    pub fn settle(&self, readings: impl IntoIterator<Item = u8>) -> Density {
        readings
            .into_iter()
            .fold(None, |settled: Option<Density>, percentage| {
                let now = self.density(percentage);
                let wary = self.density(percentage.saturating_add(self.margin));
                Some(match settled {
                    Some(before) if now > before => wary.max(before),
                    _ => now,
                })
            })
            .unwrap_or_default()
    }

    /// Whether this percentage is worth a warning.
    pub const fn warns(&self, percentage: u8) -> bool {
        percentage > self.warn_above
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
        assert_eq!([bands.warns(85), bands.warns(86)], [false, true]);
    }

    #[test]
    fn a_value_that_wavers_at_a_border_does_not_flap() {
        let bands = Bands::default();
        assert_eq!(bands.settle([69, 70, 69, 68]), Density::Compact);
        assert_eq!(bands.settle([69, 70, 69, 66]), Density::Full);
        assert_eq!(bands.settle([90, 20]), Density::Full);
        assert_eq!(bands.settle([90, 83]), Density::Minimal);
        assert_eq!(bands.settle([]), Density::Full);
    }

    #[test]
    fn names_are_read_back() {
        for density in Density::ALL {
            assert_eq!(density.name().parse(), Ok(density));
        }
        assert!("medium".parse::<Density>().is_err());
    }
}
