//! A choice of sequences, the characters that it encodes, and the search for a choice that forms.

use super::super::character::{Classes, Kind, is_eol};
use super::guess::guess;
use super::pairs::{Mistake, Pairs};
use super::{Event, Region};
use std::ops::Range;

/// The number of events that may be visited to fix one segment, in addition to a fixed number for
/// each event. A segment that is not fixed by then uses the preferred sequences, so that the time
/// stays linear. The reference would continue, in quadratic time.
const SEARCH: usize = 1 << 18;
const SEARCH_PER_EVENT: usize = 8;

/// A choice of sequences for a region.
pub(super) struct Draft<'r> {
    pub(super) region: &'r Region,
    pub(super) classes: Classes,
    /// The index of the sequence of each attention.
    chosen: Vec<usize>,
    /// For each event that is a text, true if its first and its last character must be written as
    /// references.
    encoded: Vec<(bool, bool)>,
}

impl<'r> Draft<'r> {
    /// The first draft that forms as intended, or the preferred sequences if none does.
    pub(super) fn best(region: &'r Region, classes: Classes) -> Self {
        let preferred = vec![0; region.attention.len()];
        let segments = segments(region);
        let guessed = guess(region);
        let starts = [
            Some(guessed).filter(|guessed| *guessed != preferred),
            Some(preferred.clone()),
        ];
        for chosen in starts.into_iter().flatten() {
            let mut draft = Self::new(region, classes, chosen);
            if segments.iter().all(|segment| draft.mend(segment)) {
                return draft;
            }
        }
        let mut draft = Self::new(region, classes, preferred);
        draft.render(&(0..region.events.len()));
        draft
    }

    fn new(region: &'r Region, classes: Classes, chosen: Vec<usize>) -> Self {
        Self {
            region,
            classes,
            chosen,
            encoded: vec![(false, false); region.events.len()],
        }
    }

