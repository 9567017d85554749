//! How the user's crate names `hud_core`.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt, quote};

use crate::manifest;

/// The absolute path of `hud_core`, under the name that the user's manifest gives it.
///
/// It is a word and not tokens: those would be cloned and joined by the compiler wherever the path is written, which
/// is most of what a macro does.
pub(crate) struct Krate(Ident);

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append(Punct::new(':', Spacing::Joint));
        tokens.append(Punct::new(':', Spacing::Alone));
        tokens.append(self.0.clone());
    }
}

/// What `hud_core::expansion` is called in the [constant](apart) around what a macro makes of a tag.
pub(crate) fn within() -> Ident {
    Ident::new("__hud", Span::call_site())
}

/// Items in an unnamed constant: the user's module gets no second name. Paths are short there, since each of their
/// tokens takes the compiler its time, in each tag.
pub(crate) fn apart(items: &impl ToTokens) -> TokenStream {
    let (krate, within) = (hud_core(), within());
    quote! {
        const _: () = {
            use #krate::expansion as #within;
            #items
        };
    }
}

/// The path of `hud_core` in the user's crate.
pub(crate) fn hud_core() -> Krate {
    // The crate itself is named so too, with `extern crate self`. Without a manifest, or where none names the crate,
    // rustc reports that it is missing.
    let name = manifest::name_of("hud-core");
    let word = name.and_then(|name| syn::parse_str::<Ident>(&name).ok());
    Krate(word.unwrap_or_else(|| Ident::new("hud_core", Span::call_site())))
}
