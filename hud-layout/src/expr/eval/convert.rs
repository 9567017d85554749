//! Conversions of values to text, numbers and positions.

use std::borrow::Cow;

use super::super::number::{number_text, text_number};
use super::{Evaluated, Evaluator, fail};
use crate::expr::{Span, Value, refused};

impl Evaluator<'_> {
    /// Converts a value as `String(value)` does. Lists, objects and elements are refused.
    pub(super) fn words<'v>(&mut self, value: &'v Value, span: Span) -> Evaluated<Cow<'v, str>> {
        Ok(match value {
            Value::Undefined => "undefined".into(),
            Value::Null => "null".into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            Value::Number(number) => number_text(*number).into(),
            Value::Text(text) => (&**text).into(),
            Value::List(_) | Value::Object(_) | Value::Element(_) => {
                return Err(Box::new(refused::no_text(value.kind(), span)));
            }
        })
    }

    /// Converts a value as `Number(value)` does. Lists, objects and elements are refused.
    pub(super) fn number(&mut self, value: &Value, span: Span) -> Evaluated<f64> {
        Ok(match value {
            Value::Undefined => f64::NAN,
            Value::Null => 0.0,
            Value::Bool(is) => f64::from(u8::from(*is)),
            Value::Number(number) => *number,
            Value::Text(text) => {
                self.meter.text(text.len(), span)?;
                text_number(text)
            }
            Value::List(_) | Value::Object(_) | Value::Element(_) => {
                return Err(Box::new(refused::no_number(value.kind(), span)));
            }
        })
    }
}

/// The arguments of a method or a function, with its name for errors.
pub(super) struct Args<'a> {
    pub(super) name: &'static str,
    pub(super) values: &'a [Value],
    pub(super) spans: &'a [Span],
    /// The span of the whole call.
    pub(super) span: Span,
}

impl<'a> Args<'a> {
    pub(super) fn get(&self, index: usize) -> &'a Value {
        self.values.get(index).unwrap_or(&Value::Undefined)
    }

    pub(super) fn span(&self, index: usize) -> Span {
        self.spans.get(index).copied().unwrap_or(self.span)
    }

    fn wrong<T>(&self, index: usize, wanted: &str) -> Evaluated<T> {
        let found = self.get(index).kind();
        fail(
            self.span(index),
            format!("`{}` takes {wanted}, found {found}", self.name),
        )
    }

    /// The argument as a string.
    pub(super) fn text(&self, index: usize) -> Evaluated<&'a str> {
        match self.get(index) {
            Value::Text(text) => Ok(text),
            _ => self.wrong(index, "text"),
        }
    }

    /// The argument as a string, if there is one.
    pub(super) fn optional_text(&self, index: usize) -> Evaluated<Option<&'a str>> {
        match self.get(index) {
            Value::Undefined => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => self.wrong(index, "text"),
        }
    }

    /// The argument as an integer or an infinity, if there is one. `NaN` is 0.
    pub(super) fn whole(&self, index: usize) -> Evaluated<Option<f64>> {
        match self.get(index) {
            Value::Undefined => Ok(None),
            Value::Number(number) if number.is_nan() => Ok(Some(0.0)),
            Value::Number(number) => Ok(Some(number.trunc())),
            _ => self.wrong(index, "a number"),
        }
    }

    /// The argument as a position in a value of this length. A negative one counts from the end.
    pub(super) fn place(&self, index: usize, length: usize, default: usize) -> Evaluated<usize> {
        Ok(match self.whole(index)? {
            None => default,
            Some(place) if place < 0.0 => length - clamp(-place, length),
            Some(place) => clamp(place, length),
        })
    }

    /// The argument as a position in a value of this length. A negative one is the start.
    pub(super) fn clamped(&self, index: usize, length: usize, default: usize) -> Evaluated<usize> {
        Ok(self
            .whole(index)?
            .map_or(default, |place| clamp(place, length)))
    }
}

/// Converts a number to a count of at most `most`.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the number is between 0 and a length, which is exact"
)]
pub(super) fn clamp(number: f64, most: usize) -> usize {
    if number >= most as f64 {
        most
    } else {
        number.max(0.0) as usize
    }
}

/// Converts a count to a number.
#[allow(
    clippy::cast_precision_loss,
    reason = "lengths are less than 2^53, which are exact"
)]
pub(super) fn count(number: usize) -> Value {
    Value::Number(number as f64)
}
