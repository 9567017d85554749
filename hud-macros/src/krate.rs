//! How the user's crate names `hud_core`.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

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
