//! Generates the code of [`ast`](super::ast).
//!
//! Editors map a position in the user's text to a position in the generated tokens. This leads to these rules:
//!
//! 1. Only the user's tokens have the user's spans. All other tokens are the macro's (`mixed_site`).
//! 2. Tokens that are made of a *name* (the check, an error's message) come after the name itself. An editor finds
//!    the typed token by its offset, and a copy before it would shift that.
//! 3. No user token goes into another macro, except for a text that shows variables: editors know `format_args!`.
//! 4. The check has the span of the tag, by its brackets. An error in a prop is reported where its field of the
//!    builder is named: at its name or at its value.
//! 5. Each user token is emitted once. No braces are added around it unless they are needed.
//! 6. `builder` is repeated after the props. Where no letter of a prop is typed yet, an editor looks for the token
//!    at that offset, and `builder` has the props.
//! 7. Code that would compete with the declaration of a name [is not for editors](is_editor): the check, and the
//!    span of a prop's value at its name. Everything else at a tag has the span of the `<`.
//! 8. The path of a closing tag, and the name of a prop without a value, are only emitted for an editor: rustc would
//!    report the same error twice.
//! 9. The builder for an editor is named by an alias, because rust-analyzer finds no function of a projection.

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
    /// True while the expanded node is within a tag.
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
        // rustc would report the same error twice.
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

    /// A tag. The code around it must allow the lints that its tokens cause.
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
                // rustc would report the same error twice.
                Value::Missing if is_editor() => return quote! { #builder.#name; },
                Value::Missing => return TokenStream::new(),
            };
            // The span is at the prop, because errors in the value also concern the prop. An editor would take it
            // for the name.
            let place = if is_editor() {
                prop.equals
            } else {
                name.span()
            };
            let set = Ident::new("set", Span::mixed_site().located_at(place));
            quote! { #builder.#name.#set(#value); }
        });
        let children = tag.children.as_ref().map(|nodes| {
            // The span is at the tag, because the tag determines if there may be children.
            let setter = Ident::new("children", *open);
            let nodes = nodes.iter().map(|node| self.node(node));
            quote! { #builder.#setter.set([#(#nodes),*]); }
        });
        let at_tag = Span::mixed_site().located_at(*open);
        let finished = Ident::new("builder", at_tag);
        let (spread, finish) = match &tag.spread {
            // The span is at the tag, because the bounds of its parameters are checked here.
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
            // An editor completes and renames the path of the closing tag.
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

    /// The builder of the tag.
    fn made(&self, tag: &Tag, builder: &Ident) -> TokenStream {
        let krate = &self.krate;
        let path = &tag.path;
        let turbofish = tag.generics.as_ref().map(|generics| quote! { ::#generics });
        if is_editor() {
            return quote! {
                let mut #builder = <<#path as #krate::Tag>::Factory<'_, ()>>::builder #turbofish ();
            };
        }
        // rustc reports an error in a tag at each of its uses, so all uses have the span of the tag.
        let made = quote_spanned! { tag.span =>
            <<#path as #krate::Tag>::Factory<'_, r#macro>>::builder #turbofish ()
        };
        let made = self.beside_helper(tag, made);
        quote! { let mut #builder = #made; }
    }

    /// An expression with the tag's path. If no item has the name of a helper of another library, the name resolves
    /// to a type that carries the replacement. A glob import takes precedence over items outside its block.
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

    /// The check that no prop is missing, with the span of the tag. It is a constant that is `true`.
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
        // The parentheses around the function give the call its span.
        let complete = quote_spanned! { *span =>
            (#krate::expansion::complete)(<#path as #krate::Tag>::META, #a, #b, #c, #given, #open)
        };
        // Few tags have a prop that is not accepted. The checks of these come first, so that their reasons are not
        // in the tag's message.
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
        // A diverging expression has every type.
        if diverges(value.clone()) {
            return value;
        }
        // An editor does not need the method call, by which rustc selects the conversion.
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
        // The spans are those of the first and the last token, so that rustc marks the value if it can't be shown.
        // The parentheses around the function give the call its span.
        let value = quote_spanned! { first => (#krate::expansion::shown)(#value) };
        let method = quote_spanned! { last => .shown() };
        quote! { #value #method }
    }

    /// An expression as an argument of a call. A block is kept around statements.
    fn argument(&self, expr: &Expr) -> TokenStream {
        let tokens = self.rust(&expr.parts);
        if needs_block(&tokens) {
            quote_spanned! { expr.span => { #tokens } }
        } else {
            tokens
        }
    }

    /// Rust code with the generated code of the tags in it.
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

/// The names of the props of a tag, and of its children.
fn names(tag: &Tag) -> impl Iterator<Item = String> {
    tag.props.iter().map(|prop| prop.name.to_string()).chain(
        tag.children
            .as_ref()
            .filter(|_| tag.closing.is_some())
            .map(|_| "children".to_owned()),
    )
}

/// The name of a prop without its span, so that an editor does not take it for a typed token.
fn not_typed(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site());
    name
}
