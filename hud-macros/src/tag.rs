//! Tags: the common code of components and nodes, and the builder that `rsx!` fills.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Generics};

use crate::editor::is_editor;
use crate::props::{Default, Prop, metas, text};
use crate::types::is_element;
use crate::{generics, marks};

/// The name and the props of a component or a node.
pub(crate) struct Tag<'t> {
    /// The alias of `hud_core::expansion` within the constant of [`apart`](crate::krate::apart).
    pub(crate) hud: &'t Ident,
    pub(crate) name: &'t Ident,
    /// The generics with all their bounds.
    pub(crate) generics: &'t Generics,
    pub(crate) docs: &'t [Attribute],
    pub(crate) props: &'t [Prop],
    /// The arguments that get context values.
    pub(crate) ambient: &'t [&'t Prop],
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// A component, with its declaration as a part of a layout.
    Component(Option<TokenStream>),
    Node {
        leaf: bool,
    },
}

impl Tag<'_> {
    /// The implementation of `Tag` and the builder of the props, for the constant of [`apart`](crate::krate::apart).
    ///
    /// The builder is named after the tag, because rustc names it in the error for an unknown prop.
    pub(crate) fn expand(&self) -> TokenStream {
        let builder = self.builder_name();
        let (tag, builder) = (self.tag(&builder), self.builder(&builder));
        quote! {
            #tag
            #builder
        }
    }

    /// The implementation of `Tag`.
    fn tag(&self, builder: &Ident) -> TokenStream {
        let Self {
            hud,
            name,
            generics,
            docs,
            props,
            ambient,
            ..
        } = self;
        let (text_name, docs) = (name.to_string(), text(docs));
        let props_meta = metas(hud, *props);
        let ambient_metas = metas(hud, ambient.iter().copied());
        let (kind, part) = match &self.kind {
            Kind::Component(Some(part)) => (quote! { Component }, quote! { #hud::Some(#part) }),
            Kind::Component(None) => (quote! { Component }, quote! { #hud::None }),
            Kind::Node { .. } => (quote! { Node }, quote! { #hud::None }),
        };
        let children = match self.kind {
            Kind::Component(_) => props
                .iter()
                .any(|prop| prop.name == "children" && is_element(&prop.ty)),
            Kind::Node { leaf } => !leaf,
        };
        let named = props
            .iter()
            .map(|prop| (prop.name.unraw().to_string(), prop.required()));
        let of_node = self
            .gathers_children()
            .then(|| ("children".to_owned(), false));
        let of_ambient = { ambient.iter() }.map(|prop| (prop.name.unraw().to_string(), false));
        let marks = marks::of_tag(
            hud,
            &named.chain(of_node).chain(of_ambient).collect::<Vec<_>>(),
        );

        let factory = if self.is_whole() {
            let builder_generics = self.with_children();
            let (_, arguments, _) = builder_generics.split_for_impl();
            quote! { #builder #arguments }
        } else {
            quote! { __Factory }
        };
        let of_children = if self.gathers_children() {
            quote! { 'children }
        } else {
            quote! { '__children }
        };
        let lifetimes = generics::lifetimes(generics);
        let (lifetime_parameters, lifetimes, _) = lifetimes.split_for_impl();
        quote! {
            impl #lifetime_parameters #hud::Tag for #name #lifetimes {
                const META: &'static #hud::TagMeta = &#hud::TagMeta {
                    name: #text_name,
                    kind: #hud::TagKind::#kind,
                    docs: #docs,
                    props: #props_meta,
                    ambient: #ambient_metas,
                    children: #children,
                    part: #part,
                    marks: #marks,
                };

                type Factory<#of_children, Checked> = #factory;
            }
        }
    }

    /// The builder that `rsx!` fills.
    fn builder(&self, builder: &Ident) -> TokenStream {
        let Self {
            hud,
            name,
            generics,
            props,
            ambient,
            ..
        } = self;
        let all_props = *props;
        // An editor must not suggest the arguments that get context values.
        let ambient = ambient.iter().filter(|_| !is_editor());
        let ambient = ambient.map(|prop| &prop.name);
        let ambient: Vec<_> = ambient.filter(|name| *name != "children").collect();
        let places = props.iter().map(|prop| prop.field(hud));
        let empty = props.iter().map(|prop| {
            let (name, place) = (&prop.name, prop.place());
            quote! { #name: #hud::#place::EMPTY }
        });
        let built = props.iter().map(|prop| {
            let (name, built) = (&prop.name, prop.built(hud));
            quote! { #name: #built }
        });
        let has_children = props.iter().any(|prop| prop.name == "children");
        let (children, no_children) = match self.kind {
            Kind::Node { leaf: false } => (
                quote! { pub children: #hud::Within<'children>, },
                quote! { children: #hud::Within(#hud::Inner::None), },
            ),
            Kind::Node { leaf: true } => (
                quote! { pub children: #hud::Leaf, },
                quote! { children: #hud::Leaf, },
            ),
            Kind::Component(_) if has_children => (TokenStream::new(), TokenStream::new()),
            Kind::Component(_) => (
                quote! { pub children: #hud::Nothing, },
                quote! { children: #hud::Nothing, },
            ),
        };
        let own_children =
            has_children.then(|| quote! { self.children.over_children(&mut props.children); });
        let (_, outer_arguments, _) = generics.split_for_impl();
        // The fields of a node use all its parameters.
        let unmentioned = match self.kind {
            Kind::Component(_) => generics::unmentioned(generics, all_props),
            Kind::Node { .. } => None,
        };
        let (unmentioned_field, unmentioned_value): (Option<_>, Option<_>) = unmentioned
            .map(|ty| {
                let value = quote! { __unmentioned: ::core::marker::PhantomData, };
                (quote! { __unmentioned: #ty, }, value)
            })
            .unzip();
        let props = quote! { #name { #(#built,)* #unmentioned_value } };
        let (element_parameter, element, element_where, result) = match self.kind {
            Kind::Component(_) => {
                let result = quote! { #hud::Element::component(#props) };
                match generics::only_lifetime(generics) {
                    Some(only) => (quote! {}, quote! { #only }, quote! {}, result),
                    None => (
                        quote! { <'element> },
                        quote! { 'element },
                        quote! { where #name #outer_arguments: #hud::Component + 'element },
                        result,
                    ),
                }
            }
            Kind::Node { leaf: true } => (
                quote! {},
                quote! { 'static },
                quote! {},
                quote! { #hud::Element::node(#props, []) },
            ),
            Kind::Node { leaf: false } => (
                quote! {},
                quote! { 'children },
                quote! {},
                quote! { self.children.around(#props) },
            ),
        };

        let all = self.with_children();
        let declared = generics::without_defaults(generics::of_struct(&all, all_props));
        let structural = declared.where_clause.clone();
        let (_, arguments, _) = all.split_for_impl();
        let (declared_impl, _, _) = declared.split_for_impl();
        let empty = quote! { #builder { #(#empty,)* #(#ambient: #hud::Around::EMPTY,)* #unmentioned_value #no_children } };
        let (factory, start) = if self.is_whole() {
            let start = quote! {
                pub fn builder() -> Self { #empty }
            };
            (None, Some(start))
        } else {
            let factory = quote! {
                pub struct __Factory;

                impl __Factory {
                    pub fn builder #declared_impl () -> #builder #arguments #structural { #empty }
                }
            };
            (Some(factory), None)
        };
        // The bounds of the parameters are checked where the element is made.
        let finish = quote! {
            pub fn into_element #element_parameter (self) -> #hud::Element<#element>
            #element_where
            {
                #result
            }

            // Compiled only where a tag has `{..props}`.
            #[inline]
            pub fn __spread(&mut self, mut props: #name #outer_arguments) -> #name #outer_arguments {
                #own_children
                props
            }
        };
        quote! {
            #factory

            pub struct #builder #declared #structural {
                #(#places,)*
                #(pub #ambient: #hud::Around,)*
                #unmentioned_field
                #children
            }

            impl #declared_impl #builder #arguments #structural {
                #start
                #finish
            }
        }
    }

    /// True if all generic parameters of the builder's type are lifetimes. It then needs no factory.
    fn is_whole(&self) -> bool {
        generics::are_lifetimes(self.generics)
    }

    /// True if the builder collects children that are not a prop.
    fn gathers_children(&self) -> bool {
        matches!(self.kind, Kind::Node { leaf: false })
    }

    /// The generics, preceded by the lifetime of a node's children.
    fn with_children(&self) -> Generics {
        let mut generics = generics::without_defaults(self.generics.clone());
        if self.gathers_children() {
            generics.params.insert(0, syn::parse_quote! { 'children });
        }
        generics
    }

    /// The name of the builder, which must not occur in the type or the default of a prop.
    fn builder_name(&self) -> Ident {
        let is_said = |name: &Ident| {
            self.props.iter().any(|prop| {
                let default = match &prop.default {
                    Some(Default::Expr(expr)) => expr.to_token_stream(),
                    Some(Default::Trait) | None => TokenStream::new(),
                };
                mentions(prop.ty.to_token_stream(), name) || mentions(default, name)
            })
        };
        let mut name = format_ident!("{}Props", self.name);
        while is_said(&name) {
            name = format_ident!("{name}Of{}", self.name);
        }
        name.set_span(Span::call_site());
        name
    }
}

pub(crate) fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}
