//! The use of the context as it is shown: in steps, so that the HUD stays the same text until it
//! matters.

use hud_core::{Band, Bands};
use hud_store::state::ContextUsage;

/// The use of the context as it is shown.
///
/// ```
/// use hud_components::usage::ShownUsage;
/// use hud_core::{Band, Bands};
/// use hud_store::state::ContextUsage;
///
/// let context = ContextUsage {
///     used: 148_300,
///     limit: Some(200_000),
///     assumed: false,
///     usable: None,
///     model: None,
///     at: "2026-11-20T12:00:00Z".parse()?,
///     readings: vec![148_300],
/// };
/// let shown = ShownUsage::of(&context, &Bands::default());
/// assert_eq!((shown.percentage, shown.used), (Some(70), 140_000));
/// assert_eq!(shown.band, Band::Yellow);
/// # Ok::<(), jiff::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownUsage {
    /// The percentage of the limit, in the steps of the bands, and the one of [`used`](Self::used) before
    /// the first step; `None` while the limit is not known.
    pub percentage: Option<u8>,
    /// The tokens at which that step begins; those in use, to one digit, before the first step, and to
    /// two without a limit.
    pub used: u64,
    /// Tokens that fit.
    pub limit: Option<u64>,
    /// The band: green while the limit is not known, red when the client is about to compact the
    /// conversation, and critical when it does.
    pub band: Band,
    /// How many turns are left before the client does, if that is announced by then
    /// ([`Bands::announced_turns`]).
    pub turns_left: Option<u64>,
}

impl ShownUsage {
    /// What is shown of a row of readings.
    pub fn of(context: &ContextUsage, bands: &Bands) -> Self {
        let limit = context.limit.filter(|limit| *limit > 0);
        let steady = bands.steady(context.percentages()).or(context.percentage());
        let turns_left = context
            .turns_left()
            .filter(|turns| *turns <= u64::from(bands.announced_turns));
        let due = match turns_left {
            Some(0) => Band::Critical,
            Some(_) => Band::Red,
            None => Band::Green,
        };
        let (Some(limit), Some(steady)) = (limit, steady) else {
            return Self {
                percentage: None,
                used: leading(context.used, 2),
                limit: None,
                band: due,
                turns_left,
            };
        };
        let (percentage, used) = match bands.shown(steady) {
            // Before the first step it is little, and not nothing.
            0 => {
                let used = leading(context.used, 1);
                (context.percentage_of(used), used)
            }
            step => {
                let used = (u128::from(limit) * u128::from(step)).div_ceil(100);
                (Some(step), u64::try_from(used).unwrap_or(limit))
            }
        };
        Self {
            percentage,
            used,
            limit: Some(limit),
            band: bands.band(steady).max(due),
            turns_left,
        }
    }
}

impl ShownUsage {
    /// The part of it that is worth a message of its own, where messages are kept: the band, a compaction that is
    /// announced, and the quarter of the window. Without a reading it is that of an empty window.
    pub fn landmark(shown: Option<&Self>) -> (Band, Option<u64>, u8) {
        let quarter = |shown: &Self| shown.percentage.unwrap_or(0) / 25;
        shown.map_or((Band::Green, None, 0), |shown| {
            (shown.band, shown.turns_left, quarter(shown))
        })
    }
}

/// A count with nothing but zeros behind its first digits.
fn leading(count: u64, shown: u32) -> u64 {
    let digits = count.checked_ilog10().unwrap_or(0);
    let unit = 10_u64.pow((digits + 1).saturating_sub(shown));
    count - count % unit
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn shown(limit: Option<u64>, readings: &[u64]) -> ShownUsage {
        let context = ContextUsage {
            used: readings.last().copied().unwrap_or(0),
            limit,
            assumed: false,
            usable: None,
            model: None,
            at: Timestamp::UNIX_EPOCH,
            readings: readings.to_vec(),
        };
        ShownUsage::of(&context, &Bands::default())
    }

    #[test]
    fn little_moves_change_nothing() {
        let at = |used| shown(Some(200_000), &[90_000, used]);
        assert_eq!(at(90_100), at(99_900));
        assert_eq!(at(90_000), at(84_100), "three points below a step");
        assert_ne!(at(90_000), at(100_000));
        assert_eq!(
            shown(None, &[41_234]).used,
            shown(None, &[41_999]).used,
            "and without a limit"
        );
    }

    #[test]
    fn a_compaction_is_announced_as_early_as_is_asked_for() {
        let context = ContextUsage {
            used: 60,
            limit: Some(100),
            assumed: false,
            usable: Some(80),
            model: None,
            at: Timestamp::UNIX_EPOCH,
            readings: vec![50, 60],
        };
        let left = |announced_turns| {
            let bands = Bands {
                announced_turns,
                ..Bands::default()
            };
            ShownUsage::of(&context, &bands).turns_left
        };
        assert_eq!([0, 1, 2, 3].map(left), [None, None, Some(2), Some(2)]);
    }

    #[test]
    fn steps_are_no_landmarks_while_there_is_room() {
        let at = |used| ShownUsage::landmark(Some(&shown(Some(200_000), &[used])));
        assert_eq!(at(6_000), ShownUsage::landmark(None));
        assert_eq!(at(6_000), at(49_000));
        assert_ne!(at(49_000), at(50_000));
        assert_ne!(at(135_000), at(141_000), "another band");
    }

    #[test]
    fn a_little_is_not_nothing() {
        let little = shown(Some(200_000), &[9_123]);
        assert_eq!((little.percentage, little.used), (Some(4), 9_000));
        assert_eq!(shown(Some(200_000), &[0]).used, 0);
    }

    #[test]
    fn extremes_are_shown() {
        assert_eq!(shown(Some(u64::MAX), &[u64::MAX]).used, u64::MAX);
        assert_eq!(shown(Some(0), &[7]).used, 7);
        assert_eq!(shown(None, &[]).used, 0);
        assert_eq!(shown(None, &[u64::MAX]).used, 18_000_000_000_000_000_000);
    }
}
