//! The rule of each built-in node.

use markdown::mdast::{
    AlignKind, Blockquote, Code as MdastCode, Delete as MdastDelete, Emphasis as MdastEmphasis,
    Heading, InlineCode, Link as MdastLink, List as MdastList, ListItem, Node,
    Paragraph as MdastParagraph, Strong as MdastStrong, Table as MdastTable, TableCell, TableRow,
};

use super::content::plain;
use super::{Context, Mdast, flow, phrasing, text};
use crate::density::Density;
use crate::element::Element;
use crate::node::{
    Align, Callout, Cell, Code, CodeBlock, Delete, Emphasis, Field, Item, Line, Link, List, Meter,
    Paragraph, Quote, Row, Section, Status, Strong, Table,
};
use crate::registry::{Lower, LowerError, Lowered, Registry};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(section)
        .register(paragraph)
        .register(quote)
        .register(callout)
        .register(list)
        .register(item)
        .register(table)
        .register(row)
        .register(cell)
        .register(code_block)
        .register(code)
        .register(strong)
        .register(emphasis)
        .register(delete)
        .register(link)
        .register(field)
        .register(line)
        .register(meter)
        .register(status);
}

fn section(node: &Section, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let level = node.level.unwrap_or(lower.context().level).clamp(1, 6);
    let inner = lower.with_context(Context {
        level: (level + 1).min(6),
    });
    let mut nodes = vec![Node::Heading(Heading {
        children: vec![text(node.title.as_str())],
        depth: level,
        position: None,
    })];
    nodes.extend(flow(inner.children(children)?));
    Ok(nodes)
}

fn paragraph(_: &Paragraph, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![paragraph_of(phrasing(lower.children(children)?))])
}

fn quote(_: &Quote, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![blockquote_of(flow(lower.children(children)?))])
}

fn callout(node: &Callout, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let mut nodes = labelled(&node.label);
    nodes.extend(lower.children(children)?);
    Ok(vec![blockquote_of(flow(nodes))])
}

fn list(node: &List, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let items: Vec<Node> = lower
        .children(children)?
        .into_iter()
        .map(|child| match child {
            item @ Node::ListItem(_) => item,
            other => list_item_of(None, vec![other]),
        })
        .collect();
    if items.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![Node::List(MdastList {
        children: items,
        ordered: node.ordered,
        start: node.ordered.then_some(node.start),
        spread: false,
        position: None,
    })])
}

fn item(node: &Item, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![list_item_of(node.checked, lower.children(children)?)])
}

fn table(node: &Table, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let rows: Vec<Node> = lower
        .children(children)?
        .into_iter()
        .map(|child| match child {
            row @ Node::TableRow(_) => row,
            other => row_of(vec![other]),
        })
        .collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let align = node.align.iter().map(|align| match align {
        Align::None => AlignKind::None,
        Align::Left => AlignKind::Left,
        Align::Center => AlignKind::Center,
        Align::Right => AlignKind::Right,
    });
    Ok(vec![Node::Table(MdastTable {
        children: rows,
        align: align.collect(),
        position: None,
    })])
}

fn row(_: &Row, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![row_of(lower.children(children)?)])
}

fn cell(_: &Cell, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![cell_of(lower.children(children)?)])
}

fn code_block(
    node: &CodeBlock,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> Lowered<Mdast> {
    Ok(vec![Node::Code(MdastCode {
        value: plain(&lower.children(children)?),
        lang: (!node.lang.is_empty()).then(|| node.lang.clone()),
        meta: None,
        position: None,
    })])
}

fn code(_: &Code, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::InlineCode(InlineCode {
        value: plain(&lower.children(children)?),
        position: None,
    })])
}

fn strong(_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![strong_of(phrasing(lower.children(children)?))])
}

fn emphasis(_: &Emphasis, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Emphasis(MdastEmphasis {
        children: phrasing(lower.children(children)?),
        position: None,
    })])
}

fn delete(_: &Delete, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Delete(MdastDelete {
        children: phrasing(lower.children(children)?),
        position: None,
    })])
}

fn link(node: &Link, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Link(MdastLink {
        children: phrasing(lower.children(children)?),
        url: node.url.clone(),
        title: (!node.title.is_empty()).then(|| node.title.clone()),
        position: None,
    })])
}

fn field(node: &Field, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let mut nodes = labelled(&node.label);
    nodes.extend(lower.children(children)?);
    Ok(vec![paragraph_of(phrasing(nodes))])
}

fn line(node: &Line, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let mut nodes = Vec::new();
    side_by_side(&node.separator, children, lower, &mut nodes)?;
    if nodes.is_empty() {
        return Ok(nodes);
    }
    Ok(vec![paragraph_of(phrasing(nodes))])
}

/// Adds each child to a line, those of fragments one by one.
fn side_by_side(
    separator: &str,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
    nodes: &mut Vec<Node>,
) -> Result<(), LowerError> {
    for child in children {
        if let Some(children) = child.as_fragment() {
            side_by_side(separator, children, lower, nodes)?;
            continue;
        }
        let shown = phrasing(lower.element(child)?);
        if !shown.is_empty() {
            if !nodes.is_empty() {
                nodes.push(text(separator));
            }
            nodes.extend(shown);
        }
    }
    Ok(())
}

fn meter(node: &Meter, _: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    let used = short(node.used);
    let shown = match (node.percentage(), node.limit, lower.scope().density()) {
        (Some(percentage), _, Density::Minimal) => format!("{percentage}%"),
        (Some(percentage), _, Density::Compact) => format!("{percentage}% ({used})"),
        (Some(percentage), Some(limit), _) => format!("{percentage}% ({used}/{})", short(limit)),
        _ if node.unit.is_empty() => used,
        _ => format!("{used} {}", node.unit),
    };
    Ok(vec![text(shown)])
}

fn status(node: &Status, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![text(format!("({})", node.state))])
}

fn labelled(label: &str) -> Vec<Node> {
    vec![strong_of(vec![text(format!("{label}:"))]), text(" ")]
}

fn strong_of(children: Vec<Node>) -> Node {
    Node::Strong(MdastStrong {
        children,
        position: None,
    })
}

fn paragraph_of(children: Vec<Node>) -> Node {
    Node::Paragraph(MdastParagraph {
        children,
        position: None,
    })
}

fn blockquote_of(children: Vec<Node>) -> Node {
    Node::Blockquote(Blockquote {
        children,
        position: None,
    })
}

fn list_item_of(checked: Option<bool>, children: Vec<Node>) -> Node {
    Node::ListItem(ListItem {
        children: flow(children),
        spread: false,
        checked,
        position: None,
    })
}

fn row_of(children: Vec<Node>) -> Node {
    let cells = children.into_iter().map(|child| match child {
        cell @ Node::TableCell(_) => cell,
        other => cell_of(vec![other]),
    });
    Node::TableRow(TableRow {
        children: cells.collect(),
        position: None,
    })
}

fn cell_of(children: Vec<Node>) -> Node {
    Node::TableCell(TableCell {
        children: phrasing(children),
        position: None,
    })
}

/// A count in three or four letters: `950`, `90k`, `1.2M`. It moves in steps, so that a figure
/// on the HUD changes when it matters.
fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}
