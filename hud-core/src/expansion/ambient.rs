//! Defaults of context values that nothing provides.

/// A type with a default, for a context value that nothing provides.
#[diagnostic::on_unimplemented(
    message = "there may be no ambient `{Self}`, and it has no default",
    label = "`{Self}` is not `Default`",
    note = "write `#[prop(ambient, default = ..)]`, implement `Default`, or take an `Option`"
)]
pub trait AmbientDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> AmbientDefault for T {}

/// The default of a context value.
pub fn ambient_default<T: AmbientDefault>() -> T {
    T::default()
}
