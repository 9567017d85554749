//! A target of your own: HTML, with a default rule and a few more. Run it with `cargo run --example custom_target`.
//!
//! A default rule sees each node's name, its props as data and its children, so a target need not
//! know all nodes. Rules of their own have those that are to look different.

use std::error::Error;

use hud_core::mdast::Mdast;
use hud_core::node::{BUILTIN, Code, Field, Item, List, NodeType, Section, Strong, Value};
use hud_core::{Element, Lower, LowerResult, Node, Registry, Scope, Target, one_way, rsx};

/// HTML, in pieces that are written one behind the other.
enum Html {}

impl Target for Html {
    const NAME: &'static str = "html";
    type Piece = String;
    /// The level of the next heading, from nought.
    type Context = usize;

    fn text(text: &str) -> String {
        escaped(text)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// The rule of all nodes without one of their own: a `div` that says what it is.
fn any(node: &dyn Node, children: &[Element<'_>], lower: &Lower<'_, Html>) -> LowerResult<Html> {
    let mut tag = format!("<div class=\"{}\"", node.meta().name.to_lowercase());
    let props = node.props().into_iter();
    for (name, value) in props.filter(|(_, value)| *value != Value::None) {
        tag.push_str(&format!(" data-{name}=\"{}\"", escaped(&value.to_string())));
    }
    Ok(vec![format!(
        "{tag}>{}</div>",
        lower.children(children)?.concat()
    )])
}

fn section(node: &Section, children: &[Element<'_>], lower: &Lower<'_, Html>) -> LowerResult<Html> {
    let level = (lower.context() + 1).min(6);
    let within = lower.with_context(level).children(children)?.concat();
    Ok(vec![format!(
        "<h{level}>{}</h{level}>{within}",
        escaped(&node.title)
    )])
}

/// A rule that puts a tag of this name around the children.
fn tag<N: Node>(
    name: &'static str,
) -> impl Fn(&N, &[Element<'_>], &Lower<'_, Html>) -> LowerResult<Html> {
    move |_, children, lower| {
        let within = lower.children(children)?.concat();
        Ok(vec![format!("<{name}>{within}</{name}>")])
    }
}

/// What the reader thinks of something. Markdown has no rule for it here.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Stars {
    /// How many, of five.
    count: u8,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::builtin();
    registry
        .register_default(any)
        .register(one_way(section))
        .register(one_way(tag::<List>("ul")))
        .register(one_way(tag::<Item>("li")))
        .register(one_way(tag::<Strong>("b")))
        .register(one_way(tag::<Code>("code")));

    let nodes = [BUILTIN, &[NodeType::of::<Stars>()]].concat();
    registry.check::<Html>(&nodes)?;
    if let Err(missing) = registry.check::<Mdast>(&nodes) {
        anstream::println!("{missing}");
    }

    let layout = rsx! {
        <Section title="Soups & stews">
            <List><Item><Strong>"<b>orscht"</Strong> " " <Stars count=4 /></Item></List>
            <Field label="Recipe"><Code>"soup.md"</Code></Field>
        </Section>
    };
    let pieces = Lower::<Html>::new(&registry, Scope::default()).element(&layout)?;
    anstream::println!("{}", pieces.concat());
    Ok(())
}
