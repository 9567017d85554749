//! Rules by node type and target, and the walks that apply them: [`Lower`] from a tree to a target,
//! and [`Lift`] back.

mod lift;
mod lower;
mod rule;

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

pub use lift::{Lift, LiftError, LiftResult, Lifted};
pub use lower::{InvalidProp, Lower, LowerError, LowerResult, MAX_DEPTH, Misplaced};
pub(crate) use lower::{LoweredPiece, Seam, Siblings, Walker};
pub use rule::{OneWay, Rule, TwoWay, one_way, two_way};
pub(crate) use rule::{one_way_piece, two_way_piece};

use crate::element::Element;
use crate::node::{Node, NodeType};
use crate::trace::Recorder;
use lift::Lifts;
use rule::{DefaultLower, ErasedLift, ErasedLower};

/// The output format that a tree is lowered to.
pub trait Target: Sized + 'static {
    /// The target's name, for errors.
    const NAME: &'static str;
    /// The output type of a rule: a node of the target's tree, or a piece of its text.
    type Piece: 'static;
    /// The state that a rule passes to its children, such as the level of the next heading.
    type Context: Clone + Default;

    /// The piece that shows a text.
    fn text(text: &str) -> Self::Piece;

    /// True if two adjacent pieces read as one text. If a call of a component rendered one of them,
    /// and a call or a node the other, ` │ ` is put between them.
    fn runs_on(before: &Self::Piece, after: &Self::Piece) -> bool {
        let _ = (before, after);
        false
    }

    /// Marks a piece with its call, if the target's pieces can store a mark.
    #[doc(hidden)]
    fn mark(piece: &mut Self::Piece, recorder: &Recorder, call: usize) {
        let _ = (piece, recorder, call);
    }
}

/// A target whose pieces can be lifted again by [`two_way`] rules.
pub trait LiftTarget: Target {
    /// The text of a piece that is only text. It is the opposite of [`Target::text`].
    fn as_text(piece: &Self::Piece) -> Option<&str>;

    /// The kind of the piece, for errors.
    fn kind(piece: &Self::Piece) -> &'static str;
}

/// The error of nodes that have no rule for a target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "target `{target}` has no rule for `{}`: register one for each with `Registry::register`, or \
     one for all with `Registry::register_default`",
    nodes.join("`, `")
)]
pub struct MissingRules {
    /// The target's name.
    pub target: &'static str,
    /// The nodes' names.
    pub nodes: Vec<&'static str>,
}

/// One rule for each pair of a node type and a target, and optionally a default rule for each
/// target.
///
/// Clones share the rules. A rule that is added to one clone is not added to the others.
#[derive(Clone, Default)]
pub struct Registry {
    /// The lowering [`Rules`] by target.
    lower: HashMap<TypeId, Shared>,
    /// The lifting rules by target. The newest is tried first.
    lift: HashMap<TypeId, Shared>,
    /// True if all built-in nodes have their built-in rules.
    has_builtin: bool,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("targets", &self.lower.len())
            .field("has_builtin", &self.has_builtin)
            .finish()
    }
}

/// The type-erased rules of a target.
type Shared = Arc<dyn Any + Send + Sync>;

/// A mutable reference to rules. Copies them first if a clone of the registry shares them.
fn own<R: Any + Clone + Send + Sync>(shared: &mut Shared) -> Option<&mut R> {
    if Arc::get_mut(shared).is_none() {
        let copy = shared.downcast_ref::<R>()?.clone();
        *shared = Arc::new(copy);
    }
    Arc::get_mut(shared)?.downcast_mut()
}

/// The rules of a target for lowering.
struct Rules<T: Target> {
    /// The rules by node type. The map is never iterated, so its order cannot affect the output.
    own: HashMap<TypeId, ErasedLower<T>, BuildHasherDefault<TypeHasher>>,
    /// The rule of nodes without one of their own.
    default: Option<DefaultLower<T>>,
}

impl<T: Target> Clone for Rules<T> {
    fn clone(&self) -> Self {
        Self {
            own: self.own.clone(),
            default: self.default.clone(),
        }
    }
}

