//! The options of the markdown output. They are those of the reference, with types that exclude
//! invalid values.

/// The options of [`to_string`](super::to_string).
///
/// The fields have the names and meanings of the reference's options (mdast-util-to-markdown and
/// its GFM extensions). [`SerializeOptions::default`] has its defaults. Every combination is valid.
///
/// ```
/// use hud_core::gfm::{Bullet, SerializeOptions};
///
/// let options = SerializeOptions { bullet: Bullet::Plus, ..SerializeOptions::default() };
/// assert_ne!(options, SerializeOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializeOptions {
    /// Marker of bullet lists.
    pub bullet: Bullet,
    /// Marker of ordered lists. A list right after another uses the other marker.
    pub bullet_ordered: BulletOrdered,
    /// Marker of bullet lists that cannot use [`bullet`](Self::bullet): right after another list,
    /// or if it would form a thematic break. `None`, or the same marker as `bullet`, means `-` if
    /// `bullet` is `*`, and otherwise `*`.
    pub bullet_other: Option<Bullet>,
    /// True if ATX headings get a closing run of `#`.
    pub close_atx: bool,
    /// Preferred marker of emphasis.
    pub emphasis: Attention,
    /// Marker of fenced code.
    pub fence: Fence,
    /// True if code is always fenced. If not, code without a language is indented.
    pub fences: bool,
    /// True if the content of a footnote definition starts on the line after its label.
    pub first_line_blank: bool,
    /// True if the numbers of an ordered list count up.
    pub increment_list_marker: bool,
    /// The indentation of the content of list items.
    pub list_item_indent: ListItemIndent,
    /// True if `$` is escaped, for parsers with math.
    pub math: bool,
    /// True if the text is for an MDX parser: `<` and `{` are escaped, code is always fenced, and
    /// links are never autolinks.
    pub mdx: bool,
    /// Quote around titles.
    pub quote: QuoteMarker,
    /// True if links are always written as `[text](url)`, never as `<url>`.
    pub resource_link: bool,
    /// Marker of thematic breaks.
    pub rule: RuleMarker,
    /// Number of markers in a thematic break.
    pub rule_repetition: RuleRepetition,
    /// True if there are spaces between the markers of a thematic break.
    pub rule_spaces: bool,
    /// True if headings of the first two ranks are underlined. Headings with a line ending always
    /// are.
    pub setext: bool,
    /// True if punctuation is escaped only where it would have a meaning. Otherwise it is escaped
    /// wherever a construct could begin, as in the reference. The module's documentation lists the
    /// rules. Bare addresses are not escaped, so parsers may link them to themselves.
    pub sparing: bool,
    /// True if text is guarded where the reference is known to lose it or to let it open a
    /// construct. If not, the output has the reference's bytes. The module's documentation lists
    /// the differences.
    pub strict: bool,
    /// Preferred marker of strong emphasis.
    pub strong: Attention,
    /// The measure of a table cell's length, for aligned pipes.
    pub string_length: StringLength,
    /// True if there are spaces between the text of table cells and their pipes. `None` has the
    /// same effect, with one exception of the reference: only with `Some(true)`, a hard break at
    /// the start of a cell needs no space of its own.
    pub table_cell_padding: Option<bool>,
    /// True if the pipes of a table are aligned.
    pub table_pipe_align: bool,
    /// True if adjacent definitions have no blank line between them.
    pub tight_definitions: bool,
}

impl Default for SerializeOptions {
    fn default() -> Self {
        Self {
            bullet: Bullet::Asterisk,
            bullet_ordered: BulletOrdered::Dot,
            bullet_other: None,
            close_atx: false,
            emphasis: Attention::Asterisk,
            fence: Fence::Backtick,
            fences: true,
            first_line_blank: false,
            increment_list_marker: true,
            list_item_indent: ListItemIndent::One,
            math: false,
            mdx: false,
            quote: QuoteMarker::Double,
            resource_link: false,
            rule: RuleMarker::Asterisk,
            rule_repetition: RuleRepetition::MIN,
            rule_spaces: false,
            setext: false,
            sparing: false,
            strict: false,
            strong: Attention::Asterisk,
            string_length: StringLength::default(),
            table_cell_padding: None,
            table_pipe_align: true,
            tight_definitions: false,
        }
    }
}

