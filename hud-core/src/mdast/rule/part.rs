//! Writes the parts of a layout as markdown: see [`part`](crate::part#what-is-written).

use std::any::Any;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use markdown::mdast::{Node, ThematicBreak};

use super::cut::cut;
use super::made::{Made, Piece, Write, blocks_in, blocks_of, first_heading, piece, stand_alone};
use super::prose::paragraph_of;
use super::{Mdast, as_blocks, straight};
use crate::density::Density;
use crate::element::{Element, Repr};
use crate::gfm::{SerializeOptions, Straight, Unwritten, Written, ended};
use crate::mdast::{Context, check_frontmatter, make_visible, phrasing, root, text};
use crate::node::{Beside, Node as ElementNode, Part, Parts, SEPARATOR};
use crate::part::{
    Amount, Arrangement, Cap, Kept, PartCache, PartMeta, Place, RenderedPart, Visitor, left_out,
};
use crate::registry::{Lower, LowerError, LowerResult, Registry, Seam, Siblings, Walker, one_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(one_way(parts))
        .register(one_way(beside))
        .register(one_way(part));
}

fn parts(_: &Parts, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    at_ambient_density(lower, |arranger| lower.each_part(children, arranger))
}

fn beside(node: &Beside, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    at_ambient_density(lower, |arranger| {
        arranger.begin_beside(&node.separator);
        lower.each_part(children, arranger)?;
        arranger.end_beside();
        Ok(())
    })
}

fn part(node: &Part, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let cap = lower.own_cap(node.cap);
    lower.with_cap(cap.as_ref(), |lower| lower.children(children))
}

/// Collects all parts of a walk, at the density of the scope.
fn at_ambient_density(
    lower: &Lower<'_, Mdast>,
    walk: impl FnOnce(&mut Arranger<'_>) -> Result<(), LowerError>,
) -> LowerResult<Mdast> {
    let density = lower.scope().density();
    let mut choose = |part: &PartMeta| Some(part.at(density).into());
    let arrangement = Arrangement::default();
    let mut arranger = Arranger::new(&arrangement, &mut choose, lower.context().level, None);
    walk(&mut arranger)?;
    Ok(vec![as_blocks(arranger.finish().0.into_blocks())])
}

/// The text of an element that consists only of the parts of a layout, if they can be written
/// directly.
pub(crate) fn parts_text(
    element: &Element<'_>,
    lower: &Lower<'_, Mdast>,
    options: &SerializeOptions,
    write: &Write<'_>,
) -> Option<String> {
    let mut only = OnlyParts {
        options,
        write,
        text: None,
    };
    lower.each_node(element, &mut only).ok()?;
    only.text
}

struct OnlyParts<'w> {
    options: &'w SerializeOptions,
    write: &'w Write<'w>,
    text: Option<String>,
}

impl Walker<Mdast> for OnlyParts<'_> {
    type Stop = Unwritten;

    fn text(&mut self, text: &str) -> Result<(), Unwritten> {
        match text {
            "" => Ok(()),
            _ => Err(Unwritten),
        }
    }

    fn node(
        &mut self,
        node: &dyn ElementNode,
        children: &[Element<'_>],
        within: &Lower<'_, Mdast>,
    ) -> Result<(), Unwritten> {
        let node: &dyn Any = node;
        if !node.is::<Parts>() || self.text.is_some() {
            return Err(Unwritten);
        }
        let density = within.scope().density();
        let mut choose = |part: &PartMeta| Some(part.at(density).into());
        let (arrangement, level) = (Arrangement::default(), within.context().level);
        let mut arranger =
            Arranger::new(&arrangement, &mut choose, level, None).straight(Some(self.options));
        within.each_part(children, &mut arranger)?;
        let groups = arranger.finish().0;
        groups.check()?;
        self.text = Some(groups.text(self.write).ok_or(Unwritten)?);
        Ok(())
    }
}

