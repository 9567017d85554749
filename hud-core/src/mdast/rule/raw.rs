use markdown::mdast::{Html as MdastHtml, Node, Toml, Yaml};

use super::{Mdast, as_blocks};
use crate::element::Element;
use crate::mdast::FRONTMATTER;
use crate::node::{Frontmatter, FrontmatterFormat, Html, HtmlBlock};
use crate::registry::{Lift, LiftResult, Lifted, Lower, LowerResult, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(html, lift_html))
        .register(two_way(html_block, lift_html_block))
        .register(two_way(frontmatter, lift_frontmatter));
}

fn html(node: &Html, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![html_of(&node.value)])
}

fn lift_html(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Html> {
    Ok(match nodes.first() {
        Some(Node::Html(html)) if lift.context().inline => {
            let value = html.value.clone();
            Some(Lifted::one(Html { value }, []))
        }
        _ => None,
    })
}

/// mdast has one type for both kinds of markup. The place of the node determines that this is a
/// block.
fn html_block(node: &HtmlBlock, _: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let html = html_of(&node.value);
    if lower.context().inline {
        return Ok(vec![html]);
    }
    Ok(vec![as_blocks(vec![html])])
}

fn lift_html_block(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<HtmlBlock> {
    Ok(match nodes.first() {
        Some(Node::Html(html)) if !lift.context().inline => {
            let value = html.value.clone();
            Some(Lifted::one(HtmlBlock { value }, []))
        }
        _ => None,
    })
}

fn html_of(value: &str) -> Node {
    Node::Html(MdastHtml {
        value: value.to_owned(),
        position: None,
    })
}

fn frontmatter(
    node: &Frontmatter,
    _: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let within = lower.context().within;
    if !within.is_empty() {
        return Err(lower.misplaced(within, FRONTMATTER));
    }
    let value = node.value.clone();
    let position = None;
    Ok(vec![match node.format {
        FrontmatterFormat::Yaml => Node::Yaml(Yaml { value, position }),
        FrontmatterFormat::Toml => Node::Toml(Toml { value, position }),
    }])
}

fn lift_frontmatter(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Frontmatter> {
    let (format, value) = match nodes.first() {
        Some(Node::Yaml(yaml)) => (FrontmatterFormat::Yaml, yaml.value.clone()),
        Some(Node::Toml(toml)) => (FrontmatterFormat::Toml, toml.value.clone()),
        _ => return Ok(None),
    };
    Ok(Some(Lifted::one(Frontmatter { format, value }, [])))
}
