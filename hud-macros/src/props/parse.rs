//! Parses a prop from an argument or a field.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Generics, Token, Type};

use super::{Default, Kind, Prop};
use crate::diagnostics::Diagnostics;
use crate::generics;
use crate::types::{is_element, last_segment, type_argument, type_text};

impl Prop {
    /// Parses a prop from an argument or a field. `attrs` are all its attributes. Attributes other than docs and
    /// `#[prop]` are refused. `write` makes elided lifetimes explicit.
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
                format!("`{name}` cannot be a prop: the name is the macro's"),
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
                    let error = meta.error("a default goes after `=`: write `default = ..`");
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
                return Err(meta.error("this key is given twice: remove one"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            diagnostics.note(error.span(), error.to_string());
        }
    }

    /// The reason why `ambient` is not allowed for this prop.
    fn refuse_ambient(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Slot | Kind::OptionalSlot => {
                Some("elements are given by the caller: remove `ambient`")
            }
            Kind::Density => Some("the density is ambient by itself: remove `ambient`"),
            Kind::Value | Kind::Optional(_) => None,
        }
    }

    /// The reason why `provide` is not allowed for this prop.
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

    /// The reason why `into` is not allowed for this prop.
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
}

/// The span of `ambient` in `#[prop(ambient)]`.
fn ambient_key(attr: &Attribute) -> Option<Span> {
    let list = attr.meta.require_list().ok()?;
    let is_prop = list.path.is_ident("prop");
    let mut tokens = list.tokens.clone().into_iter().filter(|_| is_prop);
    tokens.find_map(|token| match token {
        TokenTree::Ident(word) if word == "ambient" => Some(word.span()),
        _ => None,
    })
}
