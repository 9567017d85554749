//! The syntax tree of a markdown text, for a page that has no parser.

use hud_core::gfm::{self, ParseOptions};
use hud_core::mdast::{Node, kind_of};
use serde_json::{Map, Value, json};

/// Returns the tree of a text. Each node has its kind, its lines counted from 0, its value, and its
/// children. `None` for a text that is nested too deeply.
pub(super) fn read(markdown: &str) -> Option<Value> {
    let mut options = ParseOptions::default();
    options.positions = true;
    let tree = gfm::parse(markdown, &options).ok()?;
    Some(json_of(&tree))
}

fn json_of(node: &Node) -> Value {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), kind_of(node).into());
    if let Some(place) = node.position() {
        let lines = [place.start.line - 1, place.end.line - 1];
        fields.insert("lines".to_owned(), json!(lines));
    }
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    match node {
        Node::Text(text) => set("value", text.value.as_str().into()),
        Node::InlineCode(code) => set("value", code.value.as_str().into()),
        Node::Html(html) => set("value", html.value.as_str().into()),
        Node::Code(code) => set("value", code.value.as_str().into()),
        Node::Math(math) => set("value", math.value.as_str().into()),
        Node::InlineMath(math) => set("value", math.value.as_str().into()),
        Node::Heading(heading) => set("depth", heading.depth.into()),
        Node::List(list) if list.ordered => set("start", list.start.unwrap_or(1).into()),
        Node::ListItem(item) => set("checked", item.checked.into()),
        // The page loads nothing and has no links, so the address is shown as text.
        Node::Link(link) => set("target", link.url.as_str().into()),
        Node::Image(image) => {
            set("target", image.url.as_str().into());
            set("value", image.alt.as_str().into());
        }
        Node::Definition(definition) => {
            let said = format!("[{}]: {}", definition.identifier, definition.url);
            set("value", said.into());
        }
        Node::LinkReference(link) => set("target", link.identifier.as_str().into()),
        Node::FootnoteReference(note) => {
            set("value", format!("[^{}]", note.identifier).into());
        }
        Node::ImageReference(image) => set("value", image.alt.as_str().into()),
        _ => {}
    }
    if let Some(children) = node.children() {
        let children: Vec<Value> = children.iter().map(json_of).collect();
        fields.insert("children".to_owned(), children.into());
    }
    Value::Object(fields)
}