impl<T: Target> Default for Rules<T> {
    fn default() -> Self {
        Self {
            own: HashMap::default(),
            default: None,
        }
    }
}

impl<T: Target> Rules<T> {
    /// Lowers a node by its rule or the target's default, and adds the output.
    fn lower(
        &self,
        node: &dyn Node,
        children: &[Element<'_>],
        walk: &Lower<'_, T>,
        pieces: &mut Vec<T::Piece>,
    ) -> Result<(), LowerError> {
        let any: &dyn Any = node;
        match (self.own.get(&any.type_id()), &self.default) {
            (Some(rule), _) => rule(any, children, walk, pieces),
            (None, Some(rule)) => {
                pieces.extend(rule(node, children, walk)?);
                Ok(())
            }
            (None, None) => Err(no_rule::<T>(node.meta().name)),
        }
    }
}

/// The hasher of a [`TypeId`], which already is a hash.
#[derive(Default)]
struct TypeHasher(u64);

impl Hasher for TypeHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 ^= hash;
    }

    /// A fallback: the way a [`TypeId`] hashes itself is not documented.
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
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
        crate::data::register(&mut registry);
        crate::graph::register(&mut registry);
        registry.has_builtin = true;
        registry
    }

    /// True if all built-in nodes have this crate's rules.
    pub(crate) fn has_builtin(&self) -> bool {
        self.has_builtin
    }

    /// Adds the rule of a node type for a target: [`two_way`], or [`one_way`] if its output cannot
    /// be lifted. The types of the rule's arguments determine the node and the target.
    ///
    /// If several rules could lift a piece, the one registered last is used.
    ///
    /// # Panics
    ///
    /// If there is a rule already. Otherwise two crates that define rules for the same node would
    /// silently override each other. Use [`replace`](Self::replace) to override a rule.
    #[track_caller]
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

    /// Replaces the rule of a node type for a target, in both directions. The new rule lifts the
    /// pieces of the node, or no rule does if it is [`one_way`].
    ///
    /// # Panics
    ///
    /// If there is no rule to replace. It may have been renamed.
    #[track_caller]
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

    /// Adds the default rule of a target, for all nodes without a rule of their own. It gets a
    /// node's [name](Node::meta), its [props as data](Node::props) and its children, which it
    /// lowers with the walk. So a target can start with one rule, and add rules for nodes that need
    /// other output.
    ///
    /// ```
    /// use hud_core::node::{Item, List, Status, Strong, Value};
    /// use hud_core::{Element, Lower, LowerResult, Registry, Scope, Target, one_way, rsx};
    ///
    /// /// Tags around texts.
    /// enum Tags {}
    ///
    /// impl Target for Tags {
    ///     const NAME: &'static str = "tags";
    ///     type Piece = String;
    ///     type Context = ();
    ///
    ///     fn text(text: &str) -> String {
    ///         text.replace('&', "&amp;").replace('<', "&lt;")
    ///     }
    /// }
    ///
    /// let mut registry = Registry::new();
    /// registry.register_default::<Tags>(|node, children, lower| {
    ///     let name = node.meta().name;
    ///     let props = node.props().into_iter().filter(|(_, value)| *value != Value::None);
    ///     let props: String = props.map(|(name, value)| format!(" {name}={value}")).collect();
    ///     let inner = lower.children(children)?.concat();
    ///     Ok(vec![format!("<{name}{props}>{inner}</{name}>")])
    /// });
    /// registry.register(one_way(
    ///     |_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Tags>| -> LowerResult<Tags> {
    ///         Ok(vec![format!("<b>{}</b>", lower.children(children)?.concat())])
    ///     },
    /// ));
    ///
    /// let element = rsx! { <Item checked=true><Strong>"a < b"</Strong> <Status state="new" /></Item> };
    /// let tags = Lower::<Tags>::new(&registry, Scope::default()).element(&element)?.concat();
    /// assert_eq!(
    ///     tags,
    ///     "<Item checked=true spread=false><b>a &lt; b</b><Status state=new></Status></Item>"
    /// );
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the target has a default rule already.
    #[track_caller]
    pub fn register_default<T: Target>(
        &mut self,
        rule: impl Fn(&dyn Node, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self {
        let rule: DefaultLower<T> = Arc::new(rule);
        let rules = self.rules_mut::<T>();
        let before = rules.and_then(|rules| rules.default.replace(rule));
        #[allow(
            clippy::panic,
            reason = "documented: a mistake of the program, met when it starts"
        )]
        if before.is_some() {
            panic!("target `{}` has a default rule already", T::NAME);
        }
        self
    }

    /// Checks that each of some nodes has a rule for a target, its own or the default. Call it at
    /// startup, so that no rendering fails for lack of a rule.
    ///
    /// ```
    /// use hud_core::mdast::Mdast;
    /// use hud_core::node::{self, NodeType};
    /// use hud_core::{Node, Registry};
    ///
    /// /// Stars for a review.
    /// #[derive(Debug, PartialEq, Node)]
    /// #[node(leaf)]
    /// pub struct Stars {
    ///     /// How many, of five.
    ///     pub count: usize,
    /// }
    ///
    /// let registry = Registry::builtin();
    /// registry.check::<Mdast>(node::BUILTIN)?;
    /// let error = registry.check::<Mdast>(&[NodeType::of::<Stars>()]).unwrap_err();
    /// assert_eq!(error.nodes, ["Stars"]);
    /// # Ok::<(), hud_core::registry::MissingRules>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MissingRules`] with the names of all nodes without a rule, in the given order.
    pub fn check<T: Target>(&self, nodes: &[NodeType]) -> Result<(), MissingRules> {
        let rules = self.rules::<T>();
        let has_rule = |node: &&NodeType| {
            rules.is_some_and(|rules| rules.default.is_some() || rules.own.contains_key(&node.id()))
        };
        let missing = nodes.iter().filter(|node| !has_rule(node));
        let nodes: Vec<&'static str> = missing.map(|node| node.meta().name).collect();
        if nodes.is_empty() {
            return Ok(());
        }
        let target = T::NAME;
        Err(MissingRules { target, nodes })
    }

    /// Inserts a rule, and returns the one that it replaced.
    fn insert<N: Node, T: Target>(&mut self, rule: impl Rule<N, T>) -> Option<ErasedLower<T>> {
        let (lower, lift) = rule.erase();
        let lifts = self
            .lift
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(Lifts::<T>::default()));
        if let Some(lifts) = own::<Lifts<T>>(lifts) {
            lifts.set(TypeId::of::<N>(), lift);
        }
        let before = self.rules_mut::<T>()?.own.insert(TypeId::of::<N>(), lower);
        self.has_builtin &= before.is_none();
        before
    }

    /// The lowering rules of a target, if it has any.
    fn rules<T: Target>(&self) -> Option<&Rules<T>> {
        self.lower.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The lowering rules of a target, created if needed. It never returns `None`, as the map's key
    /// determines the type.
    fn rules_mut<T: Target>(&mut self) -> Option<&mut Rules<T>> {
        let rules = self
            .lower
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(Rules::<T>::default()));
        own(rules)
    }

    /// The lifting rules of a target, newest first.
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

#[cfg(test)]
mod tests {
    use super::Registry;
    use crate::data::Data;
    use crate::graph::Graph;
    use crate::mdast::Mdast;
    use crate::node::BUILTIN;

    #[test]
    fn each_rule_of_the_built_in_registry_is_for_a_built_in_node() {
        let registry = Registry::builtin();
        assert_eq!(registry.check::<Mdast>(BUILTIN), Ok(()));
        let own = registry.rules::<Mdast>().map(|rules| rules.own.len());
        assert_eq!(own, Some(BUILTIN.len()));
        let own = registry.rules::<Data>().map(|rules| rules.own.len());
        assert_eq!(own, Some(BUILTIN.len()));
        let own = registry.rules::<Graph>().map(|rules| rules.own.len());
        assert_eq!(own, Some(BUILTIN.len()));
    }
}
