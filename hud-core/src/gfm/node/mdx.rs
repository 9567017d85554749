//! MDX: elements with attributes, and expressions.

use markdown::mdast::{
    AttributeContent, AttributeValue, MdxJsxFlowElement, MdxJsxTextElement, Node,
};

use super::super::character::is_eol;
use super::super::context::Context;
use super::super::description::{Flow, FlowRole, Phrasing, PhrasingRole};
use super::super::safe::Info;
use super::indent_lines;

pub(super) fn describe_flow(element: &MdxJsxFlowElement) -> Flow<'_> {
    let attributes = attributes(&element.attributes);
    let separator = if attributes
        .iter()
        .any(|attribute| attribute.contains(is_eol))
    {
        "\n  "
    } else {
        " "
    };
    let eol = if element.children.is_empty() {
        ""
    } else {
        "\n"
    };
    let start = start_tag(&element.name, &attributes, separator, &element.children);
    let end = end_tag(&element.name, &element.children);
    Flow {
        lead: start + eol,
        trail: format!("{eol}{end}"),
        ..Flow::new(FlowRole::Plain, &element.children).prefixed("  ", "  ")
    }
}

pub(super) fn describe_text<'a>(
    context: &Context<'a>,
    element: &'a MdxJsxTextElement,
) -> Phrasing<'a> {
    Phrasing {
        role: PhrasingRole::MdxTextElement(element),
        children: &element.children,
        lead: String::new(),
        constructs: context.constructs,
        info: Info::new('>', '<'),
    }
}

/// The element with this content.
pub(super) fn close_text(element: &MdxJsxTextElement, content: &str) -> String {
    let attributes = attributes(&element.attributes);
    let mut out = start_tag(&element.name, &attributes, " ", &element.children);
    out.push_str(content);
    out.push_str(&end_tag(&element.name, &element.children));
    out
}

pub(super) fn write_expression(value: &str) -> String {
    let indent = |line, is_blank| if line == 0 || is_blank { "" } else { "  " };
    format!("{{{}}}", indent_lines(value, indent))
}

fn start_tag(
    name: &Option<String>,
    attributes: &[String],
    separator: &str,
    children: &[Node],
) -> String {
    let mut tag = format!("<{}", name.as_deref().unwrap_or_default());
    for attribute in attributes {
        tag.push_str(separator);
        tag.push_str(attribute);
    }
    let is_multiline = !attributes.is_empty() && separator != " ";
    if is_multiline {
        tag.push('\n');
    }
    if is_self_closing(name, children) {
        tag.push_str(if is_multiline { "/" } else { " /" });
    }
    tag.push('>');
    tag
}

fn end_tag(name: &Option<String>, children: &[Node]) -> String {
    if is_self_closing(name, children) {
        String::new()
    } else {
        format!("</{}>", name.as_deref().unwrap_or_default())
    }
}

/// True if an element is self-closing. Fragments have no self-closing form.
fn is_self_closing(name: &Option<String>, children: &[Node]) -> bool {
    name.is_some() && children.is_empty()
}

fn attributes(attributes: &[AttributeContent]) -> Vec<String> {
    let write = |attribute: &AttributeContent| match attribute {
        AttributeContent::Expression(expression) => format!("{{{}}}", expression.value),
        AttributeContent::Property(property) => match &property.value {
            None => property.name.clone(),
            Some(AttributeValue::Expression(value)) => {
                format!("{}={{{}}}", property.name, value.value)
            }
            Some(AttributeValue::Literal(value)) => {
                format!("{}=\"{}\"", property.name, value.replace('"', "&#x22;"))
            }
        },
    };
    attributes.iter().map(write).collect()
}
