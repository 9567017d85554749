//! Evaluation of expressions.

mod builtin;
mod convert;
mod list;
mod operators;
mod path;
mod sort;
mod tag;
mod text;

use std::sync::Arc;

pub(super) use path::{link_words, missing, not_a_method};

use super::tree::{Expr, ExprKind, Function};
use super::value::MAX_VALUE_DEPTH;
use super::{List, Meter, Mistake, Object, Scope, Span, Value, nearest};

/// Evaluates an expression with these names. The meter counts the cost of the evaluation and the cost of showing the
/// value.
///
/// ```
/// use hud_layout::expr::{Meter, Scope, Value, eval, parse};
///
/// let state = Value::from(&serde_json::json!({"files": [{"path": "a.rs"}, {"path": "b.rs"}]}));
/// let scope = Scope::new().with("state", state);
/// let expr = parse("state.files.map(file => file.path).join(', ')", 0).expect("an expression");
/// let value = eval(&expr, &scope, &mut Meter::default())?;
/// assert!(value.is_identical(&Value::text("a.rs, b.rs")));
/// # Ok::<(), hud_layout::expr::Mistake>(())
/// ```
///
/// # Errors
///
/// If a name or member is missing, if a value is of the wrong kind, or if a limit is exceeded.
pub fn eval(expr: &Expr, scope: &Scope<'_>, meter: &mut Meter) -> Result<Value, Mistake> {
    let value = Evaluator { meter }
        .eval(expr, scope)
        .map_err(|mistake| *mistake)?;
    meter.count(value.size(), expr.span)?;
    Ok(value)
}

/// The parts of a value that are shown between tags: strings, numbers and elements, and those of lists in their
/// order. Nothing is shown for `undefined`, `null`, true and false.
///
/// # Errors
///
/// If the value contains an object, or if it takes more steps than are left.
pub fn shown(value: &Value, span: Span, meter: &mut Meter) -> Result<Vec<Value>, Mistake> {
    let mut children = Vec::new();
    Evaluator { meter }
        .show(value, span, &mut children)
        .map_err(|mistake| *mistake)?;
    Ok(children)
}

/// The steps that a call of a script's function takes, not counting its arguments and its result.
const CALL_STEPS: usize = 64;

type Evaluated<T = Value> = Result<T, Box<Mistake>>;

fn fail<T>(span: Span, message: impl Into<String>) -> Evaluated<T> {
    Err(Box::new(Mistake::new(span, message)))
}

struct Evaluator<'m> {
    meter: &'m mut Meter,
}

