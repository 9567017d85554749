//! The rules of the built-in nodes for graphs.

use super::parts::part_name;
use super::{Branch, Graph, GraphPiece, Reference, Relation};
use crate::element::Element;
use crate::node::{
    Alert, Beside, Break, Callout, Cell, Code, CodeBlock, Definition, Delete, Description,
    DescriptionList, Emphasis, Field, FootnoteDefinition, FootnoteReference, Frontmatter, Group,
    Heading, Html, HtmlBlock, Image, ImageReference, Item, Line, Link, LinkReference, List, Math,
    MathBlock, Meter, Node, Paragraph, Part, Parts, Quote, Relates, Row, Section, Status, Strong,
    Table, ThematicBreak, Value,
};
use crate::registry::{Lower, LowerError, LowerResult, Registry, one_way};

type Children<'c, 'e> = &'c [Element<'e>];
type Walk<'l, 'r> = &'l Lower<'r, Graph>;

pub(crate) fn register(registry: &mut Registry) {
    registry.register_default::<Graph>(any);
    registry
        .register(one_way(section))
        .register(one_way(heading))
        .register(one_way(item))
        .register(one_way(field))
        .register(one_way(callout))
        .register(one_way(alert))
        .register(one_way(description))
        .register(one_way(quote))
        .register(one_way(table))
        .register(one_way(row))
        .register(one_way(code_block))
        .register(one_way(math_block))
        .register(one_way(frontmatter))
        .register(one_way(definition))
        .register(one_way(footnote_definition));
    registry
        .register(one_way(paragraph))
        .register(one_way(thematic_break))
        .register(one_way(code))
        .register(one_way(delete))
        .register(one_way(line_end))
        .register(one_way(link))
        .register(one_way(image))
        .register(one_way(link_reference))
        .register(one_way(image_reference))
        .register(one_way(footnote_reference))
        .register(one_way(html))
        .register(one_way(html_block))
        .register(one_way(meter))
        .register(one_way(status))
        .register(one_way(line))
        .register(one_way(relates))
        .register(one_way(part));
    registry
        .register(one_way(within::<List>))
        .register(one_way(within::<DescriptionList>))
        .register(one_way(within::<Cell>))
        .register(one_way(within::<Math>))
        .register(one_way(within::<Strong>))
        .register(one_way(within::<Emphasis>))
        .register(one_way(within::<Group>))
        .register(one_way(within::<Parts>))
        .register(one_way(within::<Beside>));
    #[cfg(feature = "mdx")]
    mdx::register(registry);
}

/// The pieces of a node's children.
fn within<N: Node>(_: &N, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    lower.children(children)
}

fn vertex(branch: Branch) -> LowerResult<Graph> {
    Ok(vec![GraphPiece::Branch(branch)])
}

fn words(text: impl Into<String>) -> GraphPiece {
    GraphPiece::Words(text.into())
}

fn reference(name: impl Into<String>) -> GraphPiece {
    GraphPiece::Reference(Reference::to(name))
}

/// The verbatim text of a node.
fn plain(children: Children<'_, '_>, lower: Walk<'_, '_>) -> Result<String, LowerError> {
    let mut said = String::new();
    for piece in lower.verbatim().children(children)? {
        say(piece, &mut said);
    }
    Ok(said)
}

fn say(piece: GraphPiece, said: &mut String) {
    match piece {
        GraphPiece::Words(words) | GraphPiece::Name(words) => said.push_str(&words),
        GraphPiece::Heading { title, .. } => said.push_str(&title),
        GraphPiece::Branch(branch) => {
            said.push_str(&branch.label);
            branch.within.into_iter().for_each(|piece| say(piece, said));
        }
        GraphPiece::End | GraphPiece::Reference(_) => {}
    }
}

/// The default rule, for a node of any type.
fn any(node: &dyn Node, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let name = node.meta().name;
    let mut label = name.to_owned();
    for (name, value) in node.props() {
        if !matches!(value, Value::None | Value::Hidden) {
            label.push_str(&format!(" {name}={value}"));
        }
    }
    vertex(Branch::saying(name, label, lower.children(children)?))
}

fn section(node: &Section, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let within = lower.children(children)?;
    match within.is_empty() {
        true => Ok(within),
        false => vertex(Branch::around("section", &node.title, within)),
    }
}

