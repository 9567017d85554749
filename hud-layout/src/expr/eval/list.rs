//! The methods of lists.

use super::convert::{Args, count};
use super::sort::merge_sort;
use super::{Evaluated, Evaluator, fail, unknown_name};
use crate::expr::tree::{Expr, ExprKind};
use crate::expr::{Builtin, List, Method, Scope, Span, Value};

/// What a method is given to call.
enum Callback<'e, 's> {
    /// An arrow, with the scope that has what it is given.
    Arrow(&'e crate::expr::Arrow, Scope<'s>),
    Builtin(Builtin),
}

impl Evaluator<'_> {
    pub(super) fn list_with_function(
        &mut self,
        list: &List,
        method: Method,
        function: Option<&Expr>,
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut callback = match function.map(|function| (&function.kind, function.span)) {
            Some((ExprKind::Arrow(arrow), _)) => Some(Callback::Arrow(arrow, scope.within())),
            Some((ExprKind::Builtin(builtin), _)) => Some(Callback::Builtin(*builtin)),
            Some((ExprKind::Name(name), span)) if scope.get(name).is_none() => {
                return Err(Box::new(unknown_name(name, span, scope.names())));
            }
            Some((_, span)) => {
                return fail(span, format!("`{}` takes a function", method.name()));
            }
            None => None,
        };
        if method == Method::ToSorted {
            return self.sorted(list, callback.as_mut(), span);
        }
        let Some(callback) = &mut callback else {
            return fail(span, format!("`{}` takes a function", method.name()));
        };
        let mut items = Vec::new();
        for (index, item) in list.iter().enumerate() {
            let value = self.item(callback, list, index, span)?;
            match method {
                Method::Map => items.push(value),
                Method::FlatMap => match &value {
                    Value::List(inner) => {
                        self.meter.list(items.len() + inner.len(), span)?;
                        items.extend(inner.iter().cloned());
                    }
                    _ => items.push(value),
                },
                Method::Filter if value.is_truthy() => items.push(item.clone()),
                Method::Find if value.is_truthy() => return Ok(item.clone()),
                Method::Some if value.is_truthy() => return Ok(Value::Bool(true)),
                Method::Every if !value.is_truthy() => return Ok(Value::Bool(false)),
                _ => {}
            }
        }
        match method {
            Method::Find => Ok(Value::Undefined),
            Method::Some => Ok(Value::Bool(false)),
            Method::Every => Ok(Value::Bool(true)),
            _ => self.list(items, span),
        }
    }

    /// What the function gives for the item at `index`.
    fn item(
        &mut self,
        callback: &mut Callback<'_, '_>,
        list: &List,
        index: usize,
        span: Span,
    ) -> Evaluated {
        let item = list.get(index).cloned().unwrap_or_default();
        match callback {
            Callback::Arrow(arrow, scope) => {
                let given = [item, count(index), Value::List(list.clone())];
                self.arrow(arrow, scope, given)
            }
            Callback::Builtin(Builtin::Min | Builtin::Max) => fail(
                span,
                "`Math.min` and `Math.max` are given numbers, and not a list's items",
            ),
            Callback::Builtin(builtin) => self.builtin(*builtin, &[item], span),
        }
    }

    fn arrow<const N: usize>(
        &mut self,
        arrow: &crate::expr::Arrow,
        scope: &Scope<'_>,
        given: [Value; N],
    ) -> Evaluated {
        let mut inner = scope.within();
        let mut given = given.into_iter();
        for param in &arrow.params {
            inner.set(&param.text, given.next().unwrap_or_default());
        }
        self.eval(&arrow.body, &inner)
    }

    fn sorted(
        &mut self,
        list: &List,
        callback: Option<&mut Callback<'_, '_>>,
        span: Span,
    ) -> Evaluated {
        self.meter.list(list.len(), span)?;
        // What is undefined comes last, and is compared with nothing.
        let (last, values): (Vec<Value>, Vec<Value>) = list
            .iter()
            .cloned()
            .partition(|value| matches!(value, Value::Undefined));
        let mut sorted = match callback {
            Some(Callback::Arrow(arrow, scope)) => {
                let (arrow, scope): (&_, &Scope<'_>) = (*arrow, scope);
                merge_sort(values, &mut |a, b| {
                    let order = self.arrow(arrow, scope, [a.clone(), b.clone()])?;
                    Ok(self.number(&order, arrow.body.span)? < 0.0)
                })?
            }
            Some(Callback::Builtin(builtin)) => {
                let name = builtin.name();
                return fail(
                    span,
                    format!("`{name}` compares nothing: write `(a, b) => a - b`"),
                );
            }
            None => self.sort_by_words(values, span)?,
        };
        sorted.extend(last);
        self.list(sorted, span)
    }

    /// Sorts by words, as JavaScript does without a function: 10 is before 9.
    fn sort_by_words(&mut self, values: Vec<Value>, span: Span) -> Evaluated<Vec<Value>> {
        let mut by_words = Vec::with_capacity(values.len());
        for value in values {
            let words: Vec<u16> = self.words(&value, span)?.encode_utf16().collect();
            // Each is compared some ten times.
            self.meter.count(words.len() / 8 + 8, span)?;
            by_words.push((words, value));
        }
        by_words.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(by_words.into_iter().map(|(_, value)| value).collect())
    }

    pub(super) fn list_method(
        &mut self,
        list: &List,
        method: Method,
        args: &Args<'_>,
    ) -> Evaluated {
        let length = list.len();
        self.meter.list(length, args.span)?;
        match method {
            Method::Slice => {
                let start = args.place(0, length, 0)?;
                let end = args.place(1, length, length)?.max(start);
                self.list(list[start..end].to_vec(), args.span)
            }
            Method::At => {
                let at = args.whole(0)?.unwrap_or(0.0);
                Ok(at_place(at, length).map_or(Value::Undefined, |at| list[at].clone()))
            }
            Method::Includes | Method::IndexOf => {
                let from = args.place(1, length, 0)?;
                let sought = args.get(0);
                let is_not_a_number =
                    |value: &Value| matches!(value, Value::Number(n) if n.is_nan());
                let finds_nan = method == Method::Includes && is_not_a_number(sought);
                let mut found = None;
                for (index, item) in list.iter().enumerate().skip(from) {
                    if let (Value::Text(a), Value::Text(b)) = (item, sought) {
                        self.meter.count(a.len().min(b.len()) / 32, args.span)?;
                    }
                    if item.is_identical(sought) || (finds_nan && is_not_a_number(item)) {
                        found = Some(index);
                        break;
                    }
                }
                Ok(match method {
                    Method::Includes => Value::Bool(found.is_some()),
                    _ => found.map_or(Value::Number(-1.0), count),
                })
            }
            Method::Join => self.join(list, args),
            Method::Concat => {
                let mut items = list.to_vec();
                for value in args.values {
                    match value {
                        Value::List(other) => {
                            self.meter.list(items.len() + other.len(), args.span)?;
                            items.extend(other.iter().cloned());
                        }
                        _ => items.push(value.clone()),
                    }
                }
                self.list(items, args.span)
            }
            Method::Flat => self.flat(list, args),
            Method::ToReversed => {
                let items = list.iter().rev().cloned().collect();
                self.list(items, args.span)
            }
            _ => fail(args.span, format!("a list has no `{}`", method.name())),
        }
    }

    fn join(&mut self, list: &List, args: &Args<'_>) -> Evaluated {
        let separator = args.optional_text(0)?.unwrap_or(",");
        let mut text = String::new();
        for (index, item) in list.iter().enumerate() {
            let before = text.len();
            if index > 0 {
                text.push_str(separator);
            }
            if !item.is_nothing() {
                text.push_str(&self.words(item, args.span)?);
            }
            self.meter.count((text.len() - before) / 32, args.span)?;
            if text.len() > before {
                self.meter.check_text(text.len(), args.span)?;
            }
        }
        Ok(Value::text(text))
    }

    fn flat(&mut self, list: &List, args: &Args<'_>) -> Evaluated {
        let levels = args.whole(0)?.unwrap_or(1.0);
        let mut items = Vec::new();
        // The values that are still to be laid out, the next one last, with how many lists may be
        // taken apart there.
        let mut rest: Vec<(Value, f64)> = list
            .iter()
            .rev()
            .map(|item| (item.clone(), levels))
            .collect();
        while let Some((value, levels)) = rest.pop() {
            match value {
                Value::List(inner) if levels >= 1.0 => {
                    self.meter.list(inner.len(), args.span)?;
                    rest.extend(inner.iter().rev().map(|item| (item.clone(), levels - 1.0)));
                }
                _ => {
                    self.step(args.span)?;
                    items.push(value);
                }
            }
        }
        self.list(items, args.span)
    }
}

/// The place that `at` gives.
pub(super) fn at_place(at: f64, length: usize) -> Option<usize> {
    let Value::Number(length_number) = count(length) else {
        return None;
    };
    let place = if at < 0.0 { at + length_number } else { at };
    (place >= 0.0 && place < length_number).then(|| super::convert::clamp(place, length))
}
