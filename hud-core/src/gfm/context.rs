//! The surroundings of a node, as far as it may know them. The walk over the tree maintains them
//! ([`super::state`]).

use std::cell::Cell;

use super::constructs::Constructs;
use super::description::FlowRole;
use super::options::SerializeOptions;
use super::safe::Safe;
use super::unsafe_patterns::Scope;

/// The surroundings of the node that is written.
pub(super) struct Context<'a> {
    pub(super) options: &'a SerializeOptions,
    /// The open constructs.
    pub(super) constructs: Constructs,
    /// The marker of the current list's items.
    pub(super) bullet_current: Option<char>,
    /// The marker of the list right before, which the next list must not use.
    pub(super) bullet_last_used: Option<char>,
    /// The open containers, the outermost first.
    pub(super) containers: Vec<Container<'a>>,
    /// The patterns of the last two sets of constructs. Most often the next set is one of them.
    scopes: Cell<[(Constructs, Scope); 2]>,
}

/// An open container.
pub(super) struct Container<'a> {
    /// Its role, if its children are flow.
    pub(super) role: Option<FlowRole<'a>>,
    /// The index of the next child.
    pub(super) next: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(options: &'a SerializeOptions) -> Self {
        Self {
            options,
            constructs: Constructs::NONE,
            bullet_current: None,
            bullet_last_used: None,
            containers: Vec::new(),
            scopes: Cell::new([(Constructs::NONE, Scope::new(Constructs::NONE, options)); 2]),
        }
    }

    /// The escaper for texts inside these constructs.
    pub(super) fn safe(&self, constructs: Constructs) -> Safe {
        let [last, before] = self.scopes.get();
        let scope = match (last.0 == constructs, before.0 == constructs) {
            (true, _) => last.1,
            (false, true) => before.1,
            (false, false) => Scope::new(constructs, self.options),
        };
        if last.0 != constructs {
            self.scopes.set([(constructs, scope), last]);
        }
        Safe::new(constructs, scope, self.options)
    }

    /// The enclosing containers, innermost first, each with the index of the current child.
    pub(super) fn around(&self) -> impl Iterator<Item = (Option<FlowRole<'a>>, usize)> {
        self.containers
            .iter()
            .rev()
            .map(|container| (container.role, container.next.saturating_sub(1)))
    }
}
