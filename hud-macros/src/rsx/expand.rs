//! [`ast`](super::ast) to tokens.
//!
//! Editors map a place in the user's text to a place in these tokens, so:
//!
//! 1. Only what the user wrote has the user's spans; all else is the macro's (`mixed_site`).
//! 2. What is made of a *name* (the check, a mistake's message) comes after the name itself: what is typed is
//!    found by its offset, and a copy of it in front would shift that.
//! 3. No user token goes into another macro, but for a text that shows variables: `format_args!` is
//!    one that editors know.
//! 4. The check is marked at the tag, by its brackets. What is wrong with a prop is reported where its place in the
//!    builder is named: at its name, or at its value.
//! 5. Each user token is emitted once, and without braces of ours where it needs none.
//! 6. Behind the props is `builder` again. Where no letter of a prop is typed, an editor
//!    looks for what is at that offset, and this is what has the props.
//! 7. What would answer for a name beside its declaration [is not for editors](is_editor): the check, and the mark of
//!    a prop's value at its name. All else that is marked at a tag is marked at the `<`.
//! 8. A closing tag's path, and the name of a prop whose value is missing, are there for an editor
//!    only: rustc would report a second time what is wrong.
//! 9. An editor's builder is named by an alias: rust-analyzer finds no function of a projection.

use std::cell::Cell;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::ast::{Arm, Body, Else, Expr, For, If, Match, Node, Part, Tag, Value};
use super::mistakes::why_none;
use super::rust::{diverges, needs_block};
use crate::diagnostics::Diagnostics;
use crate::editor::is_editor;
use crate::krate::Krate;
use crate::marks::marks;

