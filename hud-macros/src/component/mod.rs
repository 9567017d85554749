//! `#[component]`: a function as a tag.

mod ambient;
mod data;
mod derived;
mod mistakes;
mod steady;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, FnArg, Generics, ItemFn, Lifetime, Pat, ReturnType, Token, Type, Visibility};

use crate::diagnostics::Diagnostics;
use crate::generics;
use crate::krate;
use crate::lifetimes::Elided;
use crate::props::{Kind, Prop, is_element, last_segment};
use crate::tag::{self, Tag};

/// What the function says.
struct Component {
    krate: TokenStream,
    options: Options,
    vis: Visibility,
    name: Ident,
    docs: Vec<Attribute>,
    /// All other attributes: they stay with the function.
    attrs: Vec<Attribute>,
    /// The generics of the struct, with the lifetimes that were left out.
    generics: Generics,
    /// The generics of the function: those of the struct, and a lifetime of what is passed in.
    called: Generics,
    props: Vec<Prop>,
    /// What surrounds the call and is passed in: arguments that are no props.
    ambient: Vec<Prop>,
    /// The type of an argument `scope`, which is passed in.
    scope: Option<Type>,
    /// Or what else the function returns, which was told.
    output: Result<Type, ReturnType>,
    body: syn::Block,
}

/// `#[component(..)]`
#[derive(Default)]
struct Options {
    /// `layer = static`, `layer = dynamic`: a variant of `Layer`.
    layer: Option<Ident>,
    /// `schema`: the props can be read from data, and have a schema.
    schema: Option<Ident>,
}

pub(crate) fn component(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            if starts_with_fn(item.clone()) {
                diagnostics.extend(error);
            } else {
                diagnostics.note(
                    error.span(),
                    "a component is a function: write `#[component] fn Name(..) -> Element`",
                );
            }
            // The item stays, so that what uses it does not fail for another reason.
            let errors = diagnostics.tokens();
            return quote! { #errors #item };
        }
    };
    if let Some(both) = with_and_without(&attr, &function) {
        return both;
    }
    if let Some(same) = mistakes::named_like_its_data(&function) {
        return same;
    }
    let options = Options::parse(attr, &mut diagnostics);
    let component = parse(options, function, &mut diagnostics);
    let errors = diagnostics.tokens();
    let expanded = component.expand();
    quote! { #errors #expanded }
}

/// The function with and without the props that have its first `#[cfg(..)]`: a macro can not
/// know whether that is met, and the compiler takes one of the two. None if there is no such prop.
fn with_and_without(attr: &TokenStream, function: &ItemFn) -> Option<TokenStream> {
    let attrs = |input: &FnArg| match input {
        FnArg::Typed(argument) => argument.attrs.clone(),
        FnArg::Receiver(receiver) => receiver.attrs.clone(),
    };
    let condition = function
        .sig
        .inputs
        .iter()
        .flat_map(attrs)
        .find(|attr| attr.path().is_ident("cfg"))?;
    let condition = condition.meta.require_list().ok()?.tokens.clone();
    let is_it = |attr: &Attribute| {
        attr.path().is_ident("cfg")
            && attr
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string() == condition.to_string())
    };
    let (mut with, mut without) = (function.clone(), function.clone());
    for input in &mut with.sig.inputs {
        if let FnArg::Typed(argument) = input {
            argument.attrs.retain(|attr| !is_it(attr));
        }
    }
    without.sig.inputs = without
        .sig
        .inputs
        .into_iter()
        .filter(|input| !attrs(input).iter().any(is_it))
        .collect();
    let krate = krate::hud_core();
    Some(quote! {
        #[cfg(#condition)]
        #[#krate::component(#attr)]
        #with

        #[cfg(not(#condition))]
        #[#krate::component(#attr)]
        #without
    })
}

/// Whether the item is meant to be a function, so that its own mistakes are to be told.
fn starts_with_fn(item: TokenStream) -> bool {
    item.into_iter()
        .any(|token| matches!(token, proc_macro2::TokenTree::Ident(word) if word == "fn"))
}

