//! The table of characters that could start, end or break a construct, with their places.
//! [`safe`](super::safe) uses it. It is the reference's `unsafe` list, followed by additional
//! patterns.

use super::ascii_set::Set;
use super::character::is_eol as is_line_ending;
use super::constructs::Constructs;
use super::options::SerializeOptions;
use super::safe::Info;

/// The text that has to be right before an unsafe character.
#[derive(Clone, Copy)]
pub(super) enum Before {
    Anything,
    /// A line ending, then tabs and spaces.
    Break,
    /// A line ending, then tabs and spaces, then digits.
    BreakDigits,
    Www,
    OneOf(Set),
}

/// The parsers that a pattern is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Gfm,
    Math,
    Mdx,
    /// Additional patterns, see [`SerializeOptions::strict`].
    Strict,
    /// Additional patterns for MDX.
    StrictMdx,
}

impl Reader {
    fn reads(self, options: &SerializeOptions) -> bool {
        match self {
            Self::Gfm => true,
            Self::Math => options.math,
            Self::Mdx => options.mdx,
            Self::Strict => options.strict,
            Self::StrictMdx => options.strict && options.mdx,
        }
    }
}

/// A pattern: any of `characters`, between `before` and `after`, inside any of the constructs
/// `inside` (everywhere if empty) and none of `outside`.
pub(super) struct Unsafe {
    characters: Set,
    pub(super) before: Before,
    pub(super) after: Option<Set>,
    inside: Constructs,
    outside: Constructs,
    reader: Reader,
}

impl Unsafe {
    const fn new(characters: Set) -> Self {
        Self {
            characters,
            before: Before::Anything,
            after: None,
            inside: Constructs::NONE,
            outside: Constructs::NONE,
            reader: Reader::Gfm,
        }
    }

    const fn each(characters: &str) -> Self {
        Self::new(Set::of(characters))
    }

    /// A pattern at the start of a line.
    const fn at_break(characters: &str) -> Self {
        let mut pattern = Self::each(characters);
        pattern.before = Before::Break;
        pattern
    }

    const fn preceded(mut self, before: Before) -> Self {
        self.before = before;
        self
    }

    const fn followed(mut self, after: Set) -> Self {
        self.after = Some(after);
        self
    }

    const fn inside(mut self, constructs: Constructs) -> Self {
        self.inside = constructs;
        self
    }

    const fn outside(mut self, constructs: Constructs) -> Self {
        self.outside = constructs;
        self
    }

    /// Restricts the pattern to phrasing in which attention, code and links can form.
    const fn in_span(self) -> Self {
        self.inside(Constructs::PHRASING).outside(NO_SPANS)
    }

    const fn read_by(mut self, reader: Reader) -> Self {
        self.reader = reader;
        self
    }

    pub(super) fn has(&self, character: char) -> bool {
        self.characters.contains(Some(character))
    }

    /// True if a line ending before the character is part of the pattern.
    pub(super) fn is_at_break(&self) -> bool {
        matches!(self.before, Before::Break | Before::BreakDigits)
    }

    pub(super) fn is_read(&self, options: &SerializeOptions) -> bool {
        self.reader.reads(options)
    }
}

/// The constructs in phrasing that contain no phrasing themselves.
const NO_SPANS: Constructs = Constructs::AUTOLINK
    .and(Constructs::DESTINATION_LITERAL)
    .and(Constructs::DESTINATION_RAW)
    .and(Constructs::REFERENCE)
    .and(Constructs::TITLE_QUOTE)
    .and(Constructs::TITLE_APOSTROPHE);

/// The constructs in which the reference does not escape literal autolinks.
const NO_LITERAL_AUTOLINKS: Constructs = Constructs::AUTOLINK
    .and(Constructs::IMAGE)
    .and(Constructs::LABEL)
    .and(Constructs::LINK);

