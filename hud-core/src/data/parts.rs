//! How the parts of a layout become members.

use super::assemble::{assemble, unnamed};
use super::{Data, Piece};
use crate::density::Density;
use crate::element::Element;
use crate::node::Value;
use crate::part::{Arrangement, PartMeta, Shown, Visitor};
use crate::registry::{Lower, LowerError, Lowered};

/// Takes in the parts of a layout that are chosen. What a part says without a name is named by the part.
pub(crate) struct Members<'c> {
    arrangement: &'c Arrangement,
    choose: &'c mut dyn FnMut(&PartMeta) -> Option<Density>,
    chosen: Vec<(PartMeta, Density, Vec<Piece>)>,
}

impl<'c> Members<'c> {
    pub(crate) fn new(
        arrangement: &'c Arrangement,
        choose: &'c mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Self {
        Self {
            arrangement,
            choose,
            chosen: Vec::new(),
        }
    }

    /// What was chosen as one object, and what each part is.
    pub(crate) fn finish(mut self) -> (Value, Vec<Shown>) {
        let order = &self.arrangement.order;
        self.chosen.sort_by_key(|(part, ..)| {
            (!part.heading, order.get(&*part.name).copied().unwrap_or(0))
        });
        let mut pieces = Vec::new();
        let mut parts = Vec::with_capacity(self.chosen.len());
        for (part, density, own) in self.chosen {
            pieces.extend(named(&part, own));
            parts.push(Shown { part, density });
        }
        let value = match assemble(pieces) {
            Value::None => Value::Object(Vec::new()),
            object @ Value::Object(_) => object,
            value => Value::Object(vec![(unnamed(&value).to_owned(), value)]),
        };
        (value, parts)
    }

    fn choose(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, Data>,
    ) -> Result<(), LowerError> {
        if let Some(chosen) = (self.choose)(&part) {
            let density = asked.unwrap_or(chosen);
            let cap = self
                .arrangement
                .caps
                .get(&*part.name)
                .copied()
                .map(crate::part::Cap);
            let pieces: Lowered<Data> =
                lower.with_handle(self.arrangement.handles.of(&part.name), |lower| {
                    lower
                        .with_density(density)
                        .with_cap(cap.as_ref(), |lower| lower.element(element))
                });
            self.chosen.push((part, density, pieces?));
        }
        Ok(())
    }
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

impl Visitor<Data> for Members<'_> {
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, Data>,
    ) -> Result<(), LowerError> {
        if self.arrangement.off.contains(&*part.name) {
            return Ok(());
        }
        self.choose(part, asked, element, lower)
    }

    fn besides(
        &mut self,
        element: &Element<'_>,
        lower: &Lower<'_, Data>,
    ) -> Result<(), LowerError> {
        self.choose(PartMeta::unnamed(), None, element, lower)
    }

    fn begin_beside(&mut self, _: &str) {}

    fn end_beside(&mut self) {}
}
