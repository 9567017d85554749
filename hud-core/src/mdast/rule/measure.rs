//! Measures each part of a layout, at every amount that it may be shown at.

use std::sync::Arc;

use markdown::mdast::Node;

use super::made::Made;
use super::part::{line_instead, lowered_part, push_besides};
use crate::density::Density;
use crate::element::Element;
use crate::mdast::Mdast;
use crate::part::{Amount, Arrangement, PartCache, PartMeta, Place, Visitor};
use crate::registry::{Lower, LowerError, Seam};

/// A part with its results at each requested amount.
pub(crate) struct Measured {
    pub(crate) part: PartMeta,
    /// The results, in the order of the requests.
    pub(crate) made: Vec<(Amount, Arc<Made>)>,
}

/// A part while it is lowered at each amount.
struct LoweredPart {
    part: PartMeta,
    is_beside: bool,
    made: Vec<(Amount, Arc<Made>)>,
    /// Content that is in no part. It continues until the next part.
    besides: Vec<(Amount, Vec<Node>, Seam)>,
}

/// Collects the parts of a layout, as an `Arranger` does, at several amounts at once.
pub(crate) struct Measurer<'m> {
    arrangement: &'m Arrangement,
    choose: &'m mut dyn FnMut(&PartMeta) -> Vec<Amount>,
    known: Option<&'m PartCache>,
    /// True if parts that cannot be lowered are left out.
    has_boundaries: bool,
    /// The number of parts so far.
    count: usize,
    level: u8,
    is_beside: bool,
    parts: Vec<LoweredPart>,
    /// True if further content that is in no part continues the last part.
    goes_on: bool,
}

impl<'m> Measurer<'m> {
    pub(crate) fn new(
        arrangement: &'m Arrangement,
        choose: &'m mut dyn FnMut(&PartMeta) -> Vec<Amount>,
        level: u8,
        known: Option<&'m PartCache>,
        has_boundaries: bool,
    ) -> Self {
        Self {
            arrangement,
            choose,
            known,
            has_boundaries,
            count: 0,
            level,
            is_beside: false,
            parts: Vec::new(),
            goes_on: false,
        }
    }

    /// The current unnamed part, for content that is in no part.
    fn unnamed(&mut self) -> Option<&mut LoweredPart> {
        if !self.goes_on {
            self.goes_on = true;
            let part = PartMeta::unnamed();
            let amounts = (self.choose)(&part).into_iter();
            self.parts.push(LoweredPart {
                part,
                is_beside: self.is_beside,
                made: Vec::new(),
                besides: amounts
                    .map(|amount| (amount, Vec::new(), Seam::default()))
                    .collect(),
            });
        }
        self.parts.last_mut()
    }

    /// The seams at the end of the current unnamed part.
    fn seams(&mut self) -> impl Iterator<Item = &mut Seam> {
        let last = self.parts.last_mut().filter(|_| self.goes_on);
        last.into_iter()
            .flat_map(|last| last.besides.iter_mut().map(|(.., seam)| seam))
    }

    /// All parts, in the order of the layout.
    pub(crate) fn finish(self) -> Vec<Measured> {
        let parts = self.parts.into_iter().map(|lowered| {
            let besides = lowered.besides.into_iter();
            let besides = besides
                .map(|(amount, nodes, _)| (amount, Arc::new(Made::of(nodes, lowered.is_beside))));
            Measured {
                part: lowered.part,
                made: lowered.made.into_iter().chain(besides).collect(),
            }
        });
        parts.collect()
    }
}

impl Visitor<Mdast> for Measurer<'_> {
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        self.goes_on = false;
        let place = Place {
            nth: self.count,
            level: self.level,
            is_beside: self.is_beside,
        };
        self.count += 1;
        let arrangement = self.arrangement;
        if arrangement.off.contains(&*part.name) {
            return Ok(());
        }
        let mut made: Vec<(Amount, Arc<Made>)> = Vec::new();
        // The whole part at a density, and the number of items at which nothing more is shown.
        let mut whole: Option<(Density, Arc<Made>, u32)> = None;
        for amount in (self.choose)(&part) {
            let density = asked.unwrap_or(amount.density);
            let at = |amount: Amount| {
                let amount = Amount { density, ..amount };
                let make = || {
                    let nodes =
                        lowered_part(&part, element, amount, arrangement, place.level, lower)?;
                    Ok(Made::of(nodes, place.is_beside))
                };
                let made = match self.known {
                    Some(known) => known.made(&part, amount, place, arrangement, make),
                    None => make().map(Arc::new),
                };
                match made {
                    Err(error) if self.has_boundaries => {
                        let line = line_instead(&part, &error, amount);
                        Ok(Arc::new(Made::of(line, place.is_beside)))
                    }
                    made => made,
                }
            };
            let (_, all, most) = match &mut whole {
                Some(known) if known.0 == density => known,
                other => other.insert((density, at(density.into())?, u32::MAX)),
            };
            let some = match amount.items {
                _ if amount.chars.is_some() => at(amount)?,
                Some(items) if items < *most => {
                    let some = at(amount)?;
                    if some.piece == all.piece {
                        *most = items;
                    }
                    some
                }
                _ => Arc::clone(all),
            };
            made.push((Amount { density, ..amount }, some));
        }
        let has_heading = |(_, made): &(Amount, Arc<Made>)| made.heading == Some(place.level);
        if part.heading && made.iter().any(has_heading) {
            self.level = (self.level + 1).min(6);
        }
        self.parts.push(LoweredPart {
            part,
            is_beside: place.is_beside,
            made,
            besides: Vec::new(),
        });
        Ok(())
    }

    fn besides(
        &mut self,
        element: &Element<'_>,
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        let (level, has_boundaries) = (self.level, self.has_boundaries);
        let Some(last) = self.unnamed() else {
            return Ok(());
        };
        for (amount, nodes, seam) in &mut last.besides {
            match push_besides(element, amount.density, level, lower, nodes, seam) {
                Err(error) if has_boundaries => {
                    nodes.extend(line_instead(&last.part, &error, *amount));
                }
                pushed => pushed?,
            }
        }
        Ok(())
    }

    fn failed(&mut self, error: LowerError) -> Result<(), LowerError> {
        if !self.has_boundaries {
            return Err(error);
        }
        if let Some(last) = self.unnamed() {
            for (amount, nodes, _) in &mut last.besides {
                nodes.extend(line_instead(&last.part, &error, *amount));
            }
        }
        Ok(())
    }

    fn begin_call(&mut self) {
        self.seams().for_each(Seam::begin_call);
    }

    fn end_call(&mut self) {
        self.seams().for_each(Seam::end_call);
    }

    fn begin_beside(&mut self, _: &str) {
        self.goes_on = false;
        self.is_beside = true;
    }

    fn end_beside(&mut self) {
        self.goes_on = false;
        self.is_beside = false;
    }
}
