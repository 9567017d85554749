//! Props: the model that components and nodes share, and the builder that `rsx!` fills.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, GenericArgument, Generics, PathArguments, PathSegment, Type, Visibility,
};

use crate::diagnostics::Diagnostics;
use crate::lifetimes;

/// One prop.
pub(crate) struct Prop {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Its doc comments, as attributes.
    docs: Vec<Attribute>,
    pub(crate) kind: Kind,
    /// `#[prop(into)]`
    into: bool,
    /// `#[prop(default)]`, `#[prop(default = expression)]`
    default: Option<Default>,
}

/// What decides how a prop is given.
pub(crate) enum Kind {
    /// A value.
    Value,
    /// An `Option`; here what is in it.
    Optional(Box<Type>),
    /// Elements.
    Slot,
    /// The density: the caller's, or else the ambient one.
    Density,
}

enum Default {
    Trait,
    Expr(Box<Expr>),
}

impl Prop {
    /// A prop from an argument or a field. `attrs` are all its attributes; the ones that are
    /// neither docs nor `#[prop]` are refused.
    pub(crate) fn parse(
        name: Ident,
        ty: Type,
        attrs: &[Attribute],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let kind = match last_segment(&ty) {
            Some(segment) if segment.ident == "Option" => type_argument(segment)
                .map_or(Kind::Value, |inner| Kind::Optional(Box::new(inner.clone()))),
            Some(segment) if segment.ident == "Element" || segment.ident == "Children" => {
                Kind::Slot
            }
            Some(segment) if segment.ident == "Density" && name == "density" => Kind::Density,
            _ => Kind::Value,
        };
        let mut prop = Self {
            name,
            ty,
            docs: Vec::new(),
            kind,
            into: false,
            default: None,
        };
        for attr in attrs {
            if attr.path().is_ident("doc") {
                prop.docs.push(attr.clone());
            } else if attr.path().is_ident("prop") {
                prop.parse_attribute(attr, diagnostics);
            } else {
                diagnostics.note(
                    attr.span(),
                    "a prop takes doc comments and `#[prop(..)]`, no other attribute",
                );
            }
        }
        prop
    }

