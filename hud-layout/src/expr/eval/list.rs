//! The methods of lists.

use super::convert::{Args, count};
use super::sort::merge_sort;
use super::{Evaluated, Evaluator, fail, unknown_name};
use crate::expr::tree::{Arrow, Expr, ExprKind, Name};
use crate::expr::{Builtin, List, Method, Scope, Span, Value};

/// The function that a method calls.
enum Callback<'e, 's> {
    /// An arrow function, with the scope that it is written in.
    Arrow(&'e Arrow, &'s Scope<'s>),
    Builtin(Builtin),
    /// A function of the layout's script.
    Named(Name, &'s Scope<'s>),
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
        let callback = callback(method, function, span, scope)?;
        match (method, &callback) {
            (Method::ToSorted, _) => self.sorted(list, callback.as_ref(), span),
            (_, Some(callback)) => self.each(list, method, callback, span),
            (_, None) => fail(span, format!("`{}` takes a function", method.name())),
        }
    }

    /// Calls a function with each item, and collects the result of the method.
    fn each(
        &mut self,
        list: &List,
        method: Method,
        callback: &Callback<'_, '_>,
        span: Span,
    ) -> Evaluated {
        let mut items = Vec::new();
        for index in 0..list.len() {
            let value = self.item(callback, list, index, span)?;
            if let Some(decided) = self.gather(method, &list[index], value, &mut items, span)? {
                return Ok(decided);
            }
        }
        match method {
            Method::Find => Ok(Value::Undefined),
            Method::Some => Ok(Value::Bool(false)),
            Method::Every => Ok(Value::Bool(true)),
            _ => self.list(items, span),
        }
    }

    /// Adds the result for an item, or returns the result of the method once it is known.
    fn gather(
        &mut self,
        method: Method,
        item: &Value,
        value: Value,
        items: &mut Vec<Value>,
        span: Span,
    ) -> Evaluated<Option<Value>> {
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
            Method::Find if value.is_truthy() => return Ok(Some(item.clone())),
            Method::Some if value.is_truthy() => return Ok(Some(Value::Bool(true))),
            Method::Every if !value.is_truthy() => return Ok(Some(Value::Bool(false))),
            _ => {}
        }
        Ok(None)
    }

    /// Calls the function with the item at `index`.
    fn item(
        &mut self,
        callback: &Callback<'_, '_>,
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
            Callback::Builtin(builtin) => self.builtin(*builtin, &[item], span),
            // The list is not passed with each call, because that would cost the square of its length.
            Callback::Named(name, scope) => self.call_named(name, &[item, count(index)], scope),
        }
    }

    fn arrow<const N: usize>(
        &mut self,
        arrow: &Arrow,
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
        callback: Option<&Callback<'_, '_>>,
        span: Span,
    ) -> Evaluated {
        self.meter.list(list.len(), span)?;
        // Undefined values come last and are not compared.
        let (last, values): (Vec<Value>, Vec<Value>) = list
            .iter()
            .cloned()
            .partition(|value| matches!(value, Value::Undefined));
        let mut sorted = match callback {
            Some(Callback::Arrow(arrow, scope)) => {
                merge_sort(values, &mut |a, b| self.is_less(arrow, scope, a, b))?
            }
            Some(Callback::Named(name, scope)) => merge_sort(values, &mut |a, b| {
                let order = self.call_named(name, &[a.clone(), b.clone()], scope)?;
                Ok(self.number(&order, name.span)? < 0.0)
            })?,
            Some(Callback::Builtin(builtin)) => return compares_nothing(*builtin, span),
            None => self.sort_by_words(values, span)?,
        };
        sorted.extend(last);
        self.list(sorted, span)
    }

    fn is_less(
        &mut self,
        arrow: &Arrow,
        scope: &Scope<'_>,
        a: &Value,
        b: &Value,
    ) -> Evaluated<bool> {
        let order = self.arrow(arrow, scope, [a.clone(), b.clone()])?;
        Ok(self.number(&order, arrow.body.span)? < 0.0)
    }

    /// Sorts by text, as JavaScript does without a function: 10 is before 9.
    fn sort_by_words(&mut self, values: Vec<Value>, span: Span) -> Evaluated<Vec<Value>> {
        let mut by_words = Vec::with_capacity(values.len());
        for value in values {
            let words: Vec<u16> = self.words(&value, span)?.encode_utf16().collect();
            // Each text is compared about ten times.
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
        // The values that are still to be added, the next one last, each with the number of levels to flatten.
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

fn callback<'e, 's>(
    method: Method,
    function: Option<&'e Expr>,
    span: Span,
    scope: &'s Scope<'s>,
) -> Evaluated<Option<Callback<'e, 's>>> {
    let Some(function) = function else {
        return Ok(None);
    };
    match &function.kind {
        ExprKind::Arrow(arrow) => Ok(Some(Callback::Arrow(arrow, scope))),
        ExprKind::Builtin(Builtin::Min | Builtin::Max) => {
            let message = "`Math.min` and `Math.max` are given numbers, and not a list's items";
            fail(span, message)
        }
        ExprKind::Builtin(builtin) => Ok(Some(Callback::Builtin(*builtin))),
        ExprKind::Name(name) if scope.functions_with(name).is_some() => {
            let name = Name {
                text: name.clone(),
                span: function.span,
            };
            Ok(Some(Callback::Named(name, scope)))
        }
        ExprKind::Name(name) if scope.get(name).is_none() => {
            Err(Box::new(unknown_name(name, function.span, scope.names())))
        }
        _ => fail(
            function.span,
            format!("`{}` takes a function", method.name()),
        ),
    }
}

fn compares_nothing<T>(builtin: Builtin, span: Span) -> Evaluated<T> {
    let name = builtin.name();
    fail(
        span,
        format!("`{name}` compares nothing: write `(a, b) => a - b`"),
    )
}

/// The position that `at` means.
pub(super) fn at_place(at: f64, length: usize) -> Option<usize> {
    let Value::Number(length_number) = count(length) else {
        return None;
    };
    let place = if at < 0.0 { at + length_number } else { at };
    (place >= 0.0 && place < length_number).then(|| super::convert::clamp(place, length))
}
