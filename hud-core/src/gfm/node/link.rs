//! `[text](url "title")`, and `<url>` if the text is the address.

use markdown::mdast::{Link, Node};

use super::super::character::{is_control_or_space, is_eol};
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Phrasing, PhrasingRole};
use super::super::options::SerializeOptions;
use super::super::safe::Info;
use super::resource::{self, Resource};

pub(super) fn describe<'a>(context: &Context<'a>, link: &'a Link, info: Info) -> Phrasing<'a> {
    let constructs = context.constructs;
    let (role, constructs, within) = if is_autolink(link, context.options) {
        // Autolinks contain no phrasing.
        let constructs = constructs.without(Constructs::PHRASING);
        let constructs = constructs.and(Constructs::AUTOLINK);
        (PhrasingRole::Autolink, constructs, Info::new('<', '>'))
    } else {
        let constructs = constructs.and(Constructs::LINK).and(Constructs::LABEL);
        (
            PhrasingRole::Link { link, info },
            constructs,
            Info::new('[', ']'),
        )
    };
    Phrasing {
        role,
        children: &link.children,
        lead: String::new(),
        constructs,
        info: within,
    }
}

/// The link with this text.
pub(super) fn close(context: &Context<'_>, link: &Link, info: Info, text: &str) -> String {
    let mut title = resource::title(&link.title);
    // A destination in `<` and `>` prevents that a link is parsed as a definition, as a title does.
    let is_enclosed = link.url.contains(is_control_or_space);
    if title.is_none() && !is_enclosed && info.before.is_some_and(is_eol) && is_definition(text) {
        title = Some("");
    }
    let mut out = format!("[{text}](");
    let resource = Resource {
        url: &link.url,
        title,
        encloses_empty: title.is_some(),
        after: ')',
    };
    resource.write(context, context.constructs.and(Constructs::LINK), &mut out);
    out.push(')');
    out
}

/// True if a link with this text could be parsed as a definition at the start of a line: its first
/// unescaped bracket (which may be in code) has a colon after it.
fn is_definition(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => _ = characters.next(),
            ']' => return characters.next() == Some(':'),
            _ => {}
        }
    }
    false
}

/// True if a link is written as `<url>`: it has no title, its text is its address, and the address
/// has a scheme and only characters that an autolink can have.
pub(super) fn is_autolink(link: &Link, options: &SerializeOptions) -> bool {
    let [Node::Text(text)] = link.children.as_slice() else {
        return false;
    };
    let is_address =
        text.value == link.url || link.url.strip_prefix("mailto:") == Some(text.value.as_str());
    options.autolinks()
        && resource::title(&link.title).is_none()
        && is_address
        && has_scheme(&link.url)
        && !link
            .url
            .contains(|c| is_control_or_space(c) || matches!(c, '<' | '>'))
}

fn has_scheme(url: &str) -> bool {
    let Some((scheme, _)) = url.split_once(':') else {
        return false;
    };
    let mut characters = scheme.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && !characters.as_str().is_empty()
        && characters.all(|c| c.is_ascii_alphabetic() || matches!(c, '+' | '-' | '.'))
}
