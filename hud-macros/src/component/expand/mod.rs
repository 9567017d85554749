//! The generated code of a component.

mod ambient;
pub(crate) mod data;
mod owned;
mod steady;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::model::{Component, Output};
use crate::generics;
use crate::krate;
use crate::props::{Kind, Prop};
use crate::tag::{self, Tag};
use crate::types::{last_segment, type_argument};

impl Component {
    pub(super) fn expand(&self) -> TokenStream {
        let ambient: Vec<_> = self.ambient.iter().map(|argument| &argument.prop).collect();
        let hud = krate::within();
        let tag = Tag {
            hud: &hud,
            name: &self.name,
            generics: &self.generics,
            docs: &self.docs,
            props: &self.props,
            ambient: &ambient,
            kind: tag::Kind::Component(self.options.part(&hud, &self.name)),
        };
        let apart = [tag.expand(), self.conversion(&hud)];
        let parts = [
            self.structure(),
            krate::apart(&self.krate, &quote! { #(#apart)* }),
            self.implementation(),
            self.defaults(),
            self.steadiness(),
        ];
        quote! { #(#parts)* }
    }

    /// The struct of the props.
    fn structure(&self) -> TokenStream {
        let Self {
            krate,
            vis,
            name,
            docs,
            derives,
            props,
            ..
        } = self;
        let reads_itself = self.options.schema.is_some() && !self.lends();
        let unmentioned = generics::unmentioned(&self.generics, props).map(|ty| {
            let skip = reads_itself.then(|| quote! { #[serde(skip)] });
            quote! { #[doc(hidden)] #skip #vis __unmentioned: #ty, }
        });
        let generics = generics::of_struct(&self.generics, props);
        let where_clause = &generics.where_clause;
        let fields = props.iter().map(|prop| {
            let (name, ty, docs) = (&prop.name, prop.field_type(krate), prop.docs());
            let serde = reads_itself.then(|| self.serde(prop));
            quote! { #docs #serde #vis #name: #ty }
        });
        let requires = (self.options.schema.as_ref())
            .map(|schema| quote_spanned! { schema.span() => #krate::schema::required!(); });
        let read = reads_itself.then(|| {
            let (serde, schemars) = data::paths(krate);
            quote! {
                #[derive(#krate::schema::serde::Deserialize, #krate::schema::schemars::JsonSchema)]
                #[serde(crate = #serde, deny_unknown_fields)]
                #[schemars(crate = #schemars)]
            }
        });
        quote! {
            #requires

            #(#docs)*
            #(#derives)*
            #read
            #vis struct #name #generics #where_clause {
                #(#fields,)*
                #unmentioned
            }
        }
    }

    /// The implementation of `IntoElement`.
    fn conversion(&self, hud: &impl ToTokens) -> TokenStream {
        let name = &self.name;
        let (_, type_generics, _) = self.generics.split_for_impl();
        let mut generics = self.generics.clone();
        let only = generics::only_lifetime(&generics).cloned();
        let element = only.unwrap_or_else(|| {
            let element: syn::Lifetime = syn::parse_quote! { 'element };
            generics.params.insert(0, syn::parse_quote! { #element });
            (generics.make_where_clause().predicates)
                .push(syn::parse_quote! { #name #type_generics: #element });
            element
        });
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote! {
            impl #impl_generics #hud::IntoElement<#element> for #name #type_generics #where_clause {
                // Compiled only where the props are in braces.
                #[inline]
                fn into_element(self) -> #hud::Element<#element> {
                    #hud::Element::component(self)
                }
            }
        }
    }

    /// The value of a prop for another call. If it can't be cloned, the error is at its type. It appears once,
    /// because rustc does not repeat an error at the same span.
    fn cloned(&self, prop: &Prop) -> TokenStream {
        let (krate, name) = (&self.krate, &prop.name);
        if is_copied(&prop.ty) {
            return quote! { self.#name };
        }
        // A projection was already refused, so its error is not repeated.
        let is_known = generics::projection(&self.generics, &prop.ty).is_none();
        let ty = Some(&prop.ty).filter(|_| is_known);
        let of_type = ty.map(|ty| quote! { ::<#ty> });
        quote! { #krate::expansion::again #of_type (&self.#name) }
    }

    fn implementation(&self) -> TokenStream {
        let Self {
            krate,
            name,
            attrs,
            generics,
            props,
            output,
            body,
            ..
        } = self;
        let scope = self
            .scope
            .as_ref()
            .map(|ty| (quote! { scope: #ty, }, quote! { scope, }));
        let (scope_parameter, scope_passed) = scope.unzip();
        let ambient = self.ambient.iter().map(|argument| &argument.prop);
        let parameters = props.iter().chain(ambient).map(|prop| {
            let Prop {
                name,
                mutability,
                ty,
                ..
            } = prop;
            quote! { #mutability #name: #ty }
        });
        let given = |value: &dyn Fn(&Prop) -> TokenStream| {
            let given = props.iter().map(|prop| match prop.kind {
                Kind::Density => quote! { scope.density() },
                _ => value(prop),
            });
            let surrounding = self
                .ambient
                .iter()
                .map(|argument| self.surrounding(argument));
            given.chain(surrounding).collect::<Vec<_>>()
        };
        let (output, renders) = match output {
            Output::Element(ty) => (quote! { -> #ty }, true),
            Output::Other(other) => (other.to_token_stream(), false),
        };
        let passed = given(&|prop| self.cloned(prop));
        let provided = self.provided_method(|prop| {
            let name = &prop.name;
            quote! { self.#name }
        });
        let density = props
            .iter()
            .find(|prop| matches!(prop.kind, Kind::Density))
            .map(|Prop { name, .. }| {
                quote! {
                    fn density(&self) -> ::core::option::Option<#krate::Density> {
                        self.#name
                    }
                }
            });
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let (function_generics, _, _) = self.function_generics.split_for_impl();
        // A projection was already refused, so its error is not repeated.
        let is_known = |prop: &Prop| generics::projection(generics, &prop.ty).is_none();
        let turbofish = (props.iter().all(is_known)).then(|| generics::turbofish(generics));
        let turbofish = turbofish.flatten();
        let call = |passed: &[TokenStream]| match renders {
            true => quote! { render #turbofish (#scope_passed #(#passed),*) },
            false => quote! { #krate::Element::empty() },
        };
        let result = call(&passed);
        let lifetimes = generics::lifetimes(generics);
        let (_, lifetimes, _) = lifetimes.split_for_impl();
        let function = quote! {
            #(#attrs)*
            fn render #function_generics (#scope_parameter #(#parameters),*) #output
            #where_clause
            {
                #(#body)*
            }
        };
        // The implementation of the owned twin calls the same function.
        let (shared, own, twin) = if self.lends() {
            let statics = generics.lifetimes().map(|_| quote! { 'static });
            let (owned, result) = (self.owned(), call(&given(&|prop| self.lent(prop))));
            let provided = self.provided_method(|prop| self.lent(prop));
            let twin = quote! {
                #owned

                impl #krate::Component for __Owned {
                    fn meta(&self) -> &'static #krate::TagMeta {
                        <#name<#(#statics),*> as #krate::Tag>::META
                    }

                    #density
                    #provided

                    fn render<'scope>(
                        &'scope self,
                        scope: &'scope #krate::Scope<'scope>,
                    ) -> #krate::Element<'scope> {
                        #result
                    }
                }
            };
            (Some(&function), None, Some(twin))
        } else {
            (None, Some(&function), None)
        };
        let from_data = self.way_from_data();
        let implementation = quote! {
            impl #impl_generics #krate::Component for #name #type_generics #where_clause {
                fn meta(&self) -> &'static #krate::TagMeta {
                    <#name #lifetimes as #krate::Tag>::META
                }

                #density
                #provided

                fn render<'scope>(
                    &'scope self,
                    scope: &'scope #krate::Scope<'scope>,
                ) -> #krate::Element<'scope> {
                    #own
                    #result
                }
            }
        };
        match shared {
            Some(shared) => quote! {
                const _: () = {
                    #shared
                    #implementation
                    #twin
                    #from_data
                };
            },
            None => quote! { #implementation #from_data },
        }
    }
}

/// True if the type is known to be `Copy`, which saves the compiler a trait lookup.
fn is_copied(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        _ => last_segment(ty).is_some_and(|word| match word.ident.to_string().as_str() {
            "Option" => type_argument(word).is_some_and(is_copied),
            other => COPIED.contains(&other),
        }),
    }
}

const COPIED: [&str; 14] = [
    "bool", "char", "f32", "f64", "usize", "u8", "u16", "u32", "u64", "isize", "i8", "i16", "i32",
    "i64",
];
