//! The built-in functions, and the method of numbers.

use std::sync::Arc;

use super::super::number::to_fixed;
use super::convert::Args;
use super::{Evaluated, Evaluator, fail};
use crate::expr::{Builtin, List, Mistake, Object, Span, Value};

impl Evaluator<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[Value], span: Span) -> Evaluated {
        let first = args.first();
        match builtin {
            Builtin::Round | Builtin::Floor | Builtin::Ceil | Builtin::Abs => {
                let number = self.number(first.unwrap_or(&Value::Undefined), span)?;
                Ok(Value::Number(match builtin {
                    Builtin::Round => round(number),
                    Builtin::Floor => number.floor(),
                    Builtin::Ceil => number.ceil(),
                    _ => number.abs(),
                }))
            }
            Builtin::Min | Builtin::Max => {
                let is_min = builtin == Builtin::Min;
                let mut result = if is_min {
                    f64::INFINITY
                } else {
                    f64::NEG_INFINITY
                };
                for arg in args {
                    let number = self.number(arg, span)?;
                    if result.is_nan() || number.is_nan() {
                        result = f64::NAN;
                    } else if result.total_cmp(&number).is_gt() == is_min {
                        result = number;
                    }
                }
                Ok(Value::Number(result))
            }
            Builtin::Keys | Builtin::Values | Builtin::Entries => {
                let Some(Value::Object(object)) = first else {
                    let found = first.unwrap_or(&Value::Undefined).kind();
                    let name = builtin.name();
                    return fail(span, format!("`{name}` takes an object, found {found}"));
                };
                self.entries(builtin, object, span)
            }
            Builtin::String => match first {
                Some(value) => {
                    let text = self.words(value, span)?.into_owned();
                    self.text(text, span)
                }
                None => Ok(Value::text("")),
            },
            Builtin::Number => match first {
                Some(value) => Ok(Value::Number(self.number(value, span)?)),
                None => Ok(Value::Number(0.0)),
            },
            Builtin::Boolean => Ok(Value::Bool(first.is_some_and(Value::is_truthy))),
        }
    }

    fn entries(&mut self, builtin: Builtin, object: &Object, span: Span) -> Evaluated {
        self.meter.list(object.len(), span)?;
        let entries = object.iter().map(|(name, value)| match builtin {
            Builtin::Keys => Value::Text(Arc::clone(name)),
            Builtin::Values => value.clone(),
            _ => {
                let entry = vec![Value::Text(Arc::clone(name)), value.clone()];
                Value::List(List::new(entry))
            }
        });
        self.list(entries.collect(), span)
    }

    /// Evaluates `number.toFixed(digits)`, the only method of numbers.
    pub(super) fn number_method(&mut self, number: f64, args: &Args<'_>) -> Evaluated {
        let digits = args.whole(0)?.unwrap_or(0.0);
        if !(0.0..=100.0).contains(&digits) {
            let mistake = Mistake::new(args.span(0), "`toFixed` takes 0 to 100 digits");
            return Err(Box::new(mistake));
        }
        // A float has up to a thousand exact digits.
        self.meter.count(32, args.span)?;
        let digits = super::convert::clamp(digits, 100);
        self.text(to_fixed(number, digits), args.span)
    }
}

/// Evaluates `Math.round`: halves are rounded up, and a result of zero keeps the sign.
fn round(number: f64) -> f64 {
    let floor = number.floor();
    let rounded = if number - floor >= 0.5 {
        floor + 1.0
    } else {
        floor
    };
    rounded.copysign(number)
}
