//! The limits on the elements that a layout makes of one state: [`Room`].

use std::cell::Cell;

use super::Data;
use crate::expr::{Mistake, Span};

/// The maximum number of elements that a layout may show. It is far more than fits a budget of tokens.
const MAX_ELEMENTS: usize = 10_000;

/// The maximum depth of nested tags, marks and components.
const MAX_DEEP: usize = 128;

/// The number of bytes of JSON that may be given to tags, for a state of any size.
const GIVEN: usize = 256 * 1024;

/// The number of times that the whole state may be given to tags in addition.
const STATES: usize = 4;

/// The minimum number of bytes that the whole state counts as. A tag with the whole state shows a whole HUD.
const WHOLE: usize = 80 * 1024;

/// The number of elements that a component counts as.
const COMPONENT: usize = 50;

/// Counts the elements that a layout makes of one state, for all components and all densities together. The
/// [meter](crate::expr::Meter) counts the cost of expressions.
#[derive(Default)]
pub(super) struct Room {
    elements: Cell<usize>,
    deep: Cell<usize>,
    given: Cell<usize>,
}

/// A level of nesting. It is left when this is dropped.
pub(super) struct Level<'r>(&'r Cell<usize>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl Room {
    /// True if no more elements can be made.
    pub(super) fn is_used_up(&self) -> bool {
        self.elements.get() > MAX_ELEMENTS
    }

    /// Counts elements that are made for the code at `span`.
    pub(super) fn take(&self, count: usize, span: Span) -> Result<(), Mistake> {
        self.elements.set(self.elements.get().saturating_add(count));
        if !self.is_used_up() {
            return Ok(());
        }
        let message = format!("this layout shows more than {MAX_ELEMENTS} elements");
        Err(Mistake::new(span, message).with_help("show fewer items: `list.slice(0, 20)`"))
    }

    /// Counts an element that contains others, and enters its level.
    pub(super) fn enter(&self, span: Span) -> Result<Level<'_>, Mistake> {
        self.take(1, span)?;
        if self.deep.get() >= MAX_DEEP {
            let message = format!("more than {MAX_DEEP} tags and components are nested here");
            return Err(Mistake::new(span, message));
        }
        self.deep.set(self.deep.get() + 1);
        Ok(Level(&self.deep))
    }

    /// Counts a component that is called.
    pub(super) fn call(&self, span: Span) -> Result<(), Mistake> {
        self.take(COMPONENT, span)
    }

    /// Counts the whole state, which is given to a tag.
    pub(super) fn give_whole(&self, data: &Data<'_>, span: Span) -> Result<(), Mistake> {
        self.give(WHOLE.saturating_sub(data.bytes()), data, span)
    }

    /// Counts bytes of JSON that are given to a tag. A state of any size can be given several times.
    pub(super) fn give(&self, bytes: usize, data: &Data<'_>, span: Span) -> Result<(), Mistake> {
        let given = self.given.get().saturating_add(bytes);
        self.given.set(given);
        if given <= GIVEN || given - GIVEN <= data.bytes().saturating_mul(STATES) {
            return Ok(());
        }
        let message = "this layout gives its tags the whole state again and again";
        Err(Mistake::new(span, message).with_help("show each section once"))
    }
}
