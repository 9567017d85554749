//! The syntax tree of an expression.

use std::sync::Arc;

use super::{Builtin, Method, Span};

/// An expression, with its position in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of the expression.
    pub kind: ExprKind,
    /// The span of the expression, without parentheses around it.
    pub span: Span,
    depth: u16,
}

impl Expr {
    /// Returns an expression of this kind.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let depth = kind.depth_of_parts().saturating_add(1);
        Self { kind, span, depth }
    }

    /// The number of nested expressions, including this one.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Adds an operand if this is a row of operators of the same rank. Otherwise it returns the operand.
    pub(super) fn push_operand(&mut self, operator: BinaryOp, operand: Self) -> Option<Self> {
        match &mut self.kind {
            ExprKind::Binary { rest, .. }
                if rest
                    .first()
                    .is_some_and(|(first, _)| first.rank() == operator.rank()) =>
            {
                self.span = self.span.to(operand.span);
                self.depth = self.depth.max(operand.depth.saturating_add(1));
                rest.push((operator, operand));
                None
            }
            _ => Some(operand),
        }
    }
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// `1`, `.5`, `0xff`, `NaN` or `Infinity`.
    Number(f64),
    /// `"text"`, `'text'`, or a template without values.
    Text(Arc<str>),
    /// `` `text ${value} text` ``. There is a text before each value and one after the last.
    Template {
        /// The texts. There is one more than there are values.
        texts: Vec<Arc<str>>,
        /// The values between them.
        values: Vec<Expr>,
    },
    /// `state`, or a parameter of an arrow function.
    Name(Arc<str>),
    /// `of.x?.y[0].map(..)`: a value followed by links. If the value before a `?.` is nothing, the whole path is
    /// `undefined`.
    Path {
        /// The first value.
        of: Box<Expr>,
        /// The links in their order: at least one.
        links: Vec<Link>,
    },
    /// `Math.round(x)`.
    Call {
        /// The function that is called.
        function: Function,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A built-in function as an argument of a method, as `Boolean` in `list.filter(Boolean)`.
    Builtin(Builtin),
    /// One or more of `!x`, `-x` and `+x`.
    Unary {
        /// The operators from the inside out: the last one is written first.
        operators: Vec<UnaryOp>,
        /// The operand.
        of: Box<Expr>,
    },
    /// `a + b - c`: operators of the same rank, from left to right.
    Binary {
        /// The first operand.
        first: Box<Expr>,
        /// The operators, each with the operand after it: at least one.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `test ? a : b ? c : d`.
    Conditional {
        /// The tests, each with its value: at least one.
        branches: Vec<(Expr, Expr)>,
        /// The value if no test holds.
        otherwise: Box<Expr>,
    },
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `{a: 1, b}`.
    Object(Vec<(Name, Expr)>),
    /// `x => value` or `(x, index) => value`. It is always an argument of a method.
    Arrow(Arrow),
    /// `<Tag prop={value}>..</Tag>`.
    Tag(Box<Tag>),
    /// `<>..</>`.
    Fragment(Vec<Child>),
}

impl ExprKind {
    fn depth_of_parts(&self) -> u16 {
        fn deepest<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> u16 {
            parts.into_iter().map(Expr::depth).max().unwrap_or(0)
        }
        match self {
            Self::Undefined
            | Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Name(_)
            | Self::Builtin(_) => 0,
            Self::Template { values, .. } => deepest(values),
            Self::Path { of, links } => {
                let in_links = links.iter().map(|link| match &link.kind {
                    LinkKind::Member(_) => 0,
                    LinkKind::Index(index) => index.depth(),
                    LinkKind::Method { args, .. } => deepest(args),
                });
                in_links.max().unwrap_or(0).max(of.depth())
            }
            Self::Call { args, .. } => deepest(args),
            Self::Unary { of, .. } => of.depth(),
            Self::Binary { first, rest } => {
                deepest(rest.iter().map(|(_, operand)| operand)).max(first.depth())
            }
            Self::Conditional {
                branches,
                otherwise,
            } => deepest(branches.iter().flat_map(|(test, value)| [test, value]))
                .max(otherwise.depth()),
            Self::Array(items) => deepest(items),
            Self::Object(entries) => deepest(entries.iter().map(|(_, value)| value)),
            Self::Arrow(arrow) => arrow.body.depth(),
            Self::Tag(tag) => tag.depth(),
            Self::Fragment(children) => deepest_child(children),
        }
    }
}

/// A name, with its position in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// The position of the name.
    pub span: Span,
}

