//! Values in braces: those that turn into elements, and those that only implement [`Display`].
//!
//! A blanket implementation for [`Display`] would conflict with those of [`IntoElement`]. So the
//! compiler selects a method: [`Shown`], [`Condition`], [`Text`] and [`Neither`] each dereference
//! to the next, and the first whose `shown` applies is used.

use std::fmt::Display;
use std::ops::Deref;

use super::check::checked;
use crate::element::IntoElement;

/// A value in braces. It is used if the value turns into an element.
pub struct Shown<T>(Condition<T>);

/// The value. It is used if it is a boolean.
pub struct Condition<T>(Text<T>);

/// The value. It is used if it implements [`Display`].
pub struct Text<T>(Neither<T>);

/// Any other value.
pub struct Neither<T>(T);

/// Wraps a value in braces.
#[inline]
pub fn shown<T>(value: T) -> Shown<T> {
    Shown(Condition(Text(Neither(value))))
}

impl<T> Deref for Shown<T> {
    type Target = Condition<T>;

    fn deref(&self) -> &Condition<T> {
        &self.0
    }
}

impl<T> Deref for Condition<T> {
    type Target = Text<T>;

    fn deref(&self) -> &Text<T> {
        &self.0
    }
}

impl<T> Deref for Text<T> {
    type Target = Neither<T>;

    fn deref(&self) -> &Neither<T> {
        &self.0
    }
}

impl<'a, T: IntoElement<'a>> Shown<T> {
    /// The value.
    #[inline]
    pub fn shown(self) -> T {
        self.0.0.0.0
    }
}

/// A boolean. It implements [`Display`], but is not shown: a condition in braces mostly lacks its
/// `if`.
pub trait IsCondition {}

impl IsCondition for bool {}

impl<T: IsCondition> IsCondition for &T {}

impl<T: IsCondition> Condition<T> {
    /// Never runs. rustc reports that a boolean is not shown.
    ///
    /// # Panics
    ///
    /// If it was called manually.
    pub fn shown(&self) -> T {
        checked()
    }
}

impl<T: Display> Text<T> {
    /// The text.
    pub fn shown(&self) -> String {
        self.0.0.to_string()
    }
}

impl<T> Neither<T> {
    /// Never runs. rustc reports that the value cannot be shown.
    ///
    /// # Panics
    ///
    /// If it was called manually.
    pub fn shown(&self) -> T {
        checked()
    }
}
