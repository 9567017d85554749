//! The tokens of a component.

mod ambient;
mod data;
mod derived;
mod steady;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::model::{Component, Output};
use crate::generics;
use crate::props::{Kind, Prop};
use crate::tag::{self, Tag};

impl Component {
    pub(super) fn expand(&self) -> TokenStream {
        let ambient: Vec<_> = self.ambient.iter().map(|argument| &argument.prop).collect();
        let tag = Tag {
            krate: &self.krate,
            name: &self.name,
            generics: &self.generics,
            docs: &self.docs,
            props: &self.props,
            ambient: &ambient,
            kind: tag::Kind::Component(self.options.part(&self.krate, &self.name)),
        };
        let parts = [
            self.structure(),
            tag.expand(),
            self.implementation(),
            self.derived(),
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
            props,
            ..
        } = self;
        let generics = generics::of_struct(&self.generics);
        let where_clause = &generics.where_clause;
        let fields = props.iter().map(|prop| {
            let (name, ty, docs) = (&prop.name, prop.field_type(krate), prop.docs());
            let serde = self.options.schema.as_ref().map(|_| self.serde(prop));
            quote! { #docs #serde #vis #name: #ty }
        });
        let schema = self.options.schema.as_ref().map(|schema| {
            let requires = quote_spanned! { schema.span() => #krate::schema::required!(); };
            let serde = format!("{krate}::schema::serde").replace(' ', "");
            let schemars = format!("{krate}::schema::schemars").replace(' ', "");
            (
                requires,
                quote! {
                    #[derive(#krate::schema::serde::Deserialize, #krate::schema::schemars::JsonSchema)]
                    #[serde(crate = #serde, deny_unknown_fields)]
                    #[schemars(crate = #schemars)]
                },
            )
        });
        let (requires, derives) = schema.unzip();
        quote! {
            #requires

            #(#docs)*
            #derives
            #vis struct #name #generics #where_clause {
                #(#fields,)*
            }
        }
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
        let given = props.iter().map(|prop| match prop.kind {
            Kind::Density => quote! { scope.density() },
            _ => self.cloned(prop),
        });
        let surrounding = self
            .ambient
            .iter()
            .map(|argument| self.surrounding(argument));
        let passed = given.chain(surrounding);
        let provided = self.provided_method();
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
        let mut element_generics = generics.clone();
        element_generics
            .params
            .insert(0, syn::parse_quote! { 'element });
        element_generics
            .make_where_clause()
            .predicates
            .push(syn::parse_quote! { #name #type_generics: 'element });
        let (element_impl, _, element_where) = element_generics.split_for_impl();
        let (output, result) = match output {
            Output::Element(ty) => (
                quote! { -> #ty },
                quote! { render(#scope_passed #(#passed),*) },
            ),
            Output::Other(other) => (other.to_token_stream(), quote! { #krate::Element::empty() }),
        };
        let lifetimes = generics::lifetimes(generics);
        let (_, lifetimes, _) = lifetimes.split_for_impl();
        quote! {
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
                    #(#attrs)*
                    fn render #function_generics (#scope_parameter #(#parameters),*) #output
                    #where_clause
                    {
                        #(#body)*
                    }
                    #result
                }
            }

            impl #element_impl #krate::IntoElement<'element> for #name #type_generics
            #element_where
            {
                fn into_element(self) -> #krate::Element<'element> {
                    #krate::Element::component(self)
                }
            }
        }
    }
}
