//! How much a layout may make of one state: [`Room`].

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use serde_json::Value as Json;

use super::Data;
use crate::expr::{Mistake, Span};

/// How many elements a layout may show. A budget of tokens holds far fewer.
const MAX_ELEMENTS: usize = 10_000;

/// How many tags, marks and components may be within one another.
const MAX_DEEP: usize = 128;

/// How much may be given to tags, whatever the state: values, and pieces of text of 32 bytes.
const GIVEN: usize = 20_000;

/// How many times the whole state may be given to tags besides.
const STATES: usize = 4;

/// Counts what a layout makes of one state, all of its components and all densities together. What expressions take
/// is counted by their [meter](crate::expr::Meter).
pub(super) struct Room {
    data: Rc<Data>,
    elements: Cell<usize>,
    deep: Cell<usize>,
    given: Cell<usize>,
    most_given: OnceCell<usize>,
}

/// A level of what is within one another, for as long as it is open.
pub(super) struct Level<'r>(&'r Cell<usize>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl Room {
    pub(super) fn new(data: Rc<Data>) -> Self {
        Self {
            data,
            elements: Cell::new(0),
            deep: Cell::new(0),
            given: Cell::new(0),
            most_given: OnceCell::new(),
        }
    }

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
            let message = format!("more than {MAX_DEEP} tags and components within one another");
            return Err(Mistake::new(span, message));
        }
        self.deep.set(self.deep.get() + 1);
        Ok(Level(&self.deep))
    }

    /// Counts what is given to a tag. A state of any size can be given several times.
    pub(super) fn give(&self, value: &Json, span: Span) -> Result<(), Mistake> {
        let given = self.given.get().saturating_add(size(value));
        self.given.set(given);
        let most = || {
            STATES
                .saturating_mul(size(self.data.json()))
                .saturating_add(GIVEN)
        };
        if given <= GIVEN || given <= *self.most_given.get_or_init(most) {
            return Ok(());
        }
        let message = "this layout gives its tags the whole state again and again";
        Err(Mistake::new(span, message).with_help("show each section once"))
    }
}

/// How many values there are, and pieces of text.
fn size(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len() / 32 + 1,
        Json::Array(items) => items.iter().map(size).sum::<usize>() + 1,
        Json::Object(members) => members.values().map(size).sum::<usize>() + 1,
        Json::Null | Json::Bool(_) | Json::Number(_) => 1,
    }
}
