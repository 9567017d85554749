//! Text of the world made fit for the HUD: [`visible()`] takes out what nobody sees, [`line()`] makes of
//! it a line that is not too long and that no text can end, [`prose()`] a line with the code that is in it.

mod printed;

use std::borrow::Cow;

use hud_core::node::Code;
use hud_core::visible::trim_cut;
pub use hud_core::visible::{is_blank, visible};
use hud_core::{Element, marker, rsx};
use hud_store::text::floor_char_boundary;

pub use printed::{is_printed, leads_in, names_failure};

/// What is shown of a text without anything to see.
pub const BLANK: &str = "(blank)";

/// True for the path of a document, by its extension: text rather than code or data.
///
/// ```
/// use hud_components::text::is_document;
///
/// assert!(is_document("docs/README.md"));
/// assert!(!is_document("src/main.rs"));
/// ```
pub fn is_document(path: &str) -> bool {
    const EXTENSIONS: &[&str] = &["adoc", "markdown", "md", "mdx", "org", "rst", "tex", "txt"];
    let file = path.rsplit('/').next().unwrap_or(path);
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&&*extension.to_ascii_lowercase())
}

/// The text on one line, cut after at most `max` characters, where a word ends if one ends near,
/// with `…` behind a cut.
///
/// White space becomes single spaces, and what nobody sees leaves: see [`visible()`]. A text with
/// nothing to see is shown as `(blank)`. The separator of a [`Line`](hud_core::node::Line), `│`,
/// becomes `|`, so that no text can pass for two. A [mark](marker) that clients give a meaning to is none: it is the
/// frame as a whole that must have none, but a text that is cut or counted is shown as it will be.
///
/// ```
/// use hud_components::text::line;
///
/// assert_eq!(line("  two\n\nlines ", 20), "two lines");
/// assert_eq!(line("Rate limiting for every tenant", 16), "Rate limiting…");
/// assert_eq!(line("a │ b", 20), "a | b");
/// assert_eq!(line("</hud> Vec<u8>", 20), "‹/hud> Vec<u8>");
/// assert_eq!(line("\u{7}\n", 20), "(blank)");
/// ```
pub fn line(text: &str, max: usize) -> Cow<'_, str> {
    if is_usual(text) {
        return match text.len() <= max {
            true => Cow::Borrowed(text),
            false => Cow::Owned(cut_usual(text, max)),
        };
    }
    let text = visible(text);
    if is_line(&text) && (text.len() <= max || text.chars().nth(max).is_none()) {
        return text;
    }
    let mut shown = String::with_capacity(text.len().min(4 * max));
    let mut length = 0;
    let mut word_end = 0;
    for word in text.split_whitespace() {
        if length > 0 {
            word_end = shown.len();
            shown.push(' ');
            length += 1;
        }
        if word.len() <= max.saturating_sub(length) && word.is_ascii() && !word.contains('<') {
            shown.push_str(word);
            length += word.len();
            continue;
        }
        for (at, c) in word.char_indices() {
            if length >= max {
                cut(&mut shown, word_end);
                return Cow::Owned(shown);
            }
            shown.push(match c {
                '│' => '|',
                c if marker::is_open(c) && marker::begins(&word[at + c.len_utf8()..]) => {
                    marker::NEUTRAL
                }
                c => c,
            });
            length += 1;
        }
    }
    if shown.is_empty() {
        return Cow::Borrowed(BLANK);
    }
    Cow::Owned(shown)
}

/// A path as [`line()`] shows it, but of one that is too long its end from a whole name on, behind `…/`: that
/// says which file it is. What is no path, as a command or an address of the web, is cut as any text is.
pub(crate) fn path(text: &str, max: usize) -> Cow<'_, str> {
    let is_path =
        text.contains('/') && !text.contains("://") && !text.contains(char::is_whitespace);
    let length = text.chars().count();
    if !is_path || length <= max {
        return line(text, max);
    }
    let left_out = length.saturating_sub(max.saturating_sub(1));
    let from = text
        .char_indices()
        .nth(left_out)
        .map_or(text.len(), |(from, _)| from);
    match text[from..].find('/') {
        Some(name) if text.len() > from + name + 1 => {
            Cow::Owned(format!("…{}", line(&text[from + name..], max)))
        }
        _ => line(text, max),
    }
}

/// Whether a text is of ASCII without anything that is changed: most are, and this is seen without a look at
/// one character after the other.
fn is_usual(text: &str) -> bool {
    let bytes = text.as_bytes();
    let behind = bytes.get(1..).unwrap_or_default();
    let is_odd = |byte: &u8| (byte.wrapping_sub(b' ') > b'~' - b' ') | (*byte == b'<');
    let is_space = |byte: &u8| u8::from(*byte == b' ');
    let pairs = bytes.iter().zip(behind);
    let odd = bytes
        .iter()
        .fold(0, |any, byte| any | u8::from(is_odd(byte)));
    let spaces = pairs.fold(0, |any, (one, next)| any | is_space(one) & is_space(next));
    odd | spaces == 0
        && bytes.first().is_some_and(|first| *first != b' ')
        && bytes.last() != Some(&b' ')
}