    fn parse_attribute(&mut self, attr: &Attribute, diagnostics: &mut Diagnostics) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("into") {
                self.into = true;
            } else if meta.path.is_ident("default") {
                self.default = Some(match meta.value() {
                    Ok(value) => Default::Expr(Box::new(value.parse()?)),
                    Err(_) => Default::Trait,
                });
            } else {
                return Err(meta.error(
                    "unknown key in `#[prop(..)]`: write `into`, `default` or `default = ..`",
                ));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            diagnostics.note(error.span(), error.to_string());
        }
    }

    fn required(&self) -> bool {
        self.default.is_none() && matches!(self.kind, Kind::Value | Kind::Slot)
    }

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
    pub(crate) fn field_type(&self) -> TokenStream {
        match self.kind {
            Kind::Density => quote! { ::core::option::Option<::hud_core::Density> },
            _ => self.ty.to_token_stream(),
        }
    }

    /// Its entry in the tag's description.
    fn meta(&self, tag: &Ident) -> TokenStream {
        let (name, docs, required) = (self.name.to_string(), text(&self.docs), self.required());
        let ty = type_text(&self.ty);
        let missing = format!("missing required prop `{name}` of type `{ty}` on `<{tag}>`");
        quote! {
            ::hud_core::PropMeta {
                name: #name,
                ty: #ty,
                docs: #docs,
                required: #required,
                missing: #missing,
            }
        }
    }

    /// The type that the builder holds in an `Option` until the prop is given.
    fn held(&self) -> TokenStream {
        match &self.kind {
            Kind::Optional(inner) => inner.to_token_stream(),
            Kind::Density => quote! { ::hud_core::Density },
            Kind::Value | Kind::Slot => self.ty.to_token_stream(),
        }
    }

    fn setter(&self) -> TokenStream {
        let Self { name, ty, .. } = self;
        let (held, docs) = (self.held(), self.docs());
        let (takes, value) = match &self.kind {
            Kind::Slot => {
                let lifetime = last_segment(ty).and_then(lifetimes::of_element);
                (
                    quote! { impl ::hud_core::IntoElement<#lifetime> },
                    quote! { Some(::hud_core::IntoElement::into_element(value)) },
                )
            }
            _ if self.into => (
                quote! { impl ::core::convert::Into<#held> },
                quote! { Some(::core::convert::Into::into(value)) },
            ),
            Kind::Optional(_) | Kind::Density => (
                quote! { impl ::core::convert::Into<::core::option::Option<#held>> },
                quote! { ::core::convert::Into::into(value) },
            ),
            Kind::Value => (quote! { #held }, quote! { Some(value) }),
        };
        quote! {
            #docs
            #[inline]
            pub fn #name(&mut self, value: #takes) {
                self.#name = #value;
            }
        }
    }

    /// The prop's value when the builder is done.
    fn built(&self) -> TokenStream {
        let name = &self.name;
        match (&self.default, &self.kind) {
            (None, Kind::Optional(_) | Kind::Density) => quote! { self.#name },
            (Some(Default::Trait), Kind::Optional(_) | Kind::Density) => quote! { self.#name },
            (Some(Default::Expr(expr)), Kind::Optional(_)) => {
                quote! { self.#name.or_else(|| #expr) }
            }
            (Some(Default::Expr(expr)), Kind::Density) => {
                quote! { self.#name.or_else(|| ::core::option::Option::Some(#expr)) }
            }
            (Some(Default::Trait), _) => quote! { self.#name.unwrap_or_default() },
            (Some(Default::Expr(expr)), _) => quote! { self.#name.unwrap_or_else(|| #expr) },
            (None, Kind::Value | Kind::Slot) => quote! {
                match self.#name {
                    ::core::option::Option::Some(value) => value,
                    // `rsx!` checks at compile time that the prop is given.
                    ::core::option::Option::None => ::core::unreachable!(),
                }
            },
        }
    }
}

/// A tag: what a component or a node is named, and its props.
pub(crate) struct Tag<'t> {
    pub(crate) vis: &'t Visibility,
    pub(crate) name: &'t Ident,
    pub(crate) generics: &'t Generics,
    pub(crate) docs: &'t [Attribute],
    pub(crate) props: &'t [Prop],
    /// `Component` or `Node`.
    pub(crate) kind: &'static str,
}

impl Tag<'_> {
    /// The constant that describes the tag.
    pub(crate) fn meta(&self) -> TokenStream {
        let Self { vis, name, .. } = self;
        let (text_name, docs) = (name.to_string(), text(self.docs));
        let kind = format_ident!("{}", self.kind);
        let props = self.props.iter().map(|prop| prop.meta(name));
        let about = format!("What the tag [`{name}`](struct@{name}) is: its docs and props.");
        quote! {
            #[doc = #about]
            #[allow(non_upper_case_globals, reason = "it shares the name of its tag")]
            #vis const #name: ::hud_core::TagMeta = ::hud_core::TagMeta {
                name: #text_name,
                kind: ::hud_core::TagKind::#kind,
                docs: #docs,
                props: &[#(#props),*],
            };
        }
    }

    /// The builder that `rsx!` fills. `children` says whether it gathers a node's children, and
    /// `finish` makes the result of the struct (`built`).
    pub(crate) fn builder(
        &self,
        children: bool,
        output: &TokenStream,
        finish: &TokenStream,
    ) -> TokenStream {
        let Self {
            vis,
            name,
            generics,
            props,
            ..
        } = self;
        let builder = format_ident!("{name}Builder");
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let names: Vec<_> = props.iter().map(|prop| &prop.name).collect();
        let held = props.iter().map(Prop::held);
        let setters = props.iter().map(Prop::setter);
        let built = props.iter().map(Prop::built);

        // A node's children have a lifetime of their own, the builder's first parameter.
        let mut with_children = (*generics).clone();
        let (field, nothing, setter) = if children {
            with_children
                .params
                .insert(0, syn::parse_quote! { 'children });
            (
                quote! { children: ::std::vec::Vec<::hud_core::Element<'children>>, },
                quote! { children: ::std::vec::Vec::new(), },
                quote! {
                    #[inline]
                    pub fn children(
                        &mut self,
                        value: impl ::core::convert::Into<
                            ::std::vec::Vec<::hud_core::Element<'children>>,
                        >,
                    ) {
                        self.children = ::core::convert::Into::into(value);
                    }
                },
            )
        } else {
            (quote!(), quote!(), quote!())
        };
        let (builder_impl, builder_type, _) = with_children.split_for_impl();
        let lifetime = children.then(|| quote! { <'children> });
        quote! {
            impl #impl_generics #name #type_generics #where_clause {
                #[doc(hidden)]
                #[inline]
                #[allow(clippy::new_ret_no_self, reason = "read by `rsx!`")]
                pub fn __builder #lifetime () -> #builder #builder_type {
                    #builder {
                        #(#names: ::core::option::Option::None,)*
                        #nothing
                    }
                }
            }

            #[doc(hidden)]
            #vis struct #builder #with_children #where_clause {
                #(#names: ::core::option::Option<#held>,)*
                #field
            }

            impl #builder_impl #builder #builder_type #where_clause {
                #(#setters)*
                #setter

                #[doc(hidden)]
                #[inline]
                pub fn __build(self) -> #output {
                    let built = #name { #(#names: #built,)* };
                    #finish
                }
            }
        }
    }
}

/// The text of doc attributes, a line each.
fn text(docs: &[Attribute]) -> String {
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

/// A type as one would write it: `&'a [String]`.
fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    for word in ty.to_token_stream().to_string().split(' ') {
        let glued = matches!(word, ">" | "," | ")" | "]" | ";" | "<" | "::")
            || text.ends_with(['<', '&', '(', '['])
            || text.ends_with("::");
        if !glued && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// The last word of a type's path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

fn type_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
