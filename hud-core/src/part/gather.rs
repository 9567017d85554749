//! Collects the parts of a layout, for targets that do not arrange them side by side.

use super::{Arrangement, Cap, PartMeta, Visitor, left_out};
use crate::density::Density;
use crate::element::Element;
use crate::registry::{Lower, LowerError, LowerResult, Target};

/// Collects the chosen parts of a layout.
pub(crate) struct Gatherer<'c, T: Target> {
    arrangement: &'c Arrangement,
    choose: &'c mut dyn FnMut(&PartMeta) -> Option<Density>,
    /// True if parts that cannot be lowered are left out.
    has_boundaries: bool,
    chosen: Vec<Gathered<T>>,
}

/// A chosen part.
pub(crate) struct Gathered<T: Target> {
    pub(crate) part: PartMeta,
    pub(crate) density: Density,
    pub(crate) pieces: Vec<T::Piece>,
    /// The error that the part is left out for.
    pub(crate) error: Option<LowerError>,
}

impl<'c, T: Target> Gatherer<'c, T> {
    pub(crate) fn new(
        arrangement: &'c Arrangement,
        choose: &'c mut dyn FnMut(&PartMeta) -> Option<Density>,
        has_boundaries: bool,
    ) -> Self {
        Self {
            arrangement,
            choose,
            has_boundaries,
            chosen: Vec::new(),
        }
    }

    /// Returns the chosen parts, in the reader's order.
    pub(crate) fn finish(mut self) -> Vec<Gathered<T>> {
        let order = &self.arrangement.order;
        self.chosen.sort_by_key(|Gathered { part, .. }| {
            (!part.heading, order.get(&*part.name).copied().unwrap_or(0))
        });
        self.chosen
    }

    fn choose(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, T>,
    ) -> Result<(), LowerError> {
        let Some(chosen) = (self.choose)(&part) else {
            return Ok(());
        };
        let density = asked.unwrap_or(chosen);
        let cap = self.arrangement.caps.get(&*part.name).copied().map(Cap);
        let handle = self.arrangement.handles.of(&part.name);
        let pieces = lower.with_handle(handle, |lower| {
            lower
                .with_density(density)
                .with_cap(cap.as_ref(), |lower| lower.element(element))
        });
        self.push(part, density, pieces)
    }

    /// Adds a part, or the line that replaces it.
    fn push(
        &mut self,
        part: PartMeta,
        density: Density,
        pieces: LowerResult<T>,
    ) -> Result<(), LowerError> {
        let (pieces, error) = match pieces {
            Ok(pieces) => (pieces, None),
            Err(error) if self.has_boundaries => {
                (vec![T::text(&left_out(&part, &error))], Some(error))
            }
            Err(error) => return Err(error),
        };
        self.chosen.push(Gathered {
            part,
            density,
            pieces,
            error,
        });
        Ok(())
    }
}

impl<T: Target> Visitor<T> for Gatherer<'_, T> {
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, T>,
    ) -> Result<(), LowerError> {
        if self.arrangement.off.contains(&*part.name) {
            return Ok(());
        }
        self.choose(part, asked, element, lower)
    }

    fn besides(&mut self, element: &Element<'_>, lower: &Lower<'_, T>) -> Result<(), LowerError> {
        self.choose(PartMeta::unnamed(), None, element, lower)
    }

    fn failed(&mut self, error: LowerError) -> Result<(), LowerError> {
        let part = PartMeta::unnamed();
        match (self.choose)(&part) {
            Some(density) => self.push(part, density, Err(error)),
            None if self.has_boundaries => Ok(()),
            None => Err(error),
        }
    }

    fn begin_beside(&mut self, _: &str) {}

    fn end_beside(&mut self) {}
}