/// Collects the parts of a layout, and arranges those that are chosen.
pub(crate) struct Arranger<'c> {
    arrangement: &'c Arrangement,
    choose: &'c mut dyn FnMut(&PartMeta) -> Option<Amount>,
    known: Option<&'c PartCache>,
    /// The direct writer, for parts whose nodes are not needed.
    straight: Option<Straight<'c>>,
    /// True if parts that cannot be lowered are left out.
    has_boundaries: bool,
    /// The number of parts so far.
    count: usize,
    /// The level of the next section's heading.
    level: u8,
    /// The separators of shared lines: the default, and then one for each `Beside`.
    separators: Vec<String>,
    /// True if the current position is within the last `Beside`.
    is_beside: bool,
    chosen: Vec<Chosen>,
    /// The density of the current unnamed part, if further content that is in no part continues it.
    /// The inner `None` means that it is not shown.
    besides: Option<Option<Density>>,
    /// The seam at the end of the unnamed part.
    seam: Seam,
}

/// A chosen part.
struct Chosen {
    part: PartMeta,
    density: Density,
    shows: Shows,
    /// The error that the part is left out for.
    error: Option<LowerError>,
    /// The index of its separator.
    line: usize,
}

/// The output of a part: made now, or reused.
enum Shows {
    Now(Vec<Node>),
    Known(Kept),
    Written(Written),
}

/// Blocks that are written in order.
enum Group {
    /// A root with the blocks.
    Now(Node),
    Known(Arc<Made>),
    Text(Arc<str>),
    Written(Written),
}

impl Group {
    fn into_blocks(self) -> Vec<Node> {
        match self {
            Self::Now(root) => blocks_of(root),
            Self::Known(made) => Made::into_nodes(made),
            // Cached and written texts have no nodes. A caller that needs nodes writes no text.
            Self::Text(_) | Self::Written(_) => Vec::new(),
        }
    }

    fn stands_alone(&self) -> bool {
        match self {
            Self::Now(root) => stand_alone(root),
            Self::Known(made) => made.stands_alone(),
            Self::Text(_) | Self::Written(_) => true,
        }
    }
}

/// All blocks of a layout, and the texts that are written already.
pub(crate) struct Groups<'c> {
    groups: Vec<Group>,
    straight: Option<Straight<'c>>,
}

impl Groups<'_> {
    /// The blocks, if no texts were written.
    pub(crate) fn into_blocks(self) -> Vec<Node> {
        self.groups
            .into_iter()
            .flat_map(Group::into_blocks)
            .collect()
    }

    /// Returns an error for frontmatter that is not the first block.
    pub(crate) fn check(&self) -> Result<(), LowerError> {
        // Stands for a part that was written directly, which is a paragraph or a heading.
        const WRITTEN: &Node = &Node::ThematicBreak(ThematicBreak { position: None });
        let blocks = self.groups.iter().flat_map(|group| match group {
            Group::Now(root) => blocks_in(root),
            Group::Known(made) => made.blocks(),
            Group::Text(_) | Group::Written(_) => std::slice::from_ref(WRITTEN),
        });
        check_frontmatter(blocks)
    }

    /// The text. Cached and written texts are reused if they are independent of the blocks around
    /// them. `None` if they are not, but were written already.
    pub(crate) fn text(self, write: &Write<'_>) -> Option<String> {
        let is_made = |group: &Group| !matches!(group, Group::Now(_));
        let is_written = |group: &Group| matches!(group, Group::Text(_) | Group::Written(_));
        let stand_alone = self.groups.iter().all(Group::stands_alone);
        if !stand_alone && self.groups.iter().any(is_written) {
            return None;
        }
        if !stand_alone || !self.groups.iter().any(is_made) {
            return Some(ended(write(&root(self.into_blocks()))));
        }
        let mut text = String::with_capacity(TEXT);
        for (at, group) in self.groups.iter().enumerate() {
            if at > 0 {
                text.push_str("\n\n");
            }
            match (group, &self.straight) {
                (Group::Now(root), _) => text.push_str(&write(root)),
                (Group::Known(made), _) => text.push_str(made.written(write)),
                (Group::Text(written), _) => text.push_str(written),
                (Group::Written(written), Some(straight)) => {
                    text.push_str(straight.text_of(written));
                }
                (Group::Written(_), None) => {}
            }
        }
        Some(ended(text))
    }
}

/// The initial capacity of a text, in bytes.
const TEXT: usize = 1 << 12;

