//! Props: the model that components and nodes share.

mod expand;
mod parse;

pub(crate) use expand::metas;
use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, Token, Type};

use crate::types::last_segment;

/// One prop.
pub(crate) struct Prop {
    pub(crate) name: Ident,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) ty: Type,
    /// The type as the user wrote it, without the lifetimes that were left out.
    declared: String,
    /// Its doc comments, as attributes.
    docs: Vec<Attribute>,
    pub(crate) kind: Kind,
    /// `#[prop(into)]`
    into: bool,
    /// `#[prop(default)]`, `#[prop(default = expression)]`
    pub(crate) default: Option<Default>,
    /// `#[prop(ambient)]`: no prop, but passed in from what surrounds the call.
    pub(crate) ambient: Option<Span>,
    /// `#[prop(provide)]`: given to all that is rendered below.
    pub(crate) provide: bool,
}

/// What decides how a prop is given.
pub(crate) enum Kind {
    /// A value.
    Value,
    /// An `Option`; here what is in it.
    Optional(Box<Type>),
    /// Elements.
    Slot,
    /// Elements or none.
    OptionalSlot,
    /// The density: the caller's, or else the ambient one.
    Density,
}

pub(crate) enum Default {
    Trait,
    Expr(Box<Expr>),
}

impl Prop {
    /// Whether its type is `Ambient`, which holds any value.
    pub(crate) fn is_ambient_type(&self) -> bool {
        self.provide && last_segment(&self.ty).is_some_and(|word| word.ident == "Ambient")
    }

    pub(crate) fn is_optional(&self) -> bool {
        matches!(
            self.kind,
            Kind::Optional(_) | Kind::OptionalSlot | Kind::Density
        )
    }

    pub(crate) fn required(&self) -> bool {
        self.default.is_none() && !self.is_optional() && self.ambient.is_none()
    }
}

/// The text of doc attributes, a line each.
pub(crate) fn text(docs: &[Attribute]) -> String {
    let lines: Vec<String> = docs
        .iter()
        .filter_map(|attr| match &attr.meta {
            syn::Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    syn::Lit::Str(line) => Some(line.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .collect();
    lines.join("\n")
}
