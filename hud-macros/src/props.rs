//! Props: the model that components and nodes share.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, GenericArgument, Generics, PathArguments, PathSegment, Token, Type};

use crate::diagnostics::Diagnostics;
use crate::{generics, lifetimes};

/// One prop.
pub(crate) struct Prop {
    pub(crate) name: Ident,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) ty: Type,
    /// The type as the user wrote it, without the lifetimes that were left out.
    declared: String,
    /// Its doc comments, as attributes.
    docs: Vec<Attribute>,
    pub(crate) kind: Kind,
    /// `#[prop(into)]`
    into: bool,
    /// `#[prop(default)]`, `#[prop(default = expression)]`
    pub(crate) default: Option<Default>,
    /// `#[prop(ambient)]`: no prop, but passed in from what surrounds the call.
    pub(crate) ambient: Option<Span>,
    /// `#[prop(provide)]`: given to all that is rendered below.
    pub(crate) provide: bool,
}

/// What decides how a prop is given.
pub(crate) enum Kind {
    /// A value.
    Value,
    /// An `Option`; here what is in it.
    Optional(Box<Type>),
    /// Elements.
    Slot,
    /// Elements or none.
    OptionalSlot,
    /// The density: the caller's, or else the ambient one.
    Density,
}

pub(crate) enum Default {
    Trait,
    Expr(Box<Expr>),
}

impl Prop {
    /// A prop from an argument or a field. `attrs` are all its attributes; the ones that are
    /// neither docs nor `#[prop]` are refused. `write` writes in the lifetimes that were left out.
    pub(crate) fn parse(
        name: Ident,
        mut ty: Type,
        attrs: &[Attribute],
        generics: &Generics,
        diagnostics: &mut Diagnostics,
        write: impl FnOnce(&mut Type),
    ) -> Self {
        if name == "into_element" || name.to_string().starts_with("__") {
            diagnostics.note(
                name.span(),
                format!("`{name}` can not be a prop: the name is the macro's"),
            );
        }
        let declared = type_text(&ty);
        let ambient = attrs.iter().find_map(ambient_key);
        if ambient.is_none() {
            write(&mut ty);
        }
        let kind = match last_segment(&ty) {
            Some(segment) if segment.ident == "Option" => match type_argument(segment) {
                Some(inner) if is_element(inner) => Kind::OptionalSlot,
                Some(inner) => Kind::Optional(Box::new(inner.clone())),
                None => Kind::Value,
            },
            Some(segment) if segment.ident == "Density" && name == "density" => Kind::Density,
            _ if is_element(&ty) => Kind::Slot,
            _ => Kind::Value,
        };
        let mut prop = Self {
            name,
            mutability: None,
            ty,
            declared,
            docs: Vec::new(),
            kind,
            into: false,
            default: None,
            ambient,
            provide: false,
        };
        for attr in attrs {
            if attr.path().is_ident("doc") {
                prop.docs.push(attr.clone());
            } else if attr.path().is_ident("prop") {
                prop.parse_attribute(attr, generics, diagnostics);
            } else if attr.path().is_ident("props") {
                diagnostics.note(
                    attr.path().span(),
                    "the attribute of one prop is `#[prop(..)]`",
                );
            } else if !attr.path().is_ident("cfg") {
                diagnostics.note(
                    attr.span(),
                    "a prop takes doc comments, `#[prop(..)]` and `#[cfg(..)]`, no other attribute",
                );
            }
        }
        prop
    }