impl<'c> Arranger<'c> {
    pub(crate) fn new(
        arrangement: &'c Arrangement,
        choose: &'c mut dyn FnMut(&PartMeta) -> Option<Amount>,
        level: u8,
        known: Option<&'c PartCache>,
    ) -> Self {
        Self {
            arrangement,
            choose,
            known,
            straight: None,
            has_boundaries: false,
            count: 0,
            level,
            separators: vec![SEPARATOR.to_owned()],
            is_beside: false,
            chosen: Vec::new(),
            besides: None,
            seam: Seam::default(),
        }
    }

    /// The same arranger, which writes parts directly with these options where it can.
    pub(crate) fn straight(self, options: Option<&'c SerializeOptions>) -> Self {
        let straight = options.map(Straight::new);
        Self { straight, ..self }
    }

    /// The same arranger, which can leave out parts that cannot be lowered.
    pub(crate) fn with_boundaries(self, has_boundaries: bool) -> Self {
        Self {
            has_boundaries,
            ..self
        }
    }

    /// The current unnamed part, and its seam. `None` if it is not shown.
    fn unnamed(&mut self) -> Option<(&mut Chosen, &mut Seam)> {
        let goes_on = self.besides.is_some();
        let chosen = match self.besides {
            Some(chosen) => chosen,
            None => (self.choose)(&PartMeta::unnamed()).map(|amount| amount.density),
        };
        self.besides = Some(chosen);
        let density = chosen?;
        if !goes_on {
            let line = self.line();
            self.chosen.push(Chosen {
                part: PartMeta::unnamed(),
                density,
                shows: Shows::Now(Vec::new()),
                error: None,
                line,
            });
        }
        Some((self.chosen.last_mut()?, &mut self.seam))
    }

    /// Writes a part directly, if its elements allow that.
    fn write_straight(
        &mut self,
        part: &PartMeta,
        element: &Element<'_>,
        amount: Amount,
        place: Place,
        lower: &Lower<'_, Mdast>,
    ) -> Option<Written> {
        // Shared lines and cut parts need nodes.
        if place.is_beside && amount.density != Density::Full || amount.chars.is_some() {
            return None;
        }
        let out = self.straight.as_mut()?;
        out.begin();
        let cap = amount.cap(part, self.arrangement);
        let handle = self.arrangement.handles.of(&part.name);
        let done = lower.with_handle(handle, |lower| {
            in_amount(amount.density, cap, place.level, lower, |lower| {
                straight::write(element, place.is_beside, out, lower)
            })
        });
        if done.is_err() {
            out.give_up();
            return None;
        }
        Some(out.end())
    }

    /// Returns a part from the cache, or renders and caches it.
    fn kept(
        &mut self,
        known: &PartCache,
        part: &PartMeta,
        element: &Element<'_>,
        amount: Amount,
        place: Place,
        lower: &Lower<'_, Mdast>,
    ) -> Result<Kept, LowerError> {
        let (arrangement, is_straight) = (self.arrangement, self.straight.is_some());
        let fits = |kept: &Kept| is_straight || matches!(kept, Kept::Made(_));
        let choose = |kept: &Kept| fits(kept).then(|| kept.clone());
        if let Some(kept) = known.kept(part, amount, place, arrangement, choose) {
            return Ok(kept);
        }
        let written = self.write_straight(part, element, amount, place, lower);
        let kept = match (written, &mut self.straight) {
            (Some(written), Some(straight)) => {
                let text = straight.text_of(&written).into();
                straight.give_up();
                Kept::Text {
                    text,
                    heading: written.heading,
                }
            }
            _ => {
                let nodes = lowered_part(part, element, amount, arrangement, place.level, lower)?;
                Kept::Made(Arc::new(Made::of(nodes, place.is_beside)))
            }
        };
        known.keep(part, amount, place, arrangement, kept.clone());
        Ok(kept)
    }

    fn line(&self) -> usize {
        match self.is_beside {
            true => self.separators.len() - 1,
            false => 0,
        }
    }

