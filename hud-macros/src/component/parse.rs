//! Parses the function into the model.

use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, FnArg, Generics, ItemFn, Lifetime, Pat, ReturnType, Token, Type};

use super::mistakes;
use super::model::{Ambient, Component, Output};
use super::options::Options;
use crate::diagnostics::Diagnostics;
use crate::generics;
use crate::lifetimes::Elided;
use crate::props::Prop;
use crate::types::{is_element, last_segment, type_argument};

pub(super) fn parse(
    options: Options,
    function: ItemFn,
    diagnostics: &mut Diagnostics,
) -> Component {
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    mistakes::refuse_qualifiers(&sig, diagnostics);
    let inputs: Vec<_> = sig.inputs.into_iter().collect();
    let (docs, attrs) = named("doc", attrs);
    let (derives, attrs) = named("derive", attrs);
    let mut generics = sig.generics;
    mistakes::declare_lifetimes(&mut generics, &inputs, &sig.output, &sig.ident, diagnostics);
    let mut elided = Elided::new(quote! { #generics #(#inputs)* #block });

    let mut arguments = Arguments::default();
    for input in inputs {
        arguments.read(input, &options, &generics, &mut elided, diagnostics);
    }
    let Arguments {
        mut props,
        ambient,
        mut scope,
        retyped,
    } = arguments;
    mistakes::refuse_second_provided(&props, diagnostics);
    mistakes::refuse_defaults_from_props(&mut props, &ambient, diagnostics);
    let mut ambient: Vec<Ambient> = ambient
        .into_iter()
        .map(|prop| Ambient::parse(prop, &generics, diagnostics))
        .collect();

    if elided.used {
        let lifetime = elided.lifetime();
        generics.params.insert(0, syn::parse_quote! { #lifetime });
    }
    let function_generics = surroundings(&generics, &elided, &mut ambient, &mut scope);
    let has_result = !matches!(sig.output, ReturnType::Default);
    let output = output(sig.output, &sig.ident, &function_generics, diagnostics);
    Component {
        krate: options.krate(),
        options,
        vis,
        name: sig.ident,
        docs,
        derives,
        attrs,
        generics: generics::of_props(generics, &props),
        function_generics,
        props,
        ambient,
        scope,
        output,
        body: if retyped {
            syn::parse_quote! { ::core::unreachable!() }
        } else if has_result {
            block.stmts
        } else {
            // The value of a body without a result is discarded, because the missing result is already reported.
            let stmts = block.stmts;
            syn::parse_quote! { let _ = { #(#stmts)* }; }
        },
    }
}

/// Splits the attributes into those with this name and all others.
fn named(name: &str, attrs: Vec<Attribute>) -> (Vec<Attribute>, Vec<Attribute>) {
    attrs
        .into_iter()
        .partition(|attr| attr.path().is_ident(name))
}

/// The arguments parsed so far.
#[derive(Default)]
struct Arguments {
    props: Vec<Prop>,
    ambient: Vec<Prop>,
    scope: Option<Type>,
    /// True if an argument has a wrong type. The error is already reported.
    retyped: bool,
}

impl Arguments {
    /// Parses one argument. An argument with an error is reported and dropped.
    fn read(
        &mut self,
        input: FnArg,
        options: &Options,
        generics: &Generics,
        elided: &mut Elided,
        diagnostics: &mut Diagnostics,
    ) {
        let argument = match input {
            FnArg::Typed(argument) => argument,
            // `self` was refused before.
            FnArg::Receiver(_) => return,
        };
        let Some((mutability, name)) = plain_name(&argument.pat) else {
            return diagnostics.note(
                argument.pat.span(),
                "a prop is a name: take the value apart in the body",
            );
        };
        let mut ty = *argument.ty;
        if is_scope(&name, &ty) {
            if options.is_static() {
                diagnostics.note(
                    name.span(),
                    "a component of the static layer does not read the scope, which changes \
                     from turn to turn: take what it shows as a prop, or write \
                     `#[component(layer = dynamic)]`",
                );
            }
            self.scope = Some(ty);
            return;
        }
        if let Some(span) = impl_trait(&ty) {
            return diagnostics.note(
                span,
                "a prop has a type with a name: use a generic parameter, or `&dyn Trait`",
            );
        }
        if self
            .props
            .iter()
            .chain(&self.ambient)
            .any(|prop| prop.name == name)
        {
            return diagnostics.note(
                name.span(),
                format!("prop `{name}` is declared twice: remove one"),
            );
        }
        if mistakes::refuse_another_type(&name, &ty, diagnostics) {
            // With the right type, the uses of the tag compile. The body is not compiled with another type.
            let krate = options.krate();
            ty = syn::parse_quote! { #krate::Element };
            self.retyped = true;
        }
        generics::refuse_projection(generics, &ty, diagnostics);
        let write = |ty: &mut Type| elided.write(ty);
        let mut prop = Prop::parse(name, ty, &argument.attrs, generics, diagnostics, write);
        prop.mutability = mutability;
        if prop.ambient.is_some() {
            self.ambient.push(prop);
        } else {
            self.props.push(prop);
        }
    }
}

impl Ambient {
    /// Determines how an argument receives a context value.
    fn parse(prop: Prop, generics: &Generics, diagnostics: &mut Diagnostics) -> Self {
        let inner = last_segment(&prop.ty)
            .filter(|word| word.ident == "Option")
            .and_then(type_argument);
        let (taken, optional) = (inner.unwrap_or(&prop.ty), inner.is_some());
        let (key, by_reference) = match taken {
            Type::Reference(reference) => (&*reference.elem, true),
            ty => (ty, false),
        };
        let key = key.clone();
        let findable = mistakes::is_findable(&key, generics, diagnostics);
        Self {
            prop,
            key,
            by_reference,
            optional,
            findable,
        }
    }
}

/// The generics of the function: those of the struct, and a lifetime for the arguments that are passed in, unless
/// they can share that of the props. The lifetime is written into the types of these arguments.
fn surroundings(
    generics: &Generics,
    elided: &Elided,
    ambient: &mut [Ambient],
    scope: &mut Option<Type>,
) -> Generics {
    // The arguments that are passed in can share the lifetime of the props, because the function is called with the
    // shorter of the two.
    let shared = generics.lifetimes().next();
    let lifetime: Lifetime =
        shared.map_or_else(|| elided.lifetime().clone(), |param| param.lifetime.clone());
    let mut write = Elided::of(lifetime.clone());
    for argument in ambient {
        write.write(&mut argument.prop.ty);
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
    let mut function = generics.clone();
    if write.used && generics.lifetimes().next().is_none() {
        function.params.insert(0, syn::parse_quote! { #lifetime });
    }
    function
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

/// The span of `impl Trait` in a type.
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

fn is_scope(name: &Ident, ty: &Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    name == "scope" && last_segment(&reference.elem).is_some_and(|last| last.ident == "Scope")
}

/// The return type of the function, with its lifetime made explicit.
fn output(
    output: ReturnType,
    name: &Ident,
    generics: &Generics,
    diagnostics: &mut Diagnostics,
) -> Output {
    // A lifetime that was elided elsewhere is the first one.
    let lifetime = generics.lifetimes().next().map_or_else(
        || Lifetime::new("'static", proc_macro2::Span::call_site()),
        |param| param.lifetime.clone(),
    );
    let mut written = Elided::of(lifetime);
    match output {
        ReturnType::Type(arrow, mut ty) => {
            written.write(&mut ty);
            if is_element(&ty) {
                return Output::Element(ty);
            }
            let hint = match last_segment(&ty).map(|word| word.ident.to_string()) {
                Some(word) if word == "Option" => ": for nothing, return `rsx! {}`",
                Some(word) if word == "Result" => {
                    ": show the error, or pass what is known as a prop"
                }
                _ => "",
            };
            diagnostics.note(ty.span(), format!("a component returns `Element`{hint}"));
            Output::Other(ReturnType::Type(arrow, ty))
        }
        ReturnType::Default => {
            diagnostics.note(name.span(), "a component returns: write `-> Element`");
            Output::Other(ReturnType::Default)
        }
    }
}
