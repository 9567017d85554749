//! `[^label]`, and `[^label]: content`

use markdown::mdast::{FootnoteDefinition, FootnoteReference};

use super::super::association::association;
use super::super::constructs::Constructs;
use super::super::safe::Info;
use super::super::state::State;
use super::Role;

pub(super) fn write_reference(state: &State<'_>, reference: &FootnoteReference) -> String {
    let label = association(&reference.label, &reference.identifier);
    write_label(state, Constructs::REFERENCE, &label)
}

pub(super) fn enter<'a>(state: &mut State<'a>, footnote: &'a FootnoteDefinition) {
    let label = association(&footnote.label, &footnote.identifier);
    let label = write_label(state, Constructs::LABEL, &label);
    state.open_flow(Role::FootnoteDefinition, &footnote.children);
    let is_empty = footnote.children.is_empty();
    let (separator, first) = match state.options.first_line_blank {
        _ if is_empty => ("", ""),
        true => ("\n", INDENT),
        false => (" ", ""),
    };
    let writer = state.writer();
    writer.write(&label);
    writer.write(":");
    writer.write(separator);
    writer.open(first, INDENT);
}

/// Of the lines after the first.
const INDENT: &str = "    ";

fn write_label(state: &State<'_>, construct: Constructs, label: &str) -> String {
    let mut out = "[^".to_owned();
    let safe = state.safe(state.constructs.and(construct));
    safe.write(&mut out, label, Info::new('^', ']'));
    out.push(']');
    out
}
