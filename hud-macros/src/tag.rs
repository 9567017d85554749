//! Tags: what components and nodes have in common, and the builder that `rsx!` fills.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Generics};

use crate::generics;
use crate::props::{Prop, text};
use crate::types::is_element;

/// What a component or a node is named, and its props.
pub(crate) struct Tag<'t> {
    pub(crate) krate: &'t TokenStream,
    pub(crate) name: &'t Ident,
    /// With all their bounds.
    pub(crate) generics: &'t Generics,
    pub(crate) docs: &'t [Attribute],
    pub(crate) props: &'t [Prop],
    /// What is passed in from what surrounds a call.
    pub(crate) ambient: &'t [&'t Prop],
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// With what it says of itself as a part of a layout.
    Component(Option<TokenStream>),
    Node {
        leaf: bool,
    },
}

impl Tag<'_> {
    /// The implementation of `Tag`, and the builder of the props.
    ///
    /// They are in unnamed constants: the user's module gets no second name. The builder has
    /// the name of the tag, since rustc names it where a prop's type has an unmet bound; `Outer`
    /// is the tag itself.
    pub(crate) fn expand(&self) -> TokenStream {
        let Self { name, generics, .. } = self;
        let mut parameters = generics::of_struct(generics);
        for param in parameters.type_params_mut() {
            param.bounds.clear();
        }
        parameters.where_clause = None;
        let (_, arguments, _) = generics.split_for_impl();
        let (tag, builder) = (self.tag(), self.builder());
        quote! {
            const _: () = {
                type Outer #parameters = #name #arguments;
                const _: () = {
                    #tag
                    #builder
                };
            };
        }
    }

    /// The implementation of `Tag` and its factory.
    fn tag(&self) -> TokenStream {
        let Self {
            krate,
            name,
            generics,
            docs,
            props,
            ambient,
            ..
        } = self;
        let (text_name, docs) = (name.to_string(), text(docs));
        let metas = props.iter().map(|prop| prop.meta(krate));
        let ambient = ambient.iter().map(|prop| prop.meta(krate));
        let (kind, part) = match &self.kind {
            Kind::Component(Some(part)) => (
                quote! { Component },
                quote! { ::core::option::Option::Some(#part) },
            ),
            Kind::Component(None) => (
                quote! { Component },
                quote! { ::core::option::Option::None },
            ),
            Kind::Node { .. } => (quote! { Node }, quote! { ::core::option::Option::None }),
        };
        let children = match self.kind {
            Kind::Component(_) => props
                .iter()
                .any(|prop| prop.name == "children" && is_element(&prop.ty)),
            Kind::Node { leaf } => !leaf,
        };

        let builder = self.builder_name();
        let names = props.iter().map(|prop| &prop.name);
        let no_children = self
            .gathers_children()
            .then(|| quote! { children: #krate::expansion::Inner::None, });
        let with_children = self.with_children();
        let mut arguments = with_children.clone();
        let unknown = self.unknown_name();
        arguments.params.push(syn::parse_quote! { #unknown });
        let (_, builder_arguments, _) = arguments.split_for_impl();
        let declared = generics::without_defaults(generics::of_struct(&with_children));
        let (parameters, _, where_clause) = declared.split_for_impl();
        let lifetimes = generics::lifetimes(generics);
        let (lifetime_parameters, lifetimes, _) = lifetimes.split_for_impl();
        quote! {
            impl #lifetime_parameters #krate::Tag for Outer #lifetimes {
                const META: &'static #krate::TagMeta = &#krate::TagMeta {
                    name: #text_name,
                    kind: #krate::TagKind::#kind,
                    docs: #docs,
                    props: &[#(#metas),*],
                    ambient: &[#(#ambient),*],
                    children: #children,
                    part: #part,
                };

                type Factory<#unknown> = Factory<#unknown>;

                #[inline]
                fn factory<#unknown>(unknown: #unknown) -> Factory<#unknown> {
                    Factory(unknown)
                }
            }

            pub struct Factory<#unknown>(#unknown);

            impl<#unknown> Factory<#unknown> {
                #[inline]
                pub fn builder #parameters (self) -> #builder #builder_arguments #where_clause {
                    #builder {
                        given: __Given {
                            #(#names: ::core::option::Option::None,)*
                            #no_children
                        },
                        unknown: self.0,
                    }
                }
            }
        }
    }

    /// The builder that `rsx!` fills.
    fn builder(&self) -> TokenStream {
        let Self {
            krate,
            generics,
            props,
            ..
        } = self;
        let builder = self.builder_name();
        let names: Vec<_> = props.iter().map(|prop| &prop.name).collect();
        let held = props.iter().map(|prop| prop.held(krate));
        let setters = props.iter().map(|prop| prop.setter(krate));
        let spread = props.iter().map(Prop::spread);
        let built = props.iter().map(|prop| prop.built(krate));
        let children = self.gathers_children().then(|| {
            quote! { children: #krate::expansion::Inner<'children>, }
        });
        let set_children = children.as_ref().map(|_| {
            quote! {
                #[inline]
                pub fn children(
                    &mut self,
                    value: impl ::core::convert::Into<#krate::expansion::Inner<'children>>,
                ) {
                    self.given.children = ::core::convert::Into::into(value);
                }
            }
        });
        let (_, outer_arguments, _) = generics.split_for_impl();
        let (element_parameter, element, element_where, result) = match self.kind {
            Kind::Component(_) => (
                quote! { <'element> },
                quote! { 'element },
                quote! { where Outer #outer_arguments: #krate::Component + 'element },
                quote! { #krate::Element::component(built) },
            ),
            Kind::Node { leaf: true } => (
                quote! {},
                quote! { 'static },
                quote! {},
                quote! { #krate::Element::node(built, []) },
            ),
            Kind::Node { leaf: false } => (
                quote! {},
                quote! { 'children },
                quote! {},
                quote! { #krate::expansion::node(built, self.children) },
            ),
        };

        let mut all = self.with_children();
        let given = generics::without_defaults(generics::of_struct(&all));
        let given_structural = given.where_clause.clone();
        let (_, given_arguments, _) = given.split_for_impl();
        let unknown = self.unknown_name();
        all.params.push(syn::parse_quote! { #unknown });
        let declared = generics::without_defaults(generics::of_struct(&all));
        let structural = declared.where_clause.clone();
        let (parameters, arguments, where_clause) = all.split_for_impl();
        let (declared_impl, _, _) = declared.split_for_impl();
        quote! {
            // Each call of `rsx!` has a builder of its own type, so what is long is here,
            // where it is compiled once.
            struct __Given #given #given_structural {
                #(#names: ::core::option::Option<#held>,)*
                #children
            }

            impl #given __Given #given_arguments #given_structural {
                fn into_element #element_parameter (self) -> #krate::Element<#element>
                #element_where
                {
                    let built = Outer { #(#names: #built,)* };
                    #result
                }
            }

            pub struct #builder #declared #structural {
                given: __Given #given_arguments,
                unknown: #unknown,
            }

            impl #declared_impl ::core::ops::Deref for #builder #arguments #structural {
                type Target = #unknown;

                fn deref(&self) -> &#unknown {
                    &self.unknown
                }
            }

            impl #parameters #builder #arguments #where_clause {
                #(#setters)*
                #set_children
            }

            impl #declared_impl #builder #arguments #structural {
                #[doc(hidden)]
                #[inline]
                pub fn __spread(&mut self, value: Outer #outer_arguments) {
                    #(self.given.#names = #spread;)*
                }

                #[doc(hidden)]
                #[inline]
                pub fn into_element #element_parameter (self) -> #krate::Element<#element>
                #element_where
                {
                    self.given.into_element()
                }
            }
        }
    }

    /// Whether the builder gathers children that are no prop.
    fn gathers_children(&self) -> bool {
        matches!(self.kind, Kind::Node { leaf: false })
    }

    /// The generics, with the lifetime that a node's children have in front.
    fn with_children(&self) -> Generics {
        let mut generics = generics::without_defaults(self.generics.clone());
        if self.gathers_children() {
            generics.params.insert(0, syn::parse_quote! { 'children });
        }
        generics
    }

    /// A name that no parameter has, for the type of what takes unknown props.
    fn unknown_name(&self) -> Ident {
        let taken = |name: &str| {
            let name = Ident::new(name, Span::call_site());
            generics::is_type_param(self.generics, &name)
                || self
                    .props
                    .iter()
                    .any(|prop| mentions(prop.ty.to_token_stream(), &name))
        };
        let name = ('A'..='Z')
            .rev()
            .map(String::from)
            .find(|name| !taken(name))
            .unwrap_or_else(|| "__Unknown".to_owned());
        Ident::new(&name, Span::call_site())
    }

    /// The tag's own name, unless a prop's type or default says it and means the tag.
    fn builder_name(&self) -> Ident {
        let mentioned = self.props.iter().any(|prop| {
            mentions(prop.ty.to_token_stream(), self.name)
                || mentions(prop.built(self.krate), self.name)
        });
        if mentioned {
            format_ident!("{}Props", self.name, span = Span::call_site())
        } else {
            Ident::new(&self.name.to_string(), Span::call_site())
        }
    }
}

pub(crate) fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}