const FENCE_LANG: Constructs = Constructs::FENCE_LANG_BACKTICK.and(Constructs::FENCE_LANG_TILDE);
const FENCE_INFO: Constructs = FENCE_LANG.and(FENCE_META);
const FENCE_META: Constructs = Constructs::FENCE_META_BACKTICK.and(Constructs::FENCE_META_TILDE);
const BACKTICK_INFO: Constructs =
    Constructs::FENCE_LANG_BACKTICK.and(Constructs::FENCE_META_BACKTICK);

const EOL: Set = Set::of("\r\n");
const SPACE: Set = Set::of("\t ");
const BLANK: Set = SPACE.and(EOL);
const LETTER: Set = Set::range(b'a', b'z').and(Set::range(b'A', b'Z'));
const DIGIT: Set = Set::range(b'0', b'9');
const WORD: Set = LETTER.and(DIGIT).and(Set::of("_"));
const HTML_START: Set = Set::of("!/?").and(LETTER);

const EMAIL: Unsafe = Unsafe::each("@")
    .preceded(Before::OneOf(WORD.and(Set::of("+-."))))
    .followed(WORD.and(Set::of("-.")));
const WWW: Unsafe = Unsafe::each(".")
    .preceded(Before::OneOf(Set::of("Ww")))
    .followed(WORD.and(Set::of("-.")));
const PROTOCOL: Unsafe = Unsafe::each(":")
    .preceded(Before::OneOf(Set::of("ps")))
    .followed(Set::of("/"));

