//! What the struct of the props derives.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::Type;

use super::super::model::Component;
use crate::props::{Kind, Prop};
use crate::types::{last_segment, type_argument};
use crate::{generics, lifetimes, tag};

impl Component {
    /// `Clone`, `Debug`, which leaves out what has none, and `PartialEq` if all props have it.
    pub(super) fn derived(&self, hud: &impl ToTokens) -> TokenStream {
        let parts = [self.clone(hud), self.debug(hud), self.comparison(hud)];
        quote! { #(#parts)* }
    }

    fn clone(&self, hud: &impl ToTokens) -> TokenStream {
        let Self { name, props, .. } = self;
        let names = props.iter().map(|prop| &prop.name);
        let values = props.iter().map(|prop| self.cloned(hud, prop));
        let (_, type_generics, _) = self.generics.split_for_impl();
        let bounded = self.bounded(&syn::parse_quote! { ::core::clone::Clone });
        let (impl_generics, _, where_clause) = bounded.split_for_impl();
        quote! {
            impl #impl_generics #hud::Clone for #name #type_generics #where_clause {
                fn clone(&self) -> Self {
                    #name { #(#names: #values,)* }
                }
            }
        }
    }

    /// The value of a prop for one more call. What can not be cloned is reported at its type, and once:
    /// rustc does not say the same of the same place again.
    pub(super) fn cloned(&self, hud: &impl ToTokens, prop: &Prop) -> TokenStream {
        let name = &prop.name;
        if matches!(prop.kind, Kind::Density) || is_copied(&prop.ty) {
            return quote! { self.#name };
        }
        // What was refused already is not reported again.
        let is_known = generics::projection(&self.generics, &prop.ty).is_none();
        let ty = Some(&prop.ty).filter(|_| is_known);
        let of_type = ty.map(|ty| quote! { ::<#ty> });
        quote! { #hud::again #of_type (&self.#name) }
    }

    fn debug(&self, hud: &impl ToTokens) -> TokenStream {
        let name = &self.name;
        let values = self.props.iter().map(|prop| {
            let name = &prop.name;
            if is_plain(&prop.ty) {
                quote! { &self.#name }
            } else {
                quote! { __Shown(&self.#name).shown() }
            }
        });
        // Known types have `Debug`, and need no look at which of the two applies.
        let finds = self.props.iter().any(|prop| !is_plain(&prop.ty)).then(|| {
            quote! {
                #[allow(unused_imports, reason = "all props may have `Debug`")]
                use #hud::{Hidden as _, Shown as __Shown};
            }
        });
        let (_, type_generics, _) = self.generics.split_for_impl();
        let lifetimes = generics::lifetimes(&self.generics);
        let (_, lifetimes, _) = lifetimes.split_for_impl();
        let bounded = self.bounded(&syn::parse_quote! { ::core::fmt::Debug });
        let (impl_generics, _, where_clause) = bounded.split_for_impl();
        quote! {
            impl #impl_generics #hud::fmt::Debug for #name #type_generics #where_clause {
                fn fmt(&self, f: &mut #hud::fmt::Formatter<'_>) -> #hud::fmt::Result {
                    #finds
                    #hud::debug(f, <#name #lifetimes as #hud::Tag>::META, &[#(#values),*])
                }
            }
        }
    }

    /// The bounds are `for<'any> Type: Trait`: where one is not met the implementation does not
    /// apply, while a bound without a variable would not compile. They cost the compiler much, so
    /// there are none for types that are known, and no comparison where a prop is an element.
    fn comparison(&self, hud: &impl ToTokens) -> TokenStream {
        let Self { name, props, .. } = self;
        let has_elements = props.iter().any(|prop| {
            let element = |name| tag::mentions(prop.ty.to_token_stream(), &format_ident!("{name}"));
            element("Element") || element("Children")
        });
        if has_elements {
            return TokenStream::new();
        }
        let (_, type_generics, _) = self.generics.split_for_impl();
        let mut bounded = generics::without_defaults(generics::of_struct(&self.generics));
        let mut bounds = BTreeSet::new();
        let compared = props.iter().map(|prop| {
            let name = &prop.name;
            if is_shared_trait(&prop.ty) {
                return quote! { __Same(&self.#name).same(&other.#name) };
            }
            if !is_plain(&prop.ty) {
                // One bound for all lifetimes: of two that differ in them, the compiler can not
                // choose one.
                let mut ty = prop.ty.clone();
                lifetimes::make_any(&mut ty);
                if bounds.insert(ty.to_token_stream().to_string()) {
                    let bound = syn::parse_quote! { for<'any> #ty: ::core::cmp::PartialEq };
                    bounded.make_where_clause().predicates.push(bound);
                }
            }
            // `==` would take a value of an unsized type out of its place.
            quote! { #hud::PartialEq::eq(&self.#name, &other.#name) }
        });
        let compared: Vec<_> = compared.collect();
        let (impl_generics, _, where_clause) = bounded.split_for_impl();
        quote! {
            impl #impl_generics #hud::PartialEq for #name #type_generics #where_clause {
                #[allow(
                    unpredictable_function_pointer_comparisons,
                    reason = "a prop that is a function is compared as Rust compares functions"
                )]
                fn eq(&self, other: &Self) -> bool {
                    #[allow(unused_imports, reason = "there may be no such prop")]
                    use #hud::{Same as __Same, SamePlace as _};
                    true #(&& #compared)*
                }
            }
        }
    }

    /// The generics of an implementation of a trait that all type parameters have, too.
    fn bounded(&self, bound: &syn::TypeParamBound) -> syn::Generics {
        let mut generics = generics::without_defaults(generics::of_struct(&self.generics));
        for param in generics.type_params_mut() {
            param.bounds.push(bound.clone());
        }
        generics
    }
}

/// Whether a type is an `Rc` or an `Arc` of a trait, or an option of one: most of these traits have
/// no equality, and then the same place is the same value.
fn is_shared_trait(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|word| match word.ident.to_string().as_str() {
        "Option" => type_argument(word).is_some_and(is_shared_trait),
        "Rc" | "Arc" => matches!(type_argument(word), Some(Type::TraitObject(_))),
        _ => false,
    })
}

/// Whether a type is known to be `Copy`: the compiler has nothing to look for.
fn is_copied(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        _ => last_segment(ty).is_some_and(|word| match word.ident.to_string().as_str() {
            "Option" => type_argument(word).is_some_and(is_copied),
            other => NUMBERS.contains(&other) || matches!(other, "bool" | "char"),
        }),
    }
}

const NUMBERS: [&str; 12] = [
    "f32", "f64", "usize", "u8", "u16", "u32", "u64", "isize", "i8", "i16", "i32", "i64",
];

/// Whether a type is one of those that everybody uses and that have `Debug` and `PartialEq`: to find it
/// out for others costs the compiler more than all else about the struct.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Slice(slice) => is_plain(&slice.elem),
        _ => last_segment(ty).is_some_and(|word| match word.ident.to_string().as_str() {
            "Option" | "Vec" => type_argument(word).is_some_and(is_plain),
            "bool" | "char" | "str" | "String" | "Element" | "Children" | "Density" => true,
            other => NUMBERS.contains(&other),
        }),
    }
}
