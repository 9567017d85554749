//! What a session takes over from those that it comes from.

use crate::state::Numbers;

/// How a session comes from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The other holds what all sessions of the project begin with.
    Project,
    /// The other made this one: it is a sub-agent's.
    Parent,
    /// This one goes on with the other's work.
    Resumed,
}

/// The circumstances in which something is taken over.
#[derive(Debug)]
pub struct Taking<'t> {
    relation: Relation,
    is_new: bool,
    numbers: &'t mut Numbers,
}

impl<'t> Taking<'t> {
    pub(crate) fn new(relation: Relation, is_new: bool, numbers: &'t mut Numbers) -> Self {
        Self {
            relation,
            is_new,
            numbers,
        }
    }

    /// How the session comes from the one whose section this is.
    pub const fn relation(&self) -> Relation {
        self.relation
    }

    /// The id that an item of the past has in the session: its own where the session begins with it,
    /// else one that is free.
    pub fn name(&mut self, id: &str) -> String {
        if self.is_new {
            return id.to_owned();
        }
        self.numbers.name_like(id)
    }
}
