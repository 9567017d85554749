//! Turns the parts of a layout into members.

use super::assemble::{assemble, unnamed};
use super::{Data, DataPiece};
use crate::node::Value;
use crate::part::{Gathered, PartMeta, RenderedPart};

/// The parts of a layout as one object, and the facts of each part. If a part's output has no name,
/// it gets the name of the part.
pub(crate) fn object_of(gathered: Vec<Gathered<Data>>) -> (Value, Vec<RenderedPart>) {
    let mut pieces = Vec::new();
    let mut parts = Vec::with_capacity(gathered.len());
    for of in gathered {
        let (part, density, error) = (of.part, of.density, of.error);
        pieces.extend(named(&part, of.pieces));
        parts.push(RenderedPart {
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

/// The pieces of a part, with a name.
fn named(part: &PartMeta, pieces: Vec<DataPiece>) -> Vec<DataPiece> {
    let has_name =
        |piece: &DataPiece| matches!(piece, DataPiece::Member(..) | DataPiece::Heading { .. });
    if part.name.is_empty() || pieces.iter().any(has_name) {
        return pieces;
    }
    match assemble(pieces) {
        Value::None => Vec::new(),
        value => vec![DataPiece::Member(super::key(&part.name), value)],
    }
}
