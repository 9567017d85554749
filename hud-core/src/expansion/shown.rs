//! The values in braces: those that turn into elements, and those that only implement [`Display`].
//!
//! No trait can have an implementation for every type with [`Display`] beside those of [`IntoElement`]. So the compiler
//! chooses a method: each of [`Shown`], [`Condition`], [`Text`] and [`Neither`] dereferences to the next, and the first one
//! whose `shown` can be called is taken.

use std::fmt::Display;
use std::ops::Deref;

use super::check::checked;
use crate::element::IntoElement;

/// A value in braces, if it turns into an element.
pub struct Shown<T>(Condition<T>);

/// The value, if it is a boolean.
pub struct Condition<T>(Text<T>);

/// The value, if it implements [`Display`].
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

/// A boolean. It implements [`Display`] and is not shown: a condition in braces mostly lacks its `if`.
pub trait IsCondition {}

impl IsCondition for bool {}

impl<T: IsCondition> IsCondition for &T {}

impl<T: IsCondition> Condition<T> {
    /// The value, which is not shown: rustc reports it.
    ///
    /// # Panics
    ///
    /// It was called by hand.
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
    /// The value, which cannot be shown: rustc reports it.
    ///
    /// # Panics
    ///
    /// It was called by hand.
    pub fn shown(&self) -> T {
        checked()
    }
}