/// All patterns. The order matters only if two match one character of inline code
/// ([`inline_code`](super::node::inline_code)): the reference's patterns come first.
pub(super) const UNSAFE: &[Unsafe] = &[
    // Whitespace at the edges of lines is dropped.
    Unsafe::each("\t ")
        .followed(EOL)
        .inside(Constructs::PHRASING),
    Unsafe::each("\t ")
        .preceded(Before::OneOf(EOL))
        .inside(Constructs::PHRASING),
    // Whitespace ends the language of fenced code.
    Unsafe::each("\t ").inside(FENCE_LANG),
    // Whitespace around the rest of its info is dropped.
    Unsafe::each("\t ")
        .preceded(Before::OneOf(SPACE))
        .inside(FENCE_META)
        .read_by(Reader::Strict),
    Unsafe::each("\t ")
        .followed(EOL)
        .inside(FENCE_META)
        .read_by(Reader::Strict),
    // Constructs of one line.
    Unsafe::each("\r\n").inside(
        FENCE_INFO
            .and(Constructs::DESTINATION_LITERAL)
            .and(Constructs::HEADING_ATX)
            .and(Constructs::TABLE_CELL),
    ),
    Unsafe::each("\r\n")
        .inside(Constructs::MATH_META)
        .read_by(Reader::Math),
    // A blank line ends the paragraph. A line feed after a carriage return does not make one.
    Unsafe::each("\r")
        .preceded(Before::OneOf(EOL))
        .inside(Constructs::PHRASING),
    Unsafe::each("\r")
        .followed(Set::of("\r"))
        .inside(Constructs::PHRASING),
    Unsafe::each("\n")
        .preceded(Before::OneOf(Set::of("\n")))
        .inside(Constructs::PHRASING),
    Unsafe::each("\n")
        .followed(EOL)
        .inside(Constructs::PHRASING),
    // An image, if a link or reference follows.
    Unsafe::each("!").followed(Set::of("[")).in_span(),
    Unsafe::each("\"").inside(Constructs::TITLE_QUOTE),
    Unsafe::each("'").inside(Constructs::TITLE_APOSTROPHE),
    // An ATX heading, or its closing sequence.
    Unsafe::at_break("#"),
    Unsafe::each("#")
        .followed(EOL.or_end())
        .inside(Constructs::HEADING_ATX),
    // A character reference. Labels are matched by their source, so they may contain one.
    Unsafe::each("&").followed(Set::of("#").and(LETTER)).inside(
        FENCE_INFO
            .and(Constructs::DESTINATION_LITERAL)
            .and(Constructs::DESTINATION_RAW)
            .and(Constructs::PHRASING)
            .and(Constructs::TITLE_QUOTE)
            .and(Constructs::TITLE_APOSTROPHE),
    ),
    Unsafe::each("()").inside(Constructs::DESTINATION_RAW),
    // A destination in angle brackets.
    Unsafe::each("<")
        .preceded(Before::OneOf(Set::of("(")))
        .inside(Constructs::DESTINATION_RAW)
        .read_by(Reader::Strict),
    // A resource.
    Unsafe::each("(")
        .preceded(Before::OneOf(Set::of("]")))
        .in_span(),
    // Ordered list items.
    Unsafe::each(")").preceded(Before::BreakDigits),
    Unsafe::each(".")
        .preceded(Before::BreakDigits)
        .followed(BLANK.or_end()),
    // List items, thematic breaks, setext underlines.
    Unsafe::at_break("*").followed(BLANK.and(Set::of("*"))),
    Unsafe::at_break("+").followed(BLANK),
    Unsafe::at_break("-").followed(BLANK.and(Set::of("-"))),
    Unsafe::at_break("="),
    Unsafe::at_break("_"),
    // Attention and code.
    Unsafe::each("*_`").in_span(),
    Unsafe::each("`").inside(BACKTICK_INFO),
    // Fenced code.
    Unsafe::at_break("`~"),
    // HTML and autolinks.
    Unsafe::at_break("<").followed(HTML_START),
    Unsafe::each("<").followed(HTML_START).in_span(),
    Unsafe::each("<>").inside(Constructs::DESTINATION_LITERAL.and(Constructs::AUTOLINK)),
    // Block quotes.
    Unsafe::at_break(">"),
    // Definitions, references, footnotes, labels.
    Unsafe::at_break("["),
    Unsafe::each("[").in_span(),
    Unsafe::each("[").inside(
        Constructs::LABEL
            .and(Constructs::PHRASING)
            .and(Constructs::REFERENCE),
    ),
    Unsafe::each("]").inside(Constructs::LABEL.and(Constructs::REFERENCE)),
    // A footnote, which some parsers recognize before an image.
    Unsafe::each("^")
        .preceded(Before::OneOf(Set::of("[")))
        .inside(Constructs::LABEL)
        .read_by(Reader::Strict),
    // A hard break. `safe` handles other escapes.
    Unsafe::each("\\")
        .followed(EOL)
        .inside(Constructs::PHRASING),
    // Autolinks support neither escapes nor references, so these characters are percent-encoded.
    Unsafe::new(Set::range(0, b' ').and(Set::of("\u{7F}"))).inside(Constructs::AUTOLINK),
    // GFM literal autolinks: an email address, `www.`, `http://`.
    EMAIL
        .inside(Constructs::PHRASING)
        .outside(NO_LITERAL_AUTOLINKS),
    WWW.inside(Constructs::PHRASING)
        .outside(NO_LITERAL_AUTOLINKS),
    PROTOCOL
        .inside(Constructs::PHRASING)
        .outside(NO_LITERAL_AUTOLINKS),
    // Some parsers also recognize them in links and images, and any text after `www.`.
    EMAIL.in_span().read_by(Reader::Strict),
    WWW.in_span().read_by(Reader::Strict),
    PROTOCOL
        .preceded(Before::OneOf(Set::of("psPS")))
        .in_span()
        .read_by(Reader::Strict),
    Unsafe::each(".")
        .preceded(Before::Www)
        .in_span()
        .read_by(Reader::Strict),
    // GFM strikethrough.
    Unsafe::each("~").in_span(),
    // GFM tables: the delimiter row, with or without outer pipes, and cells.
    Unsafe::at_break("|").followed(Set::of("\t :-")),
    Unsafe::at_break(":").followed(Set::of("-")),
    Unsafe::at_break("-").followed(Set::of(":|-")),
    Unsafe::each("|").inside(Constructs::TABLE_CELL),
    // Math.
    Unsafe::each("$")
        .inside(Constructs::PHRASING)
        .read_by(Reader::Math),
    Unsafe::each("$")
        .inside(Constructs::MATH_META)
        .read_by(Reader::Math),
    Unsafe::at_break("$")
        .followed(Set::of("$"))
        .read_by(Reader::Math),
    // MDX: elements and expressions.
    Unsafe::each("<{")
        .inside(Constructs::PHRASING)
        .read_by(Reader::Mdx),
    Unsafe::at_break("<{").read_by(Reader::Mdx),
    // MDX: imports and exports.
    Unsafe::at_break("i")
        .followed(Set::of("m"))
        .read_by(Reader::StrictMdx),
    Unsafe::at_break("e")
        .followed(Set::of("x"))
        .read_by(Reader::StrictMdx),
];

