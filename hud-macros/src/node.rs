//! `#[derive(Node)]`: a struct as a tag that rules lower.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Generics};

use crate::diagnostics::Diagnostics;
use crate::krate;
use crate::props::Prop;
use crate::tag::{self, Tag};

pub(crate) fn node(input: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => {
            diagnostics.extend(error);
            return diagnostics.tokens();
        }
    };
    let name = &input.ident;
    let leaf = is_leaf(&input.attrs, &mut diagnostics);
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(fields),
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        Data::Enum(_) | Data::Union(_) => None,
    };
    let Some(fields) = fields else {
        diagnostics.note(
            name.span(),
            format!("a node is a struct with named props: write `struct {name} {{ .. }}`"),
        );
        return diagnostics.tokens();
    };
    if !can_be_found(&input.generics, &mut diagnostics) {
        return diagnostics.tokens();
    }
    let props: Vec<Prop> = fields
        .named
        .iter()
        .filter_map(|field| {
            let prop = Prop::parse(
                field.ident.clone()?,
                field.ty.clone(),
                &field.attrs,
                &input.generics,
                &mut diagnostics,
                |_| (),
            );
            if let Some(span) = prop.ambient {
                diagnostics.note(
                    span,
                    "a node's rule reads ambient values, with `walk.scope().ambient()`: remove \
                     the field",
                );
            }
            if prop.provide {
                diagnostics.note(
                    prop.name.span(),
                    "a component provides ambient values, a node does not: remove `provide`",
                );
            }
            if !leaf && prop.name == "children" {
                diagnostics.note(
                    prop.name.span(),
                    "a node's children are kept beside it, for its rule: remove the field, or \
                     write `#[node(leaf)]` on the struct",
                );
                return None;
            }
            Some(prop)
        })
        .collect();
    if !leaf && fields.named.len() > props.len() {
        return diagnostics.tokens();
    }
    let docs: Vec<Attribute> = input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .cloned()
        .collect();
    let krate = krate::hud_core();
    let tag = Tag {
        krate: &krate,
        name,
        generics: &input.generics,
        docs: &docs,
        props: &props,
        ambient: &[],
        kind: tag::Kind::Node { leaf },
    }
    .expand();
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let values = props.iter().map(|prop| {
        let name = &prop.name;
        let shown = name.unraw().to_string();
        quote! { (#shown, (&&&#krate::expansion::PropRef(&self.#name)).prop_value()) }
    });
    let errors = diagnostics.tokens();
    quote! {
        #errors
        #tag

        impl #impl_generics #krate::Node for #name #type_generics #where_clause {
            fn meta(&self) -> &'static #krate::TagMeta {
                <#name as #krate::Tag>::META
            }

            fn props(&self) -> ::std::vec::Vec<(&'static str, #krate::node::Value)> {
                #[allow(unused_imports, reason = "which one applies depends on the props' types")]
                use #krate::expansion::{AsDebug as _, AsOpaque as _, AsValue as _};
                ::std::vec![#(#values),*]
            }
        }
    }
}

/// Whether a rule can be found by the node's type, and a tag without arguments names it.
fn can_be_found(generics: &Generics, diagnostics: &mut Diagnostics) -> bool {
    let mut found = true;
    for param in &generics.params {
        let message = match param {
            GenericParam::Lifetime(_) => {
                "a node owns what it holds, since rules are found by its type: \
                 use `String` for text, or give it as children"
                    .to_owned()
            }
            GenericParam::Type(param) if param.default.is_none() => {
                format!(
                    "a node's type parameter has a default: write `{0} = ()`",
                    param.ident
                )
            }
            GenericParam::Const(param) if param.default.is_none() => {
                format!(
                    "a node's const parameter has a default: write `= ..` behind `{}`",
                    param.ident
                )
            }
            GenericParam::Type(_) | GenericParam::Const(_) => continue,
        };
        diagnostics.note(param.span(), message);
        found = false;
    }
    found
}

/// Whether `#[node(leaf)]` is there.
fn is_leaf(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> bool {
    let mut leaf = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("node")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("leaf") {
                leaf = true;
                Ok(())
            } else {
                Err(meta.error("unknown key in `#[node(..)]`: write `leaf`"))
            }
        });
        if let Err(error) = parsed {
            diagnostics.extend(error);
        }
    }
    leaf
}
