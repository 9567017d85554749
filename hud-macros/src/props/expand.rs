//! The generated code of a prop.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, TokenStreamExt, format_ident, quote};
use syn::ext::IdentExt;

use super::{Default, Kind, Prop, text};
use crate::krate::Krate;
use crate::lifetimes;

impl Prop {
    /// The docs of the prop's field, in the struct and in the builder.
    pub(crate) fn docs(&self) -> TokenStream {
        match (&self.kind, self.docs.as_slice()) {
            (Kind::Density, []) => {
                quote! { #[doc = "How much is said; by default the ambient density."] }
            }
            (_, docs) => quote! { #(#docs)* },
        }
    }

    /// The type of the prop in the struct.
    pub(crate) fn field_type(&self, krate: &Krate) -> TokenStream {
        match self.kind {
            Kind::Density => quote! { ::core::option::Option<#krate::Density> },
            _ => self.ty.to_token_stream(),
        }
    }

    /// The entry of the prop in the tag's description, in the order of `PropMeta`.
    fn meta(&self, docs: Option<String>) -> TokenStream {
        let (name, ty) = (self.name.unraw().to_string(), &self.declared);
        let (docs, required) = (docs.into_iter(), self.required());
        quote! { (#name, #ty, #(#docs,)* #required) }
    }

    /// The type of the value in the builder.
    fn held(&self, hud: &impl ToTokens) -> TokenStream {
        match &self.kind {
            Kind::Optional(inner) => inner.to_token_stream(),
            Kind::Density => quote! { #hud::Density },
            Kind::Value | Kind::Slot | Kind::OptionalSlot => self.ty.to_token_stream(),
        }
    }

    /// The type of the builder's field, from `hud_core::expansion`. It determines which values the prop accepts.
    pub(crate) fn place(&self) -> Place {
        match &self.kind {
            Kind::Slot | Kind::OptionalSlot => Place::Elements,
            _ if self.is_ambient_type() => Place::Provided,
            Kind::Optional(_) if self.into => Place::ConvertedOptional,
            _ if self.into => Place::Converted,
            Kind::Optional(_) | Kind::Density => Place::Optional,
            Kind::Value => Place::Exact,
        }
    }

    /// The builder's field for the prop, with its docs.
    pub(crate) fn field(&self, hud: &impl ToTokens) -> TokenStream {
        let (name, docs, place) = (&self.name, self.docs(), self.place());
        let of = match place {
            Place::Elements | Place::Provided => lifetimes::of_element(&self.ty).to_token_stream(),
            Place::Exact | Place::Converted | Place::ConvertedOptional | Place::Optional => {
                self.held(hud)
            }
        };
        quote! { #docs pub #name: #hud::#place<#of> }
    }

    /// The value of the prop when the builder is finished.
    pub(crate) fn built(&self, hud: &impl ToTokens) -> TokenStream {
        let name = &self.name;
        match &self.default {
            // The density's field is an option, and its default is a density.
            Some(Default::Expr(expr)) if matches!(self.kind, Kind::Density) => {
                quote! { self.#name.0.or_else(|| #hud::Some(#expr)) }
            }
            Some(Default::Expr(expr)) if self.is_optional() => {
                quote! { self.#name.0.or_else(|| #expr) }
            }
            _ if self.is_optional() => quote! { self.#name.0 },
            Some(Default::Trait) => {
                let ty = &self.ty;
                quote! { #hud::or_default::<#ty>(self.#name.0) }
            }
            // A closure would cost compile time for each prop. The default comes first, so that a wrong type is
            // reported at the default and not as a difference between two arms.
            Some(Default::Expr(expr)) => quote! {
                match self.#name.0 {
                    #hud::None => #expr,
                    #hud::Some(__given) => __given,
                }
            },
            None => quote! { self.#name.given() },
        }
    }
}

/// The props in the tag's description.
pub(crate) fn metas<'p>(hud: &Ident, props: impl IntoIterator<Item = &'p Prop>) -> TokenStream {
    let props: Vec<_> = { props.into_iter() }
        .map(|prop| (prop, text(&prop.docs)))
        .collect();
    if props.is_empty() {
        return quote! { &[] };
    }
    if props.iter().all(|(_, docs)| docs.is_empty()) {
        let metas = props.iter().map(|(prop, _)| prop.meta(None));
        return quote! { &#hud::props([#(#metas),*]) };
    }
    let metas = props.into_iter().map(|(prop, docs)| prop.meta(Some(docs)));
    quote! { &#hud::documented([#(#metas),*]) }
}

/// A type of `hud_core::expansion` that holds a prop.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Exact,
    Optional,
    Converted,
    ConvertedOptional,
    Elements,
    Provided,
}

impl ToTokens for Place {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append(format_ident!(
            "{}",
            match self {
                Self::Exact => "Exact",
                Self::Optional => "Optional",
                Self::Converted => "Converted",
                Self::ConvertedOptional => "ConvertedOptional",
                Self::Elements => "Elements",
                Self::Provided => "Provided",
            }
        ));
    }
}
