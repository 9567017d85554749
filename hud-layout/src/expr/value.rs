//! The values of expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Object, Span};

/// The maximum depth of nested lists, objects and elements in a value.
pub const MAX_VALUE_DEPTH: u16 = 256;

/// A value of an expression or of the state. Clones share their content.
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
    /// `undefined`: a missing value.
    #[default]
    Undefined,
    /// `null`.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, which is a float as in JavaScript.
    Number(f64),
    /// A string.
    Text(Arc<str>),
    /// A list of values.
    List(List),
    /// Values by name.
    Object(Object),
    /// A tag with the values of its props and children.
    Element(Element),
}

impl Value {
    /// Returns a string.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// True if the value is null or undefined.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    /// True unless the value is nothing, `false`, `0`, `NaN` or the empty string.
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

    /// True if the value is `===` to another. Strings are compared by content. Lists, objects and elements are
    /// compared by identity.
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

    /// The kind of the value in errors.
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

    /// The number of nested lists, objects and elements, including this one.
    #[must_use]
    pub fn depth(&self) -> u16 {
        match self {
            Self::List(list) => list.0.depth,
            Self::Object(object) => object.depth(),
            Self::Element(element) => element.0.depth,
            _ => 0,
        }
    }

    /// Converts the value to JSON. Undefined, `NaN` and the infinities become null. An element becomes an object
    /// with its `tag`, `props` and `children`.
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

    /// The cost to show the value: a step for each value in it and for each 32 bytes of text. Shared values count as
    /// often as they occur.
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

    /// Converts a value from JSON. Equal names, such as those of a list's items, are stored once.
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

/// The names that are already stored.
type Names<'j> = BTreeMap<&'j str, Arc<str>>;

/// Converts a number without a fraction to an integer, so that it fits a prop that takes integers.
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

/// Values nested more than [`MAX_VALUE_DEPTH`] levels deep become undefined.
impl From<&serde_json::Value> for Value {
    fn from(json: &serde_json::Value) -> Self {
        Self::from_json(json, MAX_VALUE_DEPTH, &mut Names::new())
    }
}

/// A list of values.
#[derive(Clone, Debug)]
pub struct List(Arc<Items>);

#[derive(Debug)]
struct Items {
    items: Vec<Value>,
    depth: u16,
    size: usize,
}

impl List {
    /// Returns a list of these items.
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

/// Nested values are dropped one by one, so that deep nesting can't overflow the stack.
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

/// A tag that was evaluated, with the values of its props and children.
#[derive(Clone, Debug)]
pub struct Element(Arc<ElementParts>);

impl Element {
    /// Returns an element.
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

/// The content of an [`Element`].
#[derive(Debug)]
pub struct ElementParts {
    /// The name of the tag.
    pub tag: Arc<str>,
    /// The values of the props, as they are written.
    pub props: Vec<(Arc<str>, Value)>,
    /// The values that are shown between the tags: strings, numbers and elements.
    pub children: Vec<Value>,
    /// The span of the tag.
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

/// Drops values without recursion.
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
