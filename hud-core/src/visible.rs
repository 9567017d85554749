//! Text without invisible characters: the classes of such characters, and their replacements.
//!
//! Markdown and graphs contain none of these characters, so a layout need not remove them.
//! [Data](crate::data) keeps them, as it is exact and read by programs.

use std::borrow::Cow;

use unicode_properties::UnicodeEmoji;

/// The class of a character, which decides whether it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Kept.
    Plain,
    /// Removed.
    Invisible,
    /// Looks blank. Replaced with a space.
    Blank,
    /// Has no agreed meaning. Replaced with U+FFFD.
    Opaque,
    /// Joins or separates letters. Kept within emoji and within words of scripts that need it.
    Joiner,
    /// Selects the style of the emoji before it. Kept after an emoji.
    EmojiSelector,
    /// Shapes a Mongolian letter. Kept within a Mongolian word.
    MongolianSelector,
}

fn class(character: char) -> Class {
    match character {
        ' '..='~' | '\t' | '\n' | '\r' => Class::Plain,
        '\u{200C}' | '\u{200D}' => Class::Joiner,
        '\u{FE0E}' | '\u{FE0F}' => Class::EmojiSelector,
        '\u{180B}'..='\u{180F}' => Class::MongolianSelector,
        '\u{2800}' => Class::Blank,
        // Characters that Unicode lets a program ignore (Default_Ignorable_Code_Point): the soft
        // hyphen, the grapheme joiner, marks, embeddings, overrides and isolates of direction,
        // Hangul fillers, unwritten Khmer vowels, zero-width spaces, invisible operators,
        // deprecated controls, the other variation selectors, controls of shorthand and musical
        // notation, and the plane of tags.
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => Class::Invisible,
        // Interlinear annotations.
        '\u{FFF9}'..='\u{FFFB}' => Class::Invisible,
        // Private use.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => Class::Opaque,
        // Noncharacters.
        '\u{FDD0}'..='\u{FDEF}' => Class::Opaque,
        _ if u32::from(character) & 0xFFFE == 0xFFFE => Class::Opaque,
        // Controls that count as white space. A terminal would show them as a new line.
        '\u{85}' | '\u{2028}' | '\u{2029}' => Class::Blank,
        _ if character.is_control() => Class::Invisible,
        _ => Class::Plain,
    }
}