fn heading(node: &Heading, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let level = node.level;
    let title = plain(children, lower)?;
    Ok(vec![GraphPiece::Heading { level, title }])
}

fn item(node: &Item, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let kind = match node.checked {
        None => "item",
        Some(true) => "done",
        Some(false) => "open",
    };
    vertex(Branch::saying(kind, "", lower.children(children)?))
}

fn field(node: &Field, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let within = lower.children(children)?;
    vertex(Branch::saying("field", &node.label, within))
}

fn callout(node: &Callout, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let within = lower.children(children)?;
    vertex(Branch::saying("callout", &node.label, within))
}

fn alert(node: &Alert, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let within = lower.children(children)?;
    vertex(Branch::saying("alert", node.kind.title(), within))
}

fn description(
    node: &Description,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Graph> {
    let within = lower.children(children)?;
    vertex(Branch::saying("description", &node.term, within))
}

fn quote(_: &Quote, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    vertex(Branch::saying("quote", "", lower.children(children)?))
}

/// A vertex with the label of the table's head. The other rows are in it.
fn table(_: &Table, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let mut within = lower.children(children)?;
    if let Some(GraphPiece::Branch(_)) = within.first()
        && let GraphPiece::Branch(head) = within.remove(0)
    {
        within.splice(0..0, head.within);
    }
    match within.is_empty() {
        true => Ok(within),
        false => vertex(Branch::saying("table", "", within)),
    }
}

fn row(_: &Row, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let cells = beside(" │ ", children, lower)?;
    vertex(Branch::saying("row", "", cells))
}

fn code_block(
    _: &CodeBlock,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Graph> {
    vertex(Branch::around("code", plain(children, lower)?, Vec::new()))
}

fn math_block(
    _: &MathBlock,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Graph> {
    vertex(Branch::around("math", plain(children, lower)?, Vec::new()))
}

fn frontmatter(node: &Frontmatter, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    vertex(Branch::around("frontmatter", &node.value, Vec::new()))
}

fn definition(node: &Definition, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    let said = vec![words(&node.url), reference(&node.url)];
    vertex(Branch {
        names: vec![definition_name(&node.label)],
        ..Branch::saying("definition", &node.label, said)
    })
}

fn footnote_definition(
    node: &FootnoteDefinition,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Graph> {
    let name = footnote_name(&node.label);
    vertex(Branch {
        names: vec![name],
        ..Branch::saying("footnote", &node.label, lower.children(children)?)
    })
}

/// The name of a definition for references. It ignores case and the amount of white space.
fn definition_name(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    format!("[{}]", words.join(" ").to_lowercase())
}

fn footnote_name(label: &str) -> String {
    format!("^{}", definition_name(label))
}

fn paragraph(_: &Paragraph, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let mut pieces = vec![GraphPiece::End];
    pieces.extend(lower.children(children)?);
    pieces.push(GraphPiece::End);
    Ok(pieces)
}

fn thematic_break(_: &ThematicBreak, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![GraphPiece::End])
}

fn code(_: &Code, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![GraphPiece::Name(plain(children, lower)?)])
}

fn delete(_: &Delete, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let said = plain(children, lower)?;
    Ok(vec![words(format!("~~{said}~~"))])
}

fn line_end(_: &Break, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![words("\n")])
}

fn link(node: &Link, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let mut pieces = lower.children(children)?;
    pieces.push(reference(&node.url));
    Ok(pieces)
}

fn image(node: &Image, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![words(&node.alt), reference(&node.url)])
}

fn link_reference(
    node: &LinkReference,
    children: Children<'_, '_>,
    lower: Walk<'_, '_>,
) -> LowerResult<Graph> {
    let mut pieces = lower.children(children)?;
    pieces.push(reference(definition_name(&node.label)));
    Ok(pieces)
}

fn image_reference(
    node: &ImageReference,
    _: Children<'_, '_>,
    _: Walk<'_, '_>,
) -> LowerResult<Graph> {
    let name = definition_name(&node.label);
    Ok(vec![words(&node.alt), reference(name)])
}

fn footnote_reference(
    node: &FootnoteReference,
    _: Children<'_, '_>,
    _: Walk<'_, '_>,
) -> LowerResult<Graph> {
    let mark = words(format!("[^{}]", node.label));
    Ok(vec![mark, reference(footnote_name(&node.label))])
}

fn html(node: &Html, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![words(&node.value)])
}

