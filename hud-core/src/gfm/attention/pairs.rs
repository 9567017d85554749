//! Pairs sequences as a parser does.
//!
//! Runs of `*` and `_` pair like emphasis and strong emphasis in CommonMark: they are split, one
//! or two markers at a time, with the rule of 3. Runs of `~` pair like strikethrough in GFM: whole
//! runs with a run of the same size.

use std::ops::Range;

use super::super::character::Kind;
use super::Event;
use super::draft::Draft;

/// A sequence that does not form its attention.
pub(super) struct Mistake {
    pub(super) event: usize,
    /// The attention for which other sequences are tried, last opened first.
    pub(super) attention: Vec<usize>,
}

/// The runs of a segment and their pairs.
pub(super) struct Pairs<'d, 'r> {
    draft: &'d Draft<'r>,
    segment: Range<usize>,
    runs: Vec<Run>,
    /// The event of each marker of all runs.
    markers: Vec<usize>,
    /// For each event of the segment, true if it pairs with the other sequence of its attention.
    is_right: Vec<bool>,
    /// Groups of events that pair with events of other attention.
    mixed: Vec<Vec<usize>>,
    /// True if the search stopped because too many runs do not pair.
    gave_up: bool,
}

/// The number of openers that may be tried without success, in addition to a fixed number for each
/// event. Documents hardly need any. Excessively nested trees would need a quadratic number.
const SEARCH: usize = 1 << 14;
const SEARCH_PER_EVENT: usize = 4;

/// Adjacent sequences with the same marker.
struct Run {
    events: Range<usize>,
    marker: char,
    can_open: bool,
    can_close: bool,
    /// All its markers, as indices into `Pairs::markers`, and those that are not paired yet.
    all: Range<usize>,
    left: Range<usize>,
}

impl Run {
    /// True if its markers pair one or two at a time.
    fn is_split(&self) -> bool {
        self.marker != '~'
    }

    /// True if the runs cannot pair: by CommonMark's rule of 3 for emphasis, or by their sizes for
    /// strikethrough.
    fn refuses(&self, opener: &Self) -> bool {
        let (opening, closing) = (opener.left.len(), self.left.len());
        if self.is_split() {
            (opener.can_close || self.can_open)
                && !closing.is_multiple_of(3)
                && (opening + closing).is_multiple_of(3)
        } else {
            opening != opener.all.len() || opening != closing
        }
    }
}

impl<'d, 'r> Pairs<'d, 'r> {
    pub(super) fn of(draft: &'d Draft<'r>, segment: &Range<usize>) -> Self {
        let mut pairs = Self {
            draft,
            segment: segment.clone(),
            runs: Vec::new(),
            markers: Vec::new(),
            is_right: vec![false; segment.len()],
            mixed: Vec::new(),
            gave_up: false,
        };
        pairs.find_runs();
        pairs.pair_runs();
        pairs
    }

    /// The attention that an event belongs to.
    fn attention(&self, event: usize) -> Option<usize> {
        match self.draft.region.events.get(event)? {
            Event::Text { .. } => None,
            Event::Open(attention) | Event::Close(attention) => Some(*attention),
        }
    }

    fn size(&self, event: usize) -> usize {
        self.attention(event)
            .map_or(0, |attention| self.draft.sequence(attention).len())
    }

    fn find_runs(&mut self) {
        let marker_of = |pairs: &Self, event| {
            pairs
                .attention(event)
                .and_then(|attention| pairs.draft.marker(attention))
        };
        let mut start = self.segment.start;
        while start < self.segment.end {
            let Some(marker) = marker_of(self, start) else {
                start += 1;
                continue;
            };
            let first_marker = self.markers.len();
            let mut end = start;
            while end < self.segment.end && marker_of(self, end) == Some(marker) {
                let size = self.size(end);
                self.markers.extend(std::iter::repeat_n(end, size));
                end += 1;
            }

            let kind = |character| self.draft.classes.kind(character);
            let previous = kind(self.draft.last_before(start));
            let next = kind(self.draft.first_after(end));
            let flanks = |near: Kind, far: Kind| {
                near == Kind::Letter || near == Kind::Punctuation && far != Kind::Letter
            };
            let (left_flanking, right_flanking) = (flanks(next, previous), flanks(previous, next));
            // Underscores cannot open or close inside words.
            let is_strict = marker == '_';
            let all = first_marker..self.markers.len();
            self.runs.push(Run {
                events: start..end,
                marker,
                can_open: left_flanking
                    && !(is_strict && previous == Kind::Letter && right_flanking),
                can_close: right_flanking && !(is_strict && next == Kind::Letter && left_flanking),
                left: all.clone(),
                all,
            });
            start = end;
        }
    }

