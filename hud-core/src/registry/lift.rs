//! [`Lift`]: the walk from a target back to a tree.

use std::any::TypeId;

use super::rule::ErasedLift;
use super::{LiftTarget, MAX_DEPTH, Registry, Target};
use crate::element::Element;
use crate::gfm::ParseError;

/// The result of lifting pieces: the rule's node, or `None` if the pieces belong to another node.
pub type LiftResult<N> = Result<Option<Lifted<N>>, LiftError>;

/// A node that was lifted from pieces.
#[derive(Debug)]
pub struct Lifted<N> {
    /// The node.
    pub node: N,
    /// The children.
    pub children: Vec<Element<'static>>,
    /// The number of pieces that it was lifted from, at least 1.
    pub taken: usize,
}

impl<N> Lifted<N> {
    /// A node that was lifted from one piece.
    pub fn one(node: N, children: impl Into<Vec<Element<'static>>>) -> Self {
        Self {
            node,
            children: children.into(),
            taken: 1,
        }
    }
}

/// The error of pieces that cannot be lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// No rule lifts a piece.
    #[error(
        "no rule of target `{target}` lifts a `{kind}`: register a `two_way` rule that does, or \
         keep the built-in ones"
    )]
    NoRule {
        /// The kind of the piece.
        kind: &'static str,
        /// The target's name.
        target: &'static str,
    },
    /// A text cannot be parsed as markdown.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The pieces are nested too deeply. The tree could not be lowered again.
    #[error("more than {limit} pieces are nested, the last a `{within}`")]
    TooDeep {
        /// The maximum depth.
        limit: usize,
        /// The kind of the piece at the limit.
        within: &'static str,
    },
}

/// The rules that lift from a target, the oldest first.
pub(super) struct Lifts<T: Target>(Vec<(TypeId, ErasedLift<T>)>);

impl<T: Target> Clone for Lifts<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Target> Default for Lifts<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Target> Lifts<T> {
    /// Sets or removes the rule that lifts a node type.
    pub(super) fn set(&mut self, node: TypeId, lift: Option<ErasedLift<T>>) {
        let at = self.0.iter().position(|(other, _)| *other == node);
        match (at, lift) {
            (Some(at), Some(lift)) => self.0[at].1 = lift,
            (Some(at), None) => drop(self.0.remove(at)),
            (None, Some(lift)) => self.0.push((node, lift)),
            (None, None) => {}
        }
    }

    pub(super) fn newest_first(&self) -> impl Iterator<Item = &ErasedLift<T>> {
        self.0.iter().rev().map(|(_, lift)| lift)
    }
}

/// A walk through a target's pieces. It asks the rules for the node of each piece.
pub struct Lift<'r, T: Target> {
    registry: &'r Registry,
    context: T::Context,
    depth: usize,
}

impl<'r, T: Target> Lift<'r, T> {
    /// A walk with the target's default context.
    pub fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            context: T::Context::default(),
            depth: 0,
        }
    }

    /// The context that the outer rules set.
    pub fn context(&self) -> &T::Context {
        &self.context
    }

    /// The same walk with another context, for the content of a piece.
    pub fn with_context(&self, context: T::Context) -> Self {
        Self { context, ..*self }
    }
}

impl<T: LiftTarget> Lift<'_, T> {
    /// Lifts adjacent pieces.
    ///
    /// # Errors
    ///
    /// [`LiftError::NoRule`] if no rule lifts one of them, and [`LiftError::TooDeep`] if more than
    /// [`MAX_DEPTH`] pieces are nested.
    pub fn siblings(&self, pieces: &[T::Piece]) -> Result<Vec<Element<'static>>, LiftError> {
        let mut elements = Vec::with_capacity(pieces.len());
        let mut rest = pieces;
        while let Some(first) = rest.first() {
            let (element, taken) = match T::as_text(first) {
                Some(text) => (Element::text(text.to_owned()), 1),
                None => self.first(first, rest)?,
            };
            elements.push(element);
            rest = rest.get(taken.max(1)..).unwrap_or_default();
        }
        Ok(elements)
    }

    /// Lifts the first of some pieces, with the others that belong to its node.
    fn first(
        &self,
        first: &T::Piece,
        pieces: &[T::Piece],
    ) -> Result<(Element<'static>, usize), LiftError> {
        if self.depth == MAX_DEPTH {
            return Err(LiftError::TooDeep {
                limit: MAX_DEPTH,
                within: T::kind(first),
            });
        }
        let within = Self {
            registry: self.registry,
            context: self.context.clone(),
            depth: self.depth + 1,
        };
        for lift in self.registry.liftings::<T>() {
            if let Some(lifted) = lift(pieces, &within)? {
                return Ok(lifted);
            }
        }
        Err(LiftError::NoRule {
            kind: T::kind(first),
            target: T::NAME,
        })
    }
}
