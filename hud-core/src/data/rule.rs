//! The rules of the built-in nodes for data.

use std::collections::VecDeque;

use super::assemble::{assemble, list, titled};
use super::{Data, DataPiece, key, lift};
use crate::element::Element;
use crate::node::{
    Alert, Beside, Break, Callout, Cell, Code, CodeBlock, Definition, Delete, Description,
    DescriptionList, Emphasis, Field, FootnoteDefinition, FootnoteReference, Frontmatter, Group,
    Heading, Html, HtmlBlock, Image, ImageReference, Item, Line, Link, LinkReference, List, Math,
    MathBlock, Meter, Node, Paragraph, Part, Parts, Quote, Relates, Row, Section, Status, Strong,
    Table, ThematicBreak, Value,
};
use crate::registry::{Lower, LowerError, LowerResult, Registry, one_way, two_way};

type Children<'c, 'e> = &'c [Element<'e>];
type Walk<'l, 'r> = &'l Lower<'r, Data>;

/// Registers all rules. If two could lift the same piece, the later one wins.
pub(crate) fn register(registry: &mut Registry) {
    registry.register_default::<Data>(any);
    registry
        .register(two_way(paragraph, lift::paragraph))
        .register(two_way(code_block, lift::code_block))
        .register(two_way(list_of, lift::list))
        .register(two_way(item, lift::item))
        .register(two_way(table, lift::table))
        .register(one_way(row))
        .register(one_way(cell))
        .register(two_way(section, lift::section))
        .register(two_way(field, lift::field))
        .register(two_way(link, lift::link))
        .register(two_way(meter, lift::meter))
        .register(two_way(status, lift::status))
        .register(one_way(heading))
        .register(one_way(quote))
        .register(one_way(callout))
        .register(one_way(alert))
        .register(one_way(description))
        .register(one_way(thematic_break))
        .register(one_way(line))
        .register(one_way(delete))
        .register(one_way(line_end))
        .register(one_way(image))
        .register(one_way(definition))
        .register(one_way(image_reference))
        .register(one_way(footnote_reference))
        .register(one_way(footnote_definition))
        .register(one_way(frontmatter));
    registry
        .register(one_way(within::<Code>))
        .register(one_way(within::<Math>))
        .register(one_way(within::<Strong>))
        .register(one_way(within::<Emphasis>))
        .register(one_way(within::<LinkReference>))
        .register(one_way(within::<DescriptionList>))
        .register(one_way(within::<Group>))
        .register(one_way(within::<Relates>))
        .register(one_way(within::<Parts>))
        .register(one_way(within::<Beside>))
        .register(one_way(part))
        .register(one_way(
            |_: &MathBlock, children: Children<'_, '_>, lower: Walk<'_, '_>| {
                Ok(vec![DataPiece::Value(Value::Text(plain(children, lower)?))])
            },
        ))
        .register(one_way(
            |node: &Html, _: Children<'_, '_>, _: Walk<'_, '_>| {
                Ok(vec![DataPiece::Text(node.value.clone())])
            },
        ))
        .register(one_way(
            |node: &HtmlBlock, _: Children<'_, '_>, _: Walk<'_, '_>| {
                Ok(vec![text(node.value.clone())])
            },
        ));
    #[cfg(feature = "mdx")]
    mdx::register(registry);
}

/// The pieces of a node's children.
fn within<N: Node>(_: &N, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    lower.children(children)
}

/// The value of a node's children.
fn value(children: Children<'_, '_>, lower: Walk<'_, '_>) -> Result<Value, LowerError> {
    Ok(assemble(lower.children(children)?))
}

/// The value of a node's children as a piece, if there is one.
fn block(children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(match value(children, lower)? {
        Value::None => Vec::new(),
        value => vec![DataPiece::Value(value)],
    })
}

/// The values of pieces. `whole` returns the value of a piece that stands alone. The other pieces
/// between two of these form one value.
fn each(
    pieces: Vec<DataPiece>,
    whole: impl Fn(DataPiece) -> Result<Value, DataPiece>,
) -> Vec<Value> {
    let mut values = Vec::with_capacity(pieces.len());
    let mut others = Vec::new();
    for piece in pieces {
        match whole(piece) {
            Ok(value) => {
                if !others.is_empty() {
                    values.push(assemble(std::mem::take(&mut others)));
                }
                values.push(value);
            }
            Err(other) => others.push(other),
        }
    }
    if !others.is_empty() {
        values.push(assemble(others));
    }
    values
}

