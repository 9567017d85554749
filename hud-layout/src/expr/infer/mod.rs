//! The types of expressions, and the errors that are found without evaluating them.

mod fits;
mod method;
mod narrow;
mod path;
mod schema;
mod tag;
mod types;

pub(crate) use fits::Fitting;
pub use fits::check_prop;
pub use types::{ListType, Node, ObjectType, Type};

use std::sync::Arc;

use super::eval::{unknown_function, unknown_name};
use super::tree::{Arrow, BinaryOp, Expr, ExprKind, Function, Tag, UnaryOp};
use super::{Builtin, Mistake, Span, refused};
use narrow::{Facts, facts};

/// The types of the names that an expression can use, and the functions that it can call.
#[derive(Clone, Debug, Default)]
pub struct Types<'t, 's> {
    around: Option<&'t Types<'t, 's>>,
    names: Vec<(Arc<str>, Type<'s>)>,
    functions: Vec<Arc<str>>,
    known: Facts,
}

impl<'t, 's> Types<'t, 's> {
    /// Returns an empty set of names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a name of this type.
    #[must_use]
    pub fn with(mut self, name: &str, of: Type<'s>) -> Self {
        self.names.push((name.into(), of));
        self
    }

    /// Adds a function of a script.
    #[must_use]
    pub fn with_function(mut self, name: &str) -> Self {
        self.functions.push(name.into());
        self
    }

    fn within(&'t self) -> Types<'t, 's> {
        Types {
            around: Some(self),
            ..Types::default()
        }
    }

    /// Returns the types in a scope where these facts are known.
    fn knowing(&'t self, known: Facts) -> Types<'t, 's> {
        Types {
            known,
            ..self.within()
        }
    }

    fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |types| types.around)
    }

    fn get(&self, name: &str) -> Option<&Type<'s>> {
        self.all().find_map(|types| {
            let own = types.names.iter().rev().find(|(own, _)| **own == *name);
            own.map(|(_, of)| of)
        })
    }

    fn has_function(&self, name: &str) -> bool {
        self.all()
            .any(|types| types.functions.iter().any(|own| **own == *name))
    }

    /// True if a value is known to be there. The facts of an outer name do not apply to an inner name that hides it.
    fn knows(&self, path: &str) -> bool {
        let name = path.split(['.', '[']).next().unwrap_or(path);
        for types in self.all() {
            if types.known.iter().any(|known| known == path) {
                return true;
            }
            if types.names.iter().any(|(own, _)| **own == *name) {
                return false;
            }
        }
        false
    }
}

/// A receiver of the errors and tags that are found in an expression.
pub trait Findings<'s> {
    /// Adds an error.
    fn mistake(&mut self, mistake: Mistake);

    /// Adds a tag within an expression, with the types of its props in their order. The tag and its props are not
    /// checked here.
    fn tag(&mut self, tag: &Tag, props: &[Type<'s>]);
}

/// Collects the errors and ignores the tags.
impl<'s> Findings<'s> for Vec<Mistake> {
    fn mistake(&mut self, mistake: Mistake) {
        self.push(mistake);
    }

    fn tag(&mut self, _: &Tag, _: &[Type<'s>]) {}
}

/// Infers the type of an expression, and reports the errors and tags in it.
///
/// ```
/// use hud_layout::expr::{Mistake, Type, Types, infer, parse};
///
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": {"decisions": {"type": "array", "items": {"type": "string"}}},
///     "required": ["decisions"]
/// });
/// let types = Types::new().with("state", Type::of_schema(&schema));
/// let mut mistakes: Vec<Mistake> = Vec::new();
/// let expr = parse("state.decisons.length", 0).expect("an expression");
/// infer(&expr, &types, &mut mistakes);
/// assert_eq!(mistakes[0].message, "there is no `decisons` here: did you mean `decisions`?");
/// ```
pub fn infer<'s>(expr: &Expr, types: &Types<'_, 's>, findings: &mut dyn Findings<'s>) -> Type<'s> {
    Inferrer { findings }.infer(expr, types)
}

/// Checks an expression in braces between tags, which must give a value that can be shown.
pub fn infer_shown<'s>(expr: &Expr, types: &Types<'_, 's>, findings: &mut dyn Findings<'s>) {
    Inferrer { findings }.shown(expr, types);
}

struct Inferrer<'f, 's> {
    findings: &'f mut dyn Findings<'s>,
}

