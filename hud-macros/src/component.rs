//! `#[component]`: a function as a tag.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, FnArg, GenericParam, Generics, ItemFn, Lifetime, Pat, ReturnType, Token, Type,
    Visibility,
};

use crate::diagnostics::Diagnostics;
use crate::generics;
use crate::krate;
use crate::lifetimes::Elided;
use crate::props::{Default, Kind, Prop, is_element, last_segment, type_argument};
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
    /// The generics of the function, with the lifetimes that were left out.
    generics: Generics,
    props: Vec<Prop>,
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
    let options = Options::parse(attr, &mut diagnostics);
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
    let component = parse(options, function, &mut diagnostics);
    let errors = diagnostics.tokens();
    let expanded = component.expand();
    quote! { #errors #expanded }
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
    let (docs, attrs) = attrs
        .into_iter()
        .partition(|attr: &Attribute| attr.path().is_ident("doc"));

    let mut generics = sig.generics;
    let mut elided = Elided::new(&generics);
    let mut props: Vec<Prop> = Vec::new();
    let mut scope = None;
    for input in sig.inputs {
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
        if props.iter().any(|prop| prop.name == name) {
            diagnostics.note(
                name.span(),
                format!("prop `{name}` is declared twice: remove one"),
            );
            continue;
        }
        generics::refuse_projection(&generics, &ty, diagnostics);
        let mut prop = Prop::parse(name, ty, &argument.attrs, &generics, diagnostics, |ty| {
            elided.write(ty)
        });
        prop.mutability = mutability;
        props.push(prop);
    }
    let elided = elided.used.then(|| elided.into_lifetime());
    if let Some(lifetime) = &elided {
        generics.params.insert(0, syn::parse_quote! { #lifetime });
    }
    let output = output(sig.output, &sig.ident, &generics, elided, diagnostics);
    Component {
        krate: krate::hud_core(),
        options,
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
) -> Result<Type, ReturnType> {
    let mut ty = match &output {
        ReturnType::Type(_, ty) if is_element(ty) => (**ty).clone(),
        ReturnType::Type(_, other) => {
            diagnostics.note(other.span(), "a component returns `Element`");
            return Err(output);
        }
        ReturnType::Default => {
            diagnostics.note(name.span(), "a component returns: write `-> Element`");
            return Err(output);
        }
    };
    let declared = generics
        .lifetimes()
        .next()
        .map(|param| param.lifetime.clone());
    let lifetime = elided
        .or(declared)
        .unwrap_or_else(|| Lifetime::new("'static", proc_macro2::Span::call_site()));
    Elided::of(lifetime).write(&mut ty);
    Ok(ty)
}

impl Component {
    fn expand(&self) -> TokenStream {
        let tag = Tag {
            krate: &self.krate,
            name: &self.name,
            generics: &self.generics,
            docs: &self.docs,
            props: &self.props,
            kind: tag::Kind::Component(self.options.layer.clone()),
        };
        let parts = [
            self.structure(),
            tag.expand(),
            self.implementation(),
            self.comparison(),
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
            #[derive(::core::clone::Clone)]
            #derives
            #vis struct #name #generics #where_clause {
                #(#fields,)*
            }
        }
    }

    /// How a prop is read from data.
    fn serde(&self, prop: &Prop) -> TokenStream {
        match &prop.default {
            Some(Default::Expr(_)) => {
                let path = format!("{}::{}", self.name, default_name(prop));
                quote! { #[serde(default = #path)] }
            }
            None if !prop.is_optional() => quote! {},
            _ => quote! { #[serde(default)] },
        }
    }

    /// The functions that give the defaults to serde.
    fn defaults(&self) -> TokenStream {
        if self.options.schema.is_none() {
            return TokenStream::new();
        }
        let Self { krate, name, .. } = self;
        let (impl_generics, type_generics, where_clause) = self.generics.split_for_impl();
        let functions = self.props.iter().filter_map(|prop| {
            let Some(Default::Expr(expr)) = &prop.default else {
                return None;
            };
            let (function, ty) = (default_name(prop), prop.field_type(krate));
            let expr = match prop.kind {
                Kind::Density => quote! { ::core::option::Option::Some(#expr) },
                _ => expr.to_token_stream(),
            };
            Some(quote! { fn #function() -> #ty { #expr } })
        });
        quote! {
            impl #impl_generics #name #type_generics #where_clause {
                #(#functions)*
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
        let parameters = props.iter().map(|prop| {
            let Prop {
                name,
                mutability,
                ty,
                ..
            } = prop;
            quote! { #mutability #name: #ty }
        });
        let passed = props.iter().map(|Prop { name, kind, .. }| match kind {
            Kind::Density => quote! { scope.density() },
            _ => quote! { ::core::clone::Clone::clone(&self.#name) },
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

                fn render(&self, scope: &#krate::Scope) -> #krate::Element<'_> {
                    #(#attrs)*
                    fn render #impl_generics (#scope_parameter #(#parameters),*) #output
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

    /// `Debug`, which leaves out what has none, and `PartialEq` if all props have it.
    ///
    /// The bounds are `for<'any> Type: Trait`: where one is not met the implementation does not
    /// apply, while a bound without a variable would not compile. They cost the compiler much, so
    /// they are not there where elements among the props decide it: those can not be compared.
    fn comparison(&self) -> TokenStream {
        let Self {
            krate, name, props, ..
        } = self;
        let names: Vec<_> = props.iter().map(|prop| &prop.name).collect();
        let types: Vec<_> = props.iter().map(|prop| prop.field_type(krate)).collect();
        let texts = names.iter().map(ToString::to_string);
        let values = self.props.iter().map(|prop| {
            let name = &prop.name;
            if has_debug(&prop.ty) {
                quote! { &self.#name }
            } else {
                quote! { Shown(&self.#name).shown() }
            }
        });
        let text_name = name.to_string();
        let (_, type_generics, _) = self.generics.split_for_impl();
        let declared = generics::without_defaults(generics::of_struct(&self.generics));
        let mut shown = declared.clone();
        for param in shown.type_params_mut() {
            param.bounds.push(syn::parse_quote! { ::core::fmt::Debug });
        }
        let (debug_impl, _, debug_where) = shown.split_for_impl();
        let debug = quote! {
            impl #debug_impl ::core::fmt::Debug for #name #type_generics #debug_where {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #[allow(unused_imports, reason = "all props may have `Debug`")]
                    use #krate::expansion::{Hidden as _, Shown};
                    f.debug_struct(#text_name) #(.field(#texts, #values))* .finish()
                }
            }
        };
        let has_elements = types.iter().any(|ty| {
            let element = |name| tag::mentions(ty.clone(), &format_ident!("{name}"));
            element("Element") || element("Children")
        });
        if has_elements {
            return debug;
        }
        let mut bounded = declared.clone();
        for ty in &types {
            let bound = syn::parse_quote! { for<'any> #ty: ::core::cmp::PartialEq };
            bounded.make_where_clause().predicates.push(bound);
        }
        let (equal_impl, _, equal_where) = bounded.split_for_impl();
        quote! {
            #debug

            impl #equal_impl ::core::cmp::PartialEq for #name #type_generics #equal_where {
                fn eq(&self, other: &Self) -> bool {
                    true #(&& self.#names == other.#names)*
                }
            }
        }
    }

    /// The check that a component of the static layer has no prop of a type that says that it
    /// changes from turn to turn.
    fn steadiness(&self) -> TokenStream {
        if !self.options.is_static() {
            return TokenStream::new();
        }
        let krate = &self.krate;
        let mut types = TypesOf {
            generics: &self.generics,
            found: Vec::new(),
        };
        for prop in &self.props {
            types.visit_type(&prop.ty);
        }
        let checks = types.found.iter().map(|path| {
            let message = format!(
                "`{}` changes from turn to turn, so a component of the static layer can not \
                 read it: take the part that it shows, or write `#[component(layer = dynamic)]`",
                path.to_token_stream().to_string().replace(' ', "")
            );
            quote_spanned! { path.span() =>
                const _: () = steady(<#path>::CHANGES_EACH_TURN, #message);
            }
        });
        quote! {
            const _: () = {
                #[allow(unused_imports, reason = "a prop's type may have the constant itself")]
                use #krate::expansion::{EachTurn as _, steady};
                #(#checks)*
            };
        }
    }
}

/// The types that stand in a type and name no parameter, with their lifetimes all `'static`.
struct TypesOf<'a> {
    generics: &'a Generics,
    found: Vec<syn::Path>,
}

impl Visit<'_> for TypesOf<'_> {
    fn visit_path(&mut self, path: &syn::Path) {
        let own = |param: &Ident| {
            let mut open = false;
            for segment in &path.segments {
                open |= tag::mentions(segment.to_token_stream(), param);
            }
            open
        };
        let is_open = self.generics.params.iter().any(|param| match param {
            GenericParam::Type(param) => own(&param.ident),
            GenericParam::Const(param) => own(&param.ident),
            GenericParam::Lifetime(_) => false,
        });
        if !is_open {
            let mut path = path.clone();
            crate::lifetimes::make_static(&mut path);
            self.found.push(path);
        }
        visit::visit_path(self, path);
    }
}

/// Whether a type is one of those that everybody uses and that have `Debug`: to find it out for
/// others costs the compiler more than all else about the struct.
fn has_debug(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => has_debug(&reference.elem),
        Type::Slice(slice) => has_debug(&slice.elem),
        _ => last_segment(ty).is_some_and(|word| match word.ident.to_string().as_str() {
            "Option" | "Vec" => type_argument(word).is_some_and(has_debug),
            "bool" | "char" | "str" | "String" | "f32" | "f64" | "usize" | "u8" | "u16" | "u32"
            | "u64" | "isize" | "i8" | "i16" | "i32" | "i64" | "Element" | "Children"
            | "Density" => true,
            _ => false,
        }),
    }
}

/// The name of the function that gives a prop's default to serde.
fn default_name(prop: &Prop) -> Ident {
    format_ident!("__default_{}", prop.name)
}