/// The bit of backslashes among the patterns. A pattern alone cannot decide whether a backslash is
/// unsafe.
const BACKSLASH: u64 = 1 << 63;

/// For each byte of UTF-8, the bits of the patterns with that character. Only ASCII bytes have any.
static TRIGGERS: [u64; 256] = {
    assert!(UNSAFE.len() < 64, "a pattern is a bit of a `u64`");
    let mut triggers = [0; 256];
    triggers[b'\\' as usize] = BACKSLASH;
    let mut index = 0;
    while index < UNSAFE.len() {
        let mut code = 0;
        while code < 128 {
            if UNSAFE[index].characters.has(code as u8) {
                triggers[code] |= 1 << index;
            }
            code += 1;
        }
        index += 1;
    }
    triggers
};

/// A character next to an unsafe one, as an index: an ASCII character, any other character, or
/// none.
#[derive(Clone, Copy)]
pub(super) struct Beside(u8);

impl Beside {
    /// Any character that is not ASCII.
    const OTHER: Self = Self(128);
    const NONE: Self = Self(129);
    const COUNT: usize = 130;

    pub(super) fn of(character: Option<char>) -> Self {
        match character {
            Some(character) => u8::try_from(character).map_or(Self::OTHER, Self::of_byte),
            None => Self::NONE,
        }
    }

    /// The character that a UTF-8 byte belongs to.
    pub(super) const fn of_byte(byte: u8) -> Self {
        if byte.is_ascii() {
            Self(byte)
        } else {
            Self::OTHER
        }
    }

    const fn is_in(self, set: Set) -> bool {
        set.has(self.0) || self.0 == Self::NONE.0 && set.has_end()
    }
}

/// For each character right before an unsafe one, the bits of the patterns that may still match.
/// The text before that character may rule them out.
static BEFORE: [u64; Beside::COUNT] = {
    let mut before = [0; Beside::COUNT];
    let mut index = 0;
    while index < UNSAFE.len() {
        let mut beside = 0;
        while beside < before.len() {
            let set = match UNSAFE[index].before {
                Before::Anything => None,
                Before::Break => Some(BLANK),
                Before::BreakDigits => Some(DIGIT),
                Before::Www => Some(Set::of("Ww")),
                Before::OneOf(set) => Some(set),
            };
            let is_possible = match set {
                Some(set) => set.has(beside as u8),
                None => true,
            };
            before[beside] |= (is_possible as u64) << index;
            beside += 1;
        }
        index += 1;
    }
    before
};

/// For each character right after an unsafe one, the bits of the patterns that match it.
static AFTER: [u64; Beside::COUNT] = {
    let mut after = [0; Beside::COUNT];
    let mut index = 0;
    while index < UNSAFE.len() {
        let mut beside = 0;
        while beside < after.len() {
            let is_wanted = match UNSAFE[index].after {
                Some(set) => Beside(beside as u8).is_in(set),
                None => true,
            };
            after[beside] |= (is_wanted as u64) << index;
            beside += 1;
        }
        index += 1;
    }
    after
};

