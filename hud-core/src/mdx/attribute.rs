//! Props as attributes.

use std::fmt::Write as _;

use markdown::mdast::{
    AttributeContent, AttributeValue, AttributeValueExpression, MdxJsxAttribute,
};

use crate::node::{Node, Value};

/// The props of a node, without empty ones.
pub(super) fn attributes(node: &dyn Node) -> Vec<AttributeContent> {
    let props = node.props().into_iter();
    let given = props.filter_map(|(name, value)| {
        let value = match value {
            Value::None | Value::Hidden => return None,
            Value::Bool(true) => None,
            Value::Text(text) if is_plain(&text) => Some(AttributeValue::Literal(text)),
            value => Some(AttributeValue::Expression(AttributeValueExpression {
                value: expression(&value),
                stops: Vec::new(),
            })),
        };
        let name = name.to_owned();
        Some(AttributeContent::Property(MdxJsxAttribute { name, value }))
    });
    given.collect()
}

/// True if a text can be written between double quotes without escapes, at any place.
fn is_plain(text: &str) -> bool {
    let is_plain = |c: char| match c {
        ' ' | '-' | '_' | '.' | ',' | ':' | '/' => true,
        c => c.is_alphanumeric(),
    };
    text.chars().all(is_plain)
}

/// A value as a JavaScript expression.
fn expression(value: &Value) -> String {
    match value {
        Value::None | Value::Hidden => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "NaN".to_owned(),
        Value::Float(value) if value.is_infinite() => if *value > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => literal(text),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(expression).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter();
            let members: Vec<String> = members
                .map(|(name, value)| format!("{}: {}", literal(name), expression(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// A text as a JavaScript string without characters that are markup in MDX, tables or templates.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '{' | '}' | '<' | '>' | '|' | '`' | '\u{2028}' | '\u{2029}' => escape(c, &mut literal),
            c if c.is_control() => escape(c, &mut literal),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

fn escape(c: char, literal: &mut String) {
    // Writing to a string never fails.
    let _ = write!(literal, "\\u{:04x}", u32::from(c));
}
