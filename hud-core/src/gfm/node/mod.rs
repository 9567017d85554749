//! A file for each node, or for a few similar ones, with the text before, between and after its
//! content.

pub(super) mod attention;
pub(super) mod blockquote;
pub(super) mod code;
pub(super) mod definition;
pub(super) mod footnote;
pub(super) mod frontmatter;
pub(super) mod hard_break;
pub(super) mod heading;
pub(super) mod html;
pub(super) mod image;
pub(super) mod inline_code;
pub(super) mod link;
pub(super) mod list;
pub(super) mod list_item;
pub(super) mod math;
pub(super) mod mdx;
pub(super) mod paragraph;
pub(super) mod reference;
pub(super) mod resource;
pub(super) mod root;
pub(super) mod table;
pub(super) mod text;
pub(super) mod thematic_break;

use std::borrow::Cow;

use markdown::mdast::Node;

use super::character::is_eol;
use super::context::Context;
use super::description::{Description, PhrasingRole};
use super::safe::Info;

pub(super) use list_item::task_paragraph;

/// The description of a node between the characters of `info`.
pub(super) fn describe<'a>(context: &Context<'a>, node: &'a Node, info: Info) -> Description<'a> {
    use Description::{Attention, Flow, Phrasing, Row, Table, Text};
    let attention = |sequences, children| Attention {
        sequences,
        children,
        info,
    };
    match node {
        Node::Root(root) => root::describe(context, root, info),
        Node::Blockquote(blockquote) => Flow(blockquote::describe(blockquote)),
        Node::FootnoteDefinition(footnote) => Flow(footnote::describe(context, footnote)),
        Node::List(list) => Flow(list::describe(context, list)),
        Node::ListItem(item) => Flow(list_item::describe(context, item)),
        Node::MdxJsxFlowElement(element) => Flow(mdx::describe_flow(element)),
        Node::MdxJsxTextElement(element) => Phrasing(mdx::describe_text(context, element)),
        Node::Paragraph(paragraph) => Phrasing(paragraph::describe(context, paragraph, info)),
        Node::Heading(heading) => Phrasing(heading::describe(context, heading)),
        Node::Table(table) => Table(table),
        Node::TableRow(row) => Row(&row.children),
        Node::TableCell(cell) => Phrasing(table::describe_cell(context, &cell.children)),
        Node::Emphasis(node) => attention(attention::emphasis(context), &node.children),
        Node::Strong(node) => attention(attention::strong(context), &node.children),
        Node::Delete(node) => attention(attention::DELETE, &node.children),
        Node::Link(link) => Phrasing(link::describe(context, link, info)),
        Node::LinkReference(reference) => Phrasing(reference::describe(context, reference)),

        Node::Text(text) => Text(text::write(context, &text.value, info)),
        Node::Break(_) => Text(hard_break::write(context, info).into()),
        Node::Html(html) => Text(html::write(context, html)),
        Node::InlineCode(code) => Text(inline_code::write(context, code).into()),
        Node::InlineMath(math) => Text(math::write_inline(context, math).into()),
        Node::Image(image) => Text(image::write(context, image).into()),
        Node::ImageReference(reference) => Text(reference::write_image(context, reference).into()),
        Node::FootnoteReference(reference) => {
            Text(footnote::write_reference(context, reference).into())
        }
        Node::Code(code) => Text(code::write(context, code).into()),
        Node::Math(math) => Text(math::write(context, math).into()),
        Node::Definition(definition) => Text(definition::write(context, definition).into()),
        Node::ThematicBreak(_) => Text(thematic_break::write(context).into()),
        Node::Yaml(yaml) => Text(frontmatter::write("---", &yaml.value).into()),
        Node::Toml(toml) => Text(frontmatter::write("+++", &toml.value).into()),
        Node::MdxTextExpression(expression) => {
            Text(mdx::write_expression(&expression.value).into())
        }
        Node::MdxFlowExpression(expression) => {
            Text(mdx::write_expression(&expression.value).into())
        }
        Node::MdxjsEsm(esm) => Text(esm.value.as_str().into()),
    }
}

/// The description of any child of a table, as a row.
pub(super) fn describe_row(row: &Node) -> Description<'_> {
    Description::Row(children(row))
}

/// The description of any child of a row, as a cell.
pub(super) fn describe_cell<'a>(context: &Context<'a>, cell: &'a Node) -> Description<'a> {
    Description::Phrasing(table::describe_cell(context, children(cell)))
}

fn children(node: &Node) -> &[Node] {
    node.children().map_or(&[], Vec::as_slice)
}

