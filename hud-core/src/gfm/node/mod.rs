//! A file for each node, or for a few that are written alike: what it puts before, between and
//! after its content.

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

use markdown::mdast::{
    Heading, Link, LinkReference, List, ListItem, MdxJsxFlowElement, MdxJsxTextElement, Node, Table,
};

use super::character::is_eol;
use super::safe::Info;
use super::state::State;

pub(super) use list_item::task_paragraph;

/// What an open container is, with what it needs when it is left.
pub(super) enum Role<'a> {
    Root,
    Blockquote,
    List {
        list: &'a List,
        bullet: char,
        outer_bullet: Option<char>,
    },
    ListItem(&'a ListItem),
    FootnoteDefinition,
    Paragraph {
        checkbox: &'static str,
    },
    Heading {
        heading: &'a Heading,
        is_setext: bool,
    },
    Attention {
        marker: Option<char>,
    },
    Autolink,
    Link {
        link: &'a Link,
        info: Info,
    },
    LinkReference(&'a LinkReference),
    Table(&'a Table),
    TableRow,
    TableCell,
    MdxFlowElement(&'a MdxJsxFlowElement),
    MdxTextElement(&'a MdxJsxTextElement),
}

/// Enters a node that will stand between the characters of `info`.
pub(super) fn enter<'a>(state: &mut State<'a>, node: &'a Node, info: Info) {
    let text = match node {
        Node::Root(root) => return root::enter(state, root, info),
        Node::Blockquote(blockquote) => return blockquote::enter(state, blockquote),
        Node::FootnoteDefinition(footnote) => return footnote::enter(state, footnote),
        Node::List(list) => return list::enter(state, list),
        Node::ListItem(item) => return list_item::enter(state, item),
        Node::MdxJsxFlowElement(element) => return mdx::enter_flow(state, element),
        Node::MdxJsxTextElement(element) => return mdx::enter_text(state, element),
        Node::Paragraph(paragraph) => return paragraph::enter(state, paragraph, info),
        Node::Heading(heading) => return heading::enter(state, heading),
        Node::Table(table) => return state.open_table(Role::Table(table), &table.children),
        Node::TableRow(row) => return state.open_row(&row.children),
        Node::TableCell(_) => return enter_cell(state, node),
        Node::Emphasis(emphasis) => {
            return state.open_attention(attention::emphasis(state), &emphasis.children, info);
        }
        Node::Strong(strong) => {
            return state.open_attention(attention::strong(state), &strong.children, info);
        }
        Node::Delete(delete) => {
            return state.open_attention(attention::DELETE, &delete.children, info);
        }
        Node::Link(link) => return link::enter(state, link, info),
        Node::LinkReference(reference) => return reference::enter(state, reference),

        Node::Text(text) => text::write(state, &text.value, info),
        Node::Break(_) => hard_break::write(state, info).to_owned(),
        Node::Html(html) => html::write(state, html),
        Node::InlineCode(code) => inline_code::write(state, code),
        Node::InlineMath(math) => math::write_inline(state, math),
        Node::Image(image) => image::write(state, image),
        Node::ImageReference(reference) => reference::write_image(state, reference),
        Node::FootnoteReference(reference) => footnote::write_reference(state, reference),
        Node::Code(code) => code::write(state, code),
        Node::Math(math) => math::write(state, math),
        Node::Definition(definition) => definition::write(state, definition),
        Node::ThematicBreak(_) => thematic_break::write(state),
        Node::Yaml(yaml) => frontmatter::write("---", &yaml.value),
        Node::Toml(toml) => frontmatter::write("+++", &toml.value),
        Node::MdxTextExpression(expression) => mdx::write_expression(&expression.value),
        Node::MdxFlowExpression(expression) => mdx::write_expression(&expression.value),
        Node::MdxjsEsm(esm) => esm.value.clone(),
    };
    state.emit(text);
}

/// Enters a child of a table, whatever it is, as a row.
pub(super) fn enter_row<'a>(state: &mut State<'a>, row: &'a Node) {
    state.open_row(children(row));
}

/// Enters a child of a row, whatever it is, as a cell.
pub(super) fn enter_cell<'a>(state: &mut State<'a>, cell: &'a Node) {
    table::enter_cell(state, children(cell));
}

fn children(node: &Node) -> &[Node] {
    node.children().map_or(&[], Vec::as_slice)
}

/// Writes what comes after the children of flow.
pub(super) fn leave_flow(state: &mut State<'_>, role: &Role<'_>) {
    match role {
        Role::Blockquote | Role::FootnoteDefinition | Role::ListItem(_) => state.writer().close(),
        Role::List {
            bullet,
            outer_bullet,
            ..
        } => {
            state.bullet_last_used = Some(*bullet);
            state.bullet_current = *outer_bullet;
        }
        Role::MdxFlowElement(element) => mdx::leave_flow(state, element),
        _ => {}
    }
}

/// A container of phrasing, given how its children are written.
pub(super) fn leave_phrasing(state: &State<'_>, role: &Role<'_>, text: String) -> String {
    match role {
        Role::Paragraph { checkbox } if !checkbox.is_empty() => format!("{checkbox}{text}"),
        Role::Heading { heading, is_setext } => heading::leave(state, heading, *is_setext, &text),
        Role::Autolink => format!("<{text}>"),
        Role::Link { link, info } => link::leave(state, link, *info, &text),
        Role::LinkReference(reference) => reference::leave(state, reference, &text),
        Role::TableCell => table::leave_cell(state, text),
        Role::MdxTextElement(element) => mdx::leave_text(element, &text),
        _ => text,
    }
}

/// The character that a node will begin with, as far as what stands before it has to know.
pub(super) fn peek(state: &State<'_>, node: &Node) -> Option<char> {
    let mut node = node;
    // Flow in phrasing is no valid mdast: for these a guess is good enough.
    while let Node::Paragraph(_) | Node::Root(_) | Node::TableCell(_) = node {
        node = children(node).first()?;
    }
    let options = state.options;
    match node {
        Node::Text(text) => text::peek(state, text),
        Node::Break(_) => hard_break::write(
            state,
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

/// The text of the lines of `value`, each behind what `prefix` gives for it.
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

/// The longest run of a character.
fn longest_run(value: &str, character: char) -> usize {
    value
        .split(|other| other != character)
        .map(str::len)
        .max()
        .unwrap_or(0)
}