    /// Returns the chosen blocks, and the facts of each part.
    pub(crate) fn finish(self) -> (Groups<'c>, Vec<RenderedPart>) {
        let Self {
            arrangement,
            straight,
            separators,
            mut chosen,
            ..
        } = self;
        if !arrangement.order.is_empty() {
            reorder(&mut chosen, &arrangement.order);
        }
        let mut parts = Vec::with_capacity(chosen.len());
        let mut groups = Vec::with_capacity(chosen.len());
        let mut line = Line::default();
        for Chosen {
            part,
            density,
            shows,
            error,
            line: place,
        } in chosen
        {
            if line.place != place {
                line.end(&separators, &mut groups);
                line.place = place;
            }
            let piece = match shows {
                Shows::Now(nodes) => piece(nodes, place > 0),
                Shows::Known(Kept::Made(made)) => match &made.piece {
                    Piece::Blocks(_) => {
                        line.end(&separators, &mut groups);
                        groups.push(Group::Known(made));
                        Piece::Nothing
                    }
                    shared => shared.clone(),
                },
                Shows::Known(Kept::Text { text, .. }) => {
                    if !text.is_empty() {
                        line.end(&separators, &mut groups);
                        groups.push(Group::Text(text));
                    }
                    Piece::Nothing
                }
                Shows::Written(written) => {
                    if !written.range.is_empty() {
                        line.end(&separators, &mut groups);
                        groups.push(Group::Written(written));
                    }
                    Piece::Nothing
                }
            };
            match piece {
                Piece::Nothing => {}
                Piece::Short(nodes) => line.pieces.push((part.worth, nodes)),
                Piece::Blocks(root) => {
                    line.end(&separators, &mut groups);
                    groups.push(Group::Now(root));
                }
            }
            parts.push(RenderedPart {
                part,
                density,
                error,
            });
        }
        line.end(&separators, &mut groups);
        (Groups { groups, straight }, parts)
    }
}

impl Visitor<Mdast> for Arranger<'_> {
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        self.besides = None;
        let place = Place {
            nth: self.count,
            level: self.level,
            is_beside: self.is_beside,
        };
        self.count += 1;
        if self.arrangement.off.contains(&*part.name) {
            return Ok(());
        }
        let Some(amount) = (self.choose)(&part) else {
            return Ok(());
        };
        let density = asked.unwrap_or(amount.density);
        let amount = Amount { density, ..amount };
        let shows = match self.known {
            None => match self.write_straight(&part, element, amount, place, lower) {
                Some(written) => Ok(Shows::Written(written)),
                None => {
                    let (arrangement, level) = (self.arrangement, place.level);
                    lowered_part(&part, element, amount, arrangement, level, lower).map(Shows::Now)
                }
            },
            Some(known) => {
                let kept = self.kept(known, &part, element, amount, place, lower);
                kept.map(Shows::Known)
            }
        };
        let (shows, error) = match shows {
            Ok(shows) => (shows, None),
            Err(error) if self.has_boundaries => {
                (Shows::Now(line_instead(&part, &error, amount)), Some(error))
            }
            Err(error) => return Err(error),
        };
        let has_heading = match &shows {
            Shows::Now(nodes) => first_heading(nodes),
            Shows::Known(Kept::Made(made)) => made.heading,
            Shows::Known(Kept::Text { heading, .. }) => *heading,
            Shows::Written(written) => written.heading,
        };
        if part.heading && has_heading == Some(self.level) {
            self.level = (self.level + 1).min(6);
        }
        let line = self.line();
        self.chosen.push(Chosen {
            part,
            density,
            shows,
            error,
            line,
        });
        Ok(())
    }

    fn besides(
        &mut self,
        element: &Element<'_>,
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        let level = self.level;
        let Some((last, seam)) = self.unnamed() else {
            return Ok(());
        };
        let Shows::Now(nodes) = &mut last.shows else {
            return Ok(());
        };
        let pushed = push_besides(element, last.density, level, lower, nodes, seam);
        pushed.or_else(|error| self.failed(error))
    }

    fn failed(&mut self, error: LowerError) -> Result<(), LowerError> {
        if !self.has_boundaries {
            return Err(error);
        }
        if let Some((last, _)) = self.unnamed()
            && let Shows::Now(nodes) = &mut last.shows
        {
            let amount = last.density.into();
            nodes.extend(line_instead(&last.part, &error, amount));
            last.error.get_or_insert(error);
        }
        Ok(())
    }

    fn begin_call(&mut self) {
        self.seam.begin_call();
    }

    fn end_call(&mut self) {
        self.seam.end_call();
    }

    fn begin_beside(&mut self, separator: &str) {
        self.besides = None;
        self.separators.push(separator.to_owned());
        self.is_beside = true;
    }

    fn end_beside(&mut self) {
        self.besides = None;
        self.is_beside = false;
    }
}

