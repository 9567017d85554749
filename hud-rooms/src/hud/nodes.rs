//! The nodes of a HUD that is primarily data: objects, lists and named values, with their form in
//! markdown.

use std::sync::LazyLock;

use hud_core::data::{Data, DataPiece};
use hud_core::mdast::Mdast;
use hud_core::node::{Field, Item, Line, List, Section, Value};
use hud_core::{Element, Lower, LowerResult, Node, Registry, Renderer, gfm, lift, one_way, rsx};

/// An object with a name: a section in markdown.
#[derive(Debug, PartialEq, Node)]
pub struct Object {
    /// Its name.
    #[prop(into)]
    pub name: String,
}

/// A list of records with a name: items in markdown, or sections.
#[derive(Debug, PartialEq, Node)]
pub struct Records {
    /// Its name.
    #[prop(into)]
    pub name: String,
    /// Whether its records have titles, and are sections in markdown.
    #[prop(default)]
    pub sections: bool,
}

/// An object in a list: an item in markdown, or a section if it has a title.
#[derive(Debug, PartialEq, Node)]
pub struct Record {
    /// What it is called in markdown.
    #[prop(into, default)]
    pub title: String,
}

/// A value with a name.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Entry {
    /// Its name.
    #[prop(into)]
    pub name: String,
    /// The value.
    pub value: Value,
}

/// A text of our own with a name, which is markdown.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Prose {
    /// Its name.
    #[prop(into)]
    pub name: String,
    /// The markdown.
    #[prop(into)]
    pub text: String,
}

/// The renderer of HUDs.
pub static RENDERER: LazyLock<Renderer> = LazyLock::new(|| {
    let mut registry = Registry::builtin();
    registry
        .register(one_way(object))
        .register(one_way(records))
        .register(one_way(record))
        .register(one_way(entry))
        .register(one_way(prose))
        .register(one_way(object_section))
        .register(one_way(records_section))
        .register(one_way(record_item))
        .register(one_way(entry_field))
        .register(one_way(prose_section));
    Renderer::new(registry).guarded()
});

/// Returns the members in the children of a node.
fn members(
    children: &[Element<'_>],
    lower: &Lower<'_, Data>,
) -> Result<Value, hud_core::LowerError> {
    let pieces = lower.children(children)?.into_iter();
    let members = pieces.filter_map(|piece| match piece {
        DataPiece::Member(name, value) => Some((name, value)),
        _ => None,
    });
    Ok(Value::Object(members.collect()))
}

fn object(node: &Object, children: &[Element<'_>], lower: &Lower<'_, Data>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Member(
        node.name.clone(),
        members(children, lower)?,
    )])
}

fn records(node: &Records, children: &[Element<'_>], lower: &Lower<'_, Data>) -> LowerResult<Data> {
    let pieces = lower.children(children)?.into_iter();
    let items = pieces.filter_map(|piece| match piece {
        DataPiece::Item(value) => Some(value),
        _ => None,
    });
    Ok(vec![DataPiece::Member(
        node.name.clone(),
        Value::List(items.collect()),
    )])
}

fn record(_: &Record, children: &[Element<'_>], lower: &Lower<'_, Data>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Item(members(children, lower)?)])
}

fn entry(node: &Entry, _: &[Element<'_>], _: &Lower<'_, Data>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Member(
        node.name.clone(),
        node.value.clone(),
    )])
}

fn prose(node: &Prose, _: &[Element<'_>], _: &Lower<'_, Data>) -> LowerResult<Data> {
    Ok(vec![DataPiece::Member(
        node.name.clone(),
        Value::Text(node.text.clone()),
    )])
}

fn object_section(
    node: &Object,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    lower.element(&rsx! { <Section title={node.name.clone()}>{children.iter()}</Section> })
}

fn records_section(
    node: &Records,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let title = node.name.clone();
    lower.element(&match node.sections {
        true => rsx! { <Section title>{children.iter()}</Section> },
        false => rsx! { <Section title><List>{children.iter()}</List></Section> },
    })
}

fn record_item(
    node: &Record,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    lower.element(&match node.title.is_empty() {
        true => rsx! { <Item><Line separator=" │ ">{children.iter()}</Line></Item> },
        false => rsx! { <Section title={node.title.clone()}>{children.iter()}</Section> },
    })
}

fn entry_field(node: &Entry, _: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    lower.element(&named(&node.name, &node.value))
}

/// Returns the element of a named value: a line, or a section with a list.
fn named<'a>(name: &str, value: &Value) -> Element<'a> {
    match value {
        Value::Object(_) | Value::List(_) if !is_flat(value) => {
            let list = listed(value);
            rsx! { <Section title={name.to_owned()}>{list}</Section> }
        }
        value => {
            let text = match value.to_string() {
                text if text.is_empty() => "none".to_owned(),
                text => text,
            };
            rsx! { <Field label={name.to_owned()}>{text}</Field> }
        }
    }
}

/// True if a value is written in one line.
fn is_flat(value: &Value) -> bool {
    let is_plain = |value: &Value| !matches!(value, Value::Object(_) | Value::List(_));
    match value {
        Value::List(values) => values.iter().all(is_plain),
        Value::Object(members) => members.iter().all(|(_, value)| is_plain(value)),
        _ => true,
    }
}

/// Returns the contents of a value as nested lists.
fn listed<'a>(value: &Value) -> Element<'a> {
    let item = |name: Option<&str>, value: &Value| {
        let label = name.map(|name| format!("{name}: ")).unwrap_or_default();
        match is_flat(value) {
            true => {
                let text = format!("{label}{value}");
                rsx! { <Item>{text}</Item> }
            }
            false => {
                let inner = listed(value);
                rsx! { <Item>{label.trim().to_owned()} {inner}</Item> }
            }
        }
    };
    let items: Vec<Element<'a>> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| item(Some(name), value))
            .collect(),
        Value::List(values) => values.iter().map(|value| item(None, value)).collect(),
        value => vec![item(None, value)],
    };
    rsx! { <List>{items}</List> }
}

/// Lowers text that is already markdown. Only our own text is.
fn prose_section(node: &Prose, _: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let parsed = gfm::parse(&node.text, &gfm::ParseOptions::default());
    let lifted = parsed.ok().and_then(|tree| lift(&tree).ok());
    let text = match lifted {
        Some(lifted) => lifted,
        None => rsx! { {node.text.clone()} },
    };
    lower.element(&rsx! { <Section title={node.name.clone()}>{text}</Section> })
}