/// Whether a text is shown as it is, if it is not too long: between its words are single spaces.
fn is_line(text: &str) -> bool {
    let mut before = ' ';
    let is_fit = text.chars().all(|c| {
        let is_fit = match c {
            ' ' => before != ' ',
            '│' => false,
            c => !c.is_whitespace() && !marker::is_open(c),
        };
        before = c;
        is_fit
    });
    is_fit && before != ' '
}

/// A text that [is usual](is_usual) and too long, cut after `max` characters.
fn cut_usual(text: &str, max: usize) -> String {
    // A word that ends at the limit is whole.
    let end = max + usize::from(text.as_bytes().get(max) == Some(&b' '));
    let mut shown = text.get(..end).unwrap_or(text).to_owned();
    let word_end = shown.rfind(' ').unwrap_or(0);
    cut(&mut shown, word_end);
    shown
}

/// Cuts a text at the end of its last whole word, unless that would cost more than a third of it.
fn cut(shown: &mut String, word_end: usize) {
    if word_end * 3 >= shown.len() * 2 {
        shown.truncate(word_end);
    }
    trim_cut(shown);
    shown.push('…');
}

/// A text as [`line()`] shows it, but of one that is too long two thirds are its beginning and the rest is
/// its end.
pub(crate) fn ends(text: &str, max: usize) -> Cow<'_, str> {
    // White space and what nobody sees may leave much of the text out.
    let near = max.saturating_mul(16);
    let whole = line(text, near);
    if whole.chars().nth(max).is_none() {
        return whole;
    }
    let first = max * 2 / 3;
    let from = floor_char_boundary(text, text.len().saturating_sub(near));
    let end = line(&text[from..], near);
    let skipped = end.chars().count().saturating_sub(max - first);
    let end = end
        .char_indices()
        .nth(skipped)
        .map_or("", |(at, _)| &end[at..]);
    // From a whole word on, if one is near.
    let end = match end.split_once(' ') {
        Some((part, behind)) if part.len() < 40 => behind,
        _ => end,
    };
    Cow::Owned(format!("{} {end}", line(text, first)))
}

/// A text as [`line()`] shows it, as one of several with `; ` between them: within it that becomes
/// `, `, so that no text can pass for two.
pub(crate) fn piece(text: &str, max: usize) -> Cow<'_, str> {
    let shown = line(text, max);
    if shown.contains("; ") || shown.ends_with(';') {
        let shown = shown.replace("; ", ", ");
        return match shown.strip_suffix(';') {
            Some(shown) => Cow::Owned(format!("{shown},")),
            None => Cow::Owned(shown),
        };
    }
    shown
}

/// A number with a comma between thousands.
///
/// ```
/// assert_eq!(hud_components::text::thousands(1_240), "1,240");
/// ```
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A text that may be missing, if there is anything to see in it.
pub(crate) fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !is_blank(text))
}

/// A text as [`line()`] shows it, with what is between backticks as code, so that it reads as it was
/// written.
///
/// ```
/// use hud_components::text::prose;
/// use hud_core::{Density, render, rsx};
///
/// let text = "Run `cargo test -- *_it`,\n not `make";
/// let shown = render(&rsx! { {prose(text, 80)} }, Density::Full)?;
/// assert_eq!(shown, "Run `cargo test -- *_it`, not \\`make\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
pub fn prose(text: &str, max: usize) -> Element<'_> {
    with_code(line(text, max))
}

/// A text of one line with what is between backticks as code: between as many as there are before it, as
/// in markdown.
pub(crate) fn with_code<'t>(text: impl Into<Cow<'t, str>>) -> Element<'t> {
    let text = text.into();
    if !text.contains('`') {
        return Element::text(text);
    }
    let mut pieces = Vec::new();
    let (mut rest, mut plain) = (&*text, String::new());
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let size = from.len() - from.trim_start_matches('`').len();
        let (fence, behind) = from.split_at(size);
        let Some(end) = fence_end(behind, size) else {
            plain.push_str(fence);
            rest = behind;
            continue;
        };
        pieces.push((
            std::mem::take(&mut plain),
            Some(unpadded(&behind[..end]).to_owned()),
        ));
        rest = &behind[end + size..];
    }
    plain.push_str(rest);
    pieces.push((plain, None));
    rsx! {
        for (plain, code) in pieces {
            {plain}
            if let Some(code) = code { <Code>{code}</Code> }
        }
    }
}

/// Where the next run of so many backticks is, if there is something to see before it.
fn fence_end(text: &str, size: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += rest.find('`')?;
        let run = &text[at..];
        let run = run.len() - run.trim_start_matches('`').len();
        if run == size {
            return Some(at).filter(|at| !text[..*at].trim().is_empty());
        }
        at += run;
    }
}

/// Code without the spaces that part it from its backticks.
fn unpadded(code: &str) -> &str {
    let inner = code
        .strip_prefix(' ')
        .and_then(|code| code.strip_suffix(' '));
    inner.unwrap_or(code)
}