/// The paragraph that replaces a part that cannot be lowered.
pub(super) fn line_instead(part: &PartMeta, error: &LowerError, amount: Amount) -> Vec<Node> {
    let mut nodes = vec![paragraph_of(vec![text(left_out(part, error))])];
    make_visible(&mut nodes);
    match amount.chars {
        Some(chars) => cut(nodes, chars),
        None => nodes,
    }
}

/// Lowers an element at a density, with sections from a level on.
pub(super) fn lowered(
    element: &Element<'_>,
    density: Density,
    cap: Option<Cap>,
    level: u8,
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let mut nodes = in_amount(density, cap, level, lower, |lower| lower.element(element))?;
    make_visible(&mut nodes);
    Ok(nodes)
}

/// Adds an element that is in no part to the nodes before it.
pub(super) fn push_besides(
    element: &Element<'_>,
    density: Density,
    level: u8,
    lower: &Lower<'_, Mdast>,
    nodes: &mut Vec<Node>,
    seam: &mut Seam,
) -> Result<(), LowerError> {
    let is_node = !matches!(element.0, Repr::Text(_));
    let mut siblings = Siblings::<Mdast>::behind(nodes, *seam);
    siblings.add(is_node, |nodes| {
        nodes.extend(lowered(element, density, None, level, lower)?);
        Ok(())
    })?;
    *seam = siblings.seam;
    Ok(())
}

/// Continues at a density, with sections from a level on.
fn in_amount<R>(
    density: Density,
    cap: Option<Cap>,
    level: u8,
    lower: &Lower<'_, Mdast>,
    go_on: impl FnOnce(&Lower<'_, Mdast>) -> R,
) -> R {
    lower
        .with_context(Context::default().at_level(level))
        .with_density(density)
        .with_cap(cap.as_ref(), go_on)
}

/// Lowers a part at an amount.
pub(super) fn lowered_part(
    part: &PartMeta,
    element: &Element<'_>,
    amount: Amount,
    arrangement: &Arrangement,
    level: u8,
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let cap = amount.cap(part, arrangement);
    let nodes = lower.with_handle(arrangement.handles.of(&part.name), |lower| {
        lowered(element, amount.density, cap, level, lower)
    })?;
    Ok(match amount.chars {
        Some(chars) => cut(nodes, chars),
        None => nodes,
    })
}

/// Orders the parts of each line, and the parts on no line, by the reader's numbers. Parts with a
/// heading keep their places.
fn reorder(chosen: &mut Vec<Chosen>, order: &BTreeMap<String, i32>) {
    let group = |chosen: &Chosen| (chosen.line, chosen.part.heading);
    let places: Vec<_> = chosen.iter().map(group).collect();
    let mut groups: BTreeMap<_, VecDeque<Chosen>> = BTreeMap::new();
    for chosen in chosen.drain(..) {
        groups.entry(group(&chosen)).or_default().push_back(chosen);
    }
    for ((_, is_heading), parts) in &mut groups {
        if !is_heading {
            let number = |chosen: &Chosen| order.get(&*chosen.part.name).copied();
            let parts = parts.make_contiguous();
            parts.sort_by_key(|chosen| number(chosen).unwrap_or(0));
        }
    }
    let next = |place| groups.get_mut(&place).and_then(VecDeque::pop_front);
    chosen.extend(places.into_iter().filter_map(next));
}

/// The pieces of a shared line, with their priorities.
#[derive(Default)]
struct Line {
    place: usize,
    pieces: Vec<(u8, Vec<Node>)>,
}

impl Line {
    /// Writes the line if it is not empty.
    fn end(&mut self, separators: &[String], groups: &mut Vec<Group>) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.sort_by_key(|(worth, _)| Reverse(*worth));
        let separator = separators.get(self.place).map_or(SEPARATOR, String::as_str);
        let mut line = Vec::new();
        for (_, nodes) in pieces {
            if !line.is_empty() {
                line.push(text(separator));
            }
            line.extend(nodes);
        }
        if !line.is_empty() {
            groups.push(Group::Now(as_blocks(vec![paragraph_of(phrasing(line))])));
        }
    }
}