impl Options {
    fn parse(attr: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let mut options = Self::default();
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("layer") {
                let layer = meta.value()?.call(Ident::parse_any)?;
                options.layer = Some(match layer.to_string().as_str() {
                    "static" => format_ident!("Static", span = layer.span()),
                    "dynamic" => format_ident!("Dynamic", span = layer.span()),
                    _ => return Err(syn::Error::new(layer.span(), UNKNOWN_LAYER)),
                });
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

    fn is_static(&self) -> bool {
        self.layer.as_ref().is_some_and(|layer| layer == "Static")
    }
}

const UNKNOWN_LAYER: &str = "a layer is `static` or `dynamic`";

fn parse(options: Options, function: ItemFn, diagnostics: &mut Diagnostics) -> Component {
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    refuse_qualifiers(&sig, diagnostics);
    let inputs: Vec<_> = sig.inputs.into_iter().collect();
    let (docs, attrs) = attrs
        .into_iter()
        .partition(|attr: &Attribute| attr.path().is_ident("doc"));

    let mut generics = sig.generics;
    let mut elided = Elided::new(quote! { #generics #(#inputs)* #block });
    let mut props: Vec<Prop> = Vec::new();
    let mut ambient: Vec<Prop> = Vec::new();
    let mut scope = None;
    for input in inputs {
        let argument = match input {
            FnArg::Typed(argument) => argument,
            FnArg::Receiver(receiver) => {
                diagnostics.note(
                    receiver.span(),
                    "a component is a function without `self`: pass what it needs as props",
                );
                continue;
            }
        };
        let Some((mutability, name)) = plain_name(&argument.pat) else {
            diagnostics.note(
                argument.pat.span(),
                "a prop is a name: take the value apart in the body",
            );
            continue;
        };
        let ty = *argument.ty;
        if is_scope(&name, &ty) {
            if options.is_static() {
                diagnostics.note(
                    name.span(),
                    "a component of the static layer does not read the scope, which changes \
                     from turn to turn: take what it shows as a prop, or write \
                     `#[component(layer = dynamic)]`",
                );
            }
            scope = Some(ty);
            continue;
        }
        if let Some(span) = impl_trait(&ty) {
            diagnostics.note(
                span,
                "a prop has a type with a name: use a generic parameter, or `&dyn Trait`",
            );
            continue;
        }
        if props.iter().chain(&ambient).any(|prop| prop.name == name) {
            diagnostics.note(
                name.span(),
                format!("prop `{name}` is declared twice: remove one"),
            );
            continue;
        }
        generics::refuse_projection(&generics, &ty, diagnostics);
        let write = |ty: &mut Type| elided.write(ty);
        let mut prop = Prop::parse(name, ty, &argument.attrs, &generics, diagnostics, write);
        prop.mutability = mutability;
        if prop.ambient.is_some() {
            ambient.push(prop);
        } else {
            props.push(prop);
        }
    }
    ambient::refuse_second_provided(&props, diagnostics);
    mistakes::refuse_defaults_from_props(&mut props, &ambient, diagnostics);
    for prop in &ambient {
        ambient::refuse_unfindable(prop, &generics, diagnostics);
    }
    if elided.used {
        let lifetime = elided.lifetime();
        generics.params.insert(0, syn::parse_quote! { #lifetime });
    }
    let called = ambient::surroundings(&generics, &elided, &mut ambient, &mut scope);
    let output = output(sig.output, &sig.ident, &called, diagnostics);
    Component {
        krate: krate::hud_core(),
        options,
        vis,
        name: sig.ident,
        docs,
        attrs,
        generics: generics::of_props(generics, &props),
        called,
        props,
        ambient,
        scope,
        output,
        body: *block,
    }
}

/// The name of `name` or `mut name`.
fn plain_name(pattern: &Pat) -> Option<(Option<Token![mut]>, Ident)> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            Some((pattern.mutability, pattern.ident.clone()))
        }
        _ => None,
    }
}

/// Where `impl Trait` stands in a type.
fn impl_trait(ty: &Type) -> Option<proc_macro2::Span> {
    struct Find(Option<proc_macro2::Span>);
    impl Visit<'_> for Find {
        fn visit_type_impl_trait(&mut self, ty: &syn::TypeImplTrait) {
            self.0.get_or_insert(ty.span());
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
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
    if let Some(token) = &sig.constness {
        diagnostics.note(
            token.span(),
            "a component is called when it is rendered, so it is not `const`: remove it",
        );
    }
    if let Some(abi) = &sig.abi {
        diagnostics.note(abi.span(), "a component is called by Rust: remove the ABI");
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
    diagnostics: &mut Diagnostics,
) -> Result<Type, ReturnType> {
    // One that was left out elsewhere is the first.
    let lifetime = generics.lifetimes().next().map_or_else(
        || Lifetime::new("'static", proc_macro2::Span::call_site()),
        |param| param.lifetime.clone(),
    );
    let mut written = Elided::of(lifetime);
    match output {
        ReturnType::Type(arrow, mut ty) => {
            written.write(&mut ty);
            if is_element(&ty) {
                return Ok(*ty);
            }
            let hint = match last_segment(&ty).map(|word| word.ident.to_string()) {
                Some(word) if word == "Option" => ": for nothing, return `rsx! {}`",
                Some(word) if word == "Result" => {
                    ": show the error, or pass what is known as a prop"
                }
                _ => "",
            };
            diagnostics.note(ty.span(), format!("a component returns `Element`{hint}"));
            Err(ReturnType::Type(arrow, ty))
        }
        ReturnType::Default => {
            diagnostics.note(name.span(), "a component returns: write `-> Element`");
            Err(ReturnType::Default)
        }
    }
}

impl Component {
    fn expand(&self) -> TokenStream {
        let tag = Tag {
            krate: &self.krate,
            name: &self.name,
            generics: &self.generics,
            docs: &self.docs,
            props: &self.props,
            ambient: &self.ambient,
            kind: tag::Kind::Component(self.options.layer.clone()),
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
        let parameters = props.iter().chain(&self.ambient).map(|prop| {
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
        let surrounding = self.ambient.iter().map(|prop| self.surrounding(prop));
        let passed = given.chain(surrounding);
        let provided = self.provided();
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
        let (called_generics, _, _) = self.called.split_for_impl();
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
        let (output, result) = match output {
            Ok(ty) => (
                quote! { -> #ty },
                quote! { render(#scope_passed #(#passed),*) },
            ),
            Err(other) => (other.to_token_stream(), quote! { #krate::Element::empty() }),
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
                    fn render #called_generics (#scope_parameter #(#parameters),*) #output
                    #where_clause
                    {
                        #(#statements)*
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
