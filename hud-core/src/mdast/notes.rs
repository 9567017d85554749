//! The targets of references: definitions and footnotes.

use std::collections::HashMap;

use markdown::mdast::{Definition, FootnoteDefinition, Node};

/// The definitions of a tree by identifier, and the footnotes in source order.
#[derive(Default)]
pub(crate) struct Notes<'t> {
    definitions: HashMap<&'t str, &'t Definition>,
    footnotes: Vec<&'t FootnoteDefinition>,
}

impl<'t> Notes<'t> {
    pub(crate) fn of(tree: &'t Node) -> Self {
        let mut notes = Self::default();
        notes.collect(tree);
        notes
    }

    fn collect(&mut self, node: &'t Node) {
        match node {
            // The first definition wins: https://spec.commonmark.org/0.31.2/#matches
            Node::Definition(definition) => {
                self.definitions
                    .entry(&definition.identifier)
                    .or_insert(definition);
            }
            Node::FootnoteDefinition(note) if self.number(&note.identifier).is_none() => {
                self.footnotes.push(note);
            }
            _ => {}
        }
        for child in node.children().into_iter().flatten() {
            self.collect(child);
        }
    }

    pub(crate) fn definition(&self, identifier: &str) -> Option<&'t Definition> {
        self.definitions.get(identifier).copied()
    }

    /// The number of a footnote, from 1.
    pub(crate) fn number(&self, identifier: &str) -> Option<usize> {
        let is_it = |note: &&FootnoteDefinition| note.identifier == identifier;
        self.footnotes.iter().position(is_it).map(|at| at + 1)
    }

    pub(crate) fn footnotes(&self) -> &[&'t FootnoteDefinition] {
        &self.footnotes
    }
}
