//! The check of the static layer.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics};

use super::super::model::Component;
use crate::tag;

impl Component {
    /// The check that no prop of a component in the static layer has a type that is declared to change from turn to
    /// turn.
    pub(super) fn steadiness(&self) -> TokenStream {
        if !self.options.is_static() {
            return TokenStream::new();
        }
        let krate = &self.krate;
        let mut types = TypesOf {
            generics: &self.generics,
            found: Vec::new(),
        };
        for ty in self.argument_types() {
            types.visit_type(ty);
        }
        let checks = types.found.iter().map(|path| {
            let message = format!(
                "`{}` changes from turn to turn, so a component of the static layer cannot \
                 read it: take the part that it shows, or write `#[component(layer = dynamic)]`",
                path.to_token_stream().to_string().replace(' ', "")
            );
            quote_spanned! { path.span() =>
                const _: () = steady(<#path>::CHANGES_EACH_TURN, #message);
            }
        });
        quote! {
            const _: () = {
                #[allow(unused_imports, reason = "a prop's type may have the constant itself")]
                use #krate::expansion::{EachTurn as _, steady};
                #(#checks)*
            };
        }
    }
}

/// The types within a type that contain no generic parameter. All their lifetimes are `'static`.
struct TypesOf<'a> {
    generics: &'a Generics,
    found: Vec<syn::Path>,
}

impl Visit<'_> for TypesOf<'_> {
    fn visit_type_path(&mut self, ty: &syn::TypePath) {
        let path = &ty.path;
        let own = |param: &Ident| {
            let mut open = false;
            for segment in &path.segments {
                open |= tag::mentions(segment.to_token_stream(), param);
            }
            open
        };
        let is_open = self.generics.params.iter().any(|param| match param {
            GenericParam::Type(param) => own(&param.ident),
            GenericParam::Const(param) => own(&param.ident),
            GenericParam::Lifetime(_) => false,
        });
        if !is_open && ty.qself.is_none() {
            let mut path = path.clone();
            crate::lifetimes::make_static(&mut path);
            self.found.push(path);
        }
        visit::visit_type_path(self, ty);
    }
}