pub(super) fn expand(krate: Krate, nodes: &[Node], diagnostics: &Diagnostics) -> TokenStream {
    let element = Expander {
        krate,
        within_tag: Cell::new(false),
    }
    .sequence(nodes);
    let errors = diagnostics.tokens();
    if errors.is_empty() {
        element
    } else {
        let name = Ident::new("element", Span::mixed_site());
        quote! { { let #name = #element; #errors #name } }
    }
}

struct Expander {
    krate: Krate,
    /// Whether what is expanded is within a tag.
    within_tag: Cell<bool>,
}

impl Expander {
    /// Several nodes as one element.
    fn sequence(&self, nodes: &[Node]) -> TokenStream {
        let krate = &self.krate;
        match nodes {
            [] => quote! { #krate::Element::empty() },
            [only] => self.node(only),
            _ => {
                let nodes = nodes.iter().map(|node| self.node(node));
                quote! { #krate::Element::fragment([#(#nodes),*]) }
            }
        }
    }

    fn node(&self, node: &Node) -> TokenStream {
        let krate = &self.krate;
        match node {
            Node::Tag(node) => self.tag(node),
            Node::Fragment(nodes) => self.sequence(nodes),
            Node::Text(text) => text.element(krate),
            Node::Expr(node) => self.value(node),
            Node::If(node) => self.conditional(node),
            Node::For(node) => self.repetition(node),
            Node::Match(node) => self.choice(node),
        }
    }

    fn tag(&self, tag: &Tag) -> TokenStream {
        let krate = &self.krate;
        let within = self.within_tag.replace(true);
        let mut element = self.named(tag);
        // rustc would report a second time what is wrong.
        if tag.misnamed && !is_editor() {
            element = quote! { #krate::Element::empty() };
        }
        self.within_tag.set(within);
        if within {
            return element;
        }
        let name = Ident::new("element", Span::mixed_site());
        quote! {
            {
                #[allow(
                    elided_lifetimes_in_paths,
                    non_camel_case_types,
                    unused_braces,
                    reason = "a tag has no lifetimes; no name of the user's is hidden; braces stay where they \
                              might hold statements"
                )]
                let #name = #element;
                #name
            }
        }
    }

    /// A tag, for where the lints are allowed that its tokens raise.
    fn named(&self, tag: &Tag) -> TokenStream {
        let krate = &self.krate;
        let open = &tag.open;
        let builder = Ident::new("builder", Span::mixed_site());
        let setters = tag.props.iter().map(|prop| {
            let name = &prop.name;
            let value = match &prop.value {
                Value::Expr(value) => self.argument(value),
                Value::Text(text) => text.value(),
                Value::Element(node) => self.node(node),
                // rustc would report a second time what is wrong.
                Value::Missing if is_editor() => return quote! { #builder.#name; },
                Value::Missing => return TokenStream::new(),
            };
            // Marked at the prop: what is wrong with the value is said of it, too. An editor takes it for the name there.
            let place = if is_editor() {
                prop.equals
            } else {
                name.span()
            };
            let set = Ident::new("set", Span::mixed_site().located_at(place));
            quote! { #builder.#name.#set(#value); }
        });
        let children = tag.children.as_ref().map(|nodes| {
            // Marked at the tag: it is the tag that takes children or does not.
            let setter = Ident::new("children", *open);
            let nodes = nodes.iter().map(|node| self.node(node));
            quote! { #builder.#setter.set([#(#nodes),*]); }
        });
        let at_tag = Span::mixed_site().located_at(*open);
        let finished = Ident::new("builder", at_tag);
        let (spread, finish) = match &tag.spread {
            // Marked at the tag: what its parameters have to be is asked here.
            None => (None, quote_spanned! { at_tag => #finished.into_element() }),
            Some(expr) => {
                let all = Ident::new("props", Span::mixed_site());
                let given = Ident::new("props", Span::mixed_site().located_at(expr.span));
                let over = tag.props.iter().map(|prop| &prop.name);
                let over = over.filter(|name| *name != "children").map(not_typed);
                let expr = self.argument(expr);
                let finish = quote! {
                    let mut #all = #finished.__spread(#given);
                    #(#builder.#over.over(&mut #all.#over);)*
                    #builder.children.around(#all)
                };
                (Some(quote! { let #all = #expr; }), finish)
            }
        };
        let made = self.made(tag, &builder);
        if is_editor() {
            // It completes and renames the path of the closing tag.
            let closing =
                (tag.closing.as_ref()).map(|path| quote! { let _ = <#path as #krate::Tag>::META; });
            let element = Ident::new("element", Span::mixed_site());
            return quote! {
                {
                    let #element = { #spread #made #(#setters)* #children #finish };
                    #closing
                    #element
                }
            };
        }
        let check = self.check(tag);
        quote! {
            {
                type r#macro = #krate::expansion::Checked<{ #check }>;
                #spread
                #made
                #(#setters)*
                #children
                #finish
            }
        }
    }

    /// The tag's builder.
    fn made(&self, tag: &Tag, builder: &Ident) -> TokenStream {
        let krate = &self.krate;
        let path = &tag.path;
        let turbofish = tag.generics.as_ref().map(|generics| quote! { ::#generics });
        if is_editor() {
            return quote! {
                let mut #builder = <<#path as #krate::Tag>::Factory<'_, ()>>::builder #turbofish ();
            };
        }
        // rustc reports what is wrong with a tag wherever something is made of it: all at the tag.
        let made = quote_spanned! { tag.span =>
            <<#path as #krate::Tag>::Factory<'_, r#macro>>::builder #turbofish ()
        };
        let made = self.beside_helper(tag, made);
        quote! { let mut #builder = #made; }
    }

    /// An expression with the tag's path. Where nothing has the name of a helper of another library, a type with
    /// the code to write instead has it: a glob import goes before what is declared around its block.
    fn beside_helper(&self, tag: &Tag, expr: TokenStream) -> TokenStream {
        let (Some(_), krate, path) = (tag.instead, &self.krate, &tag.path) else {
            return expr;
        };
        quote! {
            {
                #[allow(dead_code, reason = "the user may have a type of this name")]
                struct #path;
                impl #krate::Tag for #path {
                    const META: &'static #krate::TagMeta = #krate::expansion::HELPER;
                    type Factory<'children, Checked> = ();
                }
                {
                    #[allow(unused_imports, reason = "the user may have no type of this name")]
                    use self::*;
                    #expr
                }
            }
        }
    }

    /// The check that nothing is missing, at the tag: a constant that is `true`.
    fn check(&self, tag: &Tag) -> TokenStream {
        let krate = &self.krate;
        let Tag { path, span, .. } = tag;
        if tag.incomplete && tag.props.is_empty() && tag.children.is_none() {
            return quote! { true };
        }
        let given: Vec<_> = names(tag)
            .map(|name| name.trim_start_matches("r#").to_owned())
            .collect();
        let [a, b, c] = marks(given.iter().map(String::as_str));
        let given = given.join(" ");
        let open = tag.spread.is_some() || tag.incomplete;
        // Brackets around the function give its call their place.
        let complete = quote_spanned! { *span =>
            (#krate::expansion::complete)(<#path as #krate::Tag>::META, #a, #b, #c, #given, #open)
        };
        // Few tags have one of these that do not take it. They are in front: their reasons are not in the tag's message.
        let explained = { tag.props.iter() }
            .filter(|prop| !matches!(prop.value, Value::Missing))
            .filter_map(|prop| {
                let name = prop.name.to_string();
                let reason = why_none(&name)?;
                Some(quote_spanned! { prop.name.span() =>
                    (#krate::expansion::takes)(<#path as #krate::Tag>::META, #name, #reason) &&
                })
            });
        match tag.instead {
            None => quote! { #(#explained)* #complete },
            Some(instead) => {
                let exists = quote_spanned! { *span =>
                    (#krate::expansion::exists)(<#path as #krate::Tag>::META, #instead)
                };
                self.beside_helper(tag, quote! { #exists && #(#explained)* #complete })
            }
        }
    }

    fn value(&self, expr: &Expr) -> TokenStream {
        let krate = &self.krate;
        let value = self.argument(expr);
        // An expression that gives no value has every type.
        if diverges(value.clone()) {
            return value;
        }
        // An editor needs no more: the rest chooses a method, and is for rustc.
        let value = if is_editor() {
            value
        } else {
            self.shown(value)
        };
        quote! { #krate::IntoElement::into_element(#value) }
    }

    /// A value, or its text if it only implements `Display`.
    fn shown(&self, value: TokenStream) -> TokenStream {
        let krate = &self.krate;
        let at = |place: Span| Span::mixed_site().located_at(place);
        let mut spans = value.clone().into_iter().map(|token| at(token.span()));
        let first = spans.next().unwrap_or_else(Span::mixed_site);
        let last = spans.last().unwrap_or(first);
        // From the first token to the last one, so that rustc marks the value if it cannot be shown. The brackets around
        // the function give its call their place.
        let value = quote_spanned! { first => (#krate::expansion::shown)(#value) };
        let method = quote_spanned! { last => .shown() };
        quote! { #value #method }
    }

    /// An expression as an argument of a call. Statements keep a block around them.
    fn argument(&self, expr: &Expr) -> TokenStream {
        let tokens = self.rust(&expr.parts);
        if needs_block(&tokens) {
            quote_spanned! { expr.span => { #tokens } }
        } else {
            tokens
        }
    }

    /// Rust with what the tags in it become.
    fn rust(&self, parts: &[Part]) -> TokenStream {
        let tokens = parts.iter().map(|part| match part {
            Part::Rust(tokens) => tokens.clone(),
            Part::Node(node) => self.node(node),
            Part::Group(group, parts) => {
                let mut inside = Group::new(group.delimiter(), self.rust(parts));
                inside.set_span(group.span());
                TokenTree::from(inside).into()
            }
        });
        tokens.collect()
    }

    fn body(&self, body: &Body) -> TokenStream {
        match body {
            Body::Nodes(nodes) => self.sequence(nodes),
            Body::Expr(expr) => self.value(expr),
            Body::Unread(group) => group.to_token_stream(),
        }
    }

    fn conditional(&self, node: &If) -> TokenStream {
        let krate = &self.krate;
        let condition = &node.condition;
        let then = self.body(&node.then);
        let otherwise = match &node.otherwise {
            None => quote! { #krate::Element::empty() },
            Some(Else::If(node)) => self.conditional(node),
            Some(Else::Body(otherwise)) => self.body(otherwise),
        };
        quote! { if #condition { #then } else { #otherwise } }
    }

    fn repetition(&self, node: &For) -> TokenStream {
        let krate = &self.krate;
        let For { head, body } = node;
        let elements = Ident::new("elements", Span::mixed_site());
        let body = self.body(body);
        quote! {
            {
                let mut #elements = ::std::vec::Vec::new();
                for #head { #elements.push(#body); }
                #krate::Element::fragment(#elements)
            }
        }
    }

    fn choice(&self, node: &Match) -> TokenStream {
        let value = &node.value;
        let arms = node.arms.iter().map(|Arm { pattern, body }| {
            let body = self.sequence(body);
            quote! { #pattern => #body, }
        });
        quote! { match #value { #(#arms)* } }
    }
}

/// The names of what a tag is given.
fn names(tag: &Tag) -> impl Iterator<Item = String> {
    tag.props.iter().map(|prop| prop.name.to_string()).chain(
        tag.children
            .as_ref()
            .filter(|_| tag.closing.is_some())
            .map(|_| "children".to_owned()),
    )
}

/// A prop's name without its place, which an editor knows from where it is typed.
fn not_typed(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site());
    name
}
