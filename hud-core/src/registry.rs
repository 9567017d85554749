//! Rules by (node type, target), and [`Lower`], which applies them to a tree.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

use crate::component::Scope;
use crate::element::{Element, Repr};
use crate::node::Node;

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

/// What a rule gives: the pieces that stand for an element, in order.
pub type Lowered<T> = Result<Vec<<T as Target>::Piece>, LowerError>;

/// Why a tree could not be lowered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LowerError {
    /// A node has no rule for the target.
    #[error(
        "node `{node}` has no rule for target `{target}`: register one with `Registry::register`"
    )]
    NoRule {
        /// The node's name.
        node: &'static str,
        /// The target's name.
        target: &'static str,
    },
    /// The tree is nested too deeply: most likely a component that renders itself without end.
    #[error("more than {limit} elements within one another: does `{within}` render itself?")]
    TooDeep {
        /// How deep a tree may be.
        limit: usize,
        /// The node or the component where the limit was met.
        within: &'static str,
    },
}

/// How many nodes and components may stand within one another.
pub const MAX_DEPTH: usize = 256;

type Rule<T> =
    Box<dyn Fn(&dyn Any, &[Element<'_>], &Lower<'_, T>) -> Lowered<T> + Send + Sync + 'static>;

/// One rule for each pair of a node type and a target.
#[derive(Default)]
pub struct Registry {
    // Looked up by key only, never walked: its order cannot reach the output.
    rules: HashMap<(TypeId, TypeId), Box<dyn Any + Send + Sync>>,
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

    /// Adds the rule of a node type for a target. Both are told by the rule's own arguments.
    ///
    /// # Panics
    ///
    /// If there is one already: two crates that both claim a node would otherwise hide each
    /// other. Use [`replace`](Self::replace) to mean it.
    pub fn register<N, T, F>(&mut self, rule: F) -> &mut Self
    where
        N: Node,
        T: Target,
        F: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> Lowered<T> + Send + Sync + 'static,
    {
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

    /// Changes the rule of a node type for a target.
    ///
    /// # Panics
    ///
    /// If there is none: the rule that was to be replaced may have been renamed.
    pub fn replace<N, T, F>(&mut self, rule: F) -> &mut Self
    where
        N: Node,
        T: Target,
        F: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> Lowered<T> + Send + Sync + 'static,
    {
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

    fn insert<N, T, F>(&mut self, rule: F) -> Option<Box<dyn Any + Send + Sync>>
    where
        N: Node,
        T: Target,
        F: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> Lowered<T> + Send + Sync + 'static,
    {
        let erased: Rule<T> = Box::new(move |node, children, lower| {
            match node.downcast_ref::<N>() {
                Some(node) => rule(node, children, lower),
                // The key below is the type of the node: this arm is never taken.
                None => Err(no_rule::<T>(type_name::<N>())),
            }
        });
        self.rules
            .insert((TypeId::of::<N>(), TypeId::of::<T>()), Box::new(erased))
    }

    fn rule<T: Target>(&self, node: &dyn Node) -> Result<&Rule<T>, LowerError> {
        let any: &dyn Any = node;
        self.rules
            .get(&(any.type_id(), TypeId::of::<T>()))
            .and_then(|rule| rule.downcast_ref())
            .ok_or_else(|| no_rule::<T>(node.meta().name))
    }
}

fn no_rule<T: Target>(node: &'static str) -> LowerError {
    LowerError::NoRule {
        node,
        target: T::NAME,
    }
}

/// A walk through a tree: it calls components and applies rules.
pub struct Lower<'r, T: Target> {
    registry: &'r Registry,
    scope: Scope,
    context: T::Context,
    depth: usize,
}

impl<T: Target> Clone for Lower<'_, T> {
    fn clone(&self) -> Self {
        Self {
            registry: self.registry,
            scope: self.scope,
            context: self.context.clone(),
            depth: self.depth,
        }
    }
}

impl<'r, T: Target> Lower<'r, T> {
    /// A walk that begins in `scope`, with the target's default context.
    pub fn new(registry: &'r Registry, scope: Scope) -> Self {
        Self {
            registry,
            scope,
            context: T::Context::default(),
            depth: 0,
        }
    }

    /// The scope here: its density is what a rule may follow.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What the rules around this place said.
    pub fn context(&self) -> &T::Context {
        &self.context
    }

    /// The same walk with another context, for a rule's children.
    pub fn with_context(&self, context: T::Context) -> Self {
        Self {
            context,
            ..self.clone()
        }
    }

    /// Lowers elements one after the other.
    ///
    /// # Errors
    ///
    /// As [`element`](Self::element).
    pub fn children(&self, children: &[Element<'_>]) -> Lowered<T> {
        let mut pieces = Vec::with_capacity(children.len());
        for child in children {
            self.push(child, &mut pieces)?;
        }
        Ok(pieces)
    }

    /// Lowers one element.
    ///
    /// # Errors
    ///
    /// [`LowerError::NoRule`] if a node in it has no rule for this target, and
    /// [`LowerError::TooDeep`] if more than [`MAX_DEPTH`] elements are within one another.
    pub fn element(&self, element: &Element<'_>) -> Lowered<T> {
        let mut pieces = Vec::new();
        self.push(element, &mut pieces)?;
        Ok(pieces)
    }

    fn push(&self, element: &Element<'_>, pieces: &mut Vec<T::Piece>) -> Result<(), LowerError> {
        match &element.0 {
            Repr::Text(text) if text.is_empty() => {}
            Repr::Text(text) => pieces.push(T::text(text)),
            Repr::Fragment(children) => {
                let within = self.within("a fragment")?;
                for child in children.iter() {
                    within.push(child, pieces)?;
                }
            }
            Repr::Borrowed(element) => self.push(element, pieces)?,
            Repr::Node(element) => {
                let within = self.within(element.node.meta().name)?;
                let rule = self.registry.rule::<T>(&*element.node)?;
                pieces.extend(rule(&*element.node, &element.children, &within)?);
            }
            Repr::Component(component) => {
                let mut within = self.within(component.meta().name)?;
                if let Some(density) = component.density() {
                    within.scope = Scope::new(density);
                }
                within.push(&component.render(&within.scope), pieces)?;
            }
        }
        Ok(())
    }

    fn within(&self, name: &'static str) -> Result<Self, LowerError> {
        if self.depth == MAX_DEPTH {
            return Err(LowerError::TooDeep {
                limit: MAX_DEPTH,
                within: name,
            });
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self.clone()
        })
    }
}
