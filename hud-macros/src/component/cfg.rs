//! Props with `#[cfg(..)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, ItemFn};

use super::options::Options;

/// Returns the function with and without the props that have its first `#[cfg(..)]`. A macro can't evaluate the
/// condition, so the compiler selects one of the two. It is `None` if there is no such prop.
pub(super) fn with_and_without(
    options: &Options,
    attr: &TokenStream,
    function: &ItemFn,
) -> Option<TokenStream> {
    let attrs = |input: &FnArg| match input {
        FnArg::Typed(argument) => argument.attrs.clone(),
        FnArg::Receiver(receiver) => receiver.attrs.clone(),
    };
    let condition = function
        .sig
        .inputs
        .iter()
        .flat_map(attrs)
        .find(|attr| attr.path().is_ident("cfg"))?;
    let condition = condition.meta.require_list().ok()?.tokens.clone();
    let is_it = |attr: &Attribute| {
        attr.path().is_ident("cfg")
            && attr
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string() == condition.to_string())
    };
    let (mut with, mut without) = (function.clone(), function.clone());
    for input in &mut with.sig.inputs {
        if let FnArg::Typed(argument) = input {
            argument.attrs.retain(|attr| !is_it(attr));
        }
    }
    without.sig.inputs = without
        .sig
        .inputs
        .into_iter()
        .filter(|input| !attrs(input).iter().any(is_it))
        .collect();
    let krate = options.krate();
    Some(quote! {
        #[cfg(#condition)]
        #[#krate::component(#attr)]
        #with

        #[cfg(not(#condition))]
        #[#krate::component(#attr)]
        #without
    })
}