/// The patterns of tabs and spaces next to a line ending.
const BLANKS_AT_EDGES: u64 = {
    let mut blanks = 0;
    let mut index = 0;
    while index < UNSAFE.len() {
        let pattern = &UNSAFE[index];
        let is_before_eol = matches!(pattern.after, Some(set) if set.is(EOL));
        let is_behind_eol = matches!(pattern.before, Before::OneOf(set) if set.is(EOL));
        if pattern.characters.is(SPACE) && (is_before_eol || is_behind_eol) {
            blanks |= 1 << index;
        }
        index += 1;
    }
    blanks
};

/// The patterns that apply inside some constructs.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    patterns: u64,
}

impl Scope {
    pub(super) fn new(constructs: Constructs, options: &SerializeOptions) -> Self {
        let (mut inside, mut outside) = (EVERYWHERE, 0);
        let mut open = constructs.bits();
        while let Some(bit) = open.checked_ilog2() {
            open &= !(1 << bit);
            inside |= INSIDE.get(bit as usize).copied().unwrap_or(0);
            outside |= OUTSIDE.get(bit as usize).copied().unwrap_or(0);
        }
        let readers = READERS.iter();
        let read = readers.fold(0, |read, (reader, patterns)| match reader.reads(options) {
            true => read | patterns,
            false => read,
        });
        let patterns = inside & !outside & read;
        Self { patterns }
    }

    /// True if a text consists only of letters, digits, spaces and commas, and none of these is
    /// unsafe here.
    pub(super) fn is_plain(self, text: &str, info: Info) -> bool {
        let (chunks, rest) = text.as_bytes().as_chunks();
        let mut last = [b' '; CHUNK];
        last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
        let patterns = self.patterns_for(has_blank_at_end(text.as_bytes(), info));
        patterns & PLAIN == 0 && chunks.iter().chain([&last]).all(is_plain)
    }

    /// The patterns for a text in which a tab or a space may be next to a line ending, or in which
    /// none is.
    fn patterns_for(self, has_blank_at_edge: bool) -> u64 {
        match has_blank_at_edge {
            true => self.patterns,
            false => self.patterns & !BLANKS_AT_EDGES,
        }
    }

    /// Calls `give` for each byte that may match a pattern, with its offset, in order. Returns true
    /// if any byte is a backslash.
    pub(super) fn each_candidate(
        self,
        text: &str,
        info: Info,
        mut give: impl FnMut(usize, u8),
    ) -> bool {
        let bytes = text.as_bytes();
        let least = bytes.iter().copied().fold(u8::MAX, u8::min);
        let patterns = self.patterns_for(least <= b'\r' || has_blank_at_end(bytes, info));
        let of = |byte: u8| TRIGGERS[usize::from(byte)];
        let is_plain_safe = patterns & PLAIN == 0;
        let mut all = 0;
        // Most bytes match no pattern. Checking several at once is faster.
        for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
            if is_plain_safe && <&[u8; CHUNK]>::try_from(chunk).is_ok_and(is_plain) {
                continue;
            }
            let seen = chunk.iter().fold(0, |seen, byte| seen | of(*byte));
            all |= seen;
            if seen & patterns == 0 {
                continue;
            }
            for (at, byte) in chunk.iter().enumerate() {
                if of(*byte) & patterns != 0 {
                    give(index * CHUNK + at, *byte);
                }
            }
        }
        all & BACKSLASH != 0
    }

    fn of(self, byte: u8) -> u64 {
        TRIGGERS[usize::from(byte)] & self.patterns
    }

    /// The patterns for an ASCII character that its adjacent characters do not rule out, with their
    /// indices.
    pub(super) fn patterns_of(
        self,
        character: u8,
        before: Beside,
        after: Beside,
    ) -> impl Iterator<Item = (usize, &'static Unsafe)> {
        let [before, after] = [(&BEFORE, before), (&AFTER, after)]
            .map(|(table, beside)| table.get(usize::from(beside.0)).copied().unwrap_or(0));
        bits(self.of(character) & before & after)
    }

    /// True if line endings are unsafe everywhere, so that no hard break can form.
    pub(super) fn forbids_eol(self) -> bool {
        bits(self.of(b'\n')).any(|(_, pattern)| {
            matches!(pattern.before, Before::Anything) && pattern.after.is_none()
        })
    }
}

