//! The constructs that are open around a text.

/// A set of constructs. Patterns of unsafe characters apply inside some and not inside others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Constructs(u32);

impl Constructs {
    pub(super) const NONE: Self = Self(0);
    pub(super) const PHRASING: Self = Self(1);
    pub(super) const AUTOLINK: Self = Self(1 << 1);
    pub(super) const DESTINATION_LITERAL: Self = Self(1 << 2);
    pub(super) const DESTINATION_RAW: Self = Self(1 << 3);
    pub(super) const REFERENCE: Self = Self(1 << 4);
    pub(super) const TITLE_QUOTE: Self = Self(1 << 5);
    pub(super) const TITLE_APOSTROPHE: Self = Self(1 << 6);
    pub(super) const LABEL: Self = Self(1 << 7);
    pub(super) const LINK: Self = Self(1 << 8);
    pub(super) const IMAGE: Self = Self(1 << 9);
    pub(super) const HEADING_ATX: Self = Self(1 << 10);
    pub(super) const TABLE_CELL: Self = Self(1 << 11);
    pub(super) const FENCE_LANG_BACKTICK: Self = Self(1 << 12);
    pub(super) const FENCE_LANG_TILDE: Self = Self(1 << 13);
    pub(super) const FENCE_META_BACKTICK: Self = Self(1 << 14);
    pub(super) const FENCE_META_TILDE: Self = Self(1 << 15);
    pub(super) const MATH_META: Self = Self(1 << 16);

    /// The union of both sets.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True if any of `others` is open.
    pub(super) const fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// The constructs as bits.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
