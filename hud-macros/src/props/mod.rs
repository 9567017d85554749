//! Props: the model that components and nodes share.

mod expand;
mod parse;

pub(crate) use expand::metas;
use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, Token, Type};

use crate::types::last_segment;

/// A prop.
pub(crate) struct Prop {
    pub(crate) name: Ident,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) ty: Type,
    /// The type as it is written, without the elided lifetimes.
    declared: String,
    /// The doc comments, as attributes.
    docs: Vec<Attribute>,
    pub(crate) kind: Kind,
    /// `#[prop(into)]`
    into: bool,
    /// `#[prop(default)]`, `#[prop(default = expression)]`
    pub(crate) default: Option<Default>,
    /// `#[prop(ambient)]`: not a prop, but a context value that is passed in.
    pub(crate) ambient: Option<Span>,
    /// `#[prop(provide)]`: a context value for everything that is rendered below.
    pub(crate) provide: bool,
}

/// The kind of a prop, which determines how its value is given.
pub(crate) enum Kind {
    /// A value.
    Value,
    /// An `Option` of this type.
    Optional(Box<Type>),
    /// Elements.
    Slot,
    /// Optional elements.
    OptionalSlot,
    /// The density of the call, which is that of the context by default.
    Density,
}

pub(crate) enum Default {
    Trait,
    Expr(Box<Expr>),
}

impl Prop {
    /// True if the type is `Ambient`, which holds any value.
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

/// The text of doc attributes, with a line for each.
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
