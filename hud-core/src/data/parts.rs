//! How the parts of a layout become members.

use super::assemble::{assemble, unnamed};
use super::{Data, Piece};
use crate::node::Value;
use crate::part::{Gathered, PartMeta, Shown};

/// The parts of a layout as one object, and what each of them is. What a part says without a name is named by the
/// part.
pub(crate) fn object_of(gathered: Vec<Gathered<Data>>) -> (Value, Vec<Shown>) {
    let mut pieces = Vec::new();
    let mut parts = Vec::with_capacity(gathered.len());
    for of in gathered {
        let (part, density, error) = (of.part, of.density, of.error);
        pieces.extend(named(&part, of.pieces));
        parts.push(Shown {
            part,
            density,
            error,
        });
    }
    let value = match assemble(pieces) {
        Value::None => Value::Object(Vec::new()),
        object @ Value::Object(_) => object,
        value => Value::Object(vec![(unnamed(&value).to_owned(), value)]),
    };
    (value, parts)
}

/// The pieces of a part, which have names.
fn named(part: &PartMeta, pieces: Vec<Piece>) -> Vec<Piece> {
    let has_name = |piece: &Piece| matches!(piece, Piece::Member(..) | Piece::Heading { .. });
    if part.name.is_empty() || pieces.iter().any(has_name) {
        return pieces;
    }
    match assemble(pieces) {
        Value::None => Vec::new(),
        value => vec![Piece::Member(super::key(&part.name), value)],
    }
}
