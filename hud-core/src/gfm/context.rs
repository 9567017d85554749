//! What a node may know of where it is written. The walk over the tree keeps it ([`super::state`]).

use std::cell::Cell;

use super::constructs::Constructs;
use super::description::FlowRole;
use super::options::SerializeOptions;
use super::safe::Safe;
use super::unsafe_patterns::Scope;

/// What is around the node that is being written.
pub(super) struct Context<'a> {
    pub(super) options: &'a SerializeOptions,
    /// What is open.
    pub(super) constructs: Constructs,
    /// The marker of the items being written.
    pub(super) bullet_current: Option<char>,
    /// The marker of the list right before, which the next list must not take.
    pub(super) bullet_last_used: Option<char>,
    /// The open containers, the outermost first.
    pub(super) containers: Vec<Container<'a>>,
    /// The patterns of the constructs that text was made safe for last, and before those: most often the
    /// next ones are among them.
    scopes: Cell<[(Constructs, Scope); 2]>,
}

/// An open container.
pub(super) struct Container<'a> {
    /// What it is, if its children are flow.
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

    /// What makes a text safe inside these constructs.
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

    /// The containers around, the innermost first, each with the index of the child being written.
    pub(super) fn around(&self) -> impl Iterator<Item = (Option<FlowRole<'a>>, usize)> {
        self.containers
            .iter()
            .rev()
            .map(|container| (container.role, container.next.saturating_sub(1)))
    }
}
