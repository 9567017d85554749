//! Props as data: what a rule sees of a node whose type it does not know.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A prop of a node as data.
///
/// | the prop's type | its value |
/// | --- | --- |
/// | `bool` | [`Bool`](Self::Bool) |
/// | integers | [`Integer`](Self::Integer) |
/// | `f32`, `f64` | [`Float`](Self::Float) |
/// | `char`, `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>`, `Arc<str>` | [`Text`](Self::Text) |
/// | `Option` | what is in it, or [`None`](Self::None) |
/// | `Vec`, slices, arrays | [`List`](Self::List) |
/// | any other with [`ToValue`] | what that gives, an [`Object`](Self::Object) for example |
/// | any other with [`Debug`](fmt::Debug) | [`Text`](Self::Text), as `{:?}` writes it |
/// | any other | [`Hidden`](Self::Hidden) |
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// An option without a value.
    None,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction.
    Float(f64),
    /// Text: data, to be escaped like any other.
    Text(String),
    /// Several, in order.
    List(Vec<Value>),
    /// Several with names, in order.
    Object(Vec<(String, Value)>),
    /// Something that can not be shown.
    Hidden,
}

/// What a text says, a number in digits, several with `, ` between them, those with names as `name: value`,
/// and nothing for `None` and what can not be shown.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None | Self::Hidden => Ok(()),
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => f.write_str(value),
            Self::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    value.fmt(f)?;
                }
                Ok(())
            }
            Self::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{name}: {value}")?;
                }
                Ok(())
            }
        }
    }
}

/// A type of props that says what it is as data: see [`Value`].
///
/// ```
/// use hud_core::Node;
/// use hud_core::node::{Node as _, ToValue, Value};
///
/// #[derive(Debug, PartialEq)]
/// pub struct Celsius(f64);
///
/// impl ToValue for Celsius {
///     fn to_value(&self) -> Value {
///         Value::Float(self.0)
///     }
/// }
///
/// #[derive(Debug, PartialEq)]
/// pub enum Sky {
///     Clear,
///     Cloudy,
/// }
///
/// /// The weather in a town.
/// #[derive(Debug, PartialEq, Node)]
/// #[node(leaf)]
/// pub struct Weather {
///     pub town: String,
///     pub at_noon: Option<Celsius>,
///     pub sky: Sky,
/// }
///
/// let weather = Weather { town: "Graz".to_owned(), at_noon: Some(Celsius(21.5)), sky: Sky::Clear };
/// assert_eq!(weather.props(), [
///     ("town", Value::Text("Graz".to_owned())),
///     ("at_noon", Value::Float(21.5)),
///     ("sky", Value::Text("Clear".to_owned())),
/// ]);
/// ```
pub trait ToValue {
    /// This as data.
    fn to_value(&self) -> Value;
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

macro_rules! integer_to_value {
    ($($integer:ty),*) => {$(
        impl ToValue for $integer {
            fn to_value(&self) -> Value {
                i128::try_from(*self).map_or_else(|_| Value::Text(self.to_string()), Value::Integer)
            }
        }
    )*};
}
integer_to_value!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize
);

macro_rules! float_to_value {
    ($($float:ty),*) => {$(
        impl ToValue for $float {
            fn to_value(&self) -> Value {
                Value::Float((*self).into())
            }
        }
    )*};
}
float_to_value!(f32, f64);

macro_rules! text_to_value {
    ($($text:ty),*) => {$(
        impl ToValue for $text {
            fn to_value(&self) -> Value {
                Value::Text(self.to_string())
            }
        }
    )*};
}
text_to_value!(char, str, String, Cow<'_, str>, Box<str>, Rc<str>, Arc<str>);

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::to_value)
    }
}

impl<T: ToValue> ToValue for [T] {
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<T: ToValue, const N: usize> ToValue for [T; N] {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}
