//! Conversion of props to data, for props of any type.

use std::fmt::Debug;

use crate::node::{ToValue, Value};

/// A prop that is converted to data. The number of references before it selects one of the three
/// traits below: the first that the type implements.
pub struct PropRef<'p, T: ?Sized>(pub &'p T);

/// A prop with a conversion to data.
pub trait AsValue {
    /// Converts the prop to data.
    fn prop_value(&self) -> Value;
}

impl<T: ToValue + ?Sized> AsValue for &&PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A prop that implements `Debug`.
pub trait AsDebug {
    /// Returns the prop's `Debug` output as text.
    fn prop_value(&self) -> Value;
}

impl<T: Debug + ?Sized> AsDebug for &PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        Value::Text(format!("{:?}", self.0))
    }
}

/// Any other prop.
pub trait AsOpaque {
    /// Returns [`Value::Hidden`].
    fn prop_value(&self) -> Value;
}

impl<T: ?Sized> AsOpaque for PropRef<'_, T> {
    fn prop_value(&self) -> Value {
        Value::Hidden
    }
}