impl SerializeOptions {
    /// The options of the HUD: `-` bullets, tables without alignment (padding costs tokens, and a
    /// changed cell would change the whole column), [`strict`](Self::strict) guards, and minimal
    /// escapes ([`sparing`](Self::sparing)), because each escape costs a token and is copied with
    /// the text.
    pub fn hud() -> Self {
        Self {
            bullet: Bullet::Dash,
            sparing: true,
            strict: true,
            table_pipe_align: false,
            ..Self::default()
        }
    }

    pub(super) fn bullet_other(&self) -> Bullet {
        match self.bullet_other {
            Some(other) if other != self.bullet => other,
            _ if self.bullet == Bullet::Asterisk => Bullet::Dash,
            _ => Bullet::Asterisk,
        }
    }

    pub(super) fn indents_code(&self) -> bool {
        !self.fences && !self.mdx
    }

    pub(super) fn autolinks(&self) -> bool {
        !self.resource_link && !self.mdx
    }
}

macro_rules! markers {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $marker:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_meta])* #[doc = concat!("`` ", $marker, " ``")] $variant,)*
        }

        impl $name {
            /// The marker itself.
            pub const fn char(self) -> char {
                match self {
                    $(Self::$variant => $marker,)*
                }
            }
        }
    };
}

markers! {
    /// Marker of bullet lists.
    Bullet { Asterisk = '*', Dash = '-', Plus = '+', }
}

markers! {
    /// Marker after the number of an ordered list's items.
    BulletOrdered { Dot = '.', Paren = ')', }
}

markers! {
    /// Marker of emphasis and strong emphasis.
    Attention { Asterisk = '*', Underscore = '_', }
}

markers! {
    /// Marker of fenced code.
    Fence { Backtick = '`', Tilde = '~', }
}

markers! {
    /// Quote around titles.
    QuoteMarker { Double = '"', Single = '\'', }
}

markers! {
    /// Marker of thematic breaks.
    RuleMarker { Asterisk = '*', Dash = '-', Underscore = '_', }
}

impl BulletOrdered {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Dot => Self::Paren,
            Self::Paren => Self::Dot,
        }
    }
}

/// A measure of the length of a text, for the columns of tables. It is the reference's
/// `stringLength`.
///
/// ```
/// use hud_core::gfm::{SerializeOptions, StringLength};
///
/// // One column for each character, whatever the terminal does.
/// let options = SerializeOptions {
///     string_length: StringLength(|text| text.chars().count()),
///     ..SerializeOptions::default()
/// };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StringLength(pub fn(&str) -> usize);

/// The number of UTF-16 code units, as in the reference.
impl Default for StringLength {
    fn default() -> Self {
        Self(utf16_length)
    }
}

/// True if it is the same function.
impl PartialEq for StringLength {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for StringLength {}

fn utf16_length(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}

/// The indentation of the content of list items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListItemIndent {
    /// As `Tab` if the item or its list is spread, otherwise as `One`.
    Mixed,
    /// The size of the marker and one space.
    One,
    /// The next tab stop, a multiple of 4 columns.
    Tab,
}

/// Number of markers in a thematic break: three or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRepetition(u8);

impl RuleRepetition {
    /// Three markers.
    pub const MIN: Self = Self(3);

    /// This many markers. `None` for fewer than three, which are no thematic break.
    pub const fn new(markers: u8) -> Option<Self> {
        if markers < Self::MIN.0 {
            None
        } else {
            Some(Self(markers))
        }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}
