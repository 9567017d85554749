//! Rules by (node type, target), and the walks that apply them: [`Lower`] from a tree to a target,
//! [`Lift`] back.

mod lift;
mod lower;
mod rule;

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

pub use lift::{Lift, LiftError, Lifted, Lifting};
pub use lower::{Lower, LowerError, Lowered, MAX_DEPTH};
pub use rule::{OneWay, Rule, TwoWay, one_way, two_way};

use crate::node::Node;
use lift::Lifts;
use rule::{ErasedLift, ErasedLower};

/// What a tree is lowered to.
pub trait Target: Sized + 'static {
    /// The target's name, as it stands in errors.
    const NAME: &'static str;
    /// What a rule gives: a node of the target's tree, or a piece of its text.
    type Piece: 'static;
    /// What a rule tells its children, for example the level of the next heading.
    type Context: Clone + Default;

    /// The piece that shows a text.
    fn text(text: &str) -> Self::Piece;
}

/// A target whose pieces can be read back: what [`two_way`] rules are for.
pub trait LiftTarget: Target {
    /// The text of a piece that is nothing but text: the opposite of [`Target::text`].
    fn as_text(piece: &Self::Piece) -> Option<&str>;

    /// What kind of piece it is, as it stands in errors.
    fn kind(piece: &Self::Piece) -> &'static str;
}

/// One rule for each pair of a node type and a target.
#[derive(Default)]
pub struct Registry {
    // Looked up by key only, never walked: its order cannot reach the output.
    lower: HashMap<(TypeId, TypeId), Box<dyn Any + Send + Sync>>,
    /// By target, the rules that lift; the newest is asked first.
    lift: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Registry {
    /// A registry without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// A registry with the rules of all built-in nodes.
    pub fn builtin() -> Self {
        let mut registry = Self::new();
        crate::mdast::register(&mut registry);
        registry
    }

    /// Adds the rule of a node type for a target: [`two_way`], or [`one_way`] where what it writes
    /// can not be read back. Node and target are told by the rule's own arguments.
    ///
    /// Where several rules could lift a piece, the one that was registered last does.
    ///
    /// # Panics
    ///
    /// If there is one already: two crates that both claim a node would otherwise hide each
    /// other. Use [`replace`](Self::replace) to mean it.
    pub fn register<N: Node, T: Target>(&mut self, rule: impl Rule<N, T>) -> &mut Self {
        let before = self.insert(rule);
        #[allow(
            clippy::panic,
            reason = "documented: a mistake of the program, met when it starts"
        )]
        if before.is_some() {
            panic!(
                "node `{}` has a rule for target `{}` already: use `replace` to change it",
                type_name::<N>(),
                T::NAME
            );
        }
        self
    }

    /// Changes the rule of a node type for a target, in both directions: what the old rule read
    /// back is read by the new one, or, if that is [`one_way`], by none.
    ///
    /// # Panics
    ///
    /// If there is none: the rule that was to be replaced may have been renamed.
    pub fn replace<N: Node, T: Target>(&mut self, rule: impl Rule<N, T>) -> &mut Self {
        let before = self.insert(rule);
        #[allow(
            clippy::panic,
            reason = "documented: a mistake of the program, met when it starts"
        )]
        if before.is_none() {
            panic!(
                "node `{}` has no rule for target `{}` to replace: use `register` to add one",
                type_name::<N>(),
                T::NAME
            );
        }
        self
    }

    /// Puts a rule in, and gives the one that was there.
    fn insert<N: Node, T: Target>(
        &mut self,
        rule: impl Rule<N, T>,
    ) -> Option<Box<dyn Any + Send + Sync>> {
        let (lower, lift) = rule.erase();
        let lifts = self
            .lift
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Box::new(Lifts::<T>::default()));
        if let Some(lifts) = lifts.downcast_mut::<Lifts<T>>() {
            lifts.set(TypeId::of::<N>(), lift);
        }
        self.lower
            .insert((TypeId::of::<N>(), TypeId::of::<T>()), Box::new(lower))
    }

    fn lowering<T: Target>(&self, node: &dyn Node) -> Result<&ErasedLower<T>, LowerError> {
        let any: &dyn Any = node;
        self.lower
            .get(&(any.type_id(), TypeId::of::<T>()))
            .and_then(|rule| rule.downcast_ref())
            .ok_or_else(|| no_rule::<T>(node.meta().name))
    }

    /// The rules that lift from a target, the newest first.
    fn liftings<T: Target>(&self) -> impl Iterator<Item = &ErasedLift<T>> {
        self.lift
            .get(&TypeId::of::<T>())
            .and_then(|lifts| lifts.downcast_ref::<Lifts<T>>())
            .into_iter()
            .flat_map(Lifts::newest_first)
    }
}

fn no_rule<T: Target>(node: &'static str) -> LowerError {
    LowerError::NoRule {
        node,
        target: T::NAME,
    }
}
