//! The changes of a file, as they are after all of them.

use std::borrow::Cow;

use hud_store::state::DIFF_PLACE;

use super::unit::Unit;
use crate::text::visible;

/// The number of lines of a place that are one unit.
const SHORT: usize = 6;

/// The lines that the changes of a file added; of a place that mostly lost lines, and where none was added, also those that
/// were removed and have no new form.
#[derive(Clone, Debug, Default)]
pub(super) struct Diff<'t> {
    places: Vec<Place<'t>>,
}

/// The lines of one place, each after its sign.
#[derive(Clone, Debug, Default)]
struct Place<'t> {
    lines: Vec<&'t str>,
    /// The number of lines that were added here, with those that a later change removed.
    added: usize,
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
                place.added += usize::from(is_added(&line));
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
        let adds = { self.places.iter() }.any(|place| place.lines.iter().any(is_added));
        let mut units = Vec::new();
        for place in self.places {
            let is_shown = |line: &&&str| {
                let is_kept = is_added(line) || !adds || place.has_lost(line);
                is_kept && !is_data(line)
            };
            let lines: Vec<&str> = place.lines.iter().filter(is_shown).copied().collect();
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

fn is_added(line: &&str) -> bool {
    line.starts_with('+')
}

impl Place<'_> {
    /// True if the place mostly lost lines, and a removed one has no new form: no added line with half of its words.
    fn has_lost(&self, removed: &str) -> bool {
        let words = |line: &'_ str| -> Vec<String> {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words = words.filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        let added = self.lines.iter().filter(|line| is_added(line));
        let lost = self.lines.iter().filter(|line| !is_added(line));
        if self.added * 2 > lost.count() {
            return false;
        }
        let own = words(removed);
        let mut forms = added.map(|line| words(line));
        let is_form = |form: Vec<String>| {
            let shared = own.iter().filter(|word| form.contains(word)).count();
            shared * 2 >= own.len()
        };
        !own.is_empty() && !forms.any(is_form)
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
        // A line without its comma is no news, and the one that went is.
        assert_eq!(
            units(&[
                "-  \"strategy\": \"manual\",\n-  \"push\": false\n+  \"strategy\": \"manual\""
            ]),
            ["-  \"push\": false\n+  \"strategy\": \"manual\""]
        );
        assert_eq!(units(&["-limit(1)\n+limit(2)"]), ["+limit(2)"]);
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