/// The text without invisible characters. The log keeps the original text.
///
/// Invisible characters can hide instructions to a model from a person who looks at the text. By
/// class:
///
/// | class | characters | replacement |
/// | --- | --- | --- |
/// | controls | U+0000 to U+001F except tab and line endings, U+007F to U+009F | removed |
/// | line and paragraph separators | U+0085, U+2028, U+2029 | a space |
/// | controls of direction | U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 | removed: the text is read in the order in which it is stored |
/// | zero-width and soft | U+00AD, U+034F, U+200B, U+2060 to U+2065, U+206A to U+206F, U+FEFF | removed |
/// | joiners | U+200C, U+200D | one is kept between two letters of a script that joins or stacks its letters (Arabic to Adlam, the scripts of India and South-East Asia, Mongolian), and U+200D between two emoji; others are removed |
/// | emoji's variation selectors | U+FE0E, U+FE0F | one is kept after an emoji, and after `0` to `9`, `#` and `*` before U+20E3; others are removed |
/// | other variation selectors | U+FE00 to U+FE0D, U+E0100 to U+E01EF | removed: the character is the same without |
/// | Mongolian selectors, vowel separator | U+180B to U+180F | one is kept between two Mongolian letters or at the end of a word; others are removed |
/// | tags | U+E0000 to U+E007F | kept in the flags of England, Scotland and Wales; others are removed |
/// | fillers | U+115F, U+1160, U+17B4, U+17B5, U+3164, U+FFA0 | removed |
/// | interlinear annotations | U+FFF9 to U+FFFB | removed; the annotation text stays |
/// | other default-ignorables | U+FFF0 to U+FFF8, U+1BCA0 to U+1BCA3, U+1D173 to U+1D17A, the rest of U+E0000 to U+E0FFF | removed |
/// | Braille without dots | U+2800 | a space |
/// | private use | U+E000 to U+F8FF, planes 15 and 16 | U+FFFD each |
/// | noncharacters | U+FDD0 to U+FDEF, the last two of each plane | U+FFFD each |
///
/// ```
/// use hud_core::visible::visible;
///
/// assert_eq!(visible("pay\u{202E}load\u{E0041}\u{200B}"), "payload");
/// assert_eq!(visible("می\u{200C}خواهم 👩\u{200D}🚀"), "می\u{200C}خواهم 👩\u{200D}🚀");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_usual = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    // Folding over all bytes is faster than stopping at the first match.
    if text.bytes().fold(true, |all, byte| all & is_usual(byte)) {
        return Cow::Borrowed(text);
    }
    let Some(first) = text.find(|c| class(c) != Class::Plain) else {
        return Cow::Borrowed(text);
    };
    let mut shown = String::with_capacity(text.len());
    shown.push_str(&text[..first]);
    let mut rest = &text[first..];
    loop {
        let usual = rest.bytes().take_while(|byte| is_usual(*byte)).count();
        shown.push_str(&rest[..usual]);
        rest = &rest[usual..];
        let Some(character) = rest.chars().next() else {
            break;
        };
        if let Some(tags) = flag(&shown, rest) {
            shown.push_str(tags);
            rest = &rest[tags.len()..];
            continue;
        }
        let behind = &rest[character.len_utf8()..];
        let next = behind.chars().next();
        match class(character) {
            Class::Plain => shown.push(character),
            Class::Invisible => {}
            Class::Blank => shown.push(' '),
            Class::Opaque => shown.push(char::REPLACEMENT_CHARACTER),
            Class::Joiner if joins(&shown, character, next) => shown.push(character),
            Class::EmojiSelector if selects(&shown, next) => shown.push(character),
            Class::MongolianSelector if shapes(&shown, character, next) => shown.push(character),
            Class::Joiner | Class::EmojiSelector | Class::MongolianSelector => {}
        }
        rest = behind;
    }
    Cow::Owned(shown)
}

/// Makes a text [visible()].
pub(crate) fn show(text: &mut String) {
    if let Cow::Owned(shown) = visible(text) {
        *text = shown;
    }
}

/// True if a text has no visible characters.
pub fn is_blank(text: &str) -> bool {
    visible(text).trim().is_empty()
}

/// Removes trailing blanks from a cut text, and the characters that depended on a following one.
#[doc(hidden)]
pub fn trim_cut(shown: &mut String) {
    let end = shown.trim_end_matches(|c: char| {
        c.is_whitespace() || !matches!(class(c), Class::Plain | Class::EmojiSelector)
    });
    shown.truncate(end.len());
}

/// True if a joiner has an effect between the text so far and the next character.
fn joins(shown: &str, joiner: char, next: Option<char>) -> bool {
    let (Some(before), Some(next)) = (shown.chars().next_back(), next) else {
        return false;
    };
    let is_within_word = joins_letters(before) && joins_letters(next);
    let base = shown.trim_end_matches(|c| c == '\u{FE0F}' || is_skin_tone(c));
    let is_within_emoji = joiner == '\u{200D}'
        && base.chars().next_back().is_some_and(is_pictograph)
        && is_pictograph(next)
        && !is_skin_tone(next);
    is_within_word || is_within_emoji
}

/// True if a letter or mark belongs to a script in which joiners change the look of a word. Unicode
/// blocks are stable.
fn joins_letters(character: char) -> bool {
    let is_of_block = matches!(character,
        // Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic.
        '\u{600}'..='\u{8FF}'
        // Devanagari to Sinhala.
        | '\u{900}'..='\u{DFF}'
        // Tibetan, Myanmar; Khmer, Mongolian; Limbu to Vedic.
        | '\u{F00}'..='\u{109F}'
        | '\u{1780}'..='\u{18AF}'
        | '\u{1900}'..='\u{1CFF}'
        // Syloti Nagri to Meetei Mayek.
        | '\u{A800}'..='\u{ABFF}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        // Kharoshthi to Chorasmian; Brahmi to Tamil; Adlam.
        | '\u{10A00}'..='\u{10FFF}'
        | '\u{11000}'..='\u{11FFF}'
        | '\u{1E900}'..='\u{1E95F}');
    is_of_block && class(character) == Class::Plain
}