/// The verbatim text of a node.
fn plain(children: Children<'_, '_>, lower: Walk<'_, '_>) -> Result<String, LowerError> {
    let words = |piece| match piece {
        DataPiece::Text(text) | DataPiece::Link { text, .. } => text,
        DataPiece::Heading { title, .. } => title,
        DataPiece::Aside(_, value) | DataPiece::Member(_, value) => value.to_string(),
        DataPiece::Item(value) | DataPiece::Value(value) => value.to_string(),
    };
    Ok(lower
        .verbatim()
        .children(children)?
        .into_iter()
        .map(words)
        .collect())
}

fn text(text: String) -> DataPiece {
    DataPiece::Value(Value::Text(text))
}

/// The default rule, for a node of any type.
fn any(node: &dyn Node, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let props = node.props().into_iter();
    let mut members: Vec<(String, Value)> = props
        .filter(|(_, value)| !matches!(value, Value::None | Value::Hidden))
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    match value(children, lower)? {
        Value::None => {}
        value => members.push(("content".to_owned(), value)),
    }
    Ok(vec![DataPiece::Member(
        key(node.meta().name),
        Value::Object(members),
    )])
}

fn section(node: &Section, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(match value(children, lower)? {
        Value::None => Vec::new(),
        value => vec![titled(&node.title, value)],
    })
}

fn heading(node: &Heading, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let level = node.level;
    let title = plain(children, lower)?;
    Ok(vec![DataPiece::Heading { level, title }])
}

fn paragraph(_: &Paragraph, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    block(children, lower)
}

fn quote(_: &Quote, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    block(children, lower)
}

fn callout(node: &Callout, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![titled(&node.label, value(children, lower)?)])
}

fn alert(node: &Alert, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![titled(node.kind.title(), value(children, lower)?)])
}

fn description(
    node: &Description,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Data> {
    Ok(vec![titled(&node.term, value(children, lower)?)])
}

fn thematic_break(_: &ThematicBreak, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(Vec::new())
}

fn list_of(_: &List, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let items = each(lower.children(children)?, |piece| match piece {
        DataPiece::Item(value) => Ok(value),
        other => Err(other),
    });
    Ok(match items.is_empty() {
        true => Vec::new(),
        false => vec![DataPiece::Value(list(items))],
    })
}

fn item(node: &Item, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let value = value(children, lower)?;
    let Some(checked) = node.checked else {
        return Ok(vec![DataPiece::Item(value)]);
    };
    let mut members = match value {
        Value::Object(members) => members,
        Value::None => Vec::new(),
        value => vec![(super::assemble::unnamed(&value).to_owned(), value)],
    };
    members.retain(|(name, _)| name != "done");
    members.push(("done".to_owned(), Value::Bool(checked)));
    Ok(vec![DataPiece::Item(Value::Object(members))])
}

fn table(_: &Table, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let rows = each(lower.children(children)?, |piece| match piece {
        DataPiece::Value(row @ Value::List(_)) => Ok(row),
        other => Err(other),
    });
    let rows = rows.into_iter().map(|row| match row {
        Value::List(cells) => cells,
        cell => vec![cell],
    });
    let mut rows: VecDeque<Vec<Value>> = rows.collect();
    let head = rows.pop_front().unwrap_or_default();
    let head: Vec<String> = head.iter().map(Value::to_string).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(head.len());
    let mut names: Vec<String> = Vec::with_capacity(width);
    for column in 0..width {
        let title = head.get(column).map_or("", String::as_str);
        let name = key(title);
        let is_name = title.contains(char::is_alphanumeric) && !names.contains(&name);
        names.push(match is_name {
            true => name,
            false => format!("column_{}", column + 1),
        });
    }
    let rows = rows.into_iter().map(|row| {
        let cells = row.into_iter().chain(std::iter::repeat(Value::None));
        Value::Object(names.iter().cloned().zip(cells).collect())
    });
    let rows: Vec<Value> = rows.collect();
    Ok(match rows.is_empty() {
        true => Vec::new(),
        false => vec![DataPiece::Value(Value::List(rows))],
    })
}

fn row(_: &Row, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let cells = each(lower.children(children)?, |piece| match piece {
        DataPiece::Value(value) => Ok(value),
        other => Err(other),
    });
    Ok(vec![DataPiece::Value(Value::List(cells))])
}

fn cell(_: &Cell, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Value(value(children, lower)?)])
}

fn code_block(
    node: &CodeBlock,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Data> {
    let code = Value::Text(plain(children, lower)?);
    Ok(vec![DataPiece::Value(match node.lang.as_str() {
        "" => code,
        lang => Value::Object(vec![
            ("language".to_owned(), Value::Text(lang.to_owned())),
            ("code".to_owned(), code),
        ]),
    })])
}

fn delete(_: &Delete, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Text(format!(
        "~~{}~~",
        plain(children, lower)?
    ))])
}

