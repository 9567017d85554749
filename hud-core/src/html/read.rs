//! Parses HTML to mdast: the opposite of the writer.

use markdown::mdast::{
    AlignKind, Blockquote, Break, Code, Delete, Emphasis, FootnoteDefinition, FootnoteReference,
    Heading, Image, InlineCode, InlineMath, Link, List, ListItem, Math, Node, Paragraph, Root,
    Strong, Table, TableCell, TableRow, ThematicBreak,
};

use super::fragment::{Element, Piece, read};
use super::writer::alert_class;
use crate::mdast::alert::alert_around;
use crate::mdast::text;
use crate::node::AlertKind;

/// The error of HTML that [`to_string`](super::to_string) does not write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
#[non_exhaustive]
pub struct HtmlError {
    /// The line, from 1.
    pub line: u64,
    /// The error message.
    pub message: String,
}

/// Parses the output of [`to_string`](super::to_string). The tree serializes to the same HTML
/// again.
///
/// ```
/// use hud_core::node::{Item, List, Section, Strong};
/// use hud_core::{Density, Renderer, Scope, html, rsx};
///
/// let layout = rsx! {
///     <Section title="Steps & more">
///         <List><Item checked=true>"Read " <Strong>"all"</Strong></Item></List>
///     </Section>
/// };
/// let renderer = Renderer::builtin();
/// let written = html::to_string(&renderer.mdast(&layout, Scope::new(Density::Full))?);
/// assert_eq!(renderer.lift(&html::parse(&written)?)?, layout);
///
/// let error = html::parse("<p>a</p>\n<script>b</script>").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: no tree is written as `<script>`: there is no way back from it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// HTML does not preserve all of a tree. A link whose address is not [safe](super::is_safe) becomes
/// its content. References and definitions become links, labels of footnotes become numbers, and
/// markup and MDX become text. Blank lines within a list are preserved as far as they are visible.
///
/// # Errors
///
/// [`HtmlError`] for an element, a comment or a nesting that the writer does not produce, and for
/// more than [`MAX_DEPTH`](crate::registry::MAX_DEPTH) nested elements. Other HTML is refused;
/// nothing is left out silently.
pub fn parse(html: &str) -> Result<Node, HtmlError> {
    let whole = read(html)?;
    let (children, notes) = match whole.within.split_last() {
        Some((Piece::Element(last), before)) if is_notes(last) => (before, Some(last)),
        Some((Piece::Text(space), before)) if space.trim().is_empty() => {
            match before.split_last() {
                Some((Piece::Element(last), before)) if is_notes(last) => (before, Some(last)),
                _ => (before, None),
            }
        }
        _ => (whole.within.as_slice(), None),
    };
    let mut children = blocks(&whole, children)?;
    if let Some(section) = notes {
        for list in only(section, &["ol"])? {
            for note in only(list, &["li"])? {
                children.push(footnote(note)?);
            }
        }
    }
    Ok(Node::Root(Root {
        children,
        position: None,
    }))
}

fn is_notes(element: &Element) -> bool {
    element.name == "section" && element.attribute("class") == Some("footnotes")
}

type Nodes = Result<Vec<Node>, HtmlError>;

/// The child elements, which must have these names. Text other than white space is an error.
fn only<'e>(around: &'e Element, names: &[&str]) -> Result<Vec<&'e Element>, HtmlError> {
    let mut found = Vec::with_capacity(around.within.len());
    for piece in &around.within {
        match piece {
            Piece::Element(element) if names.contains(&element.name.as_str()) => {
                found.push(element)
            }
            Piece::Element(other) => return Err(misplaced(other, &around.name)),
            Piece::Text(space) if space.trim().is_empty() => {}
            Piece::Text(_) => {
                return Err(around.refused(format!("text in `<{}>`", around.name)));
            }
        }
    }
    Ok(found)
}

fn misplaced(element: &Element, around: &str) -> HtmlError {
    let name = &element.name;
    element.refused(match is_known(name) {
        true if around.is_empty() => format!("`<{name}>` among blocks"),
        true => format!("`<{name}>` in `<{around}>`"),
        false => format!("no tree is written as `<{name}>`: there is no way back from it"),
    })
}

fn is_known(name: &str) -> bool {
    matches!(
        name,
        "h1" | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "p"
            | "blockquote"
            | "hr"
            | "br"
            | "ul"
            | "ol"
            | "li"
            | "input"
            | "table"
            | "thead"
            | "tbody"
            | "tr"
            | "th"
            | "td"
            | "pre"
            | "code"
            | "strong"
            | "em"
            | "del"
            | "a"
            | "img"
            | "sup"
            | "section"
    )
}

/// The blocks in an element. Text among them is a paragraph, as in an item without blank lines.
fn blocks(around: &Element, pieces: &[Piece]) -> Nodes {
    blocks_behind(Vec::new(), around, pieces)
}