// Each kind of expression has its own function, which keeps the stack frame of the recursive one small.
impl Evaluator<'_> {
    fn eval(&mut self, expr: &Expr, scope: &Scope<'_>) -> Evaluated {
        self.step(expr.span)?;
        match &expr.kind {
            ExprKind::Undefined => Ok(Value::Undefined),
            ExprKind::Null => Ok(Value::Null),
            ExprKind::Bool(is) => Ok(Value::Bool(*is)),
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::Text(text) => Ok(Value::Text(text.clone())),
            ExprKind::Name(name) => self.name(name, expr.span, scope),
            ExprKind::Path { of, links } => self.path(of, links, scope),
            ExprKind::Call { function, args } => self.call(function, args, expr.span, scope),
            ExprKind::Template { texts, values } => self.template(texts, values, expr.span, scope),
            ExprKind::Unary { operators, of } => self.unary(operators, of, scope),
            ExprKind::Binary { first, rest } => self.binary(first, rest, scope),
            ExprKind::Conditional {
                branches,
                otherwise,
            } => self.conditional(branches, otherwise, scope),
            ExprKind::Array(items) => self.array(items, expr.span, scope),
            ExprKind::Object(entries) => self.object(entries, expr.span, scope),
            ExprKind::Tag(tag) => self.tag(tag, scope).map(Value::Element),
            ExprKind::Fragment(children) => self.fragment(children, expr.span, scope),
            ExprKind::Arrow(_) | ExprKind::Builtin(_) => {
                Err(Box::new(super::refused::lone_function(expr.span)))
            }
        }
    }

    fn step(&mut self, span: Span) -> Evaluated<()> {
        Ok(self.meter.count(1, span)?)
    }

    fn name(&self, name: &str, span: Span, scope: &Scope<'_>) -> Evaluated {
        if let Some(value) = scope.get(name) {
            return Ok(value.clone());
        }
        Err(Box::new(unknown_name(name, span, scope.names())))
    }

    fn conditional(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: &Expr,
        scope: &Scope<'_>,
    ) -> Evaluated {
        for (test, value) in branches {
            if self.eval(test, scope)?.is_truthy() {
                return self.eval(value, scope);
            }
        }
        self.eval(otherwise, scope)
    }

    fn array(&mut self, items: &[Expr], span: Span, scope: &Scope<'_>) -> Evaluated {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.push(self.eval(item, scope)?);
        }
        self.list(values, span)
    }

    fn object(
        &mut self,
        entries: &[(super::Name, Expr)],
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut values = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            values.push((Arc::clone(&name.text), self.eval(value, scope)?));
        }
        self.meter.list(values.len(), span)?;
        self.checked(Value::Object(Object::new(values)), span)
    }

    fn template(
        &mut self,
        texts: &[Arc<str>],
        values: &[Expr],
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut written = String::new();
        for (index, text) in texts.iter().enumerate() {
            written.push_str(text);
            if let Some(value) = values.get(index) {
                let shown = self.eval(value, scope)?;
                written.push_str(&self.words(&shown, value.span)?);
            }
            self.meter.text(written.len(), span)?;
        }
        Ok(Value::text(written))
    }

    fn call(
        &mut self,
        function: &Function,
        args: &[Expr],
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(arg, scope)?);
        }
        match function {
            Function::Builtin(builtin, _) => self.builtin(*builtin, &values, span),
            Function::Named(name) => self.call_named(name, &values, scope),
        }
    }

    /// Calls a function of the layout's script.
    fn call_named(&mut self, name: &super::Name, args: &[Value], scope: &Scope<'_>) -> Evaluated {
        let Some(functions) = scope.functions_with(&name.text) else {
            return Err(Box::new(unknown_function(name)));
        };
        let size = super::value::total(args);
        self.meter
            .count(size.saturating_add(CALL_STEPS), name.span)?;
        match functions.call(&name.text, args) {
            Ok(value) => {
                self.meter.count(value.size(), name.span)?;
                self.checked(value, name.span)
            }
            Err(message) => fail(name.span, format!("`{}` failed: {message}", name.text)),
        }
    }

    /// Makes a list, if its length and depth are within the limits.
    fn list(&mut self, items: Vec<Value>, span: Span) -> Evaluated {
        self.meter.list(items.len(), span)?;
        self.checked(Value::List(List::new(items)), span)
    }

    /// Makes a string, if its length is within the limit.
    fn text(&mut self, text: String, span: Span) -> Evaluated {
        self.meter.text(text.len(), span)?;
        Ok(Value::text(text))
    }

    fn checked(&self, value: Value, span: Span) -> Evaluated {
        if value.depth() <= MAX_VALUE_DEPTH {
            return Ok(value);
        }
        fail(
            span,
            format!("more than {MAX_VALUE_DEPTH} lists, objects and elements are nested here"),
        )
    }
}

/// The error for an unknown name.
pub(super) fn unknown_name<'n>(
    name: &str,
    span: Span,
    names: impl Iterator<Item = &'n str>,
) -> Mistake {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    match nearest(name, names.iter().copied()) {
        Some(meant) => {
            let message = format!("there is no `{name}` here: did you mean `{meant}`?");
            Mistake::new(span, message)
        }
        None if names.is_empty() => Mistake::new(span, format!("there is no `{name}` here")),
        None => Mistake::new(
            span,
            format!(
                "there is no `{name}` here: there are `{}`",
                names.join("`, `")
            ),
        ),
    }
}

/// The error for an unknown function.
pub(super) fn unknown_function(name: &super::Name) -> Mistake {
    let builtin = super::Builtin::ALL.iter().map(|builtin| builtin.name());
    let meant = builtin
        .clone()
        .find(|builtin| {
            builtin
                .split_once('.')
                .is_some_and(|(_, own)| own == &*name.text)
        })
        .or_else(|| nearest(&name.text, builtin));
    let message = format!("there is no function `{}`", name.text);
    match meant {
        Some(meant) => Mistake::new(name.span, format!("{message}: did you mean `{meant}`?")),
        None => Mistake::new(name.span, message)
            .with_help("there are methods, `list.map(..)`, and functions like `Math.round(..)`"),
    }
}
