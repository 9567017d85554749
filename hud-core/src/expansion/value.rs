//! Props as data, whatever their types have to say.

use std::fmt::Debug;

use crate::node::{ToValue, Value};

/// A prop that is to become data. Which of the three traits below applies is decided by how many
/// references are before it: the first that the type has.
pub struct PropRef<'p, T: ?Sized>(pub &'p T);

/// A prop that says what it is as data.
pub trait AsValue {
    /// The prop as data.
    fn prop_value(&self) -> Value;
}

impl<T: ToValue + ?Sized> AsValue for &&PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A prop that can be shown for debugging.
pub trait AsDebug {
    /// The prop as text.
    fn prop_value(&self) -> Value;
}

impl<T: Debug + ?Sized> AsDebug for &PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        Value::Text(format!("{:?}", self.0))
    }
}

/// Any prop.
pub trait AsOpaque {
    /// Nothing of the prop.
    fn prop_value(&self) -> Value;
}

impl<T: ?Sized> AsOpaque for PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        Value::Hidden
    }
}
