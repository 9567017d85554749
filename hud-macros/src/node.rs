//! `#[derive(Node)]`: a struct as a tag that rules lower.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Fields};

use crate::diagnostics::Diagnostics;
use crate::props::{Prop, Tag};

pub(crate) fn node(input: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return Diagnostics::from(error).tokens(),
    };
    let mut diagnostics = Diagnostics::default();
    let leaf = is_leaf(&input.attrs, &mut diagnostics);
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(fields),
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        Data::Enum(_) | Data::Union(_) => None,
    };
    let Some(fields) = fields else {
        let name = &input.ident;
        diagnostics.note(
            name.span(),
            format!("a node is a struct with named props: write `struct {name} {{ .. }}`"),
        );
        return diagnostics.tokens();
    };
    if let Some(lifetime) = input.generics.lifetimes().next() {
        diagnostics.note(
            lifetime.span(),
            "a node owns what it holds, since rules are found by its type: \
             use `String` for text, or give it as children",
        );
        return diagnostics.tokens();
    }
    let props: Vec<Prop> = fields
        .named
        .iter()
        .filter_map(|field| {
            let name = field.ident.clone()?;
            Some(Prop::parse(
                name,
                field.ty.clone(),
                &field.attrs,
                &mut diagnostics,
            ))
        })
        .collect();
    let docs: Vec<Attribute> = input
        .attrs
        .into_iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .collect();
    let tag = Tag {
        vis: &input.vis,
        name: &input.ident,
        generics: &input.generics,
        docs: &docs,
        props: &props,
        kind: "Node",
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let meta = tag.meta();
    let builder = if leaf {
        tag.builder(
            false,
            &quote! { ::hud_core::Element<'static> },
            &quote! { ::hud_core::Element::node(built, []) },
        )
    } else {
        tag.builder(
            true,
            &quote! { ::hud_core::Element<'children> },
            &quote! { ::hud_core::Element::node(built, self.children) },
        )
    };
    let errors = diagnostics.tokens();
    quote! {
        #errors
        #meta
        #builder

        impl #impl_generics ::hud_core::Node for #name #type_generics #where_clause {
            fn meta(&self) -> &'static ::hud_core::TagMeta {
                &#name
            }
        }
    }
}

/// Whether `#[node(leaf)]` is there.
fn is_leaf(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> bool {
    let mut leaf = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("node")) {
        let parsed = attr.parse_nested_meta(|meta| {
            leaf |= meta.path.is_ident("leaf");
            if leaf {
                Ok(())
            } else {
                Err(meta.error("unknown key in `#[node(..)]`: write `leaf`"))
            }
        });
        if let Err(error) = parsed {
            diagnostics.note(error.span(), error.to_string());
        }
    }
    leaf
}
