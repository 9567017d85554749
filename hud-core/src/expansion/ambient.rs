//! What an argument gets where nothing provides an ambient value.

/// What has a default where nothing provides an ambient value.
#[diagnostic::on_unimplemented(
    message = "there may be no ambient `{Self}`, and it has no default",
    label = "`{Self}` is not `Default`",
    note = "write `#[prop(ambient, default = ..)]`, implement `Default`, or take an `Option`"
)]
pub trait AmbientDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> AmbientDefault for T {}

/// The ambient value where nothing provides one.
pub fn ambient_default<T: AmbientDefault>() -> T {
    T::default()
}
