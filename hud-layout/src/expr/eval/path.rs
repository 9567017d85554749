//! Members, indices and methods of values.

use super::convert::{Args, count};
use super::{Evaluated, Evaluator, fail};
use crate::expr::tree::{Expr, ExprKind, Link, LinkKind, Name};
use crate::expr::{Method, Mistake, Receiver, Scope, Span, Value, nearest, refused};

/// The names that every object of JavaScript inherits from its prototype. They are not available here.
const INHERITED: &[&str] = &[
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

impl Evaluator<'_> {
    pub(super) fn path(&mut self, of: &Expr, links: &[Link], scope: &Scope<'_>) -> Evaluated {
        let mut value = self.eval(of, scope)?;
        for (index, link) in links.iter().enumerate() {
            self.step(link.span)?;
            if value.is_nothing() {
                if link.optional {
                    return Ok(Value::Undefined);
                }
                return nothing_there(&value, of, links, index);
            }
            value = self.link(&value, link, scope)?;
        }
        Ok(value)
    }

    fn link(&mut self, value: &Value, link: &Link, scope: &Scope<'_>) -> Evaluated {
        match &link.kind {
            LinkKind::Member(name) => self.member(value, name),
            LinkKind::Index(place) => {
                let at = self.eval(place, scope)?;
                self.index(value, &at, place.span)
            }
            LinkKind::Method { name, method, args } => match fitting(value, *method) {
                Some(method) => self.method(value, method, args, link.span, scope),
                None => no_method(value, name),
            },
        }
    }

    fn member(&mut self, value: &Value, name: &Name) -> Evaluated {
        match value {
            Value::Object(object) => {
                return self.entry(object.get(&name.text), &name.text, name.span);
            }
            Value::List(list) if &*name.text == "length" => return Ok(count(list.len())),
            Value::Text(text) if &*name.text == "length" => {
                self.meter.text(text.len(), name.span)?;
                return Ok(count(text.chars().count()));
            }
            _ => {}
        }
        if fitting(value, Method::named(&name.text)).is_some() {
            return Err(Box::new(called_not(name)));
        }
        Err(Box::new(missing(value.kind(), names_of(value), name)))
    }

    fn entry(&mut self, entry: Option<&Value>, name: &str, span: Span) -> Evaluated {
        match entry {
            Some(value) => Ok(value.clone()),
            None if INHERITED.contains(&name) => fail(span, format!("there is no `{name}` here")),
            None => Ok(Value::Undefined),
        }
    }

    fn index(&mut self, value: &Value, at: &Value, span: Span) -> Evaluated {
        match (value, at) {
            (Value::Object(object), Value::Text(_) | Value::Number(_)) => {
                let name = self.words(at, span)?;
                self.entry(object.get(&name), &name, span)
            }
            (Value::List(list), Value::Number(at)) => {
                let found = whole(*at).and_then(|at| list.get(at));
                Ok(found.cloned().unwrap_or_default())
            }
            (Value::Text(text), Value::Number(at)) => {
                self.meter.text(text.len(), span)?;
                let found = whole(*at).and_then(|at| text.chars().nth(at));
                Ok(found.map_or(Value::Undefined, |found| Value::text(found.to_string())))
            }
            (Value::Object(_) | Value::List(_) | Value::Text(_), _) => {
                let by = if matches!(value, Value::Object(_)) {
                    "names"
                } else {
                    "numbers"
                };
                let message = format!("{} is indexed by {by}, found {}", value.kind(), at.kind());
                fail(span, message)
            }
            _ => fail(span, format!("{} has no parts", value.kind())),
        }
    }

    fn method(
        &mut self,
        value: &Value,
        method: Method,
        args: &[Expr],
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        if let (Value::List(list), true) = (value, method.takes_function()) {
            return self.list_with_function(list, method, args.first(), span, scope);
        }
        let mut values = Vec::with_capacity(args.len());
        let mut spans = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(arg, scope)?);
            spans.push(arg.span);
        }
        let args = Args {
            name: method.name(),
            values: &values,
            spans: &spans,
            span,
        };
        match value {
            Value::List(list) => self.list_method(list, method, &args),
            Value::Text(text) => self.text_method(text, method, &args),
            Value::Number(number) => self.number_method(*number, &args),
            _ => fail(span, format!("{} has no methods", value.kind())),
        }
    }
}

