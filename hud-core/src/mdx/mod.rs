//! MDX as a target: markdown with JSX elements for nodes that markdown does not have.
//!
//! It is [`mdast`](crate::mdast) with rules that preserve more: a node without a rule becomes a JSX
//! element with its props as attributes. So do [`Meter`] and [`Status`], which are only text in
//! markdown. Text is data here, too: braces, angle brackets and lines that look like imports are
//! escaped. The markup of [`struct@Html`] becomes an expression that evaluates to it as text.
//!
//! ```
//! use hud_core::node::{Field, Meter};
//! use hud_core::{Density, Node, Scope, mdx, rsx};
//!
//! /// Stars for a review.
//! #[derive(Debug, PartialEq, Node)]
//! #[node(leaf)]
//! pub struct Stars {
//!     pub count: usize,
//!     pub of: Vec<String>,
//! }
//!
//! let review = rsx! {
//!     <Field label="Context"><Meter used=90 limit={200} /></Field>
//!     <Stars count=4 of={vec!["<Ada> & \"co\"".to_owned()]} />
//!     "{{no}} <b>markup</b>"
//! };
//! assert_eq!(mdx::renderer().markdown(&review, Scope::new(Density::Full))?, "\
//! **Context:** <Meter used={90} limit={200} rounded={false} unit=\"\" />
//!
//! <Stars count={4} of={[\"\\u003cAda\\u003e & \\\"co\\\"\"]} />\\{no} \\<b>markup\\</b>
//! ");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! [`gfm::parse`] parses it with [`ParseOptions::mdx`](crate::gfm::ParseOptions::mdx), and
//! [`lift`](crate::lift()) returns elements such as
//! [`MdxJsxFlowElement`](crate::node::MdxJsxFlowElement).

mod attribute;

use markdown::mdast::{
    MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression, Node as MdastNode,
};

use crate::element::Element;
use crate::gfm;
use crate::mdast::alert::is_mark;
use crate::mdast::{Mdast, flow, is_phrasing, phrasing};
use crate::node::{Html, HtmlBlock, Meter, Node, Status};
use crate::registry::{Lower, LowerResult, Registry, one_way};
use crate::render::Renderer;
use attribute::{attributes, literal};

/// The rules of the built-in nodes for MDX, and a default rule.
pub fn registry() -> Registry {
    let mut registry = Registry::builtin();
    registry
        .register_default::<Mdast>(element)
        .replace(one_way(
            |node: &Meter, _: &[Element<'_>], _: &Lower<'_, Mdast>| inline(node),
        ))
        .replace(one_way(
            |node: &Status, _: &[Element<'_>], _: &Lower<'_, Mdast>| inline(node),
        ))
        .replace(one_way(
            |node: &Html, _: &[Element<'_>], _: &Lower<'_, Mdast>| Ok(vec![said(&node.value)]),
        ))
        .replace(one_way(
            |node: &HtmlBlock, _: &[Element<'_>], _: &Lower<'_, Mdast>| {
                Ok(vec![MdastNode::MdxFlowExpression(MdxFlowExpression {
                    value: literal(&node.value),
                    position: None,
                    stops: Vec::new(),
                })])
            },
        ));
    registry
}

/// The options for MDX: those of a HUD, with JSX escaped.
pub fn options() -> gfm::SerializeOptions {
    gfm::SerializeOptions {
        mdx: true,
        ..gfm::SerializeOptions::hud()
    }
}

/// A renderer whose markdown is MDX.
pub fn renderer() -> Renderer {
    Renderer::new(registry()).with_options(options())
}

/// Serializes an mdast tree as MDX, for example the output of custom rules. HTML in it becomes
/// text.
///
/// ```
/// use hud_core::gfm::{self, ParseOptions};
/// use hud_core::mdx;
///
/// let tree = gfm::parse("a <b>c</b> {d}\n", &ParseOptions::default())?;
/// assert_eq!(mdx::to_string(tree), "a {\"\\u003cb\\u003e\"}c{\"\\u003c/b\\u003e\"} \\{d}\n");
/// # Ok::<(), gfm::ParseError>(())
/// ```
pub fn to_string(mut tree: MdastNode) -> String {
    without_markup(&mut tree);
    gfm::to_string(&tree, &options())
}

fn without_markup(node: &mut MdastNode) {
    if let MdastNode::Html(html) = node
        && !is_mark(&html.value)
    {
        *node = said(&html.value);
    }
    node.children_mut()
        .into_iter()
        .flatten()
        .for_each(without_markup);
}

/// A text in a line, as an expression instead of markdown.
fn said(text: &str) -> MdastNode {
    MdastNode::MdxTextExpression(MdxTextExpression {
        value: literal(text),
        position: None,
        stops: Vec::new(),
    })
}

/// A node within a line, without content.
fn inline(node: &dyn Node) -> LowerResult<Mdast> {
    Ok(vec![text_element(node, Vec::new())])
}

/// A node as an element, within a line if its content allows that.
fn element(
    node: &dyn Node,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let pieces = lower.children(children)?;
    let is_inline = lower.context().inline || pieces.iter().all(is_phrasing);
    Ok(vec![match is_inline {
        true => text_element(node, on_one_line(phrasing(pieces))),
        false => MdastNode::MdxJsxFlowElement(MdxJsxFlowElement {
            children: flow(pieces),
            name: Some(node.meta().name.to_owned()),
            attributes: attributes(node),
            position: None,
        }),
    }])
}

/// The nodes of a line without line endings in their texts. A tag at the beginning of a line would
/// be parsed as a block.
fn on_one_line(mut nodes: Vec<MdastNode>) -> Vec<MdastNode> {
    for node in &mut nodes {
        match node {
            MdastNode::Text(text) => text.value = text.value.replace(['\n', '\r'], " "),
            node => {
                if let Some(children) = node.children_mut() {
                    *children = on_one_line(std::mem::take(children));
                }
            }
        }
    }
    nodes
}

fn text_element(node: &dyn Node, children: Vec<MdastNode>) -> MdastNode {
    MdastNode::MdxJsxTextElement(MdxJsxTextElement {
        children,
        name: Some(node.meta().name.to_owned()),
        attributes: attributes(node),
        position: None,
    })
}
