//! Conversions of the values that a caller may pass as props.

/// A value for a prop of type `Option<T>`: a `T` or an `Option<T>`.
#[diagnostic::on_unimplemented(
    message = "expected `{T}` or `Option<{T}>`, found `{Self}`",
    label = "a value of another type than the prop",
    note = "what an option owns is borrowed with `.as_deref()` or `.as_ref()`, and a number is converted with `as`"
)]
pub trait IntoOptional<T> {
    /// Converts to the prop's value.
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

// Coercions that the compiler does itself for a required prop.
impl<'a> IntoOptional<&'a str> for &'a String {
    fn into_optional(self) -> Option<&'a str> {
        Some(self)
    }
}

impl<'a, T> IntoOptional<&'a [T]> for &'a Vec<T> {
    fn into_optional(self) -> Option<&'a [T]> {
        Some(self)
    }
}

impl<'a, T, const N: usize> IntoOptional<&'a [T]> for &'a [T; N] {
    fn into_optional(self) -> Option<&'a [T]> {
        Some(self)
    }
}

/// A value for a prop of type `Option<T>` with `#[prop(into)]`: one that converts into `T`, or an
/// option of it. `Given` distinguishes the two.
#[diagnostic::on_unimplemented(
    message = "expected a value that turns into `{T}`, or an option of one, found `{Self}`",
    label = "`{T}` is not `From<{Self}>`"
)]
pub trait IntoOptionalProp<T, Given> {
    /// Converts to the prop's value.
    fn into_optional_prop(self) -> Option<T>;
}

/// The marker of a plain value.
pub struct GivenValue;

/// The marker of an option.
pub struct GivenOption;

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> IntoOptionalProp<T, GivenValue> for U {
    fn into_optional_prop(self) -> Option<T> {
        Some(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> IntoOptionalProp<T, GivenOption> for Option<U> {
    fn into_optional_prop(self) -> Option<T> {
        self.map(U::into)
    }
}

/// A value for a prop with `#[prop(into)]`.
#[diagnostic::on_unimplemented(
    message = "expected a value that turns into `{T}`, found `{Self}`",
    label = "`{T}` is not `From<{Self}>`"
)]
pub trait IntoProp<T> {
    /// Converts to the prop's value.
    fn into_prop(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> IntoProp<T> for U {
    fn into_prop(self) -> T {
        self.into()
    }
}

/// A type with a default, for a prop with `#[prop(default)]`.
#[diagnostic::on_unimplemented(
    message = "`#[prop(default)]` takes the default of `{Self}`, which has none",
    label = "`{Self}` is not `Default`",
    note = "write `#[prop(default = ..)]`, or implement `Default`"
)]
pub trait PropDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> PropDefault for T {}

/// The given value of a prop, or the default of its type.
#[inline]
pub fn or_default<T: PropDefault>(value: Option<T>) -> T {
    value.unwrap_or_default()
}
