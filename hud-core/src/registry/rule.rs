//! A rule: lowers a node, and optionally lifts it.

use std::any::{Any, type_name};
use std::marker::PhantomData;
use std::sync::Arc;

use super::lift::{Lift, LiftError, LiftResult};
use super::lower::{Lower, LowerError, LowerResult, LoweredPiece};
use super::{LiftTarget, Target, no_rule};
use crate::element::Element;
use crate::node::Node;

/// A function that lowers a node of any type and appends the output. The registry finds it by the
/// node's type.
pub(super) type ErasedLower<T> = Arc<
    dyn Fn(
            &dyn Any,
            &[Element<'_>],
            &Lower<'_, T>,
            &mut Vec<<T as Target>::Piece>,
        ) -> Result<(), LowerError>
        + Send
        + Sync,
>;

/// A function that lowers each node without a rule of its own.
pub(super) type DefaultLower<T> =
    Arc<dyn Fn(&dyn Node, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T> + Send + Sync>;

/// A function that lifts the first pieces, and returns their number. `None` if they do not belong
/// to its node.
pub(super) type ErasedLift<T> = Arc<
    dyn Fn(
            &[<T as Target>::Piece],
            &Lift<'_, T>,
        ) -> Result<Option<(Element<'static>, usize)>, LiftError>
        + Send
        + Sync,
>;

/// A rule of the node type `N` for the target `T`, as [`one_way`] and [`two_way`] create it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule",
    label = "not a rule",
    note = "write `one_way(lower)`, or `two_way(lower, lift)` for a rule that can be undone"
)]
pub trait Rule<N, T: Target>: erase::Erase<N, T> {}

impl<N, T: Target, R: erase::Erase<N, T>> Rule<N, T> for R {}

mod erase {
    use super::{ErasedLift, ErasedLower, Target};

    /// Both directions of a rule, for a node of any type. Other crates cannot implement it.
    pub trait Erase<N, T: Target> {
        fn erase(self) -> (ErasedLower<T>, Option<ErasedLift<T>>);
    }
}

/// A rule that lowers and cannot lift: created by [`one_way`].
pub struct OneWay<N: ?Sized, T, L> {
    lower: L,
    of: PhantomData<fn(&N, &T)>,
}

/// A rule that lowers and lifts: created by [`two_way`].
pub struct TwoWay<N, T, L, U> {
    lower: L,
    lift: U,
    of: PhantomData<fn(&N, &T)>,
}

/// A rule whose output does not identify the node. A meter, for example, writes a number as text.
///
/// `lower` gets the node, its children and the walk, which lowers the children.
pub fn one_way<N, T, L>(lower: L) -> OneWay<N, T, L>
where
    N: Node + ?Sized,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T>,
{
    OneWay {
        lower,
        of: PhantomData,
    }
}

/// A rule with its opposite.
///
/// `lift` gets the pieces from the current one to the last of its siblings, and the walk, which
/// lifts the content. It returns `None` if `lower` did not write the first piece. Otherwise it
/// returns the node, its children and the number of pieces. `lower` must turn these into the same
/// pieces again.
///
/// ```
/// use hud_core::mdast::{self, Mdast, Node as MdastNode};
/// use hud_core::registry::{Lift, Lifted, LiftResult, Lower, LowerResult, two_way};
/// use hud_core::{Element, Node, Registry, Renderer, rsx};
///
/// /// An issue that is named in a text: `#12`.
/// #[derive(Debug, PartialEq, Node)]
/// #[node(leaf)]
/// pub struct Issue {
///     /// Its number.
///     pub number: u32,
/// }
///
/// fn lower(issue: &Issue, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
///     Ok(vec![mdast::link(&format!("/issues/{}", issue.number), vec![mdast::text("issue")])])
/// }
///
/// fn lift(pieces: &[MdastNode], _: &Lift<'_, Mdast>) -> LiftResult<Issue> {
///     let Some(MdastNode::Link(link)) = pieces.first() else {
///         return Ok(None);
///     };
///     let number = link.url.strip_prefix("/issues/").and_then(|number| number.parse().ok());
///     Ok(number.map(|number| Lifted::one(Issue { number }, [])))
/// }
///
/// let mut registry = Registry::builtin();
/// registry.register(two_way(lower, lift));
/// let renderer = Renderer::new(registry);
///
/// let element = rsx! { "See " <Issue number=12 /> };
/// let tree = renderer.mdast(&element, Default::default())?;
/// assert_eq!(renderer.lift(&tree)?, element);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn two_way<N, T, L, U>(lower: L, lift: U) -> TwoWay<N, T, L, U>
where
    N: Node,
    T: LiftTarget,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T>,
    U: Fn(&[T::Piece], &Lift<'_, T>) -> LiftResult<N>,
{
    TwoWay {
        lower,
        lift,
        of: PhantomData,
    }
}

/// A rule of a node that is one piece, or none. Its output needs no allocation.
pub(crate) struct OfPiece<T, L, U> {
    lower: L,
    lift: U,
    of: PhantomData<fn(&T)>,
}

/// A [`one_way`] rule of a node that is one piece, or none.
pub(crate) fn one_way_piece<N, T, L>(lower: L) -> OfPiece<T, L, ()>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LoweredPiece<T>,
{
    OfPiece {
        lower,
        lift: (),
        of: PhantomData,
    }
}

/// A [`two_way`] rule of a node that is one piece, or none.
pub(crate) fn two_way_piece<N, T, L, U>(lower: L, lift: U) -> OfPiece<T, L, (U,)>
where
    N: Node,
    T: LiftTarget,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LoweredPiece<T>,
    U: Fn(&[T::Piece], &Lift<'_, T>) -> LiftResult<N>,
{
    OfPiece {
        lower,
        lift: (lift,),
        of: PhantomData,
    }
}

impl<N, T, L> erase::Erase<N, T> for OfPiece<T, L, ()>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LoweredPiece<T> + Send + Sync + 'static,
{
    fn erase(self) -> (ErasedLower<T>, Option<ErasedLift<T>>) {
        (erase_piece(self.lower), None)
    }
}

impl<N, T, L, U> erase::Erase<N, T> for OfPiece<T, L, (U,)>
where
    N: Node,
    T: LiftTarget,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LoweredPiece<T> + Send + Sync + 'static,
    U: Fn(&[T::Piece], &Lift<'_, T>) -> LiftResult<N> + Send + Sync + 'static,
{
    fn erase(self) -> (ErasedLower<T>, Option<ErasedLift<T>>) {
        (erase_piece(self.lower), Some(erase_lift(self.lift.0)))
    }
}

impl<N, T, L> erase::Erase<N, T> for OneWay<N, T, L>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T> + Send + Sync + 'static,
{
    fn erase(self) -> (ErasedLower<T>, Option<ErasedLift<T>>) {
        (erase_lower(self.lower), None)
    }
}

impl<N, T, L, U> erase::Erase<N, T> for TwoWay<N, T, L, U>
where
    N: Node,
    T: LiftTarget,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T> + Send + Sync + 'static,
    U: Fn(&[T::Piece], &Lift<'_, T>) -> LiftResult<N> + Send + Sync + 'static,
{
    fn erase(self) -> (ErasedLower<T>, Option<ErasedLift<T>>) {
        (erase_lower(self.lower), Some(erase_lift(self.lift)))
    }
}

fn erase_lift<N, T, U>(lift: U) -> ErasedLift<T>
where
    N: Node,
    T: LiftTarget,
    U: Fn(&[T::Piece], &Lift<'_, T>) -> LiftResult<N> + Send + Sync + 'static,
{
    Arc::new(move |pieces, walk| {
        let lifted = lift(pieces, walk)?;
        Ok(lifted.map(|lifted| (Element::node(lifted.node, lifted.children), lifted.taken)))
    })
}

fn erase_piece<N, T, L>(lower: L) -> ErasedLower<T>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LoweredPiece<T> + Send + Sync + 'static,
{
    erased(move |node: &N, children, walk, pieces| {
        let Some(piece) = lower(node, children, walk)? else {
            return Ok(());
        };
        // Most often it is the only piece.
        if pieces.capacity() == 0 {
            pieces.reserve_exact(1);
        }
        pieces.push(piece);
        Ok(())
    })
}

fn erase_lower<N, T, L>(lower: L) -> ErasedLower<T>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>) -> LowerResult<T> + Send + Sync + 'static,
{
    erased(move |node: &N, children, walk, pieces| {
        let given = lower(node, children, walk)?;
        match pieces.capacity() {
            0 => *pieces = given,
            _ => pieces.extend(given),
        }
        Ok(())
    })
}

fn erased<N, T, L>(lower: L) -> ErasedLower<T>
where
    N: Node,
    T: Target,
    L: Fn(&N, &[Element<'_>], &Lower<'_, T>, &mut Vec<T::Piece>) -> Result<(), LowerError>
        + Send
        + Sync
        + 'static,
{
    Arc::new(
        move |node, children, walk, pieces| match node.downcast_ref::<N>() {
            Some(node) => lower(node, children, walk, pieces),
            // Unreachable: the registry's key is the type of the node.
            None => Err(no_rule::<T>(type_name::<N>())),
        },
    )
}
