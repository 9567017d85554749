//! What is known of a value before there is one.

use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

/// The most kinds that a value is followed in.
const MAX_KINDS: usize = 12;

/// What is known of a value before there is one. It borrows the JSON schema that it was read from.
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
    /// Text, and which texts it can be if these are few.
    Text(Option<Arc<[Arc<str>]>>),
    /// A list.
    List(Arc<ListType<'s>>),
    /// An object.
    Object(ObjectType<'s>),
    /// A tag.
    Element,
    /// One of several, none of which is [`Type::Union`] or [`Type::Unknown`].
    Union(Arc<[Type<'s>]>),
}

/// What is known of a list.
#[derive(Debug, PartialEq)]
pub struct ListType<'s> {
    /// Each item.
    pub item: Type<'s>,
    /// What the items are called, together.
    pub name: Option<Arc<str>>,
}

/// What is known of an object.
#[derive(Clone, Debug)]
pub enum ObjectType<'s> {
    /// What a schema says.
    Schema(Node<'s>),
    /// The entries that are written.
    Written(Arc<Vec<(Arc<str>, Type<'s>)>>),
}

/// A schema within another, whose definitions it can name.
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
    /// Any text.
    pub(super) const TEXT: Self = Self::Text(None);

    /// A list of these.
    #[must_use]
    pub fn list(item: Self) -> Self {
        Self::List(Arc::new(ListType { item, name: None }))
    }

    /// This or another.
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

    /// What it can be.
    #[must_use]
    pub fn kinds(&self) -> &[Self] {
        match self {
            Self::Union(kinds) => kinds,
            kind => std::slice::from_ref(kind),
        }
    }

    /// Whether it is known that it can be nothing.
    #[must_use]
    pub(crate) fn may_be_nothing(&self) -> bool {
        self.kinds().contains(&Self::Nothing)
    }

    /// It, if it is not nothing.
    #[must_use]
    pub fn something(&self) -> Self {
        self.only(|kind| !matches!(kind, Self::Nothing))
    }

    /// The kinds of it for which this holds. It is unknown if there is none.
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

    /// The list or the lists of it with a name for what is in them, unless there is one.
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

    /// As mistakes say one of it: `a list`, `text`.
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

    /// It, with any text for each that is known.
    pub(super) fn without_texts(&self) -> Self {
        let kinds = self.kinds().iter().map(|kind| match kind {
            Self::Text(_) => Self::TEXT,
            other => other.clone(),
        });
        kinds.reduce(Self::or).unwrap_or(Self::Unknown)
    }

    /// What it can be, each in words.
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

/// The texts that are in either.
fn either(known: Option<&[Arc<str>]>, others: Option<&[Arc<str>]>) -> Option<Arc<[Arc<str>]>> {
    let mut texts = known?.to_vec();
    for other in others? {
        if !texts.contains(other) {
            texts.push(Arc::clone(other));
        }
    }
    Some(texts.into())
}

/// As mistakes say what is wanted, or what was found: `a list of decisions`.
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

/// `WorkingMemory` and `working_memory` as words.
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
