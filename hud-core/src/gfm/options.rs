/// How markdown is written where GFM leaves a choice. The names are those of
/// `mdast-util-to-markdown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The marker of an unordered list: `*`, `-` or `+`.
    pub bullet: Bullet,
    /// Whether the cells of a table are padded to the width of their column.
    pub table_pipe_align: bool,
}

/// The marker of an unordered list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bullet {
    /// `*`
    Asterisk,
    /// `-`
    Dash,
    /// `+`
    Plus,
}

impl Bullet {
    pub(super) const fn marker(self) -> char {
        match self {
            Self::Asterisk => '*',
            Self::Dash => '-',
            Self::Plus => '+',
        }
    }

    /// The marker of a list that stands right behind one with this marker.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Asterisk | Self::Plus => Self::Dash,
            Self::Dash => Self::Asterisk,
        }
    }
}

/// The defaults of `mdast-util-to-markdown`.
impl Default for Options {
    fn default() -> Self {
        Self {
            bullet: Bullet::Asterisk,
            table_pipe_align: true,
        }
    }
}

impl Options {
    /// What a HUD is written with: `-` bullets, and tables without padding, since the agent pays
    /// for each space.
    pub const fn hud() -> Self {
        Self {
            bullet: Bullet::Dash,
            table_pipe_align: false,
        }
    }
}
