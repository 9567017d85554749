//! The arguments of `#[component(..)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Expr, ExprLit, Lit, LitInt, LitStr};

use crate::diagnostics::Diagnostics;
use crate::krate::{self, Krate};

/// The keys in `#[component(..)]`, with a field for each.
#[derive(Default)]
pub(super) struct Options {
    /// `layer = static`, `layer = dynamic`: a variant of `Layer`.
    layer: Option<Ident>,
    /// `worth = 8`: a `u8`.
    worth: Option<LitInt>,
    /// `floor = minimal`: a variant of `Density`.
    floor: Option<Ident>,
    /// `cap = 10`: a `u32`.
    cap: Option<LitInt>,
    /// `part = "menu"`: the name as a part of a layout.
    name: Option<LitStr>,
    /// `heading`: the parts after it are under its heading.
    heading: Option<Ident>,
    /// `schema`: the props can be deserialized, and have a schema.
    pub(super) schema: Option<Ident>,
    /// `crate = facade::hud_core`: the path of `hud_core`.
    krate: Option<Krate>,
    /// The keys that were parsed.
    given: Vec<Ident>,
}

impl Options {
    pub(super) fn parse(attr: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let mut options = Self::default();
        let parser = syn::meta::parser(|meta| options.read(&meta));
        if let Err(error) = syn::parse::Parser::parse2(parser, attr) {
            diagnostics.extend(error);
        }
        options
    }

    /// Parses one key.
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let key = meta.path.get_ident();
        if let Some(key) = key {
            if self.given.contains(key) {
                return Err(meta.error("this key is given twice: remove one"));
            }
            self.given.push(key.clone());
        }
        match key.map(Ident::to_string).as_deref() {
            Some("layer") => self.layer = Some(variant(meta, "layer", &["Static", "Dynamic"])?),
            Some("worth") => {
                let wrong = "a worth is a whole number from 0 to 255";
                self.worth = Some(number::<u8>(meta, wrong)?);
            }
            Some("floor") => {
                self.floor = Some(variant(meta, "floor", &["Full", "Compact", "Minimal"])?);
            }
            Some("cap") => {
                let wrong =
                    "a cap is how many items are listed at most: a whole number, as in `cap = 10`";
                self.cap = Some(number::<u32>(meta, wrong)?);
            }
            Some("part") => self.name = Some(name(meta)?),
            Some("heading") => self.heading = key.cloned(),
            Some("schema") => self.schema = key.cloned(),
            Some("crate") => self.krate = Some(Krate::parse(meta.value()?)?),
            _ => {
                return Err(meta.error(
                    "unknown key in `#[component(..)]`: write `layer`, `worth`, `floor`, `cap`, \
                     `part`, `heading`, `schema` or `crate`",
                ));
            }
        }
        Ok(())
    }

    /// The path of `hud_core`.
    pub(super) fn krate(&self) -> Krate {
        self.krate.clone().unwrap_or_else(krate::hud_core)
    }

    /// True if the component declares that it is in the static layer.
    pub(super) fn is_static(&self) -> bool {
        self.layer.as_ref().is_some_and(|layer| layer == "Static")
    }

    /// The component's declaration as a part of a layout, as a `PartMeta`. It is `None` if nothing is declared.
    pub(super) fn part(&self, krate: &impl ToTokens, component: &Ident) -> Option<TokenStream> {
        let Self {
            layer,
            worth,
            floor,
            cap,
            name,
            heading,
            schema: _,
            krate: _,
            given: _,
        } = self;
        let says = layer.is_some()
            || worth.is_some()
            || floor.is_some()
            || cap.is_some()
            || name.is_some()
            || heading.is_some();
        if !says {
            return None;
        }
        let named = component.unraw().to_string();
        let name = name.as_ref().map_or(named, LitStr::value);
        let layer = match layer {
            Some(layer) => layer.to_token_stream(),
            None => quote! { Dynamic },
        };
        let worth = match worth {
            Some(worth) => worth.to_token_stream(),
            None => quote! { #krate::part::PartMeta::WORTH },
        };
        let floor = option(
            floor
                .as_ref()
                .map(|floor| quote! { #krate::Density::#floor }),
        );
        let cap = option(cap.as_ref().map(ToTokens::to_token_stream));
        let heading = heading.is_some();
        Some(quote! {
            #krate::part::PartMeta {
                name: ::std::borrow::Cow::Borrowed(#name),
                layer: #krate::part::Layer::#layer,
                worth: #worth,
                floor: #floor,
                cap: #cap,
                heading: #heading,
            }
        })
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote! { ::core::option::Option::Some(#value) },
        None => quote! { ::core::option::Option::None },
    }
}

/// The variant that a key names in lowercase: `Static` for `layer = static`.
fn variant(meta: &ParseNestedMeta<'_>, key: &str, variants: &[&str]) -> syn::Result<Ident> {
    let value = meta.value()?;
    let small = |variant: &str| variant.to_lowercase();
    let is_known = |word: &str| variants.iter().any(|variant| word == small(variant));
    if let Ok(text) = value.fork().parse::<LitStr>()
        && is_known(&text.value())
    {
        value.parse::<LitStr>()?;
        let message = format!(
            "a {key} is a word without quotes: write `{key} = {}`",
            text.value()
        );
        return Err(syn::Error::new(text.span(), message));
    }
    let word = value.call(Ident::parse_any)?;
    match variants.iter().find(|variant| word == small(variant)) {
        Some(variant) => Ok(Ident::new(variant, word.span())),
        None => {
            let words: Vec<_> = variants
                .iter()
                .map(|word| format!("`{}`", small(word)))
                .collect();
            let message = match words.as_slice() {
                [first @ .., last] => format!("a {key} is {} or {last}", first.join(", ")),
                [] => format!("a {key} has no values"),
            };
            Err(syn::Error::new(word.span(), message))
        }
    }
}

/// Parses an integer that fits its type.
fn number<T: std::str::FromStr<Err: std::fmt::Display>>(
    meta: &ParseNestedMeta<'_>,
    wrong: &str,
) -> syn::Result<LitInt> {
    let value: Expr = meta.value()?.parse()?;
    if let Expr::Lit(ExprLit {
        lit: Lit::Int(number),
        ..
    }) = &value
        && number.suffix().is_empty()
        && number.base10_parse::<T>().is_ok()
    {
        return Ok(number.clone());
    }
    Err(syn::Error::new_spanned(value, wrong))
}

/// Parses a name in quotes.
fn name(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let value: Expr = meta.value()?.parse()?;
    if let Expr::Lit(ExprLit {
        lit: Lit::Str(name),
        ..
    }) = &value
        && !name.value().trim().is_empty()
    {
        return Ok(name.clone());
    }
    let wrong = "a part has a name in quotes: write `part = \"menu\"`";
    Err(syn::Error::new_spanned(value, wrong))
}
