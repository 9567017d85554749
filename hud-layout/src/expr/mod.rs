//! The expressions of layouts: the pure part of JavaScript, with tags.
//!
//! An expression is one value that depends only on the given names: `state`, `density`, `context` and `props`.
//! [`parse`] reads it to an [`Expr`] with the position of each part, so that each [`Mistake`] is reported at the
//! wrong part.
//!
//! ```text
//! expr := || && ?? ! == === != !== < <= > >= + - * / % ?: ( ) [ ] { } . ?. [i] /* */
//!         number, text, `template ${expr}`, true, false, null, undefined, name,
//!         list.method(x => expr), list.method((a, b) => expr), Math.round(expr), tag
//! tag  := <Name prop prop="text" prop={expr}>words, tags, {expr}</Name> | <Name /> | <>..</>
//! ```
//!
//! # Differences from JavaScript
//!
//! - A string is counted in characters and not in UTF-16 code units: `"😀".length` is 1. An unpaired surrogate cannot
//!   be written.
//! - `==` is `===`, except that null and undefined are equal. Values are not converted to be compared.
//! - A function (`x => ..`, `Boolean`) is only allowed as an argument of a method, so there is no recursion and each
//!   expression ends.
//! - Lists, objects and elements are not converted to numbers or strings: `[1] + 1` is an error.
//! - There are no assignments, no aliases and no prototypes.

mod closing;
mod entity;
mod eval;
mod infer;
mod lex;
mod meter;
mod method;
mod mistake;
mod nearest;
mod number;
mod object;
mod parse;
mod refused;
mod scope;
mod tree;
mod value;

pub(crate) use closing::tag_name;
pub use closing::{closing, is_blank, is_whole};
pub use eval::{eval, shown};
pub(crate) use infer::Fitting;
pub use infer::{
    Findings, ListType, Node, ObjectType, Type, Types, check_prop, infer, infer_shown,
};
pub use meter::{Limits, MAX_BRACKETS, MAX_OPERATORS, MAX_SOURCE, Meter};
pub use method::{Builtin, Method, Receiver};
pub use mistake::{Mistake, Span};
pub use nearest::nearest;
pub(crate) use nearest::with_a_word_more;
pub use number::number_text;
pub use object::Object;
pub use parse::{MAX_DEPTH, Opening, parse, parse_child, parse_opening};
pub use scope::{Functions, Scope};
pub use tree::{
    Arrow, BinaryOp, Child, Expr, ExprKind, Function, Link, LinkKind, Name, Prop, Tag, UnaryOp,
};
pub use value::{Element, ElementParts, List, MAX_VALUE_DEPTH, Value};