/// The text before the content of a phrasing container. `None` if the content must be changed.
pub(super) fn lead(
    context: &Context<'_>,
    role: &PhrasingRole<'_>,
    text: &str,
) -> Option<&'static str> {
    match role {
        PhrasingRole::Root => Some(""),
        PhrasingRole::Paragraph { checkbox } => Some(*checkbox),
        PhrasingRole::Heading { heading, is_setext } => {
            heading::lead(context, heading, *is_setext, text)
        }
        _ => None,
    }
}

/// The output of a phrasing container with the text of its children.
pub(super) fn close<'t>(
    context: &Context<'_>,
    role: &PhrasingRole<'_>,
    text: &'t str,
) -> Cow<'t, str> {
    match role {
        PhrasingRole::Root | PhrasingRole::Attention { .. } => text.into(),
        PhrasingRole::Paragraph { checkbox: "" } => text.into(),
        PhrasingRole::Paragraph { checkbox } => [checkbox, text].concat().into(),
        PhrasingRole::Heading { heading, is_setext } => {
            heading::close(context, heading, *is_setext, text).into()
        }
        PhrasingRole::Autolink => format!("<{text}>").into(),
        PhrasingRole::Link { link, info } => link::close(context, link, *info, text).into(),
        PhrasingRole::LinkReference(reference) => reference::close(context, reference, text).into(),
        PhrasingRole::TableCell => table::close_cell(context, text),
        PhrasingRole::MdxTextElement(element) => mdx::close_text(element, text).into(),
    }
}

/// The first character of a node's output, as far as the text before it depends on it.
pub(super) fn peek(context: &Context<'_>, node: &Node) -> Option<char> {
    let mut node = node;
    // Flow in phrasing is invalid mdast, so a guess is good enough.
    while let Node::Paragraph(_) | Node::Root(_) | Node::TableCell(_) = node {
        node = children(node).first()?;
    }
    let options = context.options;
    match node {
        Node::Text(text) => text::peek(context, text),
        Node::Break(_) => hard_break::write(
            context,
            Info {
                before: None,
                after: None,
            },
        )
        .chars()
        .next(),
        Node::Emphasis(_) => Some(options.emphasis.char()),
        Node::Strong(_) => Some(options.strong.char()),
        Node::Delete(_) => Some('~'),
        Node::InlineCode(_) => Some('`'),
        Node::InlineMath(_) | Node::Math(_) => Some('$'),
        Node::Html(_) | Node::MdxJsxTextElement(_) | Node::MdxJsxFlowElement(_) => Some('<'),
        Node::Link(link) if link::is_autolink(link, options) => Some('<'),
        Node::Link(_) | Node::LinkReference(_) | Node::FootnoteReference(_) => Some('['),
        Node::Definition(_) | Node::FootnoteDefinition(_) => Some('['),
        Node::Image(_) | Node::ImageReference(_) => Some('!'),
        Node::MdxTextExpression(_) | Node::MdxFlowExpression(_) => Some('{'),
        Node::MdxjsEsm(esm) => esm.value.chars().next(),
        Node::Code(code) if code::is_indented(code, options) => Some(' '),
        Node::Code(_) => Some(options.fence.char()),
        Node::Heading(_) => Some('#'),
        Node::Blockquote(_) => Some('>'),
        Node::List(list) if list.ordered => Some('1'),
        Node::List(_) | Node::ListItem(_) => Some(options.bullet.char()),
        Node::ThematicBreak(_) => Some(options.rule.char()),
        Node::Table(_) | Node::TableRow(_) => Some('|'),
        Node::Yaml(_) => Some('-'),
        Node::Toml(_) => Some('+'),
        Node::Paragraph(_) | Node::Root(_) | Node::TableCell(_) => None,
    }
}

/// The lines of `value`, each with the prefix that `prefix` returns for it.
fn indent_lines(value: &str, prefix: impl Fn(usize, bool) -> &'static str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    let mut index = 0;
    loop {
        let (line, tail) = rest.split_at(rest.find(is_eol).unwrap_or(rest.len()));
        out.push_str(prefix(index, line.is_empty()));
        out.push_str(line);
        let eol = if tail.starts_with("\r\n") {
            2
        } else {
            usize::from(!tail.is_empty())
        };
        let (eol, tail) = tail.split_at(eol);
        if eol.is_empty() {
            return out;
        }
        out.push_str(eol);
        rest = tail;
        index += 1;
    }
}

/// The length of the longest run of a character.
fn longest_run(value: &str, character: char) -> usize {
    value
        .split(|other| other != character)
        .map(str::len)
        .max()
        .unwrap_or(0)
}
