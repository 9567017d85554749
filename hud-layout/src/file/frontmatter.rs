//! The frontmatter of a file, and the declaration of a component.

use std::sync::Arc;

use hud_core::Density;
use serde_json::{Map, Value, json};

use crate::expr::{self, Meter, Mistake, Scope, Span, nearest};

/// The declared properties of a file or a component.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The name. For a component it is also the name of its tag.
    pub name: Option<Arc<str>>,
    /// The description.
    pub docs: String,
    /// The density at which everything in it is shown.
    pub density: Option<Density>,
    /// The schema of the props. A file with props is a component.
    pub props: Option<Value>,
}

/// The keys of a frontmatter.
const KEYS: [&str; 4] = ["name", "docs", "density", "props"];

impl Declared {
    /// Sets the value of a key.
    pub(super) fn set(
        &mut self,
        key: &str,
        key_span: Span,
        value: Value,
        span: Span,
        mistakes: &mut Vec<Mistake>,
    ) {
        match (key, value) {
            ("name", Value::String(name)) => match is_name(&name) {
                true => self.name = Some(name.into()),
                false => mistakes.push(Mistake::new(
                    span,
                    "a component's name begins with a capital letter, and has only letters and digits",
                )),
            },
            ("docs", Value::String(docs)) => self.docs = docs,
            ("density", Value::String(word)) if word.parse::<Density>().is_ok() => {
                self.density = word.parse().ok();
            }
            ("density", _) => mistakes.push(Mistake::new(
                span,
                "`density` is `full`, `compact` or `minimal`",
            )),
            ("props", Value::Object(props)) => match schema(props) {
                Ok(schema) => self.props = Some(schema),
                Err(message) => mistakes.push(Mistake::new(span, message)),
            },
            ("props", _) => mistakes.push(
                Mistake::new(span, "`props` is an object of schemas")
                    .with_help("write `props: {title: \"string\", count: \"number?\"}`"),
            ),
            ("name" | "docs", _) => {
                mistakes.push(Mistake::new(span, format!("`{key}` is text")));
            }
            _ => {
                let message = match nearest(key, KEYS) {
                    Some(near) => format!("there is no `{key}` here: did you mean `{near}`?"),
                    None => format!(
                        "there is no `{key}` here: there are `name`, `docs`, `density` and `props`"
                    ),
                };
                mistakes.push(Mistake::new(key_span, message));
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The schema of props. They are declared by a JSON schema of an object, or by names that each have a schema or the
/// name of a type.
fn schema(props: Map<String, Value>) -> Result<Value, String> {
    if props.get("type").is_some_and(|ty| ty == "object") && props.contains_key("properties") {
        return Ok(Value::Object(props));
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, given) in props {
        let (schema, optional) = match given {
            Value::String(word) => {
                let (ty, optional) = match word.strip_suffix('?') {
                    Some(ty) => (ty, true),
                    None => (word.as_str(), false),
                };
                const TYPES: [&str; 7] = [
                    "string", "number", "integer", "boolean", "array", "object", "any",
                ];
                if !TYPES.contains(&ty) {
                    return Err(match nearest(ty, TYPES) {
                        Some(near) => format!("there is no type `{ty}`: did you mean `{near}`?"),
                        None => format!("there is no type `{ty}`: there are {}", TYPES.join(", ")),
                    });
                }
                match ty {
                    "any" => (json!({}), optional),
                    ty => (json!({ "type": ty }), optional),
                }
            }
            Value::Object(schema) => {
                let optional = schema.contains_key("default");
                (Value::Object(schema), optional)
            }
            _ => {
                return Err(format!(
                    "the prop `{name}` takes a schema, or a type such as \"string\""
                ));
            }
        };
        if !optional {
            required.push(name.clone());
        }
        properties.insert(name, schema);
    }
    Ok(json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    }))
}

/// Reads the frontmatter. It returns the byte offset at which the rest begins.
pub(super) fn read(source: &str, mistakes: &mut Vec<Mistake>) -> (Declared, usize) {
    let mut declared = Declared::default();
    let start = if source.starts_with('\u{feff}') { 3 } else { 0 };
    let after = |line: &str| matches!(line.trim_end(), "---");
    let mut lines = source[start..].split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| after(line)) else {
        return (declared, start);
    };
    let begin = start + first.len();
    let mut at = begin;
    let mut end = None;
    for line in lines {
        if after(line) {
            end = Some((at, at + line.len()));
            break;
        }
        at += line.len();
    }
    let Some((end, body)) = end else {
        mistakes.push(Mistake::new(
            Span::new(start, start + 3),
            "this frontmatter is not closed: write `---` below it",
        ));
        return (declared, source.len());
    };
    // A key begins a line, and its value continues until the next key.
    let mut at = begin;
    let mut keys: Vec<(usize, usize)> = Vec::new();
    for line in source[begin..end].split_inclusive('\n') {
        let is_key = line.starts_with(|c: char| c.is_ascii_alphabetic())
            && line.split_once(':').is_some_and(|(key, _)| {
                key.chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            });
        match line.split_once(':') {
            Some((key, _)) if is_key => keys.push((at, key.len())),
            _ if keys.is_empty() && !line.trim().is_empty() => mistakes.push(Mistake::new(
                Span::new(at, at + line.trim_end().len()),
                "this line is not `key: value`",
            )),
            _ => {}
        }
        at += line.len();
    }
    for (index, &(at, length)) in keys.iter().enumerate() {
        let next = keys.get(index + 1).map_or(end, |&(next, _)| next);
        let text = &source[at + length + 1..next];
        let lead = text.len() - text.trim_start().len();
        let from = at + length + 1 + lead;
        let text = text.trim();
        let (key, key_span) = (&source[at..at + length], Span::new(at, at + length));
        let span = Span::new(from, (from + text.len()).max(from + 1));
        let begins_value = text.starts_with(['{', '[', '"', '\'', '`']);
        let value = match begins_value {
            true => constant(text, from, mistakes),
            false => Some(Value::String(text.to_owned())),
        };
        if let Some(value) = value {
            declared.set(key, key_span, value, span, mistakes);
        }
    }
    (declared, body)
}

/// The value of a constant expression.
pub(super) fn constant(text: &str, at: usize, mistakes: &mut Vec<Mistake>) -> Option<Value> {
    match expr::parse(text, at) {
        Ok(expr) => constant_of(&expr, mistakes),
        Err(wrong) => {
            mistakes.extend(wrong);
            None
        }
    }
}

pub(super) fn constant_of(expr: &expr::Expr, mistakes: &mut Vec<Mistake>) -> Option<Value> {
    match expr::eval(expr, &Scope::new(), &mut Meter::default()) {
        Ok(value) => Some(value.to_json()),
        Err(mistake) => {
            mistakes.push(mistake);
            None
        }
    }
}
