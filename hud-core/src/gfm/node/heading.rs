//! `# ATX` headings, and `setext` headings with a line of `===` or `---` under them.

use markdown::mdast::{Heading, Node};

use super::super::character::{is_eol, push_reference};
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Phrasing, PhrasingRole};
use super::super::options::SerializeOptions;
use super::super::safe::Info;

pub(super) fn describe<'a>(context: &Context<'a>, heading: &'a Heading) -> Phrasing<'a> {
    let is_setext = is_setext(heading, context.options);
    let phrasing = context.constructs.and(Constructs::PHRASING);
    let (constructs, info) = if is_setext {
        (phrasing, Info::LINE)
    } else {
        (phrasing.and(Constructs::HEADING_ATX), Info::new(' ', '\n'))
    };
    Phrasing {
        role: PhrasingRole::Heading { heading, is_setext },
        children: &heading.children,
        lead: String::new(),
        constructs,
        info,
    }
}

/// The text before the content of a heading. `None` if the content must be changed.
pub(super) fn lead(
    context: &Context<'_>,
    heading: &Heading,
    is_setext: bool,
    content: &str,
) -> Option<&'static str> {
    let is_plain = content.starts_with(|c| !matches!(c, '\t' | ' ' | '#'));
    if is_setext || context.options.close_atx || !is_plain {
        return None;
    }
    let rank = usize::from(heading.depth.clamp(1, 6));
    "###### ".get(6 - rank..)
}

/// The heading with this content.
pub(in super::super) fn close(
    context: &Context<'_>,
    heading: &Heading,
    is_setext: bool,
    content: &str,
) -> String {
    let rank = usize::from(heading.depth.clamp(1, 6));
    if is_setext {
        let last_line = content.rsplit(is_eol).next().unwrap_or(content);
        let underline = if rank == 1 { "=" } else { "-" };
        return format!(
            "{content}\n{}",
            underline.repeat(last_line.encode_utf16().count())
        );
    }

    let sequence = &"######"[..rank];
    let mut out = String::with_capacity(content.len() + rank + 2);
    out.push_str(sequence);
    let mut rest = content.chars();
    match rest.next() {
        None => {}
        Some(first @ ('\t' | ' ')) => {
            out.push(' ');
            push_reference(&mut out, first);
            out.push_str(rest.as_str());
        }
        Some(first) => {
            out.push(' ');
            // The `markdown` crate 1.0.0 loses a run of `#` here.
            if first == '#' && context.options.strict {
                out.push('\\');
            }
            out.push_str(content);
        }
    }
    if context.options.close_atx {
        out.push(' ');
        out.push_str(sequence);
    }
    out
}

/// True if a heading is underlined: it has text, its rank has an underline, and either the options
/// require it or the text has a line ending.
pub(in super::super) fn is_setext(heading: &Heading, options: &SerializeOptions) -> bool {
    if heading.depth > 2 || options.strict && !options.setext {
        return false;
    }
    let (mut has_text, mut has_break) = (false, options.setext);
    let mut waiting: Vec<&[Node]> = vec![&heading.children];
    while let Some(nodes) = waiting.pop() {
        for node in nodes {
            match (literal(node), node) {
                (Some(value), _) => {
                    has_text |= !value.is_empty();
                    has_break |= value.contains(is_eol);
                }
                (None, Node::Break(_)) => has_break = true,
                (None, Node::Image(image)) => has_text |= !image.alt.is_empty(),
                (None, Node::ImageReference(image)) => has_text |= !image.alt.is_empty(),
                (None, node) => waiting.push(super::children(node)),
            }
        }
        if has_text && has_break {
            return true;
        }
    }
    false
}

fn literal(node: &Node) -> Option<&str> {
    match node {
        Node::Text(text) => Some(&text.value),
        Node::InlineCode(code) => Some(&code.value),
        Node::InlineMath(math) => Some(&math.value),
        Node::Html(html) => Some(&html.value),
        Node::Code(code) => Some(&code.value),
        Node::Math(math) => Some(&math.value),
        Node::MdxTextExpression(expression) => Some(&expression.value),
        Node::MdxFlowExpression(expression) => Some(&expression.value),
        Node::MdxjsEsm(esm) => Some(&esm.value),
        Node::Yaml(yaml) => Some(&yaml.value),
        Node::Toml(toml) => Some(&toml.value),
        _ => None,
    }
}