/// The number of bytes that are checked at once.
const CHUNK: usize = 16;

/// True if all bytes are letters, digits, spaces and commas, which most text consists of.
fn is_plain(bytes: &[u8; CHUNK]) -> bool {
    // Without branches, so that a few instructions check all bytes.
    let odd = bytes.iter().fold(0, |odd, byte| {
        let is_letter = (byte | b' ').wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        odd | u8::from(!(is_letter | is_digit | (*byte == b' ') | (*byte == b',')))
    });
    odd == 0
}

/// The patterns of letters, digits, spaces and commas.
const PLAIN: u64 = {
    let mut plain = 0;
    let mut index = 0;
    while index < UNSAFE.len() {
        let characters = LETTER.and(DIGIT).and(Set::of(" ,"));
        if UNSAFE[index].characters.meets(characters) {
            plain |= 1 << index;
        }
        index += 1;
    }
    plain
};

/// The patterns that apply inside any construct, and outside of all.
const EVERYWHERE: u64 = {
    let mut everywhere = 0;
    let mut index = 0;
    while index < UNSAFE.len() {
        everywhere |= (UNSAFE[index].inside.is_empty() as u64) << index;
        index += 1;
    }
    everywhere
};

/// For each construct, by its bit, the patterns that apply inside of it.
static INSIDE: [u64; 32] = by_construct(true);

/// For each construct, by its bit, the patterns that do not apply inside of it.
static OUTSIDE: [u64; 32] = by_construct(false);

const fn by_construct(is_inside: bool) -> [u64; 32] {
    let mut patterns = [0; 32];
    let mut index = 0;
    while index < UNSAFE.len() {
        let pattern = &UNSAFE[index];
        let set = if is_inside {
            pattern.inside
        } else {
            pattern.outside
        };
        let mut bit = 0;
        while bit < patterns.len() {
            patterns[bit] |= ((set.bits() >> bit & 1) as u64) << index;
            bit += 1;
        }
        index += 1;
    }
    patterns
}

/// The patterns of each parser.
static READERS: [(Reader, u64); 5] = [
    read_by(Reader::Gfm),
    read_by(Reader::Math),
    read_by(Reader::Mdx),
    read_by(Reader::Strict),
    read_by(Reader::StrictMdx),
];

const fn read_by(reader: Reader) -> (Reader, u64) {
    let mut patterns = 0;
    let mut index = 0;
    while index < UNSAFE.len() {
        let is_its = UNSAFE[index].reader as u8 == reader as u8;
        patterns |= (is_its as u64) << index;
        index += 1;
    }
    (reader, patterns)
}

/// True if a tab or a space at an end of a text is next to a line ending.
fn has_blank_at_end(bytes: &[u8], info: Info) -> bool {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b'\t' | b' '));
    let is_eol = |beside: Option<char>| beside.is_some_and(is_line_ending);
    is_eol(info.before) && is_blank(bytes.first()) || is_eol(info.after) && is_blank(bytes.last())
}

/// The patterns of the set bits, with their indices.
fn bits(mut rest: u64) -> impl Iterator<Item = (usize, &'static Unsafe)> {
    std::iter::from_fn(move || {
        let index = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        UNSAFE.get(index).map(|pattern| (index, pattern))
    })
}
