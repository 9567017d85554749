//! `[text][label]`, `![alt][label]`, and their short forms.

use markdown::mdast::{ImageReference, LinkReference, ReferenceKind};

use super::super::association::association;
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Phrasing, PhrasingRole};
use super::super::safe::Info;

pub(super) fn describe<'a>(context: &Context<'a>, reference: &'a LinkReference) -> Phrasing<'a> {
    Phrasing {
        role: PhrasingRole::LinkReference(reference),
        children: &reference.children,
        lead: String::new(),
        constructs: context.constructs.and(Constructs::LABEL),
        info: Info::new('[', ']'),
    }
}

/// The reference with this text.
pub(super) fn close(context: &Context<'_>, reference: &LinkReference, text: &str) -> String {
    let label = label(context, &reference.label, &reference.identifier);
    write(reference.reference_kind, "[", text, &label)
}

pub(super) fn write_image(context: &Context<'_>, reference: &ImageReference) -> String {
    let constructs = context.constructs.and(Constructs::LABEL);
    let mut alt = String::new();
    context
        .safe(constructs)
        .write(&mut alt, &reference.alt, Info::new('[', ']'));
    let label = label(context, &reference.label, &reference.identifier);
    write(reference.reference_kind, "![", &alt, &label)
}

fn label(context: &Context<'_>, label: &Option<String>, identifier: &str) -> String {
    // Labels contain neither attention nor code.
    let constructs = context
        .constructs
        .without(Constructs::PHRASING)
        .and(Constructs::REFERENCE);
    let mut out = String::new();
    let label = association(label, identifier);
    context
        .safe(constructs)
        .write(&mut out, &label, Info::new('[', ']'));
    out
}

/// Writes a reference. The short forms are only for texts that equal their label.
fn write(kind: ReferenceKind, open: &str, text: &str, label: &str) -> String {
    let is_own_label = !text.is_empty() && text == label;
    match kind {
        ReferenceKind::Shortcut if is_own_label => format!("{open}{text}]"),
        ReferenceKind::Collapsed if is_own_label => format!("{open}{text}][]"),
        _ => format!("{open}{text}][{label}]"),
    }
}
