//! `[text][label]`, `![alt][label]`, and their short forms.

use markdown::mdast::{ImageReference, LinkReference, ReferenceKind};

use super::super::association::association;
use super::super::constructs::Constructs;
use super::super::safe::Info;
use super::super::state::State;
use super::Role;

pub(super) fn enter<'a>(state: &mut State<'a>, reference: &'a LinkReference) {
    let constructs = state.constructs.and(Constructs::LABEL);
    let role = Role::LinkReference(reference);
    state.open_phrasing(role, &reference.children, constructs, Info::new('[', ']'));
}

pub(super) fn leave(state: &State<'_>, reference: &LinkReference, text: &str) -> String {
    let label = label(state, &reference.label, &reference.identifier);
    write(reference.reference_kind, "[", text, &label)
}

pub(super) fn write_image(state: &State<'_>, reference: &ImageReference) -> String {
    let constructs = state.constructs.and(Constructs::LABEL);
    let mut alt = String::new();
    state
        .safe(constructs)
        .write(&mut alt, &reference.alt, Info::new('[', ']'));
    let label = label(state, &reference.label, &reference.identifier);
    write(reference.reference_kind, "![", &alt, &label)
}

fn label(state: &State<'_>, label: &Option<String>, identifier: &str) -> String {
    // Neither attention nor code forms in a label.
    let constructs = state
        .constructs
        .without(Constructs::PHRASING)
        .and(Constructs::REFERENCE);
    let mut out = String::new();
    let label = association(label, identifier);
    state
        .safe(constructs)
        .write(&mut out, &label, Info::new('[', ']'));
    out
}

/// The short forms are for texts that are their own label.
fn write(kind: ReferenceKind, open: &str, text: &str, label: &str) -> String {
    let is_own_label = !text.is_empty() && text == label;
    match kind {
        ReferenceKind::Shortcut if is_own_label => format!("{open}{text}]"),
        ReferenceKind::Collapsed if is_own_label => format!("{open}{text}][]"),
        _ => format!("{open}{text}][{label}]"),
    }
}