    pub(super) fn sequence(&self, attention: usize) -> &'static str {
        let choice = self.chosen.get(attention).copied().unwrap_or(0);
        let attention = self.region.attention.get(attention);
        attention
            .and_then(|attention| attention.sequences.get(choice).copied())
            .unwrap_or_default()
    }

    pub(super) fn marker(&self, attention: usize) -> Option<char> {
        self.sequence(attention).chars().next()
    }

    pub(super) fn encoded(&self, event: usize) -> (bool, bool) {
        self.encoded.get(event).copied().unwrap_or_default()
    }

    /// Fixes each [`Mistake`] in a segment in turn. Returns true if none is left.
    fn mend(&mut self, segment: &Range<usize>) -> bool {
        let mut steps = (SEARCH + SEARCH_PER_EVENT * segment.len()) / segment.len().max(1);
        let mut mistake = self.first_mistake(segment);
        while let Some(found) = mistake {
            match self.improve(segment, &found, &mut steps) {
                Some(next) => mistake = next,
                None => return false,
            }
        }
        true
    }

    /// Uses the first other sequence that moves the first [`Mistake`] further on, or fixes it.
    /// Returns the first one that is left then.
    fn improve(
        &mut self,
        segment: &Range<usize>,
        mistake: &Mistake,
        steps: &mut usize,
    ) -> Option<Option<Mistake>> {
        for &attention in &mistake.attention {
            let current = self.chosen.get(attention).copied()?;
            let sequences = self.region.attention.get(attention)?.sequences.len();
            for other in (0..sequences).filter(|other| *other != current) {
                *steps = steps.checked_sub(1)?;
                self.choose(attention, other);
                let next = self.first_mistake(segment);
                if next.as_ref().is_none_or(|next| next.event > mistake.event) {
                    return Some(next);
                }
            }
            self.choose(attention, current);
        }
        None
    }

    fn choose(&mut self, attention: usize, choice: usize) {
        if let Some(chosen) = self.chosen.get_mut(attention) {
            *chosen = choice;
        }
    }

    fn first_mistake(&mut self, segment: &Range<usize>) -> Option<Mistake> {
        self.render(segment);
        Pairs::of(self, segment).first_mistake()
    }

    /// Computes the characters to encode for the sequences of a segment.
    fn render(&mut self, segment: &Range<usize>) {
        if let Some(text_before) = segment.start.checked_sub(1) {
            self.encode_last(text_before, false);
        }
        for event in segment.clone() {
            self.encode_first(event, false);
            self.encode_last(event, false);
        }
        self.encode_first(segment.end, false);

        for close in segment.clone() {
            if let Some(Event::Close(attention)) = self.region.events.get(close) {
                self.render_attention(*attention, close);
            }
        }
    }

    /// Encodes the characters next to attention. Everything before its end must be rendered.
    fn render_attention(&mut self, attention: usize, close: usize) {
        let Some(open) = self
            .region
            .attention
            .get(attention)
            .map(|attention| attention.open)
        else {
            return;
        };
        let marker = self.marker(attention);
        let before = self.last_before(open);
        let after = match self.region.events.get(close + 1) {
            None => self.region.after,
            Some(Event::Text { start, end, .. }) => self.region.ends(*start, *end).0,
            Some(Event::Open(other) | Event::Close(other)) => self.marker(*other),
        };

        let opening = self.sides(before, self.first_after(open + 1), marker);
        self.encode_first(open + 1, opening.inside);
        let closing = self.sides(after, self.last_before(close), marker);
        if closing.inside {
            self.encode_last(close - 1, true);
        }
        if opening.outside && !before.is_some_and(is_eol) && open > 0 {
            self.encode_last(open - 1, true);
        }
        self.encode_first(close + 1, closing.outside);
    }

    /// The sides of a sequence that prevent it from opening or closing. Only letters and white
    /// space can be encoded, because constructs consist of punctuation.
    fn sides(&self, outside: Option<char>, inside: Option<char>, marker: Option<char>) -> Sides {
        let outside = self.classes.kind(outside);
        let inside = self.classes.kind(inside);
        let encode = |outside, inside| Sides { outside, inside };
        match (outside, inside) {
            (Kind::Letter, Kind::Letter) => encode(marker == Some('_'), marker == Some('_')),
            (Kind::Letter | Kind::Whitespace, Kind::Whitespace) => encode(true, true),
            (Kind::Letter, Kind::Punctuation) => encode(true, false),
            (Kind::Punctuation, Kind::Whitespace) => encode(false, true),
            (Kind::Whitespace | Kind::Punctuation, _) => encode(false, false),
        }
    }

    fn encode_first(&mut self, event: usize, is_encoded: bool) {
        if let Some(encoded) = self.encoded.get_mut(event) {
            encoded.0 = is_encoded;
        }
    }

    fn encode_last(&mut self, event: usize, is_encoded: bool) {
        if let Some(encoded) = self.encoded.get_mut(event) {
            encoded.1 = is_encoded;
        }
    }

    /// The rendered character before an event.
    pub(super) fn last_before(&self, event: usize) -> Option<char> {
        let Some(event) = event.checked_sub(1) else {
            return self.region.before;
        };
        match self.region.events.get(event)? {
            Event::Text { start, end, .. } => {
                let (_, last, is_single) = self.region.ends(*start, *end);
                let (first_encoded, last_encoded) = self.encoded(event);
                if last_encoded || is_single && first_encoded {
                    Some(';')
                } else {
                    last
                }
            }
            Event::Open(attention) | Event::Close(attention) => self.marker(*attention),
        }
    }

    /// The rendered first character of an event.
    pub(super) fn first_after(&self, event: usize) -> Option<char> {
        match self.region.events.get(event) {
            None => self.region.after,
            Some(Event::Text { start, end, .. }) => {
                let (first, _, is_single) = self.region.ends(*start, *end);
                let (first_encoded, last_encoded) = self.encoded(event);
                if first_encoded || is_single && last_encoded {
                    Some('&')
                } else {
                    first
                }
            }
            Some(Event::Open(attention) | Event::Close(attention)) => self.marker(*attention),
        }
    }
}

/// The characters next to a sequence that must be encoded.
struct Sides {
    outside: bool,
    inside: bool,
}

/// The independent parts of a region: those between texts of more than one character outside of all
/// attention. If all sequences before such a text pair as intended, none pairs across it, and the
/// encoding of one of its ends has no effect on the other.
fn segments(region: &Region) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    for (index, event) in region.events.iter().enumerate() {
        match event {
            Event::Open(_) => depth += 1,
            Event::Close(_) => depth = depth.saturating_sub(1),
            Event::Text {
                start: from, end, ..
            } => {
                if depth == 0 && !region.ends(*from, *end).2 {
                    segments.push(start..index);
                    start = index + 1;
                }
            }
        }
    }
    segments.push(start..region.events.len());
    segments.retain(|segment| !segment.is_empty());
    segments
}