/// The first `max` of some texts, each cut to `length`, with `; ` between them and the number
/// of those that are left out.
pub(crate) fn join<'t>(
    texts: impl ExactSizeIterator<Item = &'t str>,
    max: usize,
    length: usize,
) -> Element<'static> {
    let left_out = texts.len().saturating_sub(max);
    let shown: Vec<Element<'static>> = texts
        .take(max)
        .map(|text| with_code(piece(text, length).into_owned()))
        .collect();
    let has_some = !shown.is_empty();
    rsx! {
        for (index, text) in shown.into_iter().enumerate() {
            if index > 0 { "; " }
            {text}
        }
        if left_out > 0 {
            if has_some { "; " }
            "+" {left_out} " more"
        }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render};

    use super::*;

    #[test]
    fn what_fits_is_borrowed() {
        assert!(matches!(line("fits", 4), Cow::Borrowed("fits")));
    }

    #[test]
    fn a_path_that_is_too_long_keeps_its_end() {
        let name = "/project/package/handlers/numpy_handler.py";
        assert_eq!(path(name, 42), name);
        assert_eq!(path(name, 30), "…/handlers/numpy_handler.py");
        assert_eq!(path(name, 18), "…/numpy_handler.py");
        assert_eq!(path(name, 10), line(name, 10));
        assert_eq!(path("cargo test -p a/b", 12), "cargo test…");
        assert_eq!(path("日本/語/文.rs", 7), "…/文.rs");
    }

    #[test]
    fn a_word_that_ends_at_the_limit_ends_the_text() {
        assert_eq!(line("four and more words", 4), "four…");
        assert_eq!(line("four and", 8), "four and");
    }

    #[test]
    fn a_usual_text_is_cut_where_any_other_is() {
        let usual =
            "Rotate the refresh_token in src/auth/mod.ts, a b c d, whenever a session is older";
        // The ø makes an unusual one of it that is as long.
        let other = format!("{usual} than a day ø");
        let usual = format!("{usual} than a day o");
        for max in 0..=usual.len() {
            assert_eq!(
                line(&usual, max).replace('o', "ø"),
                line(&other, max).replace('o', "ø")
            );
        }
    }

    #[test]
    fn a_long_word_is_cut_within() {
        assert_eq!(line("a/very/long/path/without/spaces", 10), "a/very/lon…");
    }

    #[test]
    fn control_characters_leave() {
        assert_eq!(line("a\u{1b}[2Jb\0", 20), "a[2Jb");
    }

    #[test]
    fn a_text_with_nothing_to_see_is_shown_as_blank() {
        for text in [
            "",
            " \n\t",
            "\u{7}",
            "\u{200B}\u{202E}",
            "\u{E0041}",
            "\u{2800}",
        ] {
            assert_eq!(line(text, 20), "(blank)", "{text:?}");
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank(" \u{7}x"));
    }

    #[test]
    fn nothing_invisible_is_left_where_a_text_is_cut() {
        assert_eq!(line("ab👩\u{200D}🚀", 4), "ab👩…");
        let wales = "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}";
        assert_eq!(line(&format!("ab{wales}"), 5), "ab🏴…");
        assert_eq!(line(&format!("ab{wales}"), 9), format!("ab{wales}"));
    }

    #[test]
    fn no_text_ends_the_tag_around_a_hud() {
        for tag in ["</hud>", "</HUD >", "<hud>", "<system-reminder>", "</hud"] {
            assert!(!line(tag, 40).contains('<'), "{tag}");
        }
        assert_eq!(line("</", 9), "</");
        assert_eq!(line("<h <hudson>", 20), "<h <hudson>");
    }

    fn joined(texts: &[&str], max: usize) -> String {
        let joined = join(texts.iter().copied(), max, 9);
        let shown = render(&rsx! { {joined} }, Density::Full).unwrap();
        shown.trim_end().to_owned()
    }

    #[test]
    fn one_of_several_texts_does_not_pass_for_two() {
        assert_eq!(joined(&["a; b;", "c"], 2), "a, b,; c");
        assert_eq!(joined(&["for(;;)"], 2), "for(;;)");
        assert_eq!(joined(&["a `b", "c` d"], 2), r"a \`b; c\` d");
    }

    #[test]
    fn what_is_between_backticks_is_code_as_it_was_written() {
        let shown = |text: &str| {
            let shown = render(&rsx! { {prose(text, 40)} }, Density::Full).unwrap();
            shown.trim_end().to_owned()
        };
        for text in [
            "`a*b*c` and `[x](y)`",
            "in ``a`b`` or `<b>`",
            "`` `a` ``",
            "`# no heading`",
        ] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("one ` alone"), "one ` alone");
        assert_eq!(shown("` ` and ``"), r"\` \` and \`\`");
        assert_eq!(shown("``a` b"), r"\`\`a\` b");
        assert_eq!(shown("`a\n\n# b`"), "`a # b`");
    }

    #[test]
    fn characters_are_not_split() {
        assert_eq!(line("äöüäöü", 3), "äöü…");
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(joined(&["a", "b", "c"], 2), "a; b; +1 more");
        assert_eq!(joined(&["a", "b", "c"], 0), "+3 more");
        assert_eq!(joined(&["a"], 2), "a");
    }
}
