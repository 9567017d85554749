//! Sets of ASCII characters with a meaning in markdown.

/// A set of ASCII characters, optionally with the end of the text.
#[derive(Clone, Copy)]
pub(super) struct Set {
    ascii: u128,
    end: bool,
}

impl Set {
    pub(super) const fn of(characters: &str) -> Self {
        let bytes = characters.as_bytes();
        let mut ascii = 0;
        let mut index = 0;
        while index < bytes.len() {
            ascii |= 1 << bytes[index];
            index += 1;
        }
        Self { ascii, end: false }
    }

    pub(super) const fn range(first: u8, last: u8) -> Self {
        let ascii = (u128::MAX >> (127 - last)) & (u128::MAX << first);
        Self { ascii, end: false }
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            ascii: self.ascii | other.ascii,
            end: self.end || other.end,
        }
    }

    pub(super) const fn or_end(self) -> Self {
        Self { end: true, ..self }
    }

    pub(super) const fn has(self, ascii: u8) -> bool {
        ascii < 128 && self.ascii & (1 << ascii) != 0
    }

    /// True if the sets have a common character.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0
    }

    /// True if the sets are equal.
    pub(super) const fn is(self, other: Self) -> bool {
        self.ascii == other.ascii && self.end == other.end
    }

    /// True if the end of the text is in the set.
    pub(super) const fn has_end(self) -> bool {
        self.end
    }

    pub(super) fn contains(self, character: Option<char>) -> bool {
        match character {
            Some(character) => u8::try_from(character).is_ok_and(|ascii| self.has(ascii)),
            None => self.end,
        }
    }
}
