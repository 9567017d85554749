use markdown::mdast::Node;

use super::mark::strong_of;
use super::prose::{paragraph_of, quote_of};
use super::{
    Mdast, Shown, blocks, lift_blocks, lift_each_block, lift_line, line, line_or_blocks,
    refuse_in_line,
};
use crate::density::Density;
use crate::element::Element;
use crate::mdast::alert::{alert_around, alert_of, stays_apart};
use crate::mdast::content::ended;
use crate::mdast::{phrasing, text};
use crate::node::{Alert, Callout, Field, Group, Line, Meter, Relates, Status};
use crate::registry::{
    Lift, LiftError, LiftResult, Lifted, Lower, LowerError, LowerResult, LoweredPiece, Registry,
    one_way, one_way_piece, two_way, two_way_piece,
};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way_piece(field, lift_field))
        .register(two_way(callout, lift_callout))
        .register(two_way(alert, lift_alert))
        .register(one_way(side_by_side))
        .register(one_way(group))
        .register(one_way(relates))
        .register(one_way_piece(meter))
        .register(one_way_piece(status));
}

fn field(node: &Field, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    Ok(Some(labelled(&node.label, line(children, lower)?)))
}

fn lift_field(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Field> {
    let Some((label, children)) = nodes
        .first()
        .map(|node| lift_labelled(node, lift))
        .transpose()?
        .flatten()
    else {
        return Ok(None);
    };
    Ok(Some(Lifted::one(Field { label }, children)))
}

fn callout(
    node: &Callout,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node, or show a `<Field>` there")?;
    let blocks = after_label(&node.label, blocks(children, lower)?);
    Ok(vec![quote_of(blocks)])
}

/// Blocks after a label. If the first one is a paragraph, it is on the label's line.
pub(super) fn after_label(label: &str, mut blocks: Vec<Node>) -> Vec<Node> {
    let beside = match blocks.first_mut() {
        Some(Node::Paragraph(first)) => {
            let beside = std::mem::take(&mut first.children);
            blocks.remove(0);
            beside
        }
        _ => Vec::new(),
    };
    blocks.insert(0, labelled(label, beside));
    blocks
}

fn lift_callout(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Callout> {
    let Some(Node::Blockquote(quote)) = nodes.first() else {
        return Ok(None);
    };
    let Some((first, behind)) = quote.children.split_first() else {
        return Ok(None);
    };
    let Some((label, mut children)) = lift_labelled(first, lift)? else {
        return Ok(None);
    };
    // Lowering would put a paragraph on the label's line.
    if children.is_empty() && matches!(behind.first(), Some(Node::Paragraph(_))) {
        return Ok(None);
    }
    children.extend(lift_each_block(behind, lift)?);
    Ok(Some(Lifted::one(Callout { label }, children)))
}

fn alert(node: &Alert, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node, or show a `<Field>` there")?;
    Ok(vec![alert_around(node.kind, blocks(children, lower)?)])
}

fn lift_alert(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Alert> {
    let Some(Node::Blockquote(quote)) = nodes.first() else {
        return Ok(None);
    };
    let Some((kind, blocks)) = alert_of(quote) else {
        return Ok(None);
    };
    // Lowering would put a paragraph on the line after the marker.
    let is_apart = blocks.len() < quote.children.len();
    if let (true, Some(Node::Paragraph(first))) = (is_apart, blocks.first())
        && !stays_apart(first)
    {
        return Ok(None);
    }
    let children = lift_blocks(&blocks, lift)?;
    Ok(Some(Lifted::one(Alert { kind }, children)))
}

/// A paragraph with a label and a space before its content. Markdown recognizes no mark next to a
/// blank.
fn labelled(label: &str, beside: Vec<Node>) -> Node {
    let mut nodes = vec![strong_of(vec![text(format!("{}:", label.trim()))])];
    if !beside.is_empty() {
        nodes.push(text(" "));
        nodes.extend(beside);
    }
    paragraph_of(ended(phrasing(nodes)))
}

/// The label of a paragraph, if it begins with one, and the content after it.
fn lift_labelled(
    node: &Node,
    lift: &Lift<'_, Mdast>,
) -> Result<Option<(String, Vec<Element<'static>>)>, LiftError> {
    let Node::Paragraph(paragraph) = node else {
        return Ok(None);
    };
    let Some((Node::Strong(strong), beside)) = paragraph.children.split_first() else {
        return Ok(None);
    };
    let [Node::Text(label)] = strong.children.as_slice() else {
        return Ok(None);
    };
    let (space, behind) = match beside {
        [] => (" ", beside),
        // A space without content after it is plain text.
        [Node::Text(space)] if space.value == " " => return Ok(None),
        [Node::Text(space), behind @ ..] => (space.value.as_str(), behind),
        _ => return Ok(None),
    };
    let (Some(label), Some(rest)) = (label.value.strip_suffix(':'), space.strip_prefix(' ')) else {
        return Ok(None);
    };
    if label.trim() != label {
        return Ok(None);
    }
    let mut children = Vec::with_capacity(1 + behind.len());
    if !rest.is_empty() {
        children.push(Element::text(rest.to_owned()));
    }
    children.extend(lift_line(behind, lift)?);
    Ok(Some((label.to_owned(), children)))
}

fn side_by_side(
    node: &Line,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let mut lines = Lines::default();
    lines.push_each(&node.separator, children, lower)?;
    lines.end();
    Ok(lines.ended)
}

fn group(_: &Group, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    lower.children(children)
}

fn relates(_: &Relates, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    lower.children(children)
}

/// A line of children side by side. Children that cannot be in a line are put between two lines.
#[derive(Default)]
struct Lines {
    ended: Vec<Node>,
    line: Vec<Node>,
}

impl Lines {
    /// Adds each child. A fragment's children are added one by one.
    fn push_each(
        &mut self,
        separator: &str,
        children: &[Element<'_>],
        lower: &Lower<'_, Mdast>,
    ) -> Result<(), LowerError> {
        for child in children {
            if let Some(children) = child.as_fragment() {
                self.push_each(separator, children, lower)?;
                continue;
            }
            match line_or_blocks(std::slice::from_ref(child), lower)? {
                Shown::Blocks(blocks) => {
                    self.end();
                    self.ended.extend(blocks);
                }
                Shown::Line(shown) if shown.is_empty() => {}
                Shown::Line(shown) => {
                    if !self.line.is_empty() {
                        self.line.push(text(separator));
                    }
                    self.line.extend(shown);
                }
            }
        }
        Ok(())
    }

    /// Ends the line.
    fn end(&mut self) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.ended.push(paragraph_of(ended(phrasing(line))));
        }
    }
}

fn meter(node: &Meter, _: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    Ok(Some(text(shown(node, lower.scope().density()))))
}

/// The text of a meter.
pub(super) fn shown(node: &Meter, density: Density) -> String {
    let used = figure(node.used, node.rounded);
    match (node.percentage(), node.limit, density) {
        (Some(percentage), _, Density::Minimal) => format!("{percentage}%"),
        (Some(percentage), _, Density::Compact) => format!("{percentage}% ({used})"),
        (Some(percentage), Some(limit), _) => {
            let limit = figure(limit, false);
            // One `~` covers both numbers. Two in a line could be parsed as strikethrough.
            let limit = match used.starts_with(ABOUT) {
                true => limit.trim_start_matches(ABOUT),
                false => &limit,
            };
            format!("{percentage}% ({used}/{limit})")
        }
        _ if node.unit.is_empty() => used,
        _ => format!("{used} {}", node.unit),
    }
}

fn status(node: &Status, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    Ok(Some(text(["(", &node.state, ")"].concat())))
}

/// A short form of a count, with `~` if it is rounded: `950`, `90k`, `~90k`, `~1.2M`. It changes in
/// steps, so the HUD only changes when the number matters.
fn figure(count: u64, is_rounded: bool) -> String {
    let (unit, short) = match count {
        0..1_000 => (1, count.to_string()),
        1_000..1_000_000 => (1_000, format!("{}k", count / 1_000)),
        _ => {
            let (whole, tenths) = (count / 1_000_000, count % 1_000_000 / 100_000);
            (100_000, format!("{whole}.{tenths}M"))
        }
    };
    let is_rounded = is_rounded && count > 0 || !count.is_multiple_of(unit);
    match is_rounded {
        true => format!("{ABOUT}{short}"),
        false => short,
    }
}

/// The prefix of a rounded number.
const ABOUT: char = '~';
