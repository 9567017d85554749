//! Tags: what components and nodes have in common, and the builder that `rsx!` fills.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Generics};

use crate::props::{Default, Prop, text};
use crate::types::is_element;
use crate::{generics, marks};

/// What a component or a node is named, and its props.
pub(crate) struct Tag<'t> {
    /// The path of what the macros name, within what is [apart](crate::krate::apart).
    pub(crate) hud: &'t TokenStream,
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
    /// The implementation of `Tag`, and the builder of the props, for what is [apart](crate::krate::apart).
    ///
    /// The builder is in a constant of its own and has the name of the tag, since rustc names it where a
    /// prop's type has an unmet bound; `__Outer` is the tag itself.
    pub(crate) fn expand(&self) -> TokenStream {
        let Self { name, generics, .. } = self;
        let mut parameters = generics::of_struct(generics);
        for param in parameters.type_params_mut() {
            param.bounds.clear();
        }
        parameters.where_clause = None;
        let (_, arguments, _) = generics.split_for_impl();
        let names = self.names();
        let (tag, builder) = (self.tag(&names), self.builder(&names));
        quote! {
            type __Outer #parameters = #name #arguments;
            const _: () = {
                #tag
                #builder
            };
        }
    }

    /// The implementation of `Tag`.
    fn tag(&self, names: &Names) -> TokenStream {
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
        let metas = props.iter().map(|prop| prop.meta(hud));
        let ambient = ambient.iter().map(|prop| prop.meta(hud));
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
        let marks = marks::of_tag(&named.chain(of_node).collect::<Vec<_>>());

        let Names { builder, checked } = names;
        let factory = if self.is_whole() {
            let builder_generics = self.builder_generics(checked);
            let (_, arguments, _) = builder_generics.split_for_impl();
            quote! { #builder #arguments }
        } else {
            quote! { Factory<#checked> }
        };
        let of_children = if self.gathers_children() {
            quote! { 'children }
        } else {
            quote! { '__children }
        };
        let lifetimes = generics::lifetimes(generics);
        let (lifetime_parameters, lifetimes, _) = lifetimes.split_for_impl();
        quote! {
            impl #lifetime_parameters #hud::Tag for __Outer #lifetimes {
                const META: &'static #hud::TagMeta = &#hud::TagMeta {
                    name: #text_name,
                    kind: #hud::TagKind::#kind,
                    docs: #docs,
                    props: &[#(#metas),*],
                    ambient: &[#(#ambient),*],
                    children: #children,
                    part: #part,
                    marks: #hud::Marks { #marks },
                };

                type Factory<#of_children, #checked> = #factory;
            }
        }
    }

    /// The builder that `rsx!` fills.
    fn builder(&self, names: &Names) -> TokenStream {
        let Self {
            hud,
            generics,
            props,
            ..
        } = self;
        let Names { builder, checked } = names;
        let names: Vec<_> = props.iter().map(|prop| &prop.name).collect();
        let held = props.iter().map(|prop| prop.held(hud));
        let setters = props.iter().map(|prop| prop.setter(hud));
        let spread = props.iter().map(|prop| prop.spread(hud));
        let built = props.iter().map(|prop| prop.built(hud));
        let gathers = self.gathers_children();
        let children = gathers.then(|| quote! { children: #hud::Inner<'children>, });
        let no_children = gathers.then(|| quote! { children: #hud::Inner::None, });
        let set_children = gathers.then(|| {
            quote! {
                #[inline]
                pub fn children(
                    &mut self,
                    value: impl #hud::Into<#hud::Inner<'children>>,
                ) {
                    self.children = #hud::Into::into(value);
                }
            }
        });
        let (_, outer_arguments, _) = generics.split_for_impl();
        let mut lifetimes = generics.lifetimes().map(|param| &param.lifetime);
        let (element_parameter, element, element_where, result) = match self.kind {
            Kind::Component(_) => {
                let result = quote! { #hud::Element::component(built) };
                // One lifetime is the element's, too: the compiler has nothing to find out.
                match (lifetimes.next(), lifetimes.next()) {
                    (Some(only), None) if self.is_whole() => {
                        (quote! {}, quote! { #only }, quote! {}, result)
                    }
                    _ => (
                        quote! { <'element> },
                        quote! { 'element },
                        quote! { where __Outer #outer_arguments: #hud::Component + 'element },
                        result,
                    ),
                }
            }
            Kind::Node { leaf: true } => (
                quote! {},
                quote! { 'static },
                quote! {},
                quote! { #hud::Element::node(built, []) },
            ),
            Kind::Node { leaf: false } => (
                quote! {},
                quote! { 'children },
                quote! {},
                quote! { #hud::node(built, self.children) },
            ),
        };

        let all = self.builder_generics(checked);
        let declared = generics::without_defaults(generics::of_struct(&all));
        let structural = declared.where_clause.clone();
        let (parameters, arguments, where_clause) = all.split_for_impl();
        let (declared_impl, _, _) = declared.split_for_impl();
        let empty = quote! {
            #builder { #(#names: #hud::None,)* #no_children __checked: #hud::PhantomData }
        };
        let (factory, start) = if self.is_whole() {
            let start = quote! {
                #[doc(hidden)]
                #[inline]
                pub fn builder() -> Self { #empty }
            };
            (None, Some(start))
        } else {
            let mut own = declared.clone();
            own.params.pop();
            let (own_parameters, _, _) = own.split_for_impl();
            let factory = quote! {
                pub struct Factory<#checked>(#hud::PhantomData<#checked>);

                impl<#checked> Factory<#checked> {
                    #[inline]
                    pub fn builder #own_parameters () -> #builder #arguments #structural { #empty }
                }
            };
            (Some(factory), None)
        };
        let finish = quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __spread(&mut self, value: __Outer #outer_arguments) {
                *self = #builder { #(#names: #spread,)* #no_children __checked: #hud::PhantomData };
            }

            #[doc(hidden)]
            pub fn into_element #element_parameter (self) -> #hud::Element<#element>
            #element_where
            {
                let built = __Outer { #(#names: #built,)* };
                #result
            }
        };
        // What a parameter has to be is said where a prop is given.
        let (finish, finish_apart) = if self.is_whole() {
            (finish, None)
        } else {
            let apart = quote! { impl #declared_impl #builder #arguments #structural { #finish } };
            (TokenStream::new(), Some(apart))
        };
        quote! {
            #factory

            pub struct #builder #declared #structural {
                #(#names: #hud::Option<#held>,)*
                #children
                __checked: #hud::PhantomData<#checked>,
            }

            impl #parameters #builder #arguments #where_clause {
                #start
                #(#setters)*
                #set_children
                #finish
            }

            #finish_apart
        }
    }

    /// Whether nothing about the builder's type is left to be inferred but lifetimes, so that it needs
    /// no factory.
    fn is_whole(&self) -> bool {
        generics::are_lifetimes(self.generics)
            && self.props.iter().all(|prop| prop.name != "builder")
    }

    /// The generics of the builder: the tag's, and whether its props were checked.
    fn builder_generics(&self, checked: &Ident) -> Generics {
        let mut generics = self.with_children();
        generics.params.push(syn::parse_quote! { #checked });
        generics
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

    /// What the builder and its parameter are named.
    fn names(&self) -> Names {
        let mut words = BTreeSet::new();
        for prop in self.props {
            collect(prop.ty.to_token_stream(), &mut words);
            if let Some(Default::Expr(expr)) = &prop.default {
                collect(expr.to_token_stream(), &mut words);
            }
        }
        // The tag's own name, unless a prop's type or default says it and means the tag.
        let name = self.name.to_string();
        let builder = match words.contains(&name) {
            true => format!("{name}Props"),
            false => name,
        };
        for param in &self.generics.params {
            collect(param.to_token_stream(), &mut words);
        }
        let checked = ('A'..='Z')
            .rev()
            .map(String::from)
            .find(|name| !words.contains(name))
            .unwrap_or_else(|| "__Checked".to_owned());
        Names {
            builder: Ident::new(&builder, Span::call_site()),
            checked: Ident::new(&checked, Span::call_site()),
        }
    }
}

/// Names that nothing else has where they are.
struct Names {
    builder: Ident,
    /// The parameter that says whether the props were checked.
    checked: Ident,
}

/// Adds the words among the tokens.
fn collect(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                words.insert(word.to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), words),
            _ => {}
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
