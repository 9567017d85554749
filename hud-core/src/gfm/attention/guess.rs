//! A first guess of sequences, so that few need to be fixed.

use super::{Event, Region};

/// For each attention of a region, the index of the sequence to start with. It is the preferred
/// sequence, unless that would touch the same marker of a sibling or parent (`**a**` and `*b*`
/// would be `**a***b*`). An only child may touch its parent with a longer sequence, because
/// `***a***` forms.
pub(super) fn guess(region: &Region) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::with_capacity(region.attention.len());
    // Attention is numbered in opening order: parents and previous siblings come first.
    for attention in &region.attention {
        let sequence = |index: usize| -> &'static str {
            let sequences = region
                .attention
                .get(index)
                .map(|attention| attention.sequences);
            let choice = chosen.get(index).copied().unwrap_or(0);
            sequences
                .and_then(|sequences| sequences.get(choice).copied())
                .unwrap_or_default()
        };
        let previous = attention
            .open
            .checked_sub(1)
            .and_then(|index| region.events.get(index));
        let next = region.events.get(attention.close + 1);
        let left = match previous {
            Some(Event::Open(index) | Event::Close(index)) => sequence(*index),
            _ => "",
        };
        let right = match next {
            Some(Event::Close(parent)) => sequence(*parent),
            _ => "",
        };
        let parent = match (previous, next) {
            (Some(Event::Open(parent)), Some(Event::Close(_))) => Some(sequence(*parent)),
            _ => None,
        };

        let choice = attention.sequences.iter().position(|candidate| {
            let marker = candidate.chars().next();
            let touches = |other: &str| other.chars().next() == marker;
            !touches(left) && !touches(right)
                || marker != Some('~')
                    && parent.is_some_and(|parent| candidate.len() > parent.len())
        });
        chosen.push(choice.unwrap_or(0));
    }
    chosen
}
