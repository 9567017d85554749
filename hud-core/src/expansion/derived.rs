//! What the implementations of `Clone`, `PartialEq` and `Debug` for a struct of props call.

use std::fmt::{Debug, Formatter, Result};
use std::rc::Rc;
use std::sync::Arc;

use crate::component::TagMeta;

/// What a component can be called with again.
#[diagnostic::on_unimplemented(
    message = "a prop is cloned, and `{Self}` cannot be",
    label = "`{Self}` is not `Clone`",
    note = "a component is called again for each density that is rendered: derive `Clone`, borrow \
            the value (`&'a T`), or share it (`Rc<T>`, `Rc<dyn Fn(..)>`)"
)]
pub trait Again: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Again for T {}

/// A prop's value for one more call.
#[inline]
pub fn again<T: Again>(value: &T) -> T {
    value.clone()
}

/// Two values of a prop that is shared: equal if they are, or, where the type has no equality, if
/// they are in the same place.
pub struct Same<'v, T>(pub &'v T);

impl<T: PartialEq> Same<'_, T> {
    /// Whether the values are equal. Where this does not apply, [`SamePlace::same`] does.
    pub fn same(&self, other: &T) -> bool {
        self.0 == other
    }
}

/// See [`Same`].
pub trait SamePlace<T> {
    /// Whether they are in the same place.
    fn same(&self, other: &T) -> bool;
}

impl<T: ?Sized> SamePlace<Rc<T>> for Same<'_, Rc<T>> {
    fn same(&self, other: &Rc<T>) -> bool {
        Rc::ptr_eq(self.0, other)
    }
}

impl<T: ?Sized> SamePlace<Arc<T>> for Same<'_, Arc<T>> {
    fn same(&self, other: &Arc<T>) -> bool {
        Arc::ptr_eq(self.0, other)
    }
}

impl<T> SamePlace<Option<T>> for Same<'_, Option<T>>
where
    for<'v> Same<'v, T>: SamePlace<T>,
{
    fn same(&self, other: &Option<T>) -> bool {
        match (self.0, other) {
            (Some(this), Some(that)) => SamePlace::same(&Same(this), that),
            (this, that) => this.is_none() && that.is_none(),
        }
    }
}

/// The `Debug` of a struct of props, with the values of all that the tag has, in their order.
pub fn debug(f: &mut Formatter<'_>, tag: &TagMeta, values: &[&dyn Debug]) -> Result {
    let mut shown = f.debug_struct(tag.name);
    for (prop, value) in tag.props.iter().zip(values) {
        shown.field(prop.name, value);
    }
    shown.finish()
}

/// A prop's value in the `Debug` of its component: its own `Debug`, or `..` where it has none.
pub struct Shown<'v, T: ?Sized>(pub &'v T);

impl<T: Debug> Shown<'_, T> {
    /// The value itself. Where this does not apply, [`Hidden::shown`] does.
    pub fn shown(&self) -> &dyn Debug {
        self.0
    }
}

/// See [`Shown`].
pub trait Hidden {
    /// Two dots.
    fn shown(&self) -> &dyn Debug {
        &Dots
    }
}

struct Dots;

impl Debug for Dots {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("..")
    }
}

impl<T: ?Sized> Hidden for Shown<'_, T> {}