fn html_block(node: &HtmlBlock, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![GraphPiece::End, words(&node.value), GraphPiece::End])
}

fn meter(node: &Meter, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    let about = if node.rounded { "~" } else { "" };
    let used = format!("{about}{}", node.used);
    let said = match (node.percentage(), node.limit) {
        (Some(percentage), Some(limit)) => format!("{percentage}% ({used}/{limit})"),
        _ if node.unit.is_empty() => used,
        _ => format!("{used} {}", node.unit),
    };
    Ok(vec![words(said)])
}

fn status(node: &Status, _: Children<'_, '_>, _: Walk<'_, '_>) -> LowerResult<Graph> {
    Ok(vec![words(format!("({})", node.state))])
}

fn line(node: &Line, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let mut pieces = vec![GraphPiece::End];
    pieces.extend(beside(&node.separator, children, lower)?);
    pieces.push(GraphPiece::End);
    Ok(pieces)
}

/// Children side by side, with a separator between texts. A fragment's children are added one by
/// one.
fn beside(separator: &str, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let is_shown = |piece: &&GraphPiece| !matches!(piece, GraphPiece::Reference(_));
    let is_said = |piece: &GraphPiece| matches!(piece, GraphPiece::Words(_) | GraphPiece::Name(_));
    let mut pieces: Vec<GraphPiece> = Vec::with_capacity(children.len());
    for child in children {
        let own = match child.as_fragment() {
            Some(children) => beside(separator, children, lower)?,
            None => lower.element(child)?,
        };
        let before = pieces.iter().rev().find(is_shown);
        if before.is_some_and(is_said) && own.iter().find(is_shown).is_some_and(is_said) {
            pieces.push(words(separator));
        }
        pieces.extend(own);
    }
    Ok(pieces)
}

/// Turns the names in the content into relations of the enclosing vertex. None of them is the
/// vertex's own name.
fn relates(node: &Relates, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let relation = match node.how.trim() {
        "" => Relation::Refers,
        how => Relation::Relates(how.into()),
    };
    let to = |name: String, is_needed| {
        GraphPiece::Reference(Reference {
            name,
            relation: relation.clone(),
            is_needed,
        })
    };
    let mut pieces = Vec::new();
    pieces.extend(node.to.clone().map(|name| to(name, true)));
    pieces.extend(node.part.as_deref().map(|part| to(part_name(part), false)));
    // The children may describe the relation's target in other words.
    let is_named = !pieces.is_empty();
    let related = |name: String| (!is_named).then(|| to(name, false));
    for piece in lower.children(children)? {
        relate(piece, &related, &mut pieces);
    }
    Ok(pieces)
}

fn relate(
    piece: GraphPiece,
    related: &dyn Fn(String) -> Option<GraphPiece>,
    to: &mut Vec<GraphPiece>,
) {
    match piece {
        GraphPiece::Name(name) => {
            to.push(words(name.clone()));
            to.extend(related(name));
        }
        GraphPiece::Reference(of) if of.relation == Relation::Refers => to.extend(related(of.name)),
        GraphPiece::Branch(mut branch) => {
            for piece in std::mem::take(&mut branch.within) {
                relate(piece, related, &mut branch.within);
            }
            to.push(GraphPiece::Branch(branch));
        }
        piece => to.push(piece),
    }
}

fn part(node: &Part, children: Children<'_, '_>, lower: Walk<'_, '_>) -> LowerResult<Graph> {
    let cap = lower.own_cap(node.cap);
    lower.with_cap(cap.as_ref(), |lower| lower.children(children))
}

#[cfg(feature = "mdx")]
mod mdx {
    use super::{Branch, Children, GraphPiece, Registry, Walk, any, one_way, vertex, words};
    use crate::node::{
        MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression,
    };

    pub(super) fn register(registry: &mut Registry) {
        registry
            .register(one_way(
                |node: &MdxFlowExpression, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    let said = words(format!("{{{}}}", node.value));
                    Ok(vec![GraphPiece::End, said, GraphPiece::End])
                },
            ))
            .register(one_way(
                |node: &MdxTextExpression, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    Ok(vec![words(format!("{{{}}}", node.value))])
                },
            ))
            .register(one_way(
                |node: &MdxEsm, _: Children<'_, '_>, _: Walk<'_, '_>| {
                    vertex(Branch::around("code", &node.value, Vec::new()))
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
