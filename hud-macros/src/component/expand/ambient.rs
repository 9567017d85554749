//! Context values: the values of the arguments that are passed in, and the method that provides a prop to everything
//! that is rendered below.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::super::model::{Ambient, Component};
use crate::props::{Default, Prop};

impl Component {
    /// The value of an argument that is passed in.
    pub(super) fn surrounding(&self, argument: &Ambient) -> TokenStream {
        let krate = &self.krate;
        let Ambient {
            prop,
            key,
            by_reference,
            optional,
            findable,
        } = argument;
        if !findable {
            return quote! { #krate::expansion::checked() };
        }
        let found = quote! { #krate::Scope::ambient::<#key>(*scope) };
        let default = match &prop.default {
            Some(Default::Expr(expr)) => expr.to_token_stream(),
            Some(Default::Trait) | None => {
                quote! { #krate::expansion::ambient_default::<#key>() }
            }
        };
        match (by_reference, optional) {
            (true, true) => found,
            (false, true) => quote! { #found.map(#krate::expansion::again::<#key>) },
            (true, false) => quote! {
                #found.unwrap_or_else(|| {
                    static __DEFAULT: ::std::sync::LazyLock<#key> =
                        ::std::sync::LazyLock::new(|| #default);
                    &*__DEFAULT
                })
            },
            (false, false) => quote! {
                match #found {
                    ::core::option::Option::Some(value) => #krate::expansion::again::<#key>(value),
                    ::core::option::Option::None => #default,
                }
            },
        }
    }

    /// The method that provides a prop to everything that is rendered below. `lent` returns the value of a prop that
    /// is a reference.
    pub(super) fn provided_method(
        &self,
        lent: impl Fn(&Prop) -> TokenStream,
    ) -> Option<TokenStream> {
        let prop = self.provided()?;
        let name: &Ident = &prop.name;
        let value = match &prop.ty {
            Type::Reference(_) => lent(prop),
            _ if prop.is_ambient_type() => quote! { self.#name.as_any() },
            _ => quote! { &self.#name },
        };
        Some(quote! {
            fn provided(&self) -> ::core::option::Option<&dyn ::core::any::Any> {
                ::core::option::Option::Some(#value)
            }
        })
    }
}