/// A link of a path: `.x`, `[i]`, `.map(..)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The kind of the link.
    pub kind: LinkKind,
    /// True if it begins with `?.`.
    pub optional: bool,
    /// The span of the link, including its `.` or bracket.
    pub span: Span,
}

/// The kind of a [`Link`].
#[derive(Clone, Debug, PartialEq)]
pub enum LinkKind {
    /// `.x`.
    Member(Name),
    /// `[i]`.
    Index(Expr),
    /// `.map(..)`.
    Method {
        /// The name as it is written.
        name: Name,
        /// The method with this name, if there is one. If there is none, the error depends on the type of the value.
        method: Option<Method>,
        /// The arguments.
        args: Vec<Expr>,
    },
}

/// The function that a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// `Math.round`, `Object.keys`, `String`.
    Builtin(Builtin, Span),
    /// A function of the layout's script.
    Named(Name),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Negate,
    /// `+`.
    ToNumber,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `??`.
    Coalesce,
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `===`.
    Equal,
    /// `!==`.
    NotEqual,
    /// `==`: as `===`, but null and undefined are equal.
    LooselyEqual,
    /// `!=`.
    NotLooselyEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
}

impl BinaryOp {
    /// The text of the operator.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Coalesce => "??",
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "===",
            Self::NotEqual => "!==",
            Self::LooselyEqual => "==",
            Self::NotLooselyEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }

    /// The precedence: an operator of a higher rank is applied first.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Coalesce => 1,
            Self::Or => 2,
            Self::And => 3,
            Self::Equal | Self::NotEqual | Self::LooselyEqual | Self::NotLooselyEqual => 4,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => 5,
            Self::Add | Self::Subtract => 6,
            Self::Multiply | Self::Divide | Self::Remainder => 7,
        }
    }
}

/// `(a, b) => body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The parameters, which have different names.
    pub params: Vec<Name>,
    /// The value of the function.
    pub body: Box<Expr>,
}

/// `<Name prop={value}>children</Name>`, in an expression or in a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// The name of the tag, which may contain dots.
    pub name: Name,
    /// The props, as they are written.
    pub props: Vec<Prop>,
    /// The children between the opening and the closing tag.
    pub children: Vec<Child>,
    /// The span from `<` to the last `>`.
    pub span: Span,
    depth: u16,
}

impl Tag {
    /// Returns a tag.
    #[must_use]
    pub fn new(name: Name, props: Vec<Prop>, children: Vec<Child>, span: Span) -> Self {
        let of_props = props.iter().map(|prop| prop.value.depth()).max();
        let depth = deepest_child(&children).max(of_props.unwrap_or(0));
        Self {
            name,
            props,
            children,
            span,
            depth: depth.saturating_add(1),
        }
    }

    /// The number of nested tags and expressions, including this one.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }
}

/// `name="text"`, `name={value}`, or `name`, which means `true`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prop {
    /// The name of the prop.
    pub name: Name,
    /// The value. A quoted value is a string, and a name without a value is `true`.
    pub value: Expr,
}

/// A child of a tag.
#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    /// Text, with its position.
    Text(Arc<str>, Span),
    /// A tag.
    Tag(Tag),
    /// A value in braces, or `<>..</>`.
    Expr(Expr),
}

fn deepest_child(children: &[Child]) -> u16 {
    let depths = children.iter().map(|child| match child {
        Child::Text(..) => 0,
        Child::Tag(tag) => tag.depth(),
        Child::Expr(expr) => expr.depth(),
    });
    depths.max().unwrap_or(0)
}
