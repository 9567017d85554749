//! What expressions are evaluated to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Object, Span};

/// How many lists, objects and elements a value may have within one another.
pub const MAX_VALUE_DEPTH: u16 = 256;

/// A value of an expression, or of the state. Copies share what they hold.
///
/// ```
/// use hud_layout::expr::Value;
///
/// let state = Value::from(&serde_json::json!({"turn": 3, "files": ["a.rs"]}));
/// let Value::Object(state) = state else { panic!("an object") };
/// assert!(matches!(state.get("turn"), Some(Value::Number(turn)) if *turn == 3.0));
/// ```
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// What is not there.
    #[default]
    Undefined,
    /// What is there and is nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number: a float, as in JavaScript.
    Number(f64),
    /// Words.
    Text(Arc<str>),
    /// Values in order.
    List(List),
    /// Values by name.
    Object(Object),
    /// A tag with the values of its props and children.
    Element(Element),
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Whether it is null or undefined.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    /// Whether it counts as true: all does but nothing, `false`, `0`, `NaN` and the empty text.
    #[must_use]
    pub(crate) fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Bool(is) => *is,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::List(_) | Self::Object(_) | Self::Element(_) => true,
        }
    }

    /// Whether it is `===` to another: texts by their words, and lists, objects and elements only
    /// if they are the very same.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Undefined, Self::Undefined) | (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.is_same(b),
            (Self::Object(a), Self::Object(b)) => a.is_same(b),
            (Self::Element(a), Self::Element(b)) => Arc::ptr_eq(&a.0, &b.0),
            _ => false,
        }
    }

    /// What it is, as mistakes say it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Undefined => "nothing",
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Element(_) => "an element",
        }
    }

    /// How many lists, objects and elements are nested here, itself among them.
    #[must_use]
    pub fn depth(&self) -> u16 {
        match self {
            Self::List(list) => list.0.depth,
            Self::Object(object) => object.depth(),
            Self::Element(element) => element.0.depth,
            _ => 0,
        }
    }

    /// It as JSON. What JSON has not becomes null: undefined, `NaN`, the infinities. An element
    /// becomes an object with its `tag`, `props` and `children`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::{Value as Json, json};
        match self {
            Self::Undefined | Self::Null => Json::Null,
            Self::Bool(is) => Json::Bool(*is),
            Self::Number(number) => json_number(*number),
            Self::Text(text) => Json::String(text.to_string()),
            Self::List(list) => list.iter().map(Self::to_json).collect(),
            Self::Object(object) => object
                .iter()
                .filter(|(_, value)| !matches!(value, Self::Undefined))
                .map(|(name, value)| (name.to_string(), value.to_json()))
                .collect(),
            Self::Element(element) => {
                let props: serde_json::Map<String, Json> = element
                    .props
                    .iter()
                    .filter(|(_, value)| !matches!(value, Self::Undefined))
                    .map(|(name, value)| (name.to_string(), value.to_json()))
                    .collect();
                let children: Vec<Json> = element.children.iter().map(Self::to_json).collect();
                json!({"tag": &*element.tag, "props": props, "children": children})
            }
        }
    }

    /// How much it is to show: a step for each value within it and for each 32 bytes of text, shared
    /// values as often as they are there.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len() / 32 + 1,
            Self::List(list) => list.0.size,
            Self::Object(object) => object.size(),
            Self::Element(element) => element.0.size,
            _ => 1,
        }
    }

    /// It from JSON. Names that are there again and again, as those of a list's items are, are kept once.
    fn from_json<'j>(json: &'j serde_json::Value, room: u16, names: &mut Names<'j>) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::Null,
            Json::Bool(is) => Self::Bool(*is),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::text(text.as_str()),
            Json::Array(_) | Json::Object(_) if room == 0 => Self::Undefined,
            Json::Array(items) => Self::List(List::new(
                items
                    .iter()
                    .map(|item| Self::from_json(item, room - 1, names))
                    .collect(),
            )),
            Json::Object(entries) => {
                let mut own = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    let name = names.entry(name).or_insert_with(|| Arc::from(&**name));
                    let name = Arc::clone(name);
                    own.push((name, Self::from_json(value, room - 1, names)));
                }
                Self::Object(Object::of_distinct(own))
            }
        }
    }
}

