use markdown::mdast::{
    Blockquote, Heading as MdastHeading, Node, Paragraph as MdastParagraph,
    ThematicBreak as MdastThematicBreak,
};

use super::{
    Mdast, Shown, as_blocks, blocks, lift_blocks, lift_line, line, line_or_blocks, refuse_in_line,
};
use crate::element::Element;
use crate::mdast::content::ended;
use crate::mdast::text;
use crate::node::{Heading, Paragraph, Quote, Section, ThematicBreak};
use crate::registry::{
    Lift, LiftResult, Lifted, Lower, LowerError, LowerResult, LoweredPiece, Registry, two_way,
    two_way_piece,
};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(heading, lift_heading))
        .register(two_way_piece(section, lift_section))
        .register(two_way_piece(paragraph, lift_paragraph))
        .register(two_way(quote, lift_quote))
        .register(two_way(thematic_break, lift_thematic_break));
}

fn section(
    node: &Section,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LoweredPiece<Mdast> {
    refuse_in_line(lower, "put it beside that node, or show a `<Field>` there")?;
    let level = level_of(node.level, lower)?;
    let title = if node.title.is_empty() {
        Vec::new()
    } else {
        vec![text(node.title.as_str())]
    };
    let mut nodes = blocks(
        children,
        &lower.with_context(lower.context().at_level(below(level))),
    )?;
    if nodes.is_empty() {
        return Ok(None);
    }
    nodes.insert(0, heading_of(level, title));
    Ok(Some(as_blocks(nodes)))
}

/// Lifts a heading of plain text, with everything up to the next heading of its level or above.
/// `None` if nothing is under it.
fn lift_section(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Section> {
    let Some((Node::Heading(heading), behind)) = nodes.split_first() else {
        return Ok(None);
    };
    let title = match heading.children.as_slice() {
        [] => String::new(),
        [Node::Text(title)] => title.value.clone(),
        _ => return Ok(None),
    };
    let end = behind
        .iter()
        .position(|node| matches!(node, Node::Heading(next) if next.depth <= heading.depth))
        .unwrap_or(behind.len());
    if end == 0 {
        return Ok(None);
    }
    let level = heading.depth.clamp(1, 6);
    Ok(Some(Lifted {
        node: Section {
            title,
            level: (level != lift.context().level).then_some(level),
        },
        children: lift_blocks(
            &behind[..end],
            &lift.with_context(lift.context().at_level(below(level))),
        )?,
        taken: 1 + end,
    }))
}

/// The level of the sections below a heading.
pub(super) fn below(level: u8) -> u8 {
    (level + 1).min(6)
}

/// The level of a heading: its own, or that of its place.
pub(super) fn level_of(given: Option<u8>, lower: &Lower<'_, Mdast>) -> Result<u8, LowerError> {
    match given.unwrap_or(lower.context().level) {
        level @ 1..=6 => Ok(level),
        level => Err(lower.invalid("level", level.to_string(), "give it a level from 1 to 6")),
    }
}

fn heading(
    node: &Heading,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node, or use `<Strong>` there")?;
    let level = level_of(Some(node.level), lower)?;
    Ok(vec![heading_of(level, ended(line(children, lower)?))])
}

fn lift_heading(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Heading> {
    let Some(Node::Heading(heading)) = nodes.first() else {
        return Ok(None);
    };
    let level = heading.depth.clamp(1, 6);
    let children = lift_line(&heading.children, lift)?;
    Ok(Some(Lifted::one(Heading { level }, children)))
}

fn heading_of(depth: u8, children: Vec<Node>) -> Node {
    Node::Heading(MdastHeading {
        children,
        depth,
        position: None,
    })
}

fn paragraph(
    _: &Paragraph,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LoweredPiece<Mdast> {
    match line_or_blocks(children, lower)? {
        Shown::Line(line) => Ok(Some(paragraph_of(ended(line)))),
        Shown::Blocks(blocks) => Ok(Some(as_blocks(blocks))),
    }
}

fn lift_paragraph(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Paragraph> {
    let Some(Node::Paragraph(paragraph)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&paragraph.children, lift)?;
    Ok(Some(Lifted::one(Paragraph {}, children)))
}

pub(crate) fn paragraph_of(children: Vec<Node>) -> Node {
    Node::Paragraph(MdastParagraph {
        children,
        position: None,
    })
}

fn quote(_: &Quote, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node")?;
    Ok(vec![quote_of(blocks(children, lower)?)])
}

fn lift_quote(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Quote> {
    let Some(Node::Blockquote(quote)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_blocks(&quote.children, lift)?;
    Ok(Some(Lifted::one(Quote {}, children)))
}

pub(crate) fn quote_of(children: Vec<Node>) -> Node {
    Node::Blockquote(Blockquote {
        children,
        position: None,
    })
}

fn thematic_break(
    _: &ThematicBreak,
    _: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node")?;
    Ok(vec![Node::ThematicBreak(MdastThematicBreak {
        position: None,
    })])
}

fn lift_thematic_break(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<ThematicBreak> {
    Ok(match nodes.first() {
        Some(Node::ThematicBreak(_)) => Some(Lifted::one(ThematicBreak {}, [])),
        _ => None,
    })
}
