//! The tokens of a prop.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::{Default, Kind, Prop, text};
use crate::lifetimes;
use crate::types::{last_segment, type_argument};

impl Prop {
    /// The docs of the prop's field and setter.
    pub(crate) fn docs(&self) -> TokenStream {
        match (&self.kind, self.docs.as_slice()) {
            (Kind::Density, []) => {
                quote! { #[doc = "How much is said; by default the ambient density."] }
            }
            (_, docs) => quote! { #(#docs)* },
        }
    }

    /// The type of the prop in the struct.
    pub(crate) fn field_type(&self, krate: &TokenStream) -> TokenStream {
        match self.kind {
            Kind::Density => quote! { ::core::option::Option<#krate::Density> },
            _ => self.ty.to_token_stream(),
        }
    }

    /// Its entry in the tag's description.
    pub(crate) fn meta(&self, hud: &TokenStream) -> TokenStream {
        let (name, ty) = (self.name.unraw().to_string(), &self.declared);
        let (docs, required) = (text(&self.docs), self.required());
        quote! {
            #hud::PropMeta { name: #name, ty: #ty, docs: #docs, required: #required }
        }
    }

    /// The type that the builder holds in an `Option` until the prop is given.
    pub(crate) fn held(&self, hud: &TokenStream) -> TokenStream {
        match &self.kind {
            Kind::Optional(inner) => inner.to_token_stream(),
            Kind::OptionalSlot => last_segment(&self.ty)
                .and_then(type_argument)
                .to_token_stream(),
            Kind::Density => quote! { #hud::Density },
            Kind::Value | Kind::Slot => self.ty.to_token_stream(),
        }
    }

    /// The method of the builder that gives the prop.
    pub(crate) fn setter(&self, hud: &TokenStream) -> TokenStream {
        let name = &self.name;
        let (held, docs) = (self.held(hud), self.docs());
        let (takes, value) = match &self.kind {
            Kind::Slot | Kind::OptionalSlot => {
                let lifetime = lifetimes::of_element(&self.ty);
                (
                    quote! { impl #hud::IntoElement<#lifetime> },
                    quote! { #hud::IntoElement::into_slot(value) },
                )
            }
            _ if self.is_ambient_type() => {
                let lifetime = lifetimes::of_element(&self.ty);
                (
                    quote! { impl #hud::IntoAmbient<#lifetime> },
                    quote! {
                        #hud::Some(
                            #hud::IntoAmbient::into_ambient(value)
                        )
                    },
                )
            }
            _ if self.into => (
                quote! { impl #hud::IntoProp<#held> },
                quote! {
                    #hud::Some(#hud::IntoProp::into_prop(value))
                },
            ),
            Kind::Optional(_) | Kind::Density => (
                quote! { impl #hud::IntoOptional<#held> },
                quote! { #hud::IntoOptional::into_optional(value) },
            ),
            Kind::Value => (held, quote! { #hud::Some(value) }),
        };
        quote! {
            #docs
            #[inline]
            pub fn #name(&mut self, value: #takes) {
                self.#name = #value;
            }
        }
    }

    /// The builder's field when all of the props are given as `value`.
    pub(crate) fn spread(&self, hud: &TokenStream) -> TokenStream {
        let name = &self.name;
        if self.is_optional() {
            quote! { value.#name }
        } else {
            quote! { #hud::Some(value.#name) }
        }
    }

    /// The prop's value when the builder is done.
    pub(crate) fn built(&self, hud: &TokenStream) -> TokenStream {
        let name = &self.name;
        match &self.default {
            // The ambient density's place is an option, and its default is a density.
            Some(Default::Expr(expr)) if matches!(self.kind, Kind::Density) => {
                quote! { self.#name.or_else(|| #hud::Some(#expr)) }
            }
            Some(Default::Expr(expr)) if self.is_optional() => {
                quote! { self.#name.or_else(|| #expr) }
            }
            _ if self.is_optional() => quote! { self.#name },
            Some(Default::Trait) => {
                let ty = &self.ty;
                quote! { #hud::or_default::<#ty>(self.#name) }
            }
            Some(Default::Expr(expr)) => quote! { self.#name.unwrap_or_else(|| #expr) },
            None => quote! { #hud::given(self.#name) },
        }
    }
}
