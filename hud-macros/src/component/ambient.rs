//! Ambient values: the arguments that are passed in from what surrounds a call, and the prop that
//! gives one to all that is rendered below.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, Lifetime, Type};

use super::Component;
use crate::diagnostics::Diagnostics;
use crate::lifetimes::{Elided, has_lifetime};
use crate::props::{Default, Prop, last_segment, type_argument};
use crate::tag;

/// How an argument takes an ambient value.
struct Taken<'t> {
    /// The type that it is found by.
    ty: &'t Type,
    /// As a reference, or as a clone.
    lent: bool,
    /// As an option, which is None where nothing gives one.
    optional: bool,
}

impl<'t> Taken<'t> {
    fn of(ty: &'t Type) -> Self {
        let inner = last_segment(ty)
            .filter(|word| word.ident == "Option")
            .and_then(type_argument);
        let (ty, optional) = (inner.unwrap_or(ty), inner.is_some());
        match ty {
            Type::Reference(reference) => Self {
                ty: &reference.elem,
                lent: true,
                optional,
            },
            ty => Self {
                ty,
                lent: false,
                optional,
            },
        }
    }
}

/// Notes an ambient value that can not be found by its type.
pub(super) fn refuse_unfindable(prop: &Prop, generics: &Generics, diagnostics: &mut Diagnostics) {
    if let Some(message) = unfindable(prop, generics) {
        diagnostics.note(Taken::of(&prop.ty).ty.span(), message);
    }
}

/// Why an ambient value can not be found by its type.
fn unfindable(prop: &Prop, generics: &Generics) -> Option<&'static str> {
    let ty = Taken::of(&prop.ty).ty;
    let tokens = ty.to_token_stream();
    let has_parameter = generics.params.iter().any(|param| match param {
        GenericParam::Type(param) => tag::mentions(tokens.clone(), &param.ident),
        GenericParam::Const(param) => tag::mentions(tokens.clone(), &param.ident),
        GenericParam::Lifetime(param) => {
            has_lifetime(tokens.clone(), &param.lifetime.ident.to_string())
        }
    });
    let is_unsized = matches!(ty, Type::TraitObject(_) | Type::Slice(_))
        || last_segment(ty).is_some_and(|word| word.ident == "str");
    if has_parameter || has_lifetime(tokens, "_") {
        Some(
            "an ambient value is found by its type, which has no parameters of the component and \
         borrows nothing: name a type of its own",
        )
    } else {
        is_unsized.then_some(
            "an ambient value is found by its type, which has a size: wrap it in a struct of its \
             own",
        )
    }
}

/// Notes all props but one that are given to what is below.
pub(super) fn refuse_second_provided(props: &[Prop], diagnostics: &mut Diagnostics) {
    for prop in props.iter().filter(|prop| prop.provide).skip(1) {
        diagnostics.note(
            prop.name.span(),
            "a component provides one ambient value: put `<Provide value={..}>` into its body \
             for the other",
        );
    }
}

/// The generics of the function: those of the struct, and a lifetime for what is passed in, where
/// it can not have that of the props. It is written into the arguments.
pub(super) fn surroundings(
    generics: &Generics,
    elided: &Elided,
    ambient: &mut [Prop],
    scope: &mut Option<Type>,
) -> Generics {
    // What is passed in may well be said to live as long as the props do: the function is called
    // with the shorter of the two lifetimes.
    let shared = generics.lifetimes().next();
    let lifetime: Lifetime =
        shared.map_or_else(|| elided.lifetime().clone(), |param| param.lifetime.clone());
    let mut write = Elided::of(lifetime.clone());
    for prop in ambient {
        write.write(&mut prop.ty);
    }
    if let Some(Type::Reference(reference)) = scope {
        if let Type::Path(path) = &mut *reference.elem
            && let Some(word) = path.path.segments.last_mut()
            && word.arguments.is_none()
        {
            word.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote! { <#lifetime> });
        }
        if let Some(scope) = scope {
            write.write(scope);
        }
        write.used = true;
    }
    let mut called = generics.clone();
    if write.used && generics.lifetimes().next().is_none() {
        called.params.insert(0, syn::parse_quote! { #lifetime });
    }
    called
}

impl Component {
    /// What an argument that is passed in gets.
    pub(super) fn surrounding(&self, prop: &Prop) -> TokenStream {
        let krate = &self.krate;
        if unfindable(prop, &self.called).is_some() {
            return quote! { #krate::expansion::checked() };
        }
        let Taken { ty, lent, optional } = Taken::of(&prop.ty);
        let found = quote! { #krate::Scope::ambient::<#ty>(*scope) };
        let default = match &prop.default {
            Some(Default::Expr(expr)) => expr.to_token_stream(),
            _ => quote! { #krate::expansion::ambient_default::<#ty>() },
        };
        match (lent, optional) {
            (true, true) => found,
            (false, true) => quote! { #found.map(#krate::expansion::again::<#ty>) },
            (true, false) => quote! {
                #found.unwrap_or_else(|| {
                    static __DEFAULT: ::std::sync::LazyLock<#ty> =
                        ::std::sync::LazyLock::new(|| #default);
                    &*__DEFAULT
                })
            },
            (false, false) => quote! {
                match #found {
                    ::core::option::Option::Some(value) => #krate::expansion::again::<#ty>(value),
                    ::core::option::Option::None => #default,
                }
            },
        }
    }

    /// The method that gives a prop to all that is rendered below.
    pub(super) fn provided(&self) -> Option<TokenStream> {
        let prop = self.props.iter().find(|prop| prop.provide)?;
        let name: &Ident = &prop.name;
        let value = match &prop.ty {
            Type::Reference(_) => quote! { self.#name },
            _ if prop.is_ambient_type() => quote! { self.#name.as_any() },
            _ => quote! { &self.#name },
        };
        Some(quote! {
            fn provided(&self) -> ::core::option::Option<&dyn ::core::any::Any> {
                ::core::option::Option::Some(#value)
            }
        })
    }
}
