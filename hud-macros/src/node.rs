//! `#[derive(Node)]` makes a struct a tag that rules lower.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Generics};

use crate::component::{default_name, paths};
use crate::diagnostics::Diagnostics;
use crate::krate::{self, Krate};
use crate::props::{Default, Prop};
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
    let Options {
        leaf,
        schema,
        krate,
    } = Options::parse(&input.attrs, &mut diagnostics);
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
    let (krate, hud) = (krate.unwrap_or_else(krate::hud_core), krate::within());
    let tag = Tag {
        hud: &hud,
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
        quote! { (#shown, (&&&#hud::PropRef(&self.#name)).prop_value()) }
    });
    let data = match schema {
        true => from_data(&krate, &input, &docs, &props),
        false => None,
    };
    let errors = diagnostics.tokens();
    let apart = krate::apart(
        &krate,
        &quote! {
            #tag

            impl #impl_generics #hud::Node for #name #type_generics #where_clause {
                fn meta(&self) -> &'static #hud::TagMeta {
                    <#name as #hud::Tag>::META
                }

                fn props(&self) -> ::std::vec::Vec<(&'static str, #hud::Value)> {
                    #[allow(unused_imports, reason = "which one applies depends on the props' types")]
                    use #hud::{AsDebug as _, AsOpaque as _, AsValue as _};
                    ::std::vec![#(#values),*]
                }
            }
        },
    );
    quote! {
        #errors
        #apart
        #data
    }
}

/// True if a rule can be found by the type of the node, and a tag without arguments names the node.
fn can_be_found(generics: &Generics, diagnostics: &mut Diagnostics) -> bool {
    let mut found = true;
    for param in &generics.params {
        let message = match param {
            GenericParam::Lifetime(_) => {
                "a node owns what it holds, since rules are found by its type: \
                 use `String` for text, or give it as children"
                    .to_owned()
            }
            // The builder's type can't have the bounds of `Node` that the parameter would need.
            GenericParam::Type(_) => {
                "a node has no type parameters, since rules are found by its type: name a type"
                    .to_owned()
            }
            GenericParam::Const(param) if param.default.is_none() => {
                format!(
                    "a node's const parameter has a default: write `= ..` after `{}`",
                    param.ident
                )
            }
            GenericParam::Const(_) => continue,
        };
        diagnostics.note(param.span(), message);
        found = false;
    }
    found
}

/// The arguments of `#[node(..)]`.
#[derive(Default)]
struct Options {
    /// `leaf`: the node takes no children.
    leaf: bool,
    /// `schema`: the props can be deserialized, and have a schema.
    schema: bool,
    /// `crate = path`: the path of `hud_core`.
    krate: Option<Krate>,
}

impl Options {
    fn parse(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut options = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("node")) {
            let parsed = attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("leaf") {
                    options.leaf = true;
                } else if meta.path.is_ident("schema") {
                    options.schema = true;
                } else if meta.path.is_ident("crate") {
                    options.krate = Some(Krate::parse(meta.value()?)?);
                } else {
                    let wrong = "unknown key in `#[node(..)]`: write `leaf`, `schema` or `crate`";
                    return Err(meta.error(wrong));
                }
                Ok(())
            });
            if let Err(error) = parsed {
                diagnostics.extend(error);
            }
        }
        options
    }
}

/// The conversion of data to a node: a struct of its props that can be deserialized, and the implementation of
/// `FromData`. It is `None` for a node with generic parameters, because data can't choose them.
fn from_data(
    krate: &Krate,
    input: &DeriveInput,
    docs: &[Attribute],
    props: &[Prop],
) -> Option<TokenStream> {
    if !input.generics.params.is_empty() {
        return None;
    }
    let name = &input.ident;
    let named = name.to_string();
    let fields = props.iter().map(|prop| {
        let (name, ty, docs) = (&prop.name, &prop.ty, prop.docs());
        let default = format!("__Props::{}", default_name(prop));
        let serde = match &prop.default {
            Some(Default::Expr(_)) => quote! { #[serde(default = #default)] },
            None if !prop.is_optional() => quote! {},
            _ => quote! { #[serde(default)] },
        };
        quote! { #docs #serde #name: #ty }
    });
    let defaults = props.iter().filter_map(|prop| {
        let Some(Default::Expr(expr)) = &prop.default else {
            return None;
        };
        let (function, ty) = (default_name(prop), &prop.ty);
        Some(quote! { fn #function() -> #ty { #expr } })
    });
    let names: Vec<_> = props.iter().map(|prop| &prop.name).collect();
    let (serde, schemars) = paths(krate);
    Some(quote! {
        const _: () = {
            #krate::schema::required!();

            #(#docs)*
            #[derive(#krate::schema::serde::Deserialize, #krate::schema::schemars::JsonSchema)]
            #[serde(crate = #serde, deny_unknown_fields)]
            #[schemars(crate = #schemars, rename = #named)]
            pub struct __Props {
                #(#fields,)*
            }

            impl __Props {
                #(#defaults)*
            }

            impl #krate::schema::FromData for #name {
                type Data = __Props;

                fn element(
                    data: __Props,
                    slots: &mut #krate::schema::Slots,
                ) -> #krate::Element<'static> {
                    let __Props { #(#names),* } = data;
                    #krate::Element::node(#name { #(#names),* }, slots.children())
                }
            }
        };
    })
}
