use crate::Node;
use crate::node::{ToValue, Value};

/// A heading and what belongs under it. Where that is nothing, there is no heading either.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Section {
    /// The heading's text.
    #[prop(into)]
    pub title: String,
    /// The heading's level, 1 to 6. By default one more than that of the section around it.
    pub level: Option<u8>,
}

/// A heading alone. One of plain text that has something under it is a [`Section`].
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Heading {
    /// Its level, 1 to 6.
    pub level: u8,
}

/// A paragraph. Text without one becomes one by itself.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Paragraph {}

/// What somebody else said.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Quote {}

/// A remark that must be seen, with a label in front.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Callout {
    /// What kind of remark it is, for example `Warning`.
    #[prop(into)]
    pub label: String,
}

/// A remark of one of GitHub's five kinds, which shows it with a title and a color. [`Callout`] has a label instead.
///
/// ```
/// use hud_core::node::{Alert, AlertKind};
/// use hud_core::{Density, render, rsx};
///
/// let alert = rsx! { <Alert kind={AlertKind::Warning}>"The disk is full."</Alert> };
/// assert_eq!(render(&alert, Density::Full)?, "> [!WARNING]\n> The disk is full.\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Alert {
    /// The kind: `note`, `tip`, `important`, `warning` or `caution`.
    pub kind: AlertKind,
}

/// The kind of an [`Alert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlertKind {
    /// Useful to all readers.
    Note,
    /// Advice.
    Tip,
    /// Needed for success.
    Important,
    /// Urgent, to avoid problems.
    Warning,
    /// Risks of an action.
    Caution,
}

impl AlertKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Note,
        Self::Tip,
        Self::Important,
        Self::Warning,
        Self::Caution,
    ];

    /// The name in lower case, such as `warning`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Tip => "tip",
            Self::Important => "important",
            Self::Warning => "warning",
            Self::Caution => "caution",
        }
    }

    /// The title that GitHub shows, such as `Warning`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Note => "Note",
            Self::Tip => "Tip",
            Self::Important => "Important",
            Self::Warning => "Warning",
            Self::Caution => "Caution",
        }
    }
}

/// The name.
impl std::fmt::Display for AlertKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The name.
impl ToValue for AlertKind {
    fn to_value(&self) -> Value {
        self.name().to_value()
    }
}

/// A line across, between two thoughts.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
#[node(leaf)]
pub struct ThematicBreak {}
