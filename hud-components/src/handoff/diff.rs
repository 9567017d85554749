//! The changes of a file, as they are after all of them.

use std::borrow::Cow;

use hud_store::state::DIFF_PLACE;

use super::unit::Unit;
use crate::text::visible;

/// The number of lines of a place that are one unit.
const SHORT: usize = 6;

/// The lines that the changes of a file added; where they added none, those that they removed.
#[derive(Clone, Debug, Default)]
pub(super) struct Diff<'t> {
    places: Vec<Place<'t>>,
}

/// The lines of one place, each after its sign.
#[derive(Clone, Debug, Default)]
struct Place<'t> {
    lines: Vec<&'t str>,
}

impl<'t> Diff<'t> {
    /// Adds a later change. A line that it removes is not shown as added any more.
    pub(super) fn add(&mut self, diff: &'t str) {
        let mut places = vec![Place::default()];
        for line in diff.lines() {
            if line == DIFF_PLACE {
                places.push(Place::default());
                continue;
            }
            let removed = line.strip_prefix('-');
            if removed.is_some_and(|removed| self.take_back(removed)) {
                continue;
            }
            if let Some(place) = places.last_mut() {
                place.lines.push(line);
            }
        }
        self.places.extend(places);
    }

    /// Drops the last added line of that text; true if there is one.
    fn take_back(&mut self, removed: &str) -> bool {
        for place in self.places.iter_mut().rev() {
            let is_it = |line: &&str| line.strip_prefix('+') == Some(removed);
            if let Some(at) = place.lines.iter().rposition(is_it) {
                place.lines.remove(at);
                return true;
            }
        }
        false
    }

    /// The lines as units: a place is one if it is short.
    pub(super) fn units(self) -> Vec<Unit<'t>> {
        let is_added = |line: &&str| line.starts_with('+');
        let adds = { self.places.iter() }.any(|place| place.lines.iter().any(is_added));
        let mut units = Vec::new();
        for place in self.places {
            let lines =
                { place.lines.iter() }.filter(|line| (!adds || is_added(line)) && !is_data(line));
            let lines: Vec<&str> = lines.copied().collect();
            if lines.is_empty() {
                continue;
            }
            let unit = |text: Cow<'t, str>| Unit {
                text,
                begins: true,
                is_code: false,
            };
            match lines.len() <= SHORT {
                true => units.push(unit(Cow::Owned(visible(&lines.join("\n")).into_owned()))),
                false => units.extend(lines.into_iter().map(|line| unit(visible(line)))),
            }
        }
        units
    }
}
/// True for a line with data in place of a name: `data:image/png;base64,..`.
fn is_data(line: &str) -> bool {
    let mut parts = line.split("data:").skip(1);
    parts.any(|part| {
        let end = part.find(',').unwrap_or(0);
        part.get(..end)
            .is_some_and(|kind| kind.contains('/') && !kind.contains(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(diffs: &[&'static str]) -> Vec<String> {
        let mut all = Diff::default();
        diffs.iter().for_each(|diff| all.add(diff));
        all.units()
            .into_iter()
            .map(|unit| unit.text.into_owned())
            .collect()
    }

    #[test]
    fn a_line_that_a_later_change_removes_is_not_shown() {
        assert_eq!(
            units(&["-a = 1\n+a = 2\n@@\n+b = 1", "-a = 2\n+a = 3"]),
            ["+b = 1", "+a = 3"]
        );
        assert_eq!(units(&["-a = 1"]), ["-a = 1"]);
        assert!(units(&["+a = 1", "-a = 1"]).is_empty());
    }

    #[test]
    fn a_place_of_many_lines_is_divided_and_data_is_left_out() {
        assert_eq!(units(&["+a\n+b\n+c\n+d\n+e\n+f\n+g"]).len(), 7);
        assert_eq!(
            units(&["+<img src=\"data:image/png;base64,AAAA\">\n+a"]),
            ["+a"]
        );
    }
}