/// Names that were made already.
type Names<'j> = BTreeMap<&'j str, Arc<str>>;

/// A number as a whole one where it is one, so that props of whole numbers can be read from it.
fn json_number(number: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "whole numbers up to 2^53 are exact"
        )]
        let whole = number as i64;
        return whole.into();
    }
    serde_json::Number::from_f64(number).map_or(serde_json::Value::Null, Into::into)
}

/// What is more than [`MAX_VALUE_DEPTH`] levels deep is undefined.
impl From<&serde_json::Value> for Value {
    fn from(json: &serde_json::Value) -> Self {
        Self::from_json(json, MAX_VALUE_DEPTH, &mut Names::new())
    }
}

/// Values in order.
#[derive(Clone, Debug)]
pub struct List(Arc<Items>);

#[derive(Debug)]
struct Items {
    items: Vec<Value>,
    depth: u16,
    size: usize,
}

impl List {
    /// A list of these.
    #[must_use]
    pub fn new(items: Vec<Value>) -> Self {
        let depth = deepest(&items).saturating_add(1);
        let size = total(&items).saturating_add(1);
        Self(Arc::new(Items { items, depth, size }))
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Values within one another are taken apart one by one, so that no depth is too much for the stack.
impl Drop for Items {
    fn drop(&mut self) {
        drop_all(std::mem::take(&mut self.items));
    }
}

impl std::ops::Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

/// A tag that was evaluated: the values of its props and children.
#[derive(Clone, Debug)]
pub struct Element(Arc<ElementParts>);

impl Element {
    /// An element.
    #[must_use]
    pub fn new(
        tag: Arc<str>,
        props: Vec<(Arc<str>, Value)>,
        children: Vec<Value>,
        span: Span,
    ) -> Self {
        let of_props = props.iter().map(|(_, value)| value.depth()).max();
        let depth = deepest(&children).max(of_props.unwrap_or(0));
        let size = total(props.iter().map(|(_, value)| value)).saturating_add(total(&children));
        Self(Arc::new(ElementParts {
            tag,
            props,
            children,
            span,
            depth: depth.saturating_add(1),
            size: size.saturating_add(1),
        }))
    }
}

impl std::ops::Deref for Element {
    type Target = ElementParts;

    fn deref(&self) -> &ElementParts {
        &self.0
    }
}

/// What an [`Element`] holds.
#[derive(Debug)]
pub struct ElementParts {
    /// The tag's name.
    pub tag: Arc<str>,
    /// The values of its props, as they are written.
    pub props: Vec<(Arc<str>, Value)>,
    /// What is shown between its tags: texts, numbers and elements.
    pub children: Vec<Value>,
    /// Where the tag is written.
    pub span: Span,
    depth: u16,
    size: usize,
}

impl Drop for ElementParts {
    fn drop(&mut self) {
        let mut values = std::mem::take(&mut self.children);
        values.extend(self.props.drain(..).map(|(_, value)| value));
        drop_all(values);
    }
}

pub(super) fn deepest<'v>(values: impl IntoIterator<Item = &'v Value>) -> u16 {
    values.into_iter().map(Value::depth).max().unwrap_or(0)
}

pub(super) fn total<'v>(values: impl IntoIterator<Item = &'v Value>) -> usize {
    values
        .into_iter()
        .fold(0, |total, value| total.saturating_add(value.size()))
}

/// Drops values without going deeper than one of them.
pub(super) fn drop_all(mut values: Vec<Value>) {
    while let Some(value) = values.pop() {
        match value {
            Value::List(list) => {
                if let Some(mut items) = Arc::into_inner(list.0) {
                    values.append(&mut items.items);
                }
            }
            Value::Object(object) => object.take_apart(&mut values),
            Value::Element(element) => {
                if let Some(mut parts) = Arc::into_inner(element.0) {
                    values.append(&mut parts.children);
                    values.extend(parts.props.drain(..).map(|(_, value)| value));
                }
            }
            _ => {}
        }
    }
}