// As in the evaluator, the recursive function delegates to others, which keeps its stack frame small.
impl<'s> Inferrer<'_, 's> {
    fn infer(&mut self, expr: &Expr, types: &Types<'_, 's>) -> Type<'s> {
        match &expr.kind {
            ExprKind::Undefined | ExprKind::Null => Type::Nothing,
            ExprKind::Bool(_) => Type::Bool,
            ExprKind::Number(_) => Type::Number,
            ExprKind::Text(text) => Type::Text(Some([Arc::clone(text)].into())),
            ExprKind::Name(name) => self.name(name, expr.span, types),
            ExprKind::Path { of, links } => self.path(of, links, types),
            ExprKind::Call { function, args } => self.call(function, args, expr.span, types),
            ExprKind::Template { values, .. } => self.template(values, types),
            ExprKind::Unary { operators, of } => self.unary(operators, of, types),
            ExprKind::Binary { first, rest } => self.binary(first, rest, types),
            ExprKind::Conditional {
                branches,
                otherwise,
            } => self.conditional(branches, otherwise, types),
            ExprKind::Array(items) => self.array(items, types),
            ExprKind::Object(entries) => self.object(entries, types),
            ExprKind::Tag(tag) => {
                self.tag(tag, types);
                Type::Element
            }
            ExprKind::Fragment(children) => {
                self.children(children, types);
                Type::list(Type::Unknown)
            }
            ExprKind::Arrow(_) | ExprKind::Builtin(_) => Type::Unknown,
        }
    }

    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.findings.mistake(Mistake::new(span, message));
    }

    fn wrong_with(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.findings
            .mistake(Mistake::new(span, message).with_help(help));
    }

    fn name(&mut self, name: &str, span: Span, types: &Types<'_, 's>) -> Type<'s> {
        let Some(of) = types.get(name) else {
            let names = types.all().flat_map(|types| types.names.iter());
            let mistake = unknown_name(name, span, names.map(|(name, _)| &**name));
            self.findings.mistake(mistake);
            return Type::Unknown;
        };
        if of.may_be_nothing() && types.knows(name) {
            return of.something();
        }
        of.clone()
    }

    fn conditional(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: &Expr,
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        let mut result: Option<Type<'s>> = None;
        let mut failed = Facts::new();
        for (test, value) in branches {
            self.infer(test, &types.knowing(failed.clone()));
            let mut known = failed.clone();
            known.extend(facts(test, true));
            let branch = self.infer(value, &types.knowing(known));
            result = Some(match result {
                Some(before) => before.or(branch),
                None => branch,
            });
            failed.extend(facts(test, false));
        }
        let last = self.infer(otherwise, &types.knowing(failed));
        match result {
            Some(before) => before.or(last),
            None => last,
        }
    }

    fn array(&mut self, items: &[Expr], types: &Types<'_, 's>) -> Type<'s> {
        let mut item: Option<Type<'s>> = None;
        for expr in items {
            let own = self.infer(expr, types);
            item = Some(match item {
                Some(before) => before.or(own),
                None => own,
            });
        }
        Type::list(item.unwrap_or(Type::Unknown))
    }

    fn object(&mut self, entries: &[(super::Name, Expr)], types: &Types<'_, 's>) -> Type<'s> {
        let mut members = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            members.push((Arc::clone(&name.text), self.infer(value, types)));
        }
        Type::Object(ObjectType::Written(Arc::new(members)))
    }

    fn template(&mut self, values: &[Expr], types: &Types<'_, 's>) -> Type<'s> {
        for value in values {
            let of = self.infer(value, types);
            self.check_words(&of, value.span);
        }
        Type::TEXT
    }

    fn unary(&mut self, operators: &[UnaryOp], of: &Expr, types: &Types<'_, 's>) -> Type<'s> {
        let operand = self.infer(of, types);
        if !matches!(operators.first(), Some(UnaryOp::Not)) {
            self.check_number(&operand, of.span);
        }
        match operators.last() {
            Some(UnaryOp::Not) => Type::Bool,
            _ => Type::Number,
        }
    }

    fn binary(
        &mut self,
        first: &Expr,
        rest: &[(BinaryOp, Expr)],
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        let mut left = self.infer(first, types);
        let mut left_span = first.span;
        let mut known = facts_behind(first, rest);
        for (operator, operand) in rest {
            let right = self.infer(operand, &types.knowing(known.clone()));
            match operator {
                BinaryOp::And => known.extend(facts(operand, true)),
                BinaryOp::Or => known.extend(facts(operand, false)),
                _ => {}
            }
            left = self.apply(*operator, left, right, left_span, operand.span);
            left_span = operand.span;
        }
        left
    }

    fn apply(
        &mut self,
        operator: BinaryOp,
        left: Type<'s>,
        right: Type<'s>,
        left_span: Span,
        right_span: Span,
    ) -> Type<'s> {
        match operator {
            BinaryOp::And => {
                let can_be_false = |kind: &Type<'_>| {
                    !matches!(kind, Type::List(_) | Type::Object(_) | Type::Element)
                };
                if left.kinds().iter().any(can_be_false) {
                    left.only(can_be_false).or(right)
                } else {
                    right
                }
            }
            BinaryOp::Or | BinaryOp::Coalesce => {
                if left == Type::Nothing {
                    right
                } else {
                    left.something().or(right)
                }
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::LooselyEqual
            | BinaryOp::NotLooselyEqual => Type::Bool,
            BinaryOp::Add => self.add(&left, &right, left_span, right_span),
            _ => {
                self.check_number(&left, left_span);
                self.check_number(&right, right_span);
                match operator {
                    BinaryOp::Less
                    | BinaryOp::LessOrEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterOrEqual => Type::Bool,
                    _ => Type::Number,
                }
            }
        }
    }

    fn add(
        &mut self,
        left: &Type<'s>,
        right: &Type<'s>,
        left_span: Span,
        right_span: Span,
    ) -> Type<'s> {
        if matches!(left, Type::Text(_)) || matches!(right, Type::Text(_)) {
            self.check_words(left, left_span);
            self.check_words(right, right_span);
            return Type::TEXT;
        }
        self.check_number(left, left_span);
        self.check_number(right, right_span);
        let is_number = |of: &Type<'_>| matches!(of, Type::Number | Type::Bool | Type::Nothing);
        if left.kinds().iter().chain(right.kinds()).all(is_number) {
            Type::Number
        } else {
            Type::Unknown
        }
    }

    /// Reports a value that certainly can't be converted to text.
    fn check_words(&mut self, of: &Type<'s>, span: Span) {
        if let kind @ (Type::List(_) | Type::Object(_) | Type::Element) = of.something() {
            self.findings
                .mistake(refused::no_text(kind.kind_words(), span));
        }
    }

    /// Reports a value that certainly can't be converted to a number.
    fn check_number(&mut self, of: &Type<'s>, span: Span) {
        if let kind @ (Type::List(_) | Type::Object(_) | Type::Element) = of.something() {
            self.findings
                .mistake(refused::no_number(kind.kind_words(), span));
        }
    }

    fn call(
        &mut self,
        function: &Function,
        args: &[Expr],
        span: Span,
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        let mut found = Vec::with_capacity(args.len());
        for arg in args {
            found.push(self.infer(arg, types));
        }
        match function {
            Function::Builtin(builtin, _) => self.builtin(*builtin, &found, span),
            Function::Named(name) => {
                if !types.has_function(&name.text) {
                    self.findings.mistake(unknown_function(name));
                }
                Type::Unknown
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Type<'s>], span: Span) -> Type<'s> {
        let first = args.first().cloned().unwrap_or(Type::Nothing);
        match builtin {
            Builtin::Keys | Builtin::Values | Builtin::Entries => {
                self.entries(builtin, &first, span)
            }
            Builtin::String => {
                self.check_words(&first, span);
                Type::TEXT
            }
            Builtin::Boolean => Type::Bool,
            _ => {
                for arg in args {
                    self.check_number(arg, span);
                }
                Type::Number
            }
        }
    }

    fn entries(&mut self, builtin: Builtin, of: &Type<'s>, span: Span) -> Type<'s> {
        let name = builtin.name();
        let is_object = |kind: &Type<'_>| matches!(kind, Type::Unknown | Type::Object(_));
        if of.may_be_nothing() && of.kinds().iter().any(is_object) {
            self.wrong_with(
                span,
                format!("`{name}` takes an object, and this may be nothing"),
                "write `object ?? {}`",
            );
        } else if !of.kinds().iter().any(is_object) {
            self.wrong(span, format!("`{name}` takes an object, found {of}"));
        }
        match builtin {
            Builtin::Keys => Type::list(Type::TEXT),
            Builtin::Entries => Type::list(Type::list(Type::Unknown)),
            _ => Type::list(Type::Unknown),
        }
    }

    /// The type that an arrow function gives for arguments of these types.
    fn arrow(&mut self, arrow: &Arrow, given: [Type<'s>; 3], types: &Types<'_, 's>) -> Type<'s> {
        let mut inner = types.within();
        let mut given = given.into_iter();
        for param in &arrow.params {
            let of = given.next().unwrap_or(Type::Nothing);
            inner.names.push((Arc::clone(&param.text), of));
        }
        self.infer(&arrow.body, &inner)
    }
}

/// The facts that are known after the first operand.
fn facts_behind(first: &Expr, rest: &[(BinaryOp, Expr)]) -> Facts {
    match rest.first() {
        Some((BinaryOp::And, _)) => facts(first, true),
        Some((BinaryOp::Or, _)) => facts(first, false),
        _ => Facts::new(),
    }
}
