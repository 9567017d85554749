//! Clones of props for another call of a component.

/// A value that can be passed to several calls of a component.
#[diagnostic::on_unimplemented(
    message = "a prop is cloned, and `{Self}` cannot be",
    label = "`{Self}` is not `Clone`",
    note = "a component is called again for each density that is rendered: derive `Clone`, borrow \
            the value (`&'a T`), or share it (`Rc<T>`, `Rc<dyn Fn(..)>`)"
)]
pub trait Again: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Again for T {}

/// Clones a prop's value for another call.
#[inline]
pub fn again<T: Again>(value: &T) -> T {
    value.clone()
}