/// The blocks in an element. The first one continues `line`.
fn blocks_behind(mut line: Vec<Node>, around: &Element, pieces: &[Piece]) -> Nodes {
    let mut blocks: Vec<Node> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Element(element) => match block(element)? {
                Some(block) => {
                    end_line(&mut line, &mut blocks);
                    blocks.push(block);
                }
                None => line.extend(phrase(element, &around.name)?),
            },
            Piece::Text(words) => push_text(&mut line, words),
        }
    }
    end_line(&mut line, &mut blocks);
    Ok(blocks)
}

/// Ends a line among blocks. It becomes a paragraph without the line endings around it.
fn end_line(line: &mut Vec<Node>, blocks: &mut Vec<Node>) {
    if let Some(Node::Text(first)) = line.first_mut() {
        first.value = first.value.trim_start_matches('\n').to_owned();
    }
    if let Some(Node::Text(last)) = line.last_mut() {
        last.value.truncate(last.value.trim_end_matches('\n').len());
    }
    line.retain(|node| !matches!(node, Node::Text(text) if text.value.is_empty()));
    if !line.is_empty() {
        blocks.push(Node::Paragraph(Paragraph {
            children: std::mem::take(line),
            position: None,
        }));
    }
}

/// An element as a block, if it is one.
fn block(element: &Element) -> Result<Option<Node>, HtmlError> {
    let position = None;
    Ok(Some(match element.name.as_str() {
        "p" => Node::Paragraph(Paragraph {
            children: line(element)?,
            position,
        }),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Node::Heading(Heading {
            depth: element
                .name
                .as_bytes()
                .get(1)
                .map_or(1, |digit| digit - b'0'),
            children: line(element)?,
            position,
        }),
        "blockquote" => quote(element)?,
        "hr" => Node::ThematicBreak(ThematicBreak { position }),
        "ul" | "ol" => list(element)?,
        "table" => table(element)?,
        "pre" => source(element)?,
        _ => return Ok(None),
    }))
}

/// A quote, or the alert that its class names. An alert begins with its title.
fn quote(element: &Element) -> Result<Node, HtmlError> {
    let mut children = blocks(element, &element.within)?;
    let class = element.attribute("class").unwrap_or_default();
    let kind = AlertKind::ALL
        .into_iter()
        .find(|kind| class == alert_class(*kind));
    Ok(match kind {
        Some(kind) if !children.is_empty() => {
            children.remove(0);
            alert_around(kind, children)
        }
        _ => Node::Blockquote(Blockquote {
            children,
            position: None,
        }),
    })
}

/// The phrasing in an element.
fn line(around: &Element) -> Nodes {
    let mut nodes = Vec::with_capacity(around.within.len());
    for piece in &around.within {
        match piece {
            Piece::Text(words) => push_text(&mut nodes, words),
            Piece::Element(element) => nodes.extend(phrase(element, &around.name)?),
        }
    }
    Ok(nodes)
}

fn push_text(nodes: &mut Vec<Node>, words: &str) {
    // The line ending after a break is not text.
    let words = match nodes.last() {
        Some(Node::Break(_)) => words.strip_prefix('\n').unwrap_or(words),
        _ => words,
    };
    if !words.is_empty() {
        nodes.push(text(words));
    }
}

/// An element in a line. A link without an address becomes its content, and an image without one
/// its text.
fn phrase(element: &Element, around: &str) -> Nodes {
    let position = None;
    let title = element.attribute("title").map(str::to_owned);
    Ok(vec![match element.name.as_str() {
        "strong" => Node::Strong(Strong {
            children: line(element)?,
            position,
        }),
        "em" => Node::Emphasis(Emphasis {
            children: line(element)?,
            position,
        }),
        "del" => Node::Delete(Delete {
            children: line(element)?,
            position,
        }),
        "br" => Node::Break(Break { position }),
        "code" => {
            let value = words(element)?;
            match element.attribute("class") {
                Some("math") => Node::InlineMath(InlineMath { value, position }),
                _ => Node::InlineCode(InlineCode { value, position }),
            }
        }
        "a" => match element.attribute("href") {
            Some(url) => Node::Link(Link {
                children: line(element)?,
                url: url.to_owned(),
                title,
                position,
            }),
            None => return line(element),
        },
        "img" => {
            let alt = element.attribute("alt").unwrap_or_default().to_owned();
            match element.attribute("src") {
                Some(url) => Node::Image(Image {
                    alt,
                    url: url.to_owned(),
                    title,
                    position,
                }),
                None => text(alt),
            }
        }
        "sup" => note(element)?,
        _ => return Err(misplaced(element, around)),
    }])
}

/// The text of an element that contains only text.
fn words(element: &Element) -> Result<String, HtmlError> {
    let mut value = String::new();
    for piece in &element.within {
        match piece {
            Piece::Text(text) => value.push_str(text),
            Piece::Element(other) => return Err(misplaced(other, &element.name)),
        }
    }
    Ok(value)
}

