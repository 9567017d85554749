//! Props for one more call of a component.

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