fn is_pictograph(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char()
}

fn is_skin_tone(character: char) -> bool {
    matches!(character, '\u{1F3FB}'..='\u{1F3FF}')
}

/// True if the character before a variation selector is an emoji.
fn selects(shown: &str, next: Option<char>) -> bool {
    shown.chars().next_back().is_some_and(|before| {
        before.is_emoji_char() && (!before.is_ascii() || next == Some('\u{20E3}'))
    })
}

/// True if a Mongolian selector has a letter to shape before it. The vowel separator also needs one
/// after it.
fn shapes(shown: &str, selector: char, next: Option<char>) -> bool {
    let is_letter = |c| matches!(c, '\u{1820}'..='\u{18AA}');
    shown.chars().next_back().is_some_and(is_letter)
        && (selector != '\u{180E}' || next.is_some_and(is_letter))
}

/// The tag characters of a country's flag after a black flag emoji.
fn flag(shown: &str, rest: &str) -> Option<&'static str> {
    const COUNTRIES: [&str; 3] = [
        "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
    ];
    let is_of = |tags: &&str| shown.ends_with('\u{1F3F4}') && rest.starts_with(*tags);
    COUNTRIES.into_iter().find(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that characters are removed from the middle of a word.
    #[track_caller]
    fn assert_leave(characters: impl IntoIterator<Item = char>) {
        for character in characters {
            let text = format!("a{character}b");
            assert_eq!(visible(&text), "ab", "U+{:04X}", u32::from(character));
        }
    }

    #[track_caller]
    fn assert_kept(text: &str) {
        assert_eq!(visible(text), text, "{}", text.escape_unicode());
    }

    #[test]
    fn controls_leave_but_for_tabs_and_line_endings() {
        assert_leave(('\0'..='\u{1F}').filter(|c| !matches!(c, '\t' | '\n' | '\r')));
        assert_leave(('\u{7F}'..='\u{9F}').filter(|c| *c != '\u{85}'));
        assert_kept("a\tb\r\nc");
        assert_eq!(visible("a\u{85}b\u{2028}c\u{2029}d"), "a b c d");
    }

    #[test]
    fn controls_of_direction_leave() {
        assert_leave("\u{61C}\u{200E}\u{200F}".chars());
        assert_leave('\u{202A}'..='\u{202E}');
        assert_leave('\u{2066}'..='\u{2069}');
    }

    #[test]
    fn zero_width_and_soft_characters_leave() {
        assert_leave("\u{AD}\u{34F}\u{180E}\u{200B}\u{FEFF}".chars());
        assert_leave('\u{2060}'..='\u{2065}');
        assert_leave('\u{206A}'..='\u{206F}');
    }

    #[test]
    fn joiners_leave_outside_of_words_that_need_them() {
        assert_leave(['\u{200C}', '\u{200D}']);
        for text in [
            "\u{200D}",
            "1\u{200C}2",
            "م\u{200C}a",
            "م\u{200C} م",
            "क\u{200D}",
        ] {
            assert!(
                !visible(text).contains(['\u{200C}', '\u{200D}']),
                "{text:?}"
            );
        }
        assert_eq!(
            visible("م\u{200C}\u{200D}م"),
            "م\u{200D}م",
            "not two of them"
        );
    }

    #[test]
    fn words_keep_the_joiners_that_they_need() {
        // Persian, Urdu, Devanagari, Bengali, Malayalam, Sinhala, Kannada, Khmer.
        for word in [
            "می\u{200C}خواهم",
            "خانه\u{200C}ای",
            "الله\u{200C}دین",
            "क्\u{200D}ष",
            "क्\u{200C}ष",
            "র\u{200D}্যাব",
            "ക്\u{200D}ക",
            "ශ්\u{200D}රී",
            "ರ\u{200D}್ಕ",
            "ក្\u{200D}ក",
        ] {
            assert_kept(word);
        }
    }

    #[test]
    fn emoji_stay_whole() {
        for emoji in [
            "👩\u{200D}🚀",
            "👩🏽\u{200D}🚀",
            "👨\u{200D}👩\u{200D}👧\u{200D}👦",
            "🏳\u{FE0F}\u{200D}🌈",
            "❤\u{FE0F}\u{200D}🔥",
            "🤷🏾\u{200D}♀\u{FE0F}",
            "⚠\u{FE0F}",
            "☎\u{FE0E}",
            "1\u{FE0F}\u{20E3}",
            "🇦🇹",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        ] {
            assert_kept(emoji);
        }
    }

    #[test]
    fn variation_selectors_leave_but_for_one_behind_an_emoji() {
        assert_leave('\u{FE00}'..='\u{FE0F}');
        assert_leave('\u{E0100}'..='\u{E01EF}');
        assert_eq!(visible("葛\u{E0100}"), "葛");
        assert_eq!(visible("1\u{FE0F}2"), "12");
        let bytes: String = "hidden"
            .bytes()
            .map(|byte| char::from_u32(0xE0100 + u32::from(byte)).unwrap())
            .collect();
        assert_eq!(visible(&format!("😀{bytes}")), "😀");
        assert_eq!(visible("😀\u{FE0F}\u{FE0E}\u{FE0F}"), "😀\u{FE0F}");
    }

    #[test]
    fn mongolian_words_keep_their_shapes() {
        assert_kept("ᠬᠠᠨ\u{180E}ᠠ");
        assert_kept("ᠰᠠᠢᠨ\u{180B} ᠤᠤ");
        assert_leave('\u{180B}'..='\u{180F}');
        assert_eq!(visible("ᠨ\u{180B}\u{180C}\u{180D}"), "ᠨ\u{180B}");
        assert_eq!(visible("ᠨ\u{180E}"), "ᠨ");
    }

    #[test]
    fn tags_leave_but_for_the_flags_of_three_countries() {
        assert_leave('\u{E0000}'..='\u{E0FFF}');
        let tags: String = "run rm"
            .bytes()
            .map(|byte| char::from_u32(0xE0000 + u32::from(byte)).unwrap())
            .collect();
        assert_eq!(visible(&format!("a{tags}b")), "ab");
        assert_eq!(visible(&format!("🏴{tags}\u{E007F}")), "🏴");
        let england = "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";
        assert_eq!(visible(&format!("{england}{tags}")), england);
    }

    #[test]
    fn fillers_annotations_and_other_ignorables_leave() {
        assert_leave("\u{115F}\u{1160}\u{17B4}\u{17B5}\u{3164}\u{FFA0}".chars());
        assert_leave('\u{FFF0}'..='\u{FFFB}');
        assert_leave('\u{1BCA0}'..='\u{1BCA3}');
        assert_leave('\u{1D173}'..='\u{1D17A}');
        assert_eq!(visible("\u{FFF9}base\u{FFFA}note\u{FFFB}"), "basenote");
        assert_eq!(visible("a\u{2800}b"), "a b");
    }

    #[test]
    fn private_use_and_noncharacters_are_shown_as_unknown() {
        for character in
            "\u{E000}\u{F8FF}\u{F0000}\u{10FFFD}\u{FDD0}\u{FFFE}\u{FFFF}\u{1FFFE}\u{10FFFF}".chars()
        {
            assert_eq!(visible(&format!("a{character}b")), "a\u{FFFD}b");
        }
    }

    #[test]
    fn what_is_seen_is_borrowed_and_cleaning_twice_is_cleaning_once() {
        assert!(matches!(
            visible("naïve 日本 ✓ العربية עברית e\u{301}"),
            Cow::Borrowed(_)
        ));
        let odd = "م\u{202E}\u{200D}م 😀\u{200D}\u{FE0F}😀 🏴\u{E0067} ᠨ\u{180E}\u{200B}ᠨ";
        let once = visible(odd);
        assert_eq!(visible(&once), once);
    }
}
