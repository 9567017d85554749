//! The types of props and of their values.

use std::sync::LazyLock;

use hud_core::Density;
use serde_json::{Value as Json, json};

use crate::catalogue::state_types;
use crate::expr::{Findings, Mistake, Tag, Type, Types};

/// The types of the names that an expression may use. In a component they include its props.
pub(crate) fn names<'s>(props: Option<&'s Json>, is_component: bool) -> Types<'s, 's> {
    static DENSITY: LazyLock<Json> =
        LazyLock::new(|| json!({ "type": "string", "enum": Density::ALL.map(Density::name) }));
    static NO_PROPS: LazyLock<Json> =
        LazyLock::new(|| json!({ "type": "object", "properties": {} }));
    let state = state_types();
    let context = state.pointer("/properties/context").unwrap_or(&Json::Null);
    let types = Types::new()
        .with("state", Type::of_schema(state))
        .with("context", Type::of_part(state, context))
        .with("density", Type::of_schema(&DENSITY));
    match is_component {
        true => types.with("props", Type::of_schema(props.unwrap_or(&NO_PROPS))),
        false => types,
    }
}

/// The errors and tags that were found in an expression.
#[derive(Default)]
pub(crate) struct Found<'s> {
    pub(crate) mistakes: Vec<Mistake>,
    /// The tags in it, with the types of their props.
    pub(crate) tags: Vec<(Tag, Vec<Type<'s>>)>,
}

impl<'s> Findings<'s> for Found<'s> {
    fn mistake(&mut self, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    fn tag(&mut self, tag: &Tag, props: &[Type<'s>]) {
        self.tags.push((tag.clone(), props.to_vec()));
    }
}

/// The text of a Rust type in errors: `a list of decisions` for `&'a [Decision]`.
pub(crate) fn words(ty: &str) -> String {
    let ty = ty
        .strip_prefix("Option<")
        .and_then(|ty| ty.strip_suffix('>'))
        .unwrap_or(ty);
    let bare = ty.trim_start_matches('&').trim_start();
    let bare = match bare.strip_prefix('\'') {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => bare,
    };
    let list = bare
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .or_else(|| {
            bare.strip_prefix("Vec<")
                .and_then(|inner| inner.strip_suffix('>'))
        });
    if let Some(item) = list {
        return format!("a list of {}", plural(&spoken(item)));
    }
    match bare {
        "str" | "String" => "text".to_owned(),
        "bool" => "true or false".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            "a whole number".to_owned()
        }
        "f32" | "f64" => "a number".to_owned(),
        name => {
            let name = spoken(name);
            let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
                "an"
            } else {
                "a"
            };
            format!("{article} {name}")
        }
    }
}

fn spoken(name: &str) -> String {
    let name = name.rsplit("::").next().unwrap_or(name);
    let mut words = String::new();
    for (index, c) in name.chars().enumerate() {
        if c.is_uppercase() && index > 0 {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

fn plural(word: &str) -> String {
    match word {
        "string" | "str" => "texts".to_owned(),
        "hud state" => "states".to_owned(),
        word => match word.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{word}s"),
        },
    }
}

/// The text of a schema's type in errors.
pub(crate) fn words_of_schema(schema: &Json) -> String {
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        let words: Vec<String> = words
            .iter()
            .filter_map(Json::as_str)
            .map(|word| format!("`{word}`"))
            .collect();
        return match words.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            words => words.concat(),
        };
    }
    match types_of(schema).iter().find(|ty| **ty != "null") {
        Some(&"string") => "text".to_owned(),
        Some(&"boolean") => "true or false".to_owned(),
        Some(&"integer") => "a whole number".to_owned(),
        Some(&"number") => "a number".to_owned(),
        Some(&"array") => "a list".to_owned(),
        Some(&"object") => "an object".to_owned(),
        _ => "anything".to_owned(),
    }
}

fn types_of(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(ty)) => vec![ty.as_str()],
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).collect(),
        _ => {
            let any = schema
                .get("anyOf")
                .or_else(|| schema.get("oneOf"))
                .and_then(Json::as_array);
            any.into_iter().flatten().flat_map(types_of).collect()
        }
    }
}
