//! How the user's crate names `hud_core`.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// What `hud_core::expansion` is called in the [constant](apart) around what a macro makes of a tag.
pub(crate) fn within() -> TokenStream {
    quote! { __hud }
}

/// Items in an unnamed constant: the user's module gets no second name. Paths are short there, since each of their
/// tokens takes the compiler its time, in each tag.
pub(crate) fn apart(items: &TokenStream) -> TokenStream {
    let (krate, within) = (hud_core(), within());
    quote! {
        const _: () = {
            use #krate::expansion as #within;
            #items
        };
    }
}

/// The absolute path of `hud_core`, under the name that the user's manifest gives it.
pub(crate) fn hud_core() -> TokenStream {
    match crate_name("hud-core") {
        Ok(FoundCrate::Name(name)) if name != "hud_core" => {
            let name = Ident::new(&name, Span::call_site());
            quote! { ::#name }
        }
        // Itself: the crate names itself with `extern crate self`. An error: there is no manifest,
        // or none that names the crate, and then rustc says that it is missing.
        _ => quote! { ::hud_core },
    }
}