fn line_end(_: &Break, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Text("\n".to_owned())])
}

fn link(node: &Link, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let text = plain(children, lower)?;
    let url = node.url.clone();
    Ok(vec![DataPiece::Link { text, url }])
}

fn image(node: &Image, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    let (text, url) = (node.alt.clone(), node.url.clone());
    Ok(vec![DataPiece::Link { text, url }])
}

fn definition(node: &Definition, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    let url = Value::Text(node.url.clone());
    Ok(vec![titled(&node.label, url)])
}

fn image_reference(
    node: &ImageReference,
    _: Children<'_, '_>,
    _: Walk<'_, '_>,
) -> LowerResult<Data> {
    Ok(vec![DataPiece::Text(node.alt.clone())])
}

fn footnote_reference(
    node: &FootnoteReference,
    _: Children<'_, '_>,
    _: Walk<'_, '_>,
) -> LowerResult<Data> {
    Ok(vec![DataPiece::Text(format!("[^{}]", node.label))])
}

fn footnote_definition(
    node: &FootnoteDefinition,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Data> {
    Ok(vec![titled(&node.label, value(children, lower)?)])
}

fn frontmatter(node: &Frontmatter, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    let said = Value::Text(node.value.clone());
    Ok(vec![DataPiece::Member("frontmatter".to_owned(), said)])
}

fn field(node: &Field, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    Ok(vec![titled(&node.label, value(children, lower)?)])
}

/// Children side by side. The text of one does not continue in the next.
fn line(_: &Line, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let mut pieces = Vec::with_capacity(children.len());
    for child in children {
        let own = match child.as_fragment() {
            Some(children) => line(
                &Line {
                    separator: String::new(),
                },
                children,
                lower,
            )?,
            None => lower.element(child)?,
        };
        let is_in_line = |piece: &DataPiece| {
            matches!(
                piece,
                DataPiece::Text(_) | DataPiece::Link { .. } | DataPiece::Aside(..)
            )
        };
        match own.iter().all(is_in_line) {
            true => match assemble(own) {
                Value::None => {}
                Value::Object(members) => {
                    let asides = members
                        .into_iter()
                        .map(|(name, value)| DataPiece::Member(name, value));
                    pieces.extend(asides);
                }
                value => pieces.push(DataPiece::Value(value)),
            },
            false => pieces.extend(own),
        }
    }
    Ok(pieces)
}

fn meter(node: &Meter, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    let whole = |number: u64| Value::Integer(number.into());
    let is_rounded = node.rounded.then_some(Value::Bool(true));
    let unit = (!node.unit.is_empty()).then(|| Value::Text(node.unit.clone()));
    let facts = [
        ("used", Some(whole(node.used))),
        ("limit", node.limit.map(whole)),
        (
            "percent",
            node.percentage()
                .map(|percent| Value::Integer(percent.into())),
        ),
        ("rounded", is_rounded),
        ("unit", unit),
    ];
    let facts = facts.into_iter();
    Ok(facts
        .filter_map(|(name, value)| Some(DataPiece::Aside(name.to_owned(), value?)))
        .collect())
}

fn status(node: &Status, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Data> {
    let state = Value::Text(node.state.clone());
    Ok(vec![DataPiece::Aside("status".to_owned(), state)])
}

fn part(node: &Part, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Data> {
    let cap = lower.own_cap(node.cap);
    lower.with_cap(cap.as_ref(), |lower| lower.children(children))
}

#[cfg(feature = "mdx")]
mod mdx {
    use super::{Children, DataPiece, Registry, Walk, any, one_way, text};
    use crate::node::{
        MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression,
    };

    pub(super) fn register(registry: &mut Registry) {
        registry
            .register(one_way(
                |node: &MdxFlowExpression, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    Ok(vec![text(format!("{{{}}}", node.value))])
                },
            ))
            .register(one_way(
                |node: &MdxTextExpression, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    Ok(vec![DataPiece::Text(format!("{{{}}}", node.value))])
                },
            ))
            .register(one_way(
                |node: &MdxEsm, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    Ok(vec![text(node.value.clone())])
                },
            ))
            .register(one_way(
                |node: &MdxJsxFlowElement, children: Children<'_, '_>, lower: Walk<'_, '_>| {
                    any(node, children, lower)
                },
            ))
            .register(one_way(
                |node: &MdxJsxTextElement, children: Children<'_, '_>, lower: Walk<'_, '_>| {
                    any(node, children, lower)
                },
            ));
    }
}
