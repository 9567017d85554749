//! The expressions of layouts: the pure part of JavaScript, with tags in it.
//!
//! An expression is one value that depends on nothing but the names that it is given: `state`,
//! `density`, `context` and `props`. It is read by [`parse`] to an [`Expr`], with the places of
//! everything, so that each [`Mistake`] is reported at what is wrong.
//!
//! ```text
//! expr := || && ?? ! == === != !== < <= > >= + - * / % ?: ( ) [ ] { } . ?. [i] /* */
//!         number, text, `template ${expr}`, true, false, null, undefined, name,
//!         list.method(x => expr), list.method((a, b) => expr), Math.round(expr), tag
//! tag  := <Name prop prop="text" prop={expr}>words, tags, {expr}</Name> | <Name /> | <>..</>
//! ```
//!
//! # What differs from JavaScript
//!
//! - A text is counted in characters, and not in halves of them: `"😀".length` is 1. Half a character
//!   cannot be written.
//! - `==` is `===`, but that null and undefined are equal: nothing is turned into something else to
//!   be compared.
//! - A function (`x => ..`, `Boolean`) is only what a method is given, so no expression calls
//!   itself, and each ends.
//! - Lists, objects and elements are no numbers and no words: `[1] + 1` is a mistake.
//! - What is not there cannot be changed, called by another name or reached by a prototype.

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
