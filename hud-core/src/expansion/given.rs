//! What a caller may give for a prop.

/// What a prop of type `Option<T>` is given: the value or the option.
#[diagnostic::on_unimplemented(
    message = "expected `{T}` or `Option<{T}>`, found `{Self}`",
    label = "a value of another type than the prop"
)]
pub trait IntoOptional<T> {
    /// The prop's value.
    fn into_optional(self) -> Option<T>;
}

impl<T> IntoOptional<T> for T {
    fn into_optional(self) -> Option<T> {
        Some(self)
    }
}

impl<T> IntoOptional<T> for Option<T> {
    fn into_optional(self) -> Self {
        self
    }
}

/// What a prop with `#[prop(into)]` is given.
#[diagnostic::on_unimplemented(
    message = "expected a value that turns into `{T}`, found `{Self}`",
    label = "`{T}` is not `From<{Self}>`"
)]
pub trait IntoProp<T> {
    /// The prop's value.
    fn into_prop(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> IntoProp<T> for U {
    fn into_prop(self) -> T {
        self.into()
    }
}
