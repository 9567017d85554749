//! `[^label]`, and `[^label]: content`

use markdown::mdast::{FootnoteDefinition, FootnoteReference};

use super::super::association::association;
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Flow, FlowRole};
use super::super::safe::Info;

pub(super) fn write_reference(context: &Context<'_>, reference: &FootnoteReference) -> String {
    let label = association(&reference.label, &reference.identifier);
    write_label(context, Constructs::REFERENCE, &label)
}

pub(super) fn describe<'a>(context: &Context<'a>, footnote: &'a FootnoteDefinition) -> Flow<'a> {
    let label = association(&footnote.label, &footnote.identifier);
    let label = write_label(context, Constructs::LABEL, &label);
    let is_empty = footnote.children.is_empty();
    let (separator, first) = match context.options.first_line_blank {
        _ if is_empty => ("", ""),
        true => ("\n", INDENT),
        false => (" ", ""),
    };
    Flow {
        lead: format!("{label}:{separator}"),
        ..Flow::new(FlowRole::Plain, &footnote.children).prefixed(first, INDENT)
    }
}

/// The indentation of the lines after the first.
const INDENT: &str = "    ";

fn write_label(context: &Context<'_>, construct: Constructs, label: &str) -> String {
    let mut out = "[^".to_owned();
    let safe = context.safe(context.constructs.and(construct));
    safe.write(&mut out, label, Info::new('^', ']'));
    out.push(']');
    out
}
