//! `#[component]`: a function as a tag.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, GenericParam, Generics, ItemFn, Lifetime, Pat, ReturnType, Type, Visibility,
};

use crate::diagnostics::Diagnostics;
use crate::lifetimes::Elided;
use crate::props::{Kind, Prop, Tag, last_segment};

/// What the function says.
struct Component {
    vis: Visibility,
    name: Ident,
    docs: Vec<Attribute>,
    /// All other attributes: they stay with the function.
    attrs: Vec<Attribute>,
    /// The generics of the props' struct; those of the function have the same names.
    generics: Generics,
    props: Vec<Prop>,
    /// The type of an argument `scope`, which is passed in.
    scope: Option<Type>,
    output: Type,
    body: syn::Block,
}

pub(crate) fn component(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if !attr.is_empty() {
        diagnostics.note(attr.span(), "`#[component]` takes no arguments");
    }
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            // The item stays, so that what uses it does not fail for another reason.
            let errors = Diagnostics::from(error).tokens();
            return quote! { #errors #item };
        }
    };
    let component = parse(function, &mut diagnostics);
    let errors = diagnostics.tokens();
    let expanded = expand(&component);
    quote! { #errors #expanded }
}

fn parse(function: ItemFn, diagnostics: &mut Diagnostics) -> Component {
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    refuse_qualifiers(&sig, diagnostics);
    let (docs, attrs) = attrs
        .into_iter()
        .partition(|attr: &Attribute| attr.path().is_ident("doc"));

    let mut generics = sig.generics;
    let mut elided = Elided::new(&generics);
    let mut props = Vec::new();
    let mut scope = None;
    for input in sig.inputs {
        match input {
            FnArg::Receiver(receiver) => diagnostics.note(
                receiver.span(),
                "a component is a function without `self`: pass what it needs as props",
            ),
            FnArg::Typed(argument) => {
                let Pat::Ident(pattern) = *argument.pat else {
                    diagnostics.note(
                        argument.pat.span(),
                        "a prop is a name: take the value apart in the body",
                    );
                    continue;
                };
                let (name, mut ty) = (pattern.ident, *argument.ty);
                if is_scope(&name, &ty) {
                    scope = Some(ty);
                    continue;
                }
                if let Type::ImplTrait(ty) = &ty {
                    diagnostics.note(
                        ty.span(),
                        "a prop has a type with a name: use a generic parameter, \
                         or `&dyn Trait`",
                    );
                    continue;
                }
                elided.write(&mut ty);
                props.push(Prop::parse(name, ty, &argument.attrs, diagnostics));
            }
        }
    }
    let elided = elided.used.then(|| elided.into_lifetime());
    if let Some(lifetime) = &elided {
        generics.params.insert(0, syn::parse_quote! { #lifetime });
    }
    let output = output(sig.output, &sig.ident, &generics, elided, diagnostics);
    Component {
        vis,
        name: sig.ident,
        docs,
        attrs,
        generics,
        props,
        scope,
        output,
        body: *block,
    }
}

fn refuse_qualifiers(sig: &syn::Signature, diagnostics: &mut Diagnostics) {
    if let Some(token) = &sig.asyncness {
        diagnostics.note(
            token.span(),
            "a component is not `async`: rendering is pure, so wait for the data first \
             and pass it as a prop",
        );
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        diagnostics.note(token.span(), "a component is not `unsafe`");
    }
    if sig
        .ident
        .to_string()
        .starts_with(|first: char| !first.is_uppercase())
    {
        diagnostics.note(
            sig.ident.span(),
            "a component's name begins with a capital letter: it becomes a type and a tag",
        );
    }
}

fn is_scope(name: &Ident, ty: &Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    name == "scope" && last_segment(&reference.elem).is_some_and(|last| last.ident == "Scope")
}

/// The function's return type with its lifetime written in.
fn output(
    output: ReturnType,
    name: &Ident,
    generics: &Generics,
    elided: Option<Lifetime>,
    diagnostics: &mut Diagnostics,
) -> Type {
    let mut ty = match output {
        ReturnType::Type(_, ty) => *ty,
        ReturnType::Default => syn::parse_quote! { () },
    };
    if last_segment(&ty).is_none_or(|segment| segment.ident != "Element") {
        diagnostics.note(
            if matches!(ty, Type::Tuple(_)) {
                name.span()
            } else {
                ty.span()
            },
            "a component returns `Element`",
        );
        ty = syn::parse_quote! { ::hud_core::Element };
    }
    let declared = generics.params.iter().find_map(|param| match param {
        GenericParam::Lifetime(param) => Some(param.lifetime.clone()),
        _ => None,
    });
    let lifetime = elided
        .or(declared)
        .unwrap_or_else(|| Lifetime::new("'static", proc_macro2::Span::call_site()));
    Elided::of(lifetime).write(&mut ty);
    ty
}

fn expand(component: &Component) -> TokenStream {
    let Component {
        vis,
        name,
        docs,
        attrs,
        generics,
        props,
        output,
        body,
        ..
    } = component;
    let scope = component
        .scope
        .as_ref()
        .map(|ty| (quote! { scope: #ty, }, quote! { scope, }));
    let (scope_parameter, scope_passed) = scope.unzip();
    let parameters = props
        .iter()
        .map(|Prop { name, ty, .. }| quote! { #name: #ty });
    let passed = props.iter().map(|Prop { name, kind, .. }| match kind {
        Kind::Density => quote! { scope.density() },
        _ => quote! { ::core::clone::Clone::clone(&self.#name) },
    });
    let density = props
        .iter()
        .find(|prop| matches!(prop.kind, Kind::Density))
        .map(|Prop { name, .. }| {
            quote! {
                fn density(&self) -> ::core::option::Option<::hud_core::Density> {
                    self.#name
                }
            }
        });
    let fields = props.iter().map(|prop| {
        let (name, ty) = (&prop.name, prop.field_type());
        let docs = prop.docs();
        quote! { #docs #vis #name: #ty }
    });
    let tag = Tag {
        vis,
        name,
        generics,
        docs,
        props,
        kind: "Component",
    };
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let meta = tag.meta();
    let builder = tag.builder(false, &quote! { #name #type_generics }, &quote! { built });

    let mut element_generics = generics.clone();
    element_generics
        .params
        .insert(0, syn::parse_quote! { 'element });
    element_generics
        .make_where_clause()
        .predicates
        .push(syn::parse_quote! { #name #type_generics: 'element });
    let (element_impl, _, element_where) = element_generics.split_for_impl();
    let statements = &body.stmts;
    quote! {
        #(#docs)*
        #[derive(::core::clone::Clone)]
        #vis struct #name #generics #where_clause {
            #(#fields,)*
        }

        #meta
        #builder

        impl #impl_generics ::hud_core::Component for #name #type_generics #where_clause {
            fn meta(&self) -> &'static ::hud_core::TagMeta {
                &#name
            }

            #density

            fn render(&self, scope: &::hud_core::Scope) -> ::hud_core::Element<'_> {
                #(#attrs)*
                fn render #impl_generics (#scope_parameter #(#parameters),*) -> #output #where_clause {
                    #(#statements)*
                }
                render(#scope_passed #(#passed),*)
            }
        }

        impl #element_impl ::hud_core::IntoElement<'element> for #name #type_generics
        #element_where
        {
            fn into_element(self) -> ::hud_core::Element<'element> {
                ::hud_core::Element::component(self)
            }
        }
    }
}
