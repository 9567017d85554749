//! The types of values.

use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

/// The maximum number of kinds in a union.
const MAX_KINDS: usize = 12;

/// The type of a value before it is evaluated. It borrows the JSON schema that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Type<'s> {
    /// Anything.
    Unknown,
    /// Null or undefined.
    Nothing,
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A string. It has the possible strings if they are few.
    Text(Option<Arc<[Arc<str>]>>),
    /// A list.
    List(Arc<ListType<'s>>),
    /// An object.
    Object(ObjectType<'s>),
    /// An element.
    Element,
    /// One of several types, none of which is [`Type::Union`] or [`Type::Unknown`].
    Union(Arc<[Type<'s>]>),
}

/// The type of a list.
#[derive(Debug, PartialEq)]
pub struct ListType<'s> {
    /// The type of each item.
    pub item: Type<'s>,
    /// The name for the items together.
    pub name: Option<Arc<str>>,
}

/// The type of an object.
#[derive(Clone, Debug)]
pub enum ObjectType<'s> {
    /// An object that a schema describes.
    Schema(Node<'s>),
    /// An object literal, by its entries.
    Written(Arc<Vec<(Arc<str>, Type<'s>)>>),
}

/// A schema within another one, whose definitions it can reference.
#[derive(Clone, Copy, Debug)]
pub struct Node<'s> {
    pub(super) root: &'s Json,
    pub(super) json: &'s Json,
    pub(super) name: Option<&'s str>,
}

impl PartialEq for ObjectType<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Schema(a), Self::Schema(b)) => std::ptr::eq(a.json, b.json),
            (Self::Written(a), Self::Written(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<'s> Type<'s> {
    /// Any string.
    pub(super) const TEXT: Self = Self::Text(None);

    /// Returns a list of these items.
    #[must_use]
    pub fn list(item: Self) -> Self {
        Self::List(Arc::new(ListType { item, name: None }))
    }

    /// Returns the union of two types.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if matches!(self, Self::Unknown) || matches!(other, Self::Unknown) {
            return Self::Unknown;
        }
        let mut kinds: Vec<Self> = Vec::new();
        for kind in self.kinds().iter().chain(other.kinds()) {
            if let (Self::Text(texts), Some(Self::Text(known))) = (
                kind,
                kinds
                    .iter_mut()
                    .find(|known| matches!(known, Self::Text(_))),
            ) {
                *known = either(known.as_deref(), texts.as_deref());
            } else if !kinds.contains(kind) {
                kinds.push(kind.clone());
            }
        }
        match (kinds.len(), kinds.pop()) {
            (1, Some(kind)) => kind,
            (2..=MAX_KINDS, Some(last)) => {
                kinds.push(last);
                Self::Union(kinds.into())
            }
            _ => Self::Unknown,
        }
    }

    /// The types in a union, or the type itself.
    #[must_use]
    pub fn kinds(&self) -> &[Self] {
        match self {
            Self::Union(kinds) => kinds,
            kind => std::slice::from_ref(kind),
        }
    }

    /// True if it is known that the value can be nothing.
    #[must_use]
    pub(crate) fn may_be_nothing(&self) -> bool {
        self.kinds().contains(&Self::Nothing)
    }

    /// The type without [`Type::Nothing`].
    #[must_use]
    pub fn something(&self) -> Self {
        self.only(|kind| !matches!(kind, Self::Nothing))
    }

    /// The kinds for which `holds` returns true. The type is unknown if there is none.
    pub(super) fn only(&self, holds: impl Fn(&Self) -> bool) -> Self {
        let kinds: Vec<Self> = self
            .kinds()
            .iter()
            .filter(|kind| holds(kind))
            .cloned()
            .collect();
        match kinds.len() {
            0 => Self::Unknown,
            1 => kinds[0].clone(),
            _ => Self::Union(kinds.into()),
        }
    }

    /// Names the items of the lists in the type, unless they have a name.
    pub(super) fn called(self, name: &str) -> Self {
        match self {
            Self::List(list) if list.name.is_none() => Self::List(Arc::new(ListType {
                item: list.item.clone(),
                name: Some(name.into()),
            })),
            Self::Union(kinds) => Self::Union(
                kinds
                    .iter()
                    .cloned()
                    .map(|kind| kind.called(name))
                    .collect(),
            ),
            other => other,
        }
    }

    /// The kind of the type in errors: `a list`, `text`.
    pub(super) fn kind_words(&self) -> &'static str {
        match self {
            Self::Unknown | Self::Union(_) => "a value",
            Self::Nothing => "nothing",
            Self::Bool => "true or false",
            Self::Number => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Element => "an element",
        }
    }

    /// The type with any string in place of the known ones.
    pub(super) fn without_texts(&self) -> Self {
        let kinds = self.kinds().iter().map(|kind| match kind {
            Self::Text(_) => Self::TEXT,
            other => other.clone(),
        });
        kinds.reduce(Self::or).unwrap_or(Self::Unknown)
    }

    /// The possible kinds and strings, as text.
    fn choices(&self) -> Vec<String> {
        let words = |kind: &Self| match kind {
            Self::Text(Some(texts)) if texts.len() <= 8 => {
                texts.iter().map(|text| format!("`{text}`")).collect()
            }
            Self::Text(_) => vec!["text".to_owned()],
            other => vec![other.to_string()],
        };
        self.kinds().iter().flat_map(words).collect()
    }

    fn plural(&self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Number => "numbers".to_owned(),
            Self::Text(_) => "texts".to_owned(),
            Self::List(_) => "lists".to_owned(),
            Self::Element => "elements".to_owned(),
            Self::Object(ObjectType::Schema(Node {
                name: Some(name), ..
            })) => plural(&words(name)),
            Self::Object(_) => "objects".to_owned(),
            Self::Unknown | Self::Nothing | Self::Union(_) => "values".to_owned(),
        }
    }
}

/// The strings that are in either.
fn either(known: Option<&[Arc<str>]>, others: Option<&[Arc<str>]>) -> Option<Arc<[Arc<str>]>> {
    let mut texts = known?.to_vec();
    for other in others? {
        if !texts.contains(other) {
            texts.push(Arc::clone(other));
        }
    }
    Some(texts.into())
}

/// The text of a type in errors: `a list of decisions`.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(list) => {
                let items = match (&list.item, &list.name) {
                    (Self::Object(ObjectType::Schema(Node { name: Some(_), .. })), _)
                    | (_, None) => list.item.plural(),
                    (Self::Object(_), Some(name)) => words(name),
                    (item, Some(_)) => item.plural(),
                };
                write!(f, "a list of {items}")
            }
            Self::Object(ObjectType::Schema(Node {
                name: Some(name), ..
            })) => {
                let name = words(name);
                let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
                    "an"
                } else {
                    "a"
                };
                write!(f, "{article} {name}")
            }
            Self::Text(Some(_)) | Self::Union(_) => f.write_str(&one_of(&self.choices())),
            other => f.write_str(other.kind_words()),
        }
    }
}

fn one_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// Splits `WorkingMemory` and `working_memory` into lowercase words.
fn words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        if c == '_' {
            words.push(' ');
        } else {
            words.extend(c.to_lowercase());
        }
    }
    words
}

fn plural(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if word.ends_with(['s', 'x']) || word.ends_with("ch") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
