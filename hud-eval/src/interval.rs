//! Confidence intervals of figures, for other sessions of the same kind.

use crate::simulate::Figures;

/// The number of draws.
const DRAWS: usize = 1_000;

/// The share of draws outside of the interval at each end, in per cent.
const OUTSIDE: usize = 5;

/// Returns the 90 % interval of a figure by bootstrapping. Each of a thousand draws takes as many sessions,
/// with repetition. The same sessions give the same interval.
pub(crate) fn interval(sessions: &[Figures], figure: impl Fn(&Figures) -> f64) -> (f64, f64) {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut drawn: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let all = (0..sessions.len()).filter_map(|_| sessions.get(draw.below(sessions.len())));
            figure(&all.fold(Figures::default(), Figures::and))
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let outside = DRAWS * OUTSIDE / 100;
    let at = |index: usize| drawn.get(index).copied().unwrap_or_default();
    (at(outside), at(DRAWS - 1 - outside))
}

/// A deterministic sequence of pseudo-random numbers: SplitMix64.
#[derive(Clone, Copy, Debug)]
struct Draw(u64);

impl Draw {
    /// Returns the next number below a bound; 0 if the bound is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let bound = bound as u64;
        mixed.checked_rem(bound).map_or(0, |index| index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(stale: f64, removed: f64) -> Figures {
        Figures {
            stale,
            removed,
            ..Figures::default()
        }
    }

    #[test]
    fn an_interval_holds_the_figure_and_is_the_same_again() {
        let sessions: Vec<Figures> = (0_u8..13)
            .map(|n| session(100.0, f64::from(n) * 5.0))
            .collect();
        let (low, high) = interval(&sessions, Figures::removal);
        assert!(
            low < 30.0 && 30.0 < high && high - low < 30.0,
            "{low} to {high}"
        );
        assert_eq!(interval(&sessions, Figures::removal), (low, high));
    }

    #[test]
    fn of_nothing_and_of_one_the_interval_is_a_point() {
        assert_eq!(interval(&[], Figures::removal), (0.0, 0.0));
        assert_eq!(
            interval(&[session(4.0, 1.0)], Figures::removal),
            (25.0, 25.0)
        );
    }
}
