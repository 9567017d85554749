//! The conversion of data to an element of a component with `schema`. If its props borrow, it also generates an
//! owned twin: a struct that owns the data and lends it when it is rendered.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Type, TypeReference};

use super::super::model::Component;
use crate::lifetimes;
use crate::props::{Default, Kind, Prop};
use crate::types::{last_segment, type_argument};

/// The reference in a prop's type.
enum Lent<'t> {
    /// `&T`.
    Whole(&'t Type),
    /// `Option<&T>`.
    Optional(&'t Type),
}

fn lent(ty: &Type) -> Option<Lent<'_>> {
    match ty {
        Type::Reference(TypeReference { elem, .. }) => Some(Lent::Whole(elem)),
        ty => match last_segment(ty)
            .filter(|word| word.ident == "Option")
            .and_then(type_argument)
        {
            Some(Type::Reference(TypeReference { elem, .. })) => Some(Lent::Optional(elem)),
            _ => None,
        },
    }
}

/// Replaces the lifetimes of a type with `'static`.
fn without_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    lifetimes::make_static_type(&mut ty);
    ty
}

impl Component {
    /// True if a prop borrows. The struct of the props can then not be deserialized directly.
    pub(super) fn lends(&self) -> bool {
        self.options.schema.is_some() && self.props.iter().any(|prop| lent(&prop.ty).is_some())
    }

    /// The implementation of `FromData` for a component with `schema`. A component with type or const parameters has
    /// none, because `FromData` needs one concrete tag.
    pub(super) fn way_from_data(&self) -> TokenStream {
        let is_open = |param: &GenericParam| !matches!(param, GenericParam::Lifetime(_));
        if self.options.schema.is_none() || self.generics.params.iter().any(is_open) {
            return TokenStream::new();
        }
        let Self { krate, name, .. } = self;
        let (impl_generics, type_generics, where_clause) = self.generics.split_for_impl();
        let data = match self.lends() {
            true => quote! { __Owned },
            false => {
                let lifetimes = self.generics.lifetimes().map(|_| quote! { 'static });
                quote! { #name<#(#lifetimes),*> }
            }
        };
        let slots = self.props.iter().filter_map(|prop| {
            let name = &prop.name;
            let text = name.to_string();
            let given = match prop.kind {
                Kind::Slot => quote! { given },
                Kind::OptionalSlot => quote! { ::core::option::Option::Some(given) },
                Kind::Value | Kind::Optional(_) | Kind::Density => return None,
            };
            Some(quote! {
                if let ::core::option::Option::Some(given) = slots.take(#text) {
                    data.#name = #given;
                }
            })
        });
        quote! {
            impl #impl_generics #krate::schema::FromData for #name #type_generics #where_clause {
                type Data = #data;

                #[allow(unused_mut, unused_variables, reason = "there may be no slots")]
                fn element(
                    mut data: Self::Data,
                    slots: &mut #krate::schema::Slots,
                ) -> #krate::Element<'static> {
                    #(#slots)*
                    #krate::Element::component(data)
                }
            }
        }
    }

    /// The struct that owns the data that the props borrow.
    pub(super) fn owned(&self) -> TokenStream {
        let Self {
            krate, name, docs, ..
        } = self;
        let fields = self.props.iter().map(|prop| {
            let (name, docs, ty) = (&prop.name, prop.docs(), self.owned_type(prop));
            let serde = self.serde_of(prop, "__Owned");
            quote! { #docs #serde #name: #ty }
        });
        let defaults = self.props.iter().filter_map(|prop| {
            let Some(Default::Expr(expr)) = &prop.default else {
                return None;
            };
            let (function, ty) = (super::data::default_name(prop), self.owned_type(prop));
            let expr = match (lent(&prop.ty), &prop.kind) {
                (Some(Lent::Whole(of)), _) => {
                    let of = without_lifetimes(of);
                    quote! { <#of as ::std::borrow::ToOwned>::to_owned(#expr) }
                }
                (_, Kind::Density) => quote! { ::core::option::Option::Some(#expr) },
                _ => expr.to_token_stream(),
            };
            Some(quote! { fn #function() -> #ty { #expr } })
        });
        let (serde, schemars) = super::data::paths(krate);
        let named = name.to_string();
        quote! {
            #(#docs)*
            #[derive(#krate::schema::serde::Deserialize, #krate::schema::schemars::JsonSchema)]
            #[serde(crate = #serde, deny_unknown_fields)]
            #[schemars(crate = #schemars, rename = #named)]
            pub struct __Owned {
                #(#fields,)*
            }

            impl __Owned {
                #(#defaults)*
            }
        }
    }

    /// The type of a prop in the owned struct.
    fn owned_type(&self, prop: &Prop) -> TokenStream {
        let owned = |of: &Type| {
            let of = without_lifetimes(of);
            quote_spanned! { syn::spanned::Spanned::span(&of) =>
                <#of as ::std::borrow::ToOwned>::Owned
            }
        };
        match lent(&prop.ty) {
            Some(Lent::Whole(of)) => owned(of),
            Some(Lent::Optional(of)) => {
                let of = owned(of);
                quote! { ::core::option::Option<#of> }
            }
            None => match prop.kind {
                Kind::Density => prop.field_type(&self.krate),
                _ => without_lifetimes(&prop.ty).to_token_stream(),
            },
        }
    }

    /// The argument for a prop when the owned struct calls the function.
    pub(super) fn lent(&self, prop: &Prop) -> TokenStream {
        let (krate, name) = (&self.krate, &prop.name);
        let borrow = |of: &Type| {
            let of = without_lifetimes(of);
            quote! { <<#of as ::std::borrow::ToOwned>::Owned as ::core::borrow::Borrow<#of>>::borrow }
        };
        match lent(&prop.ty) {
            Some(Lent::Whole(of)) => {
                let borrow = borrow(of);
                quote! { #borrow(&self.#name) }
            }
            Some(Lent::Optional(of)) => {
                let borrow = borrow(of);
                quote! { self.#name.as_ref().map(#borrow) }
            }
            None => quote! { #krate::expansion::again(&self.#name) },
        }
    }
}
