//! Props that are deserialized from data: `#[component(schema)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::super::model::Component;
use crate::krate::Krate;
use crate::props::{Default, Kind, Prop};

impl Component {
    /// The serde attribute of a prop.
    pub(super) fn serde(&self, prop: &Prop) -> TokenStream {
        self.serde_of(prop, &self.name.to_string())
    }

    /// The serde attribute of a prop in the struct with this name.
    pub(super) fn serde_of(&self, prop: &Prop, name: &str) -> TokenStream {
        match &prop.default {
            Some(Default::Expr(_)) => {
                let path = format!("{name}::{}", default_name(prop));
                quote! { #[serde(default = #path)] }
            }
            None if !prop.is_optional() => quote! {},
            _ => quote! { #[serde(default)] },
        }
    }

    /// The functions that return the default values to serde.
    pub(super) fn defaults(&self) -> TokenStream {
        if self.options.schema.is_none() || self.lends() {
            return TokenStream::new();
        }
        let Self { krate, name, .. } = self;
        let (impl_generics, type_generics, where_clause) = self.generics.split_for_impl();
        let functions = self.props.iter().filter_map(|prop| {
            let Some(Default::Expr(expr)) = &prop.default else {
                return None;
            };
            let (function, ty) = (default_name(prop), prop.field_type(krate));
            let expr = match prop.kind {
                Kind::Density => quote! { ::core::option::Option::Some(#expr) },
                _ => expr.to_token_stream(),
            };
            Some(quote! { fn #function() -> #ty { #expr } })
        });
        quote! {
            impl #impl_generics #name #type_generics #where_clause {
                #(#functions)*
            }
        }
    }
}

/// The name of the function that returns a prop's default value to serde.
pub(crate) fn default_name(prop: &Prop) -> Ident {
    format_ident!("__default_{}", prop.name)
}

/// The paths of `serde` and `schemars` for the `crate` arguments of their attributes.
pub(crate) fn paths(krate: &Krate) -> (String, String) {
    let krate = krate.to_token_stream();
    let path = |of| format!("{krate}::schema::{of}").replace(' ', "");
    (path("serde"), path("schemars"))
}