/// The reference of a footnote.
fn note(element: &Element) -> Result<Node, HtmlError> {
    let links = only(element, &["a"])?;
    let label = match links.as_slice() {
        [link] => link
            .attribute("href")
            .and_then(|url| url.strip_prefix("#note-")),
        _ => None,
    };
    let label = label.ok_or_else(|| element.refused("`<sup>` is no mark of a footnote"))?;
    Ok(Node::FootnoteReference(FootnoteReference {
        identifier: label.to_owned(),
        label: Some(label.to_owned()),
        position: None,
    }))
}

fn footnote(item: &Element) -> Result<Node, HtmlError> {
    let label = item.attribute("id").and_then(|id| id.strip_prefix("note-"));
    let label = label.ok_or_else(|| item.refused("a footnote without a number"))?;
    Ok(Node::FootnoteDefinition(FootnoteDefinition {
        children: blocks(item, &item.within)?,
        identifier: label.to_owned(),
        label: Some(label.to_owned()),
        position: None,
    }))
}

/// A block of code or math. The line ending at its end is not part of it.
fn source(element: &Element) -> Result<Node, HtmlError> {
    let inner = only(element, &["code"])?;
    let [code] = inner.as_slice() else {
        return Err(element.refused("`<pre>` without one `<code>`"));
    };
    let mut value = words(code)?;
    value.truncate(value.strip_suffix('\n').unwrap_or(&value).len());
    let (meta, position) = (None, None);
    let class = code.attribute("class");
    Ok(match class {
        Some("math") => Node::Math(Math {
            value,
            position,
            meta,
        }),
        _ => Node::Code(Code {
            value,
            position,
            lang: class
                .and_then(|class| class.strip_prefix("language-"))
                .map(str::to_owned),
            meta,
        }),
    })
}

fn list(element: &Element) -> Result<Node, HtmlError> {
    let ordered = element.name == "ol";
    let start = element
        .attribute("start")
        .and_then(|start| start.parse().ok());
    let items = only(element, &["li"])?;
    let has_paragraph = |item: &&Element| {
        let mut within = item.within.iter();
        within.any(|piece| matches!(piece, Piece::Element(inner) if inner.name == "p"))
    };
    let children = items.iter().map(|of| item(of, has_paragraph(of)));
    let mut children = children.collect::<Nodes>()?;
    // A line without a paragraph around it is in an item of a list without blank lines.
    let is_tight = |(of, node): (&&Element, &Node)| {
        let within = node.children().into_iter().flatten();
        !has_paragraph(of)
            && within
                .into_iter()
                .any(|node| matches!(node, Node::Paragraph(_)))
    };
    let spread = items.len() > 1
        && items.iter().any(has_paragraph)
        && !items.iter().zip(&children).any(is_tight);
    for child in &mut children {
        if let Node::ListItem(item) = child {
            item.spread &= !spread || item.children.len() > 1;
        }
    }
    Ok(Node::List(List {
        children,
        ordered,
        start: ordered.then(|| start.unwrap_or(1)),
        spread,
        position: None,
    }))
}

fn item(element: &Element, has_paragraph: bool) -> Result<Node, HtmlError> {
    let mut within = element.within.as_slice();
    let mut checked = None;
    let mut line = Vec::new();
    if let Some((Piece::Element(first), rest)) = within.split_first()
        && first.name == "input"
    {
        checked = Some(first.attribute("checked").is_some());
        within = rest;
        // A space separates the check box from the content.
        if let Some((Piece::Text(behind), rest)) = within.split_first() {
            push_text(&mut line, behind.strip_prefix(' ').unwrap_or(behind));
            within = rest;
        }
    }
    let children = blocks_behind(line, element, within)?;
    Ok(Node::ListItem(ListItem {
        spread: has_paragraph,
        children,
        checked,
        position: None,
    }))
}

fn table(element: &Element) -> Result<Node, HtmlError> {
    let mut rows = Vec::new();
    let mut align = Vec::new();
    for group in only(element, &["thead", "tbody"])? {
        for row in only(group, &["tr"])? {
            let cells = only(row, &["th", "td"])?;
            if rows.is_empty() {
                align = cells.iter().map(|cell| side(cell)).collect();
            }
            let cells = cells.iter().map(|cell| {
                Ok(Node::TableCell(TableCell {
                    children: line(cell)?,
                    position: None,
                }))
            });
            rows.push(Node::TableRow(TableRow {
                children: cells.collect::<Nodes>()?,
                position: None,
            }));
        }
    }
    Ok(Node::Table(Table {
        children: rows,
        align,
        position: None,
    }))
}

fn side(cell: &Element) -> AlignKind {
    match cell.attribute("align") {
        Some("left") => AlignKind::Left,
        Some("right") => AlignKind::Right,
        Some("center") => AlignKind::Center,
        _ => AlignKind::None,
    }
}
