//! Types of JSON schemas as schemars generates them.

use std::sync::Arc;

use serde_json::Value as Json;

use super::types::{ListType, Node, ObjectType, Type};

/// The maximum depth to which lists and unions of a schema are followed.
const MAX_LEVELS: u8 = 12;

/// A member of an object, looked up by name.
pub(super) enum Member<'s> {
    /// A member of a known type.
    Known(Type<'s>),
    /// A member that the object may have, of an unknown type.
    Open,
    /// No such member, with the names of the existing ones.
    Missing(Vec<&'s str>),
}

impl<'s> Type<'s> {
    /// Returns the type that a JSON schema (draft 2020-12) describes. Properties that are not required may be
    /// nothing. For values that a program serializes, use the schema of its output
    /// (`SchemaSettings::for_serialize`).
    ///
    /// ```
    /// use hud_layout::expr::Type;
    ///
    /// let schema = serde_json::json!({
    ///     "type": "array",
    ///     "items": {"$ref": "#/$defs/Decision"},
    ///     "$defs": {"Decision": {"type": "object", "properties": {"id": {"type": "string"}}}}
    /// });
    /// assert_eq!(Type::of_schema(&schema).to_string(), "a list of decisions");
    /// ```
    #[must_use]
    pub fn of_schema(schema: &'s Json) -> Self {
        Self::of_part(schema, schema)
    }

    /// Returns the type that a schema within another one, `root`, describes.
    #[must_use]
    pub fn of_part(root: &'s Json, part: &'s Json) -> Self {
        let node = Node {
            root,
            json: part,
            name: None,
        };
        of_node(node, MAX_LEVELS)
    }
}

fn of_node(node: Node<'_>, levels: u8) -> Type<'_> {
    let Some(node) = node.resolved().filter(|_| levels > 0) else {
        return Type::Unknown;
    };
    let Json::Object(schema) = node.json else {
        return Type::Unknown;
    };
    if let Some(value) = schema.get("const") {
        return of_value(value);
    }
    if let Some(Json::Array(values)) = schema.get("enum") {
        return any(values.iter().map(of_value));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Json::Array(parts)) = schema.get(key) {
            return any(parts
                .iter()
                .map(|part| of_node(node.part(part), levels - 1)));
        }
    }
    if let Some(Json::Array(parts)) = schema.get("allOf") {
        return match &**parts {
            [only] => of_node(node.part(only), levels - 1),
            _ => Type::Unknown,
        };
    }
    match schema.get("type") {
        Some(Json::String(kind)) => of_kind(node, kind, levels),
        Some(Json::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Json::as_str);
            any(kinds.map(|kind| of_kind(node, kind, levels)))
        }
        _ if schema.contains_key("properties") => Type::Object(ObjectType::Schema(node)),
        _ => Type::Unknown,
    }
}

fn any<'s>(mut kinds: impl Iterator<Item = Type<'s>>) -> Type<'s> {
    match kinds.next() {
        Some(first) => kinds.fold(first, Type::or),
        None => Type::Unknown,
    }
}

fn of_value<'s>(value: &Json) -> Type<'s> {
    match value {
        Json::Null => Type::Nothing,
        Json::Bool(_) => Type::Bool,
        Json::Number(_) => Type::Number,
        Json::String(text) => Type::Text(Some([Arc::from(&**text)].into())),
        Json::Array(_) | Json::Object(_) => Type::Unknown,
    }
}

fn of_kind<'s>(node: Node<'s>, kind: &str, levels: u8) -> Type<'s> {
    match kind {
        "null" => Type::Nothing,
        "boolean" => Type::Bool,
        "number" | "integer" => Type::Number,
        "string" => Type::TEXT,
        "array" => {
            let item = match node.json.get("items") {
                Some(items) => of_node(node.part(items), levels - 1),
                None => Type::Unknown,
            };
            Type::List(Arc::new(ListType { item, name: None }))
        }
        "object" => Type::Object(ObjectType::Schema(node)),
        _ => Type::Unknown,
    }
}

impl<'s> Node<'s> {
    fn part(self, json: &'s Json) -> Self {
        Self {
            json,
            name: None,
            ..self
        }
    }

    /// The schema after all references are followed.
    fn resolved(mut self) -> Option<Self> {
        for _ in 0..MAX_LEVELS {
            let Some(Json::String(reference)) = self.json.get("$ref") else {
                return Some(self);
            };
            let pointer = reference.strip_prefix('#')?;
            self.json = self.root.pointer(pointer)?;
            self.name = pointer.rsplit('/').next().filter(|name| !name.is_empty());
        }
        None
    }

    fn is_required(self, name: &str) -> bool {
        let required = self.json.get("required").and_then(Json::as_array);
        required.is_some_and(|names| names.iter().any(|own| own.as_str() == Some(name)))
    }

    /// The names and types of the properties, with true for each required one.
    fn properties(self) -> impl Iterator<Item = (&'s str, Type<'s>, bool)> {
        let properties = self.json.get("properties").and_then(Json::as_object);
        properties.into_iter().flatten().map(move |(name, schema)| {
            let property = of_node(self.part(schema), MAX_LEVELS);
            (&**name, property.called(name), self.is_required(name))
        })
    }
}

impl<'s> ObjectType<'s> {
    /// The type of the member with this name.
    pub(super) fn member(&self, name: &str) -> Member<'s> {
        match self {
            Self::Written(entries) => match entries.iter().rev().find(|(own, _)| **own == *name) {
                Some((_, member)) => Member::Known(member.clone()),
                // As in JavaScript, a missing entry is undefined.
                None => Member::Known(Type::Nothing),
            },
            Self::Schema(node) => node.member(name),
        }
    }

    /// The names and types of the members, with true for each one that is always there.
    pub(super) fn members(&self) -> Vec<(String, Type<'s>, bool)> {
        match self {
            Self::Written(entries) => entries
                .iter()
                .map(|(name, member)| (name.to_string(), member.clone(), true))
                .collect(),
            Self::Schema(node) => node
                .properties()
                .map(|(name, member, required)| (name.to_owned(), member, required))
                .collect(),
        }
    }

    /// True if it may have unknown members.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Written(_) => false,
            Self::Schema(node) => node.is_open(),
        }
    }

    /// True if it can't have other members.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, Self::Schema(node) if node.json.get("additionalProperties") == Some(&Json::Bool(false)))
    }
}

impl<'s> Node<'s> {
    fn is_open(self) -> bool {
        match self.json.get("additionalProperties") {
            None => self.json.get("properties").is_none(),
            Some(Json::Bool(is)) => *is,
            Some(_) => true,
        }
    }

    fn member(self, name: &str) -> Member<'s> {
        let properties = self.json.get("properties").and_then(Json::as_object);
        if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
            let member = of_node(self.part(schema), MAX_LEVELS).called(name);
            return Member::Known(if self.is_required(name) {
                member
            } else {
                member.or(Type::Nothing)
            });
        }
        if let Some(schema @ Json::Object(_)) = self.json.get("additionalProperties") {
            let member = of_node(self.part(schema), MAX_LEVELS);
            return Member::Known(member.or(Type::Nothing));
        }
        if self.is_open() {
            return Member::Open;
        }
        Member::Missing(
            properties
                .into_iter()
                .flatten()
                .map(|(name, _)| &**name)
                .collect(),
        )
    }
}
