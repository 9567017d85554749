//! The path of `hud_core` in the user's crate.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::Path;
use syn::parse::{ParseStream, Parser};

use crate::diagnostics::Diagnostics;
use crate::manifest;

/// The path of `hud_core`.
#[derive(Clone)]
pub(crate) enum Krate {
    /// The name of `hud_core` in the user's manifest.
    ///
    /// It is an `Ident` and not a `TokenStream`. The compiler would clone and join a stream at each use of the path,
    /// which is most of the work of a macro.
    Named(Ident),
    /// The path after `crate =`, in a crate that gets `hud_core` from another crate.
    Given(TokenStream),
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Named(name) => {
                tokens.append(Punct::new(':', Spacing::Joint));
                tokens.append(Punct::new(':', Spacing::Alone));
                tokens.append(name.clone());
            }
            Self::Given(path) => path.to_tokens(tokens),
        }
    }
}

impl Krate {
    /// Parses the path after `crate =`.
    pub(crate) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = Path::parse_mod_style(input)?;
        // The path is resolved at the user's tokens, but has the span of the macro call. Errors in a tag are then
        // reported at the tag and not at the path.
        let located = path.into_token_stream().into_iter().map(|mut token| {
            token.set_span(Span::call_site().resolved_at(token.span()));
            token
        });
        Ok(Self::Given(located.collect()))
    }

    /// Splits off `crate = path;` at the start of the tokens. Without it, the path is the name in the manifest.
    pub(crate) fn split(tokens: TokenStream, diagnostics: &mut Diagnostics) -> (Self, TokenStream) {
        let mut rest = tokens.clone().into_iter();
        let (word, mark) = (rest.next(), rest.next());
        let mark = match (word, mark) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Punct(mark)))
                if word == "crate" && mark.as_char() == '=' =>
            {
                mark
            }
            _ => return (hud_core(), tokens),
        };
        let is_end =
            |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
        let path: TokenStream = rest.by_ref().take_while(|token| !is_end(token)).collect();
        let is_missing = path.is_empty();
        let krate = Self::parse.parse2(path).unwrap_or_else(|error| {
            let span = if is_missing {
                mark.span()
            } else {
                error.span()
            };
            let message = "the path of `hud_core` ends with `;`: write `crate = facade::hud_core;`";
            diagnostics.note(span, message);
            hud_core()
        });
        (krate, rest.collect())
    }
}

/// The alias of `hud_core::expansion` in the [constant](apart) around the code of a tag.
pub(crate) fn within() -> Ident {
    Ident::new("__hud", Span::call_site())
}

/// Wraps items in an unnamed constant, so that the user's module gets no additional name. Paths in it are short,
/// because each of their tokens costs compile time in each tag.
pub(crate) fn apart(krate: &Krate, items: &impl ToTokens) -> TokenStream {
    let within = within();
    quote! {
        const _: () = {
            use #krate::expansion as #within;
            #items
        };
    }
}

/// The path of `hud_core` according to the manifest of the user's crate.
pub(crate) fn hud_core() -> Krate {
    // `hud_core` itself has this name, too, because of `extern crate self`. If there is no manifest, or if it does
    // not name the crate, rustc reports that the crate is missing.
    let name = manifest::name_of("hud-core");
    let word = name.and_then(|name| syn::parse_str::<Ident>(&name).ok());
    Krate::Named(word.unwrap_or_else(|| Ident::new("hud_core", Span::call_site())))
}
