//! How to write markdown: the reference's options, with types that leave no invalid value.

/// How [`to_string`](super::to_string) writes markdown.
///
/// The fields have the names and meanings of the reference's options (mdast-util-to-markdown and
/// its GFM extensions); [`SerializeOptions::default`] has its defaults. Every combination is valid.
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
    /// Marker of ordered lists. A list right after another takes the other one.
    pub bullet_ordered: BulletOrdered,
    /// Marker of bullet lists where [`bullet`](Self::bullet) would not do: right after another
    /// list, or where it would turn into a thematic break. `None`, or the same marker as
    /// `bullet`, means `-` beside `*` and `*` beside the rest.
    pub bullet_other: Option<Bullet>,
    /// Whether ATX headings get a closing run of `#`.
    pub close_atx: bool,
    /// Preferred marker of emphasis.
    pub emphasis: Attention,
    /// Marker of fenced code.
    pub fence: Fence,
    /// Whether code is always fenced. If not, code without a language is indented.
    pub fences: bool,
    /// Whether a footnote definition's content starts on the line after its label.
    pub first_line_blank: bool,
    /// Whether the numbers of an ordered list count up.
    pub increment_list_marker: bool,
    /// How far the content of list items is indented.
    pub list_item_indent: ListItemIndent,
    /// Whether `$` is escaped, for readers that know math.
    pub math: bool,
    /// Whether the text is for a reader of MDX: `<` and `{` are escaped, code is always fenced,
    /// and links never are autolinks.
    pub mdx: bool,
    /// Quote around titles.
    pub quote: QuoteMarker,
    /// Whether links are always written as `[text](url)`, never as `<url>`.
    pub resource_link: bool,
    /// Marker of thematic breaks.
    pub rule: RuleMarker,
    /// Number of markers in a thematic break.
    pub rule_repetition: RuleRepetition,
    /// Whether there are spaces between the markers of a thematic break.
    pub rule_spaces: bool,
    /// Whether headings of the first two ranks are underlined. One with a line ending always is.
    pub setext: bool,
    /// Whether punctuation is escaped only where it would be read as something else than itself. The
    /// reference escapes wherever a construct could begin, whatever is behind; the module's
    /// documentation says what is looked at. Addresses are left for readers to link to themselves.
    pub sparing: bool,
    /// Whether to guard text where the reference is known to lose it or to let it open another
    /// construct. Off, the output is the reference's, byte for byte; the module's documentation
    /// lists what changes.
    pub strict: bool,
    /// Preferred marker of strong emphasis.
    pub strong: Attention,
    /// How long a table's cell is, where pipes are aligned.
    pub string_length: StringLength,
    /// Whether there are spaces between the text of table cells and their pipes. `None` means so
    /// too, but as in the reference only `Some(true)` lets the text know of them: a hard break at
    /// the start of a cell then needs no space of its own.
    pub table_cell_padding: Option<bool>,
    /// Whether the pipes of a table are aligned.
    pub table_pipe_align: bool,
    /// Whether adjacent definitions have no blank line between them.
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
    /// What the HUD is written with: `-` bullets, tables without alignment (padding costs tokens
    /// and a changed cell would change the whole column), [`strict`](Self::strict) guards, and
    /// [`sparing`](Self::sparing) escapes (each costs a token, and is copied with the text).
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

/// A measure of text, for the columns of tables: the reference's `stringLength`.
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

/// The number of UTF-16 code units, as the reference has it.
impl Default for StringLength {
    fn default() -> Self {
        Self(utf16_length)
    }
}

/// Whether it is the same function.
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

/// How far the content of list items is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListItemIndent {
    /// As `Tab` if the item or its list is spread, as `One` otherwise.
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

    /// This many markers, or `None` for fewer than three, which are no thematic break.
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