    fn parse_attribute(
        &mut self,
        attr: &Attribute,
        generics: &Generics,
        diagnostics: &mut Diagnostics,
    ) {
        let mut ambient = false;
        let parsed = attr.parse_nested_meta(|meta| {
            let twice = if meta.path.is_ident("into") {
                self.refuse_into(generics)
                    .map_or(Ok(()), |why| Err(meta.error(why)))?;
                std::mem::replace(&mut self.into, true)
            } else if meta.path.is_ident("ambient") {
                self.refuse_ambient()
                    .map_or(Ok(()), |why| Err(meta.error(why)))?;
                std::mem::replace(&mut ambient, true)
            } else if meta.path.is_ident("provide") {
                self.refuse_provide()
                    .map_or(Ok(()), |why| Err(meta.error(why)))?;
                std::mem::replace(&mut self.provide, true)
            } else if meta.path.is_ident("default") {
                if meta.input.peek(syn::token::Paren) || meta.input.peek(Token![:]) {
                    let error = meta.error("a default stands behind `=`: write `default = ..`");
                    meta.input.parse::<TokenStream>()?;
                    return Err(error);
                }
                let default = match meta.value() {
                    Ok(_) if self.ambient.is_some() && self.is_optional() => {
                        return Err(meta.error(format!(
                            "`{}` has a default, so it is never `None`: take it without `Option`",
                            self.name
                        )));
                    }
                    Ok(value) => Default::Expr(Box::new(value.parse()?)),
                    Err(_) if self.is_optional() => {
                        return Err(meta.error(format!(
                            "prop `{}` may be left out without `default`: remove it",
                            self.name
                        )));
                    }
                    Err(_) => Default::Trait,
                };
                self.default.replace(default).is_some()
            } else {
                return Err(meta.error(
                    "unknown key in `#[prop(..)]`: write `into`, `default`, `default = ..`, \
                     `ambient` or `provide`",
                ));
            };
            if twice {
                return Err(meta.error("this key stands twice: remove one"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            diagnostics.note(error.span(), error.to_string());
        }
    }

    /// Why `ambient` makes no sense for this prop.
    fn refuse_ambient(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Slot | Kind::OptionalSlot => {
                Some("elements are given by the caller: remove `ambient`")
            }
            Kind::Density => Some("the density is ambient by itself: remove `ambient`"),
            Kind::Value | Kind::Optional(_) => None,
        }
    }

    /// Why `provide` makes no sense for this prop.
    fn refuse_provide(&self) -> Option<&'static str> {
        match self.kind {
            _ if self.ambient.is_some() => {
                Some("what is ambient is provided already: remove `provide`")
            }
            Kind::Value => None,
            Kind::Slot | Kind::OptionalSlot | Kind::Density => {
                Some("elements and the density are no ambient values: remove `provide`")
            }
            Kind::Optional(_) => Some("what is provided is always given: take it without `Option`"),
        }
    }

    /// Whether its type is `Ambient`, which holds any value.
    pub(crate) fn is_ambient_type(&self) -> bool {
        self.provide && last_segment(&self.ty).is_some_and(|word| word.ident == "Ambient")
    }

    /// Why `into` makes no sense for this prop.
    fn refuse_into(&self, generics: &Generics) -> Option<String> {
        if self.ambient.is_some() {
            return Some("an ambient value is read as it is: remove `into`".to_owned());
        }
        match &self.kind {
            Kind::Slot | Kind::OptionalSlot => Some(format!(
                "slot `{}` takes whatever turns into elements without `into`: remove it",
                self.name
            )),
            Kind::Density => Some("the density is given as it is: remove `into`".to_owned()),
            Kind::Value | Kind::Optional(_) => {
                let word = last_segment(&self.ty)?;
                generics::is_type_param(generics, &word.ident).then(|| {
                    format!(
                        "`into` would leave the type `{}` open: take it as it is",
                        word.ident
                    )
                })
            }
        }
    }

    pub(crate) fn is_optional(&self) -> bool {
        matches!(
            self.kind,
            Kind::Optional(_) | Kind::OptionalSlot | Kind::Density
        )
    }

    fn required(&self) -> bool {
        self.default.is_none() && !self.is_optional() && self.ambient.is_none()
    }

    /// The docs of the prop's field and setter.
    pub(crate) fn docs(&self) -> TokenStream {
        match (&self.kind, self.docs.as_slice()) {
            (Kind::Density, []) => {
                quote! { #[doc = "How much is said; by default the ambient density."] }
            }
            (_, docs) => quote! { #(#docs)* },
        }
    }

    /// The type of the prop in the struct.
    pub(crate) fn field_type(&self, krate: &TokenStream) -> TokenStream {
        match self.kind {
            Kind::Density => quote! { ::core::option::Option<#krate::Density> },
            _ => self.ty.to_token_stream(),
        }
    }

    /// Its entry in the tag's description.
    pub(crate) fn meta(&self, krate: &TokenStream) -> TokenStream {
        let (name, ty) = (self.name.unraw().to_string(), &self.declared);
        let (docs, required) = (text(&self.docs), self.required());
        let key = key(&name);
        quote! {
            #krate::PropMeta {
                name: #name, ty: #ty, docs: #docs, required: #required, key: #key
            }
        }
    }

    /// The type that the builder holds in an `Option` until the prop is given.
    pub(crate) fn held(&self, krate: &TokenStream) -> TokenStream {
        match &self.kind {
            Kind::Optional(inner) => inner.to_token_stream(),
            Kind::OptionalSlot => last_segment(&self.ty)
                .and_then(type_argument)
                .to_token_stream(),
            Kind::Density => quote! { #krate::Density },
            Kind::Value | Kind::Slot => self.ty.to_token_stream(),
        }
    }

    /// The method of the builder that gives the prop.
    pub(crate) fn setter(&self, krate: &TokenStream) -> TokenStream {
        let name = &self.name;
        let (held, docs) = (self.held(krate), self.docs());
        let (takes, value) = match &self.kind {
            Kind::Slot | Kind::OptionalSlot => {
                let lifetime = lifetimes::of_element(&self.ty);
                (
                    quote! { impl #krate::IntoElement<#lifetime> },
                    quote! { #krate::IntoElement::into_slot(value) },
                )
            }
            _ if self.is_ambient_type() => {
                let lifetime = lifetimes::of_element(&self.ty);
                (
                    quote! { impl #krate::ambient::IntoAmbient<#lifetime> },
                    quote! {
                        ::core::option::Option::Some(
                            #krate::ambient::IntoAmbient::into_ambient(value)
                        )
                    },
                )
            }
            _ if self.into => (
                quote! { impl #krate::expansion::IntoProp<#held> },
                quote! {
                    ::core::option::Option::Some(#krate::expansion::IntoProp::into_prop(value))
                },
            ),
            Kind::Optional(_) | Kind::Density => (
                quote! { impl #krate::expansion::IntoOptional<#held> },
                quote! { #krate::expansion::IntoOptional::into_optional(value) },
            ),
            Kind::Value => (held, quote! { ::core::option::Option::Some(value) }),
        };
        quote! {
            #docs
            #[inline]
            pub fn #name(&mut self, value: #takes) {
                self.given.#name = #value;
            }
        }
    }

    /// The builder's field when all of the props are given as `value`.
    pub(crate) fn spread(&self) -> TokenStream {
        let name = &self.name;
        if self.is_optional() {
            quote! { value.#name }
        } else {
            quote! { ::core::option::Option::Some(value.#name) }
        }
    }

    /// The prop's value when the builder is done.
    pub(crate) fn built(&self, krate: &TokenStream) -> TokenStream {
        let name = &self.name;
        match &self.default {
            // The ambient density's place is an option, and its default is a density.
            Some(Default::Expr(expr)) if matches!(self.kind, Kind::Density) => {
                quote! { self.#name.or_else(|| ::core::option::Option::Some(#expr)) }
            }
            Some(Default::Expr(expr)) if self.is_optional() => {
                quote! { self.#name.or_else(|| #expr) }
            }
            _ if self.is_optional() => quote! { self.#name },
            Some(Default::Trait) => quote! { self.#name.unwrap_or_default() },
            Some(Default::Expr(expr)) => quote! { self.#name.unwrap_or_else(|| #expr) },
            None => quote! { self.#name.unwrap_or_else(#krate::expansion::checked) },
        }
    }
}

/// The place of `ambient` in `#[prop(ambient)]`.
fn ambient_key(attr: &Attribute) -> Option<Span> {
    let list = attr.meta.require_list().ok()?;
    let is_prop = list.path.is_ident("prop");
    let mut tokens = list.tokens.clone().into_iter().filter(|_| is_prop);
    tokens.find_map(|token| match token {
        TokenTree::Ident(word) if word == "ambient" => Some(word.span()),
        _ => None,
    })
}

/// A number for a prop's name, which the compiler compares sooner than text when it checks a tag.
/// It is the FNV-1a hash of 64 bits.
pub(crate) fn key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The text of doc attributes, a line each.
pub(crate) fn text(docs: &[Attribute]) -> String {
    let lines: Vec<String> = docs
        .iter()
        .filter_map(|attr| match &attr.meta {
            syn::Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    syn::Lit::Str(line) => Some(line.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .collect();
    lines.join("\n")
}

/// A type as one would write it: `&'a [String]`.
fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    for word in ty.to_token_stream().to_string().split(' ') {
        let glued = matches!(word, ">" | "," | ")" | "]" | ";" | "<" | "::")
            || text.ends_with(['<', '&', '(', '['])
            || text.ends_with("::");
        if !glued && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// The last word of a type's path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

pub(crate) fn is_element(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|word| word.ident == "Element" || word.ident == "Children")
}

pub(crate) fn type_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
