//! The syntax tree of an expression.

use std::sync::Arc;

use super::{Builtin, Method, Span};

/// An expression, with its place in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written, without parentheses around it.
    pub span: Span,
    depth: u16,
}

impl Expr {
    /// An expression of this kind.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let depth = kind.depth_of_parts().saturating_add(1);
        Self { kind, span, depth }
    }

    /// How many expressions are nested here, itself among them.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Adds an operand to a row of operators of the same rank, or gives it back if this is none.
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

/// What an expression is.
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
    /// `` `text ${value} text` ``: there is a text before each value and one behind the last.
    Template {
        /// The texts, of which there is one more than values.
        texts: Vec<Arc<str>>,
        /// The values between them.
        values: Vec<Expr>,
    },
    /// `state`, or what an arrow is given.
    Name(Arc<str>),
    /// `of.x?.y[0].map(..)`: what is taken from a value, link by link. If the value before a `?.`
    /// is nothing, all of it is `undefined`.
    Path {
        /// What it begins with.
        of: Box<Expr>,
        /// What is taken, one after another: at least one.
        links: Vec<Link>,
    },
    /// `Math.round(x)`.
    Call {
        /// What is called.
        function: Function,
        /// What it is given.
        args: Vec<Expr>,
    },
    /// `Boolean` in `list.filter(Boolean)`: what is built in, as an argument of a method.
    Builtin(Builtin),
    /// `!x`, `-x` or `+x`, and several of them.
    Unary {
        /// The operators from the inside out: the last one is written first.
        operators: Vec<UnaryOp>,
        /// What they stand before.
        of: Box<Expr>,
    },
    /// `a + b - c`: operators of one rank, from left to right.
    Binary {
        /// The first operand.
        first: Box<Expr>,
        /// The operators, each with the operand behind it: at least one.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `test ? a : b ? c : d`.
    Conditional {
        /// The tests, each with the value if it holds: at least one.
        branches: Vec<(Expr, Expr)>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `{a: 1, b}`.
    Object(Vec<(Name, Expr)>),
    /// `x => value` or `(x, index) => value`, which is only ever an argument of a method.
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

/// A name, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it is written.
    pub span: Span,
}

/// What is taken from a value: `.x`, `[i]`, `.map(..)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What it is.
    pub kind: LinkKind,
    /// Whether it begins with `?.`.
    pub optional: bool,
    /// Where it is written, from its `.` or bracket on.
    pub span: Span,
}

/// What a [`Link`] is.
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
        /// The method of this name, if one is known: what is not is told by the type of the value.
        method: Option<Method>,
        /// What it is given.
        args: Vec<Expr>,
    },
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// `Math.round`, `Object.keys`, `String`.
    Builtin(Builtin, Span),
    /// A function that the layout has in its script.
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
    /// As it is written.
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

    /// How strongly it binds: an operator of a higher rank comes first.
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
    /// What it names of what it is given: none twice.
    pub params: Vec<Name>,
    /// Its value.
    pub body: Box<Expr>,
}

/// `<Name prop={value}>children</Name>`, in an expression or in the layout itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// Its name, which may have dots in it.
    pub name: Name,
    /// Its props, as they are written.
    pub props: Vec<Prop>,
    /// What is between its opening and its closing tag.
    pub children: Vec<Child>,
    /// From `<` to the last `>`.
    pub span: Span,
    depth: u16,
}

impl Tag {
    /// A tag.
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

    /// How many tags and expressions are nested here, itself among them.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }
}

/// `name="text"`, `name={value}`, or `name` alone, which is `true`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prop {
    /// Its name.
    pub name: Name,
    /// Its value. What is in quotes is a text, and a name alone is `true`.
    pub value: Expr,
}

/// What is between tags.
#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    /// Words, with their place.
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
