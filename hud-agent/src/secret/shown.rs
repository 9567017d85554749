//! Texts as they are shown: without what nobody sees, and where each part of that was in the text.

use hud_components::text::visible;

/// A text without some of its characters.
pub(super) struct View {
    pub(super) text: String,
    /// Where what is left goes on: the place here, and the place in the whole text.
    places: Vec<(usize, usize)>,
}

/// How long an escape sequence with a text in it is at most, in bytes.
const LONGEST_SEQUENCE: usize = 4096;

/// The views of a text in which a secret may be whole that is none in the text: without invisible characters, as
/// the HUD shows it, and without the escape sequences of a terminal. There are none of most texts.
pub(super) fn views(text: &str) -> Vec<View> {
    let is_usual = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if text.bytes().fold(true, |all, byte| all & is_usual(byte)) || !text.chars().any(is_unseen) {
        return Vec::new();
    }
    let mut views = vec![View::of(text, false)];
    if text.contains(['\u{1B}', '\u{9B}', '\u{9D}']) {
        views.push(View::of(text, true));
    }
    views
}

/// Whether nobody sees a character between two letters of a key.
fn is_unseen(character: char) -> bool {
    match character {
        ' '..='~' | '\t' | '\n' | '\r' => false,
        _ => visible(character.encode_utf8(&mut [0; 4])).is_empty(),
    }
}

impl View {
    fn of(text: &str, without_sequences: bool) -> Self {
        let mut view = Self {
            text: String::with_capacity(text.len()),
            places: vec![(0, 0)],
        };
        let mut at = 0;
        while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let unseen = match is_unseen(character) {
                false => 0,
                true if without_sequences => sequence(&text[at..], character),
                true => character.len_utf8(),
            };
            if unseen == 0 {
                view.text.push(character);
                at += character.len_utf8();
                continue;
            }
            at += unseen;
            match view.places.last_mut() {
                Some(last) if last.0 == view.text.len() => last.1 = at,
                _ => view.places.push((view.text.len(), at)),
            }
        }
        view
    }

    /// A part of the view as a part of the text, with what is unseen within it.
    pub(super) fn part(&self, (begin, end): (usize, usize)) -> (usize, usize) {
        let in_text = |place: usize| {
            let known = self.places.partition_point(|(here, _)| *here <= place);
            let (here, there) = self.places[known.saturating_sub(1)];
            there + (place - here)
        };
        // What is unseen behind the part is none of it.
        (in_text(begin), in_text(end.saturating_sub(1)) + 1)
    }
}

/// How many bytes an escape sequence of a terminal has that begins with a control character: all that the
/// terminal does not show of it.
fn sequence(rest: &str, control: char) -> usize {
    let bytes = rest.as_bytes();
    let first = control.len_utf8();
    let run = |from: usize, is: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is(**byte)).count()
    };
    let (kind, body) = match (control, bytes.get(first)) {
        ('\u{9B}', _) => (b'[', first),
        ('\u{9D}', _) => (b']', first),
        ('\u{1B}', Some(kind @ 0x20..=0x7E)) => (*kind, first + 1),
        _ => return first,
    };
    match kind {
        b'[' => {
            let last = run(run(body, |b| matches!(b, 0x30..=0x3F)), |b| {
                matches!(b, 0x20..=0x2F)
            });
            match bytes.get(last) {
                Some(0x40..=0x7E) => last + 1,
                _ => last,
            }
        }
        // A title, a link: up to the bell or the terminator, of which a line has the end at least.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = run(body, |b| !matches!(b, 0x07 | 0x1B | b'\n'));
            match bytes.get(end..) {
                _ if end - body > LONGEST_SEQUENCE => body,
                Some([0x07, ..]) => end + 1,
                Some([0x1B, b'\\', ..]) => end + 2,
                _ => body,
            }
        }
        0x20..=0x2F => {
            let last = run(body, |b| matches!(b, 0x20..=0x2F));
            match bytes.get(last) {
                Some(0x30..=0x7E) => last + 1,
                _ => last,
            }
        }
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unseen_is_left_out_and_a_part_covers_it() {
        for (text, shown, covered) in [
            ("a k\u{200B}ey.", "a key.", "k\u{200B}ey"),
            ("a k\u{1B}[1;31mey\u{1B}[0m.", "a key.", "k\u{1B}[1;31mey"),
            (
                "a k\u{1B}]8;;http://x\u{7}ey.",
                "a key.",
                "k\u{1B}]8;;http://x\u{7}ey",
            ),
            ("a k\u{1B}(Bey.", "a key.", "k\u{1B}(Bey"),
            ("a k\u{9B}1mey.", "a key.", "k\u{9B}1mey"),
            (
                "\u{202E}é k\u{8}\u{AD}ey\u{2066}.",
                "é key.",
                "k\u{8}\u{AD}ey",
            ),
        ] {
            let views = views(text);
            let view = views.last().map(|view| view.text.as_str());
            assert_eq!(view, Some(shown), "{text:?}");
            let begin = shown.find("key").unwrap_or_default();
            let (begin, end) = views[views.len() - 1].part((begin, begin + 3));
            assert_eq!(&text[begin..end], covered);
        }
    }

    #[test]
    fn texts_of_what_is_seen_have_no_views() {
        for text in ["plain\ttext\r\n", "naïve 日本 ✓ العربية e\u{301}"] {
            assert!(views(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_sequence_that_does_not_end_hides_nothing() {
        let views = views("\u{1B}]0;a key\nmore \u{1B}[12");
        assert_eq!(views[1].text, "0;a key\nmore ");
    }
}