    fn pair_runs(&mut self) {
        let mut openers_by_marker: [Vec<usize>; 3] = [const { Vec::new() }; 3];
        let mut steps = SEARCH + SEARCH_PER_EVENT * self.segment.len();
        for closer in 0..self.runs.len() {
            let openers = match self.runs[closer].marker {
                '*' => &mut openers_by_marker[0],
                '_' => &mut openers_by_marker[1],
                _ => &mut openers_by_marker[2],
            };
            let mut place = if self.runs[closer].can_close {
                openers.len()
            } else {
                0
            };
            while place > 0 && !self.runs[closer].left.is_empty() {
                place -= 1;
                let opener = openers[place];
                if self.runs[closer].refuses(&self.runs[opener]) {
                    steps -= 1;
                    if steps == 0 {
                        self.gave_up = true;
                        return;
                    }
                    continue;
                }
                self.pair(opener, closer);
                if self.runs[opener].left.is_empty() {
                    openers.remove(place);
                }
                // The rest of the run may close more, starting from the innermost opener again.
                place = openers.len();
            }
            if self.runs[closer].can_open && !self.runs[closer].left.is_empty() {
                openers.push(closer);
            }
        }
    }

    /// Pairs markers at the end of an opener with markers at the start of a closer. They form the
    /// intended attention if they are exactly its two sequences. Otherwise the pair mixes sequences
    /// of different attention, a part of a sequence, or several sequences.
    fn pair(&mut self, opener: usize, closer: usize) {
        let (opening, closing) = (
            self.runs[opener].left.clone(),
            self.runs[closer].left.clone(),
        );
        let size = match self.runs[closer].is_split() {
            false => closing.len(),
            true if opening.len() > 1 && closing.len() > 1 => 2,
            true => 1,
        };
        self.runs[opener].left.end -= size;
        self.runs[closer].left.start += size;

        let opening = &self.markers[opening.end - size..opening.end];
        let closing = &self.markers[closing.start..closing.start + size];
        let whole = |markers: &[usize]| {
            let event = markers.first().copied()?;
            (markers.last() == Some(&event) && self.size(event) == size).then_some(event)
        };
        match (whole(opening), whole(closing)) {
            (Some(open), Some(close)) if self.attention(open) == self.attention(close) => {
                for event in [open, close] {
                    if let Some(is_right) = self.is_right.get_mut(event - self.segment.start) {
                        *is_right = true;
                    }
                }
            }
            _ => self.mixed.push([opening, closing].concat()),
        }
    }

    /// The first [`Mistake`], if any.
    pub(super) fn first_mistake(&self) -> Option<Mistake> {
        if self.gave_up {
            return Some(Mistake {
                event: self.segment.start,
                attention: Vec::new(),
            });
        }
        let event = self.segment.clone().find(|event| {
            self.attention(*event).is_some()
                && self.is_right.get(event - self.segment.start) == Some(&false)
        })?;

        // The attention in its run, and the attention that it wrongly pairs with.
        let run = self.runs.iter().find(|run| run.events.contains(&event));
        let mixed = self
            .mixed
            .iter()
            .filter(|events| events.contains(&event))
            .flatten();
        let involved: Vec<usize> = run
            .into_iter()
            .flat_map(|run| run.events.clone())
            .chain(mixed.copied())
            .filter_map(|event| self.attention(event))
            .collect();
        Some(Mistake {
            event,
            attention: self.related(involved),
        })
    }

    /// These attentions and all that share a run with their sequences, last opened first.
    fn related(&self, mut involved: Vec<usize>) -> Vec<usize> {
        involved.sort_unstable();
        involved.dedup();
        let is_involved = |event: usize| {
            self.attention(event)
                .is_some_and(|attention| involved.binary_search(&attention).is_ok())
        };
        let mut related: Vec<usize> = self
            .runs
            .iter()
            .filter(|run| run.events.clone().any(is_involved))
            .flat_map(|run| run.events.clone())
            .filter_map(|event| self.attention(event))
            .collect();
        related.sort_unstable_by(|left, right| right.cmp(left));
        related.dedup();
        related
    }
}
