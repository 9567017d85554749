//! What each part of a layout takes, in every amount that it may be shown in.

use markdown::mdast::Node;

use super::part::{Piece, begins_with_heading, lowered, lowered_part, piece};
use super::prose::paragraph_of;
use crate::density::Density;
use crate::element::Element;
use crate::mdast::Mdast;
use crate::node::SEPARATOR;
use crate::part::{Amount, Arrangement, PartMeta, Visitor};
use crate::registry::{Lower, LowerError};

/// A part, with what it says in each amount that was asked for.
pub(crate) struct Measured {
    pub(crate) part: PartMeta,
    /// In the order in which they were asked for. What it says has what keeps it apart from its
    /// neighbours with it, and is empty where it says nothing.
    pub(crate) texts: Vec<(Amount, String)>,
}

/// A part, with its nodes in each amount.
struct Lowered {
    part: PartMeta,
    is_beside: bool,
    nodes: Vec<(Amount, Vec<Node>)>,
}

/// Takes in the parts of a layout, as an `Arranger` does, in several amounts at once.
pub(crate) struct Measurer<'m> {
    arrangement: &'m Arrangement,
    choose: &'m mut dyn FnMut(&PartMeta) -> Vec<Amount>,
    written: &'m dyn Fn(Vec<Node>) -> String,
    level: u8,
    is_beside: bool,
    parts: Vec<Lowered>,
    /// Whether what comes next and is in no part goes on with the last one.
    goes_on: bool,
}

impl<'m> Measurer<'m> {
    pub(crate) fn new(
        arrangement: &'m Arrangement,
        choose: &'m mut dyn FnMut(&PartMeta) -> Vec<Amount>,
        level: u8,
        written: &'m dyn Fn(Vec<Node>) -> String,
    ) -> Self {
        Self {
            arrangement,
            choose,
            written,
            level,
            is_beside: false,
            parts: Vec::new(),
            goes_on: false,
        }
    }

    /// All parts, in the order of the layout.
    pub(crate) fn finish(self) -> Vec<Measured> {
        let written = self.written;
        let parts = self.parts.into_iter().map(|lowered| Measured {
            part: lowered.part,
            texts: (lowered.nodes.into_iter())
                .map(|(amount, nodes)| (amount, said(nodes, lowered.is_beside, written)))
                .collect(),
        });
        parts.collect()
    }
}

/// What nodes say, with what keeps them apart from others.
fn said(nodes: Vec<Node>, is_beside: bool, written: &dyn Fn(Vec<Node>) -> String) -> String {
    match piece(nodes, is_beside) {
        Piece::Nothing => String::new(),
        Piece::Short(nodes) => {
            let line = written(vec![paragraph_of(nodes)]);
            format!("{}{SEPARATOR}", line.trim_end())
        }
        Piece::Blocks(nodes) => match written(nodes) {
            text if text.is_empty() => text,
            text => text + "\n",
        },
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
        if self.arrangement.off.contains(&*part.name) {
            return Ok(());
        }
        let mut nodes: Vec<(Amount, Vec<Node>)> = Vec::new();
        // All that the part says at a density, and how many items that is at most.
        let mut whole: Option<(Density, Vec<Node>, u32)> = None;
        for amount in (self.choose)(&part) {
            let density = asked.unwrap_or(amount.density);
            let at = |amount: Amount| {
                let amount = Amount { density, ..amount };
                lowered_part(&part, element, amount, self.arrangement, self.level, lower)
            };
            let (_, all, most) = match &mut whole {
                Some(known) if known.0 == density => known,
                other => other.insert((density, at(density.into())?, u32::MAX)),
            };
            let lowered = match amount.items {
                _ if amount.chars.is_some() => at(amount)?,
                Some(items) if items < *most => {
                    let some = at(amount)?;
                    if some == *all {
                        *most = items;
                    }
                    some
                }
                _ => all.clone(),
            };
            nodes.push((Amount { density, ..amount }, lowered));
        }
        let has_heading = |(_, nodes): &(Amount, Vec<Node>)| begins_with_heading(nodes, self.level);
        if part.heading && nodes.iter().any(has_heading) {
            self.level = (self.level + 1).min(6);
        }
        let is_beside = self.is_beside;
        self.parts.push(Lowered {
            part,
            is_beside,
            nodes,
        });
        Ok(())
    }

    fn besides(
        &mut self,
        element: &Element<'_>,
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        if !self.goes_on {
            self.goes_on = true;
            let part = PartMeta::unnamed();
            let amounts = (self.choose)(&part).into_iter();
            self.parts.push(Lowered {
                part,
                is_beside: self.is_beside,
                nodes: amounts.map(|amount| (amount, Vec::new())).collect(),
            });
        }
        if let Some(last) = self.parts.last_mut() {
            for (amount, nodes) in &mut last.nodes {
                nodes.extend(lowered(element, amount.density, None, self.level, lower)?);
            }
        }
        Ok(())
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