/// Converts a number to an index of a list.
fn whole(number: f64) -> Option<usize> {
    const MOST: f64 = 4_294_967_295.0;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is whole, and between 0 and 2^32"
    )]
    (number.fract() == 0.0 && (0.0..MOST).contains(&number)).then_some(number as usize)
}

/// The method, if values of this kind have it.
fn fitting(value: &Value, method: Option<Method>) -> Option<Method> {
    method.filter(|method| match method.receiver() {
        Receiver::List => matches!(value, Value::List(_)),
        Receiver::Text => matches!(value, Value::Text(_)),
        Receiver::Both => matches!(value, Value::List(_) | Value::Text(_)),
        Receiver::Number => matches!(value, Value::Number(_)),
    })
}

/// The error for a member of `undefined` or `null`.
fn nothing_there<T>(value: &Value, of: &Expr, links: &[Link], index: usize) -> Evaluated<T> {
    let (what, span, mend) = link_words(of, links, index);
    let kind = value.kind();
    fail(span, format!("{what} is {kind} here: write `{mend}`"))
}

/// The text before a link, its span, and the optional form of the link (`?.`) for the fix.
pub(in crate::expr) fn link_words(
    of: &Expr,
    links: &[Link],
    index: usize,
) -> (String, Span, String) {
    let before = index.checked_sub(1).and_then(|index| links.get(index));
    let (what, span) = match (before.map(|link| &link.kind), &of.kind) {
        (Some(LinkKind::Member(name)), _) => (format!("`{}`", name.text), name.span),
        (Some(LinkKind::Method { name, .. }), _) => {
            (format!("what `{}` gives", name.text), name.span)
        }
        (Some(LinkKind::Index(place)), _) => ("this part".to_owned(), place.span),
        (None, ExprKind::Name(name)) => (format!("`{name}`"), of.span),
        (None, _) => ("this".to_owned(), of.span),
    };
    let mend = match links.get(index).map(|link| &link.kind) {
        Some(LinkKind::Member(name)) => format!("?.{}", name.text),
        Some(LinkKind::Method { name, .. }) => format!("?.{}(..)", name.text),
        _ => "?.[..]".to_owned(),
    };
    (what, span, mend)
}

fn called_not(name: &Name) -> Mistake {
    let text = &name.text;
    Mistake::new(
        name.span,
        format!("`{text}` is a method: write `{text}(..)`"),
    )
}

/// The names of the members and methods that values of this kind have.
fn names_of(value: &Value) -> Vec<&'static str> {
    let mut names: Vec<&str> = Method::ALL
        .iter()
        .filter(|method| fitting(value, Some(**method)).is_some())
        .map(|method| method.name())
        .collect();
    if matches!(value, Value::List(_) | Value::Text(_)) {
        names.push("length");
    }
    names
}

/// The error for an unknown method of a value.
fn no_method<T>(value: &Value, name: &Name) -> Evaluated<T> {
    if &*name.text == "length" && matches!(value, Value::List(_) | Value::Text(_)) {
        return fail(name.span, "`length` is not a method: write `.length`");
    }
    let Value::Object(object) = value else {
        return Err(Box::new(missing(value.kind(), names_of(value), name)));
    };
    let is_there = object.get(&name.text).is_some();
    Err(Box::new(not_a_method(name, is_there)))
}

/// The error for a method call on an object, which has no methods.
pub(in crate::expr) fn not_a_method(name: &Name, is_there: bool) -> Mistake {
    let help = if is_there {
        "it is a value and not a method"
    } else {
        "what lists and texts have, an object has not: `Object.values(object)` is a list"
    };
    let message = format!("an object has no method `{}`", name.text);
    Mistake::new(name.span, message).with_help(help)
}

/// The error for an unknown name, with the nearest name or all names that there are.
pub(in crate::expr) fn missing(kind: &str, names: Vec<&str>, name: &Name) -> Mistake {
    let message = format!("{kind} has no `{}`", name.text);
    if let Some(help) = refused::method(&name.text) {
        return Mistake::new(name.span, message).with_help(help);
    }
    match nearest(&name.text, names.iter().copied()) {
        Some(meant) => Mistake::new(name.span, format!("{message}: did you mean `{meant}`?")),
        None if names.is_empty() => Mistake::new(name.span, message),
        None => {
            Mistake::new(name.span, message).with_help(format!("it has `{}`", names.join("`, `")))
        }
    }
}
