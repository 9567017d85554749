//! What `#[component(..)]` declares.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;

use crate::diagnostics::Diagnostics;

/// The keys in `#[component(..)]`, a field for each.
#[derive(Default)]
pub(super) struct Options {
    /// `layer = static`, `layer = dynamic`: a variant of `Layer`.
    pub(super) layer: Option<Ident>,
    /// `schema`: the props can be read from data, and have a schema.
    pub(super) schema: Option<Ident>,
}

impl Options {
    pub(super) fn parse(attr: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let mut options = Self::default();
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("layer") {
                options.layer = Some(variant(&meta, "layer", &["Static", "Dynamic"])?);
            } else if meta.path.is_ident("schema") {
                options.schema = meta.path.get_ident().cloned();
            } else {
                return Err(meta.error(
                    "unknown key in `#[component(..)]`: write `layer = static`, \
                     `layer = dynamic` or `schema`",
                ));
            }
            Ok(())
        });
        if let Err(error) = syn::parse::Parser::parse2(parser, attr) {
            diagnostics.extend(error);
        }
        options
    }

    /// Whether the component says that it belongs to the static layer.
    pub(super) fn is_static(&self) -> bool {
        self.layer.as_ref().is_some_and(|layer| layer == "Static")
    }
}

/// The variant that a key names in small letters: `Static` for `layer = static`.
fn variant(meta: &ParseNestedMeta<'_>, key: &str, variants: &[&str]) -> syn::Result<Ident> {
    let word = meta.value()?.call(Ident::parse_any)?;
    let small = |variant: &str| variant.to_lowercase();
    match variants.iter().find(|variant| word == small(variant)) {
        Some(variant) => Ok(Ident::new(variant, word.span())),
        None => {
            let words: Vec<_> = variants
                .iter()
                .map(|word| format!("`{}`", small(word)))
                .collect();
            let message = format!("a {key} is {}", words.join(" or "));
            Err(syn::Error::new(word.span(), message))
        }
    }
}
