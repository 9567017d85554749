//! The types of props and of what is given to them.

use serde_json::Value as Json;

use crate::expr::{Expr, ExprKind, Mistake, nearest};
use crate::walk;

/// The names that an expression may use.
pub(crate) struct Names<'n> {
    /// The schema of the state.
    pub(crate) state: &'n Json,
    /// The schema of the props, in a component.
    pub(crate) props: Option<&'n Json>,
    pub(crate) is_component: bool,
    pub(crate) known: &'n [&'n str],
}

/// A type in words: `a list of decisions` for `&'a [Decision]`.
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
        "str" | "String" => "a text".to_owned(),
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

/// What a schema takes, in words.
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
        Some(&"string") => "a text".to_owned(),
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

/// Notes what of an expression that is shown can't be.
pub(crate) fn shown(expr: &Expr, names: &Names<'_>, mistakes: &mut Vec<Mistake>) {
    read(expr, names, mistakes);
}

/// Notes names that there are not.
fn read(expr: &Expr, names: &Names<'_>, mistakes: &mut Vec<Mistake>) {
    let mut bound: Vec<&str> = Vec::new();
    walk::walk(expr, &mut |expr| {
        if let ExprKind::Arrow(arrow) = &expr.kind {
            bound.extend(arrow.params.iter().map(|name| &*name.text));
        }
    });
    walk::walk(expr, &mut |expr| {
        let ExprKind::Name(name) = &expr.kind else {
            return;
        };
        let is_known = names.known.contains(&&**name)
            || bound.contains(&&**name)
            || &**name == "props" && names.is_component;
        if is_known {
            return;
        }
        let known = names.known.iter().copied().chain(bound.iter().copied());
        let mistake = match nearest(name, known.collect::<Vec<_>>()) {
            Some(near) => format!("there is no `{name}` here: did you mean `{near}`?"),
            None => {
                format!("there is no `{name}` here: there are `state`, `density` and `context`")
            }
        };
        mistakes.push(Mistake::new(expr.span, mistake));
    });
    let _ = (names.state, names.props);
}

/// Notes a value of a prop that is of another type.
pub(crate) fn fits(
    value: &Expr,
    schema: &Json,
    wanted: &str,
    prop: &str,
    tag: &str,
    names: &Names<'_>,
    mistakes: &mut Vec<Mistake>,
) {
    read(value, names, mistakes);
    let types = types_of(schema);
    let (found, fits): (&str, &[&str]) = match &value.kind {
        ExprKind::Text(_) | ExprKind::Template { .. } => ("text", &["string"]),
        ExprKind::Number(number) if number.fract() == 0.0 => ("a number", &["number", "integer"]),
        ExprKind::Number(_) => ("a number with a fraction", &["number"]),
        ExprKind::Bool(_) => ("true or false", &["boolean"]),
        ExprKind::Array(_) => ("a list", &["array"]),
        ExprKind::Object(_) => ("an object", &["object"]),
        ExprKind::Tag(_) | ExprKind::Fragment(_) => ("an element", &[]),
        _ => return,
    };
    let is_word = |word: &str| {
        let words = schema.get("enum").and_then(Json::as_array);
        words.is_none_or(|words| words.iter().any(|known| known == word))
    };
    let wrong_word = match &value.kind {
        ExprKind::Text(word) if types.contains(&"string") && !is_word(word) => true,
        _ => false,
    };
    if wrong_word {
        mistakes.push(Mistake::new(value.span, format!("`{prop}` is {wanted}")));
    } else if !types.is_empty() && !types.iter().any(|ty| fits.contains(ty)) {
        mistakes.push(Mistake::new(
            value.span,
            format!("`{prop}` of `<{tag}>` takes {wanted}, found {found}"),
        ));
    }
}
