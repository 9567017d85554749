//! How much a layout may make of one state: [`Room`].

use std::cell::Cell;

use super::Data;
use crate::expr::{Mistake, Span};

/// How many elements a layout may show. A budget of tokens holds far fewer.
const MAX_ELEMENTS: usize = 10_000;

/// How many tags, marks and components may be within one another.
const MAX_DEEP: usize = 128;

/// How many bytes of JSON may be given to tags, whatever the state.
const GIVEN: usize = 256 * 1024;

/// How many times the whole state may be given to tags besides.
const STATES: usize = 4;

/// How many bytes the whole state counts as, however small it is: what is given it shows a whole HUD.
const WHOLE: usize = 80 * 1024;

/// How many elements a component counts as.
const COMPONENT: usize = 50;

/// Counts what a layout makes of one state, all of its components and all densities together. What expressions take
/// is counted by their [meter](crate::expr::Meter).
#[derive(Default)]
pub(super) struct Room {
    elements: Cell<usize>,
    deep: Cell<usize>,
    given: Cell<usize>,
}

/// A level of what is within one another, for as long as it is open.
pub(super) struct Level<'r>(&'r Cell<usize>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl Room {
    /// Whether no more elements can be made.
    pub(super) fn is_used_up(&self) -> bool {
        self.elements.get() > MAX_ELEMENTS
    }

    /// Counts elements that are made at a place.
    pub(super) fn take(&self, count: usize, span: Span) -> Result<(), Mistake> {
        self.elements.set(self.elements.get().saturating_add(count));
        if !self.is_used_up() {
            return Ok(());
        }
        let message = format!("this layout shows more than {MAX_ELEMENTS} elements");
        Err(Mistake::new(span, message).with_help("show fewer items: `list.slice(0, 20)`"))
    }

    /// Counts an element that others are within.
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
