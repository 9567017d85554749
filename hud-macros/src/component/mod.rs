//! `#[component]` parses the function into [`model::Component`] and expands that to a tag.

mod cfg;
mod expand;
mod mistakes;
mod model;
mod options;
mod parse;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::ItemFn;

use crate::diagnostics::Diagnostics;
pub(crate) use expand::data::{default_name, paths};
use options::Options;

pub(crate) fn component(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            if let Some(body) = body_of_tags(item.clone()) {
                diagnostics.note(
                    body,
                    "tags are written in `rsx!`: write `rsx! { .. }` around them",
                );
            } else if starts_with_fn(item.clone()) {
                diagnostics.extend(error);
            } else {
                diagnostics.note(
                    error.span(),
                    "a component is a function: write `#[component] fn Name(..) -> Element`",
                );
            }
            // The item is kept, so that its uses do not cause further errors.
            let errors = diagnostics.tokens();
            return quote! { #errors #item };
        }
    };
    let options = Options::parse(attr.clone(), &mut diagnostics);
    if let Some(both) = cfg::with_and_without(&options, &attr, &function) {
        return both;
    }
    if let Some(same) = mistakes::named_like_its_data(&function) {
        return same;
    }
    if let Some(refused) = mistakes::is_a_method(&function) {
        return refused;
    }
    let component = parse::parse(options, function, &mut diagnostics);
    let errors = diagnostics.tokens();
    let expanded = component.expand();
    quote! { #errors #expanded }
}

/// The span of the first `<` in the body, if the body of the function begins with a tag.
fn body_of_tags(item: TokenStream) -> Option<proc_macro2::Span> {
    let TokenTree::Group(body) = item.into_iter().last()? else {
        return None;
    };
    match body.stream().into_iter().next()? {
        TokenTree::Punct(first) if first.as_char() == '<' => Some(first.span()),
        _ => None,
    }
}

/// True if the item is probably a function, so that its syntax errors are reported.
fn starts_with_fn(item: TokenStream) -> bool {
    item.into_iter()
        .any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))
}
