//! How the user's crate names `hud_core`.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::Path;
use syn::parse::{ParseStream, Parser};

use crate::diagnostics::Diagnostics;
use crate::manifest;

/// The path of `hud_core`.
#[derive(Clone)]
pub(crate) enum Krate {
    /// The name that the user's manifest gives it.
    ///
    /// It is a word and not tokens: those would be cloned and joined by the compiler wherever the path is written, which
    /// is most of what a macro does.
    Named(Ident),
    /// The path after `crate =`, in a crate that has `hud_core` from another one.
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
    /// The path after `crate =`.
    pub(crate) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = Path::parse_mod_style(input)?;
        // It is resolved as the user wrote it, and is in no place of the user's: what is wrong with a tag is reported
        // there, and not at the path in front of it.
        let located = path.into_token_stream().into_iter().map(|mut token| {
            token.set_span(Span::call_site().resolved_at(token.span()));
            token
        });
        Ok(Self::Given(located.collect()))
    }

    /// The path of `crate = path;` at the beginning of tokens, or the name in the manifest, and the other tokens.
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

/// What `hud_core::expansion` is called in the [constant](apart) around what a macro makes of a tag.
pub(crate) fn within() -> Ident {
    Ident::new("__hud", Span::call_site())
}

/// Items in an unnamed constant: the user's module gets no second name. Paths are short there, since each of their
/// tokens takes the compiler its time, in each tag.
pub(crate) fn apart(krate: &Krate, items: &impl ToTokens) -> TokenStream {
    let within = within();
    quote! {
        const _: () = {
            use #krate::expansion as #within;
            #items
        };
    }
}

/// The path of `hud_core` by the manifest of the user's crate.
pub(crate) fn hud_core() -> Krate {
    // The crate itself is named so too, with `extern crate self`. Without a manifest, or where none names the crate,
    // rustc reports that it is missing.
    let name = manifest::name_of("hud-core");
    let word = name.and_then(|name| syn::parse_str::<Ident>(&name).ok());
    Krate::Named(word.unwrap_or_else(|| Ident::new("hud_core", Span::call_site())))
}
