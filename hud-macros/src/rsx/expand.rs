//! [`ast`](super::ast) to tokens.
//!
//! Editors map a place in the user's text to a place in these tokens, so:
//!
//! 1. Only what the user wrote has the user's spans; all else is the macro's (`mixed_site`).
//! 2. What is made of a prop's *name* (the list for the check) comes after the prop's setter.
//! 3. No user token goes into another macro.
//! 4. The check has the tag's span on all its tokens, so that a missing prop is marked at the tag.
//! 5. Each user token is emitted once, and without braces of ours where it needs none.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::ast::{Arm, Body, Else, Expr, For, If, Match, Node, Tag};
use crate::diagnostics::Diagnostics;

pub(super) fn expand(nodes: &[Node], diagnostics: &Diagnostics) -> TokenStream {
    let element = sequence(nodes);
    let errors = diagnostics.tokens();
    if errors.is_empty() {
        element
    } else {
        quote! { { #errors #element } }
    }
}

/// Several nodes as one element.
fn sequence(nodes: &[Node]) -> TokenStream {
    match nodes {
        [] => quote! { ::hud_core::Element::empty() },
        [only] => node(only),
        _ => {
            let nodes = nodes.iter().map(node);
            quote! { ::hud_core::Element::fragment([#(#nodes),*]) }
        }
    }
}

fn node(node: &Node) -> TokenStream {
    match node {
        Node::Tag(node) => tag(node),
        Node::Fragment(nodes) => sequence(nodes),
        Node::Text(literal) => quote! { ::hud_core::Element::text(#literal) },
        Node::Expr(node) => into_element(node),
        Node::If(node) => conditional(node),
        Node::For(node) => repetition(node),
        Node::Match(node) => choice(node),
    }
}

fn tag(tag: &Tag) -> TokenStream {
    let Tag { path, span, .. } = tag;
    let builder = Ident::new("builder", Span::mixed_site());
    let turbofish = tag.generics.as_ref().map(|generics| quote! { ::#generics });
    let setters = tag.props.iter().map(|prop| {
        let (name, value) = (&prop.name, argument(&prop.value));
        quote! { #builder.#name(#value); }
    });
    let children = tag.children.as_ref().map(|nodes| {
        // Marked at the tag: it is the tag that takes children or does not.
        let (setter, nodes) = (Ident::new("children", *span), nodes.iter().map(node));
        quote! { #builder.#setter([#(#nodes),*]); }
    });
    let given = tag
        .props
        .iter()
        .map(|prop| prop.name.to_string())
        .chain(tag.children.is_some().then(|| "children".to_owned()));
    let check = quote_spanned! { *span => .check(&[#(#given),*]) };
    quote! {
        {
            let mut #builder = #path #turbofish::__builder();
            #(#setters)*
            #children
            const _: () = #path #check;
            ::hud_core::IntoElement::into_element(#builder.__build())
        }
    }
}

fn into_element(expr: &Expr) -> TokenStream {
    let value = argument(expr);
    quote! { ::hud_core::IntoElement::into_element(#value) }
}

/// An expression as an argument of a call. Statements keep a block around them.
fn argument(expr: &Expr) -> TokenStream {
    let Expr { tokens, span } = expr;
    let needs_block = tokens.is_empty()
        || tokens.clone().into_iter().any(|token| match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            TokenTree::Ident(word) => word == "let",
            _ => false,
        });
    if needs_block {
        quote_spanned! { *span => { #tokens } }
    } else {
        tokens.clone()
    }
}

fn body(body: &Body) -> TokenStream {
    match body {
        Body::Nodes(nodes) => sequence(nodes),
        Body::Expr(expr) => into_element(expr),
    }
}

fn conditional(node: &If) -> TokenStream {
    let condition = &node.condition;
    let then = body(&node.then);
    let otherwise = match &node.otherwise {
        None => quote! { ::hud_core::Element::empty() },
        Some(Else::If(node)) => conditional(node),
        Some(Else::Body(otherwise)) => body(otherwise),
    };
    quote! { if #condition { #then } else { #otherwise } }
}

fn repetition(node: &For) -> TokenStream {
    let For { head, body: inside } = node;
    let elements = Ident::new("elements", Span::mixed_site());
    let inside = body(inside);
    quote! {
        {
            let mut #elements = ::std::vec::Vec::new();
            for #head { #elements.push(#inside); }
            ::hud_core::Element::fragment(#elements)
        }
    }
}

fn choice(node: &Match) -> TokenStream {
    let value = &node.value;
    let arms = node.arms.iter().map(|Arm { pattern, body }| {
        let body = sequence(body);
        quote! { #pattern => #body, }
    });
    quote! { match #value { #(#arms)* } }
}
