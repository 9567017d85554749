//! Errors in a component's signature.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, GenericParam, Generics, ItemFn, Lifetime, PathArguments, ReturnType, Type};

use crate::diagnostics::Diagnostics;
use crate::lifetimes::{Elided, has_lifetime};
use crate::props::{Default, Prop};
use crate::tag;
use crate::types::{is_element, last_segment, type_argument};

/// Reports a default that uses another prop, and replaces it with the type's default. A default can't use props,
/// because it is not known yet which of them are given.
pub(super) fn refuse_defaults_from_props(
    props: &mut [Prop],
    ambient: &[Prop],
    diagnostics: &mut Diagnostics,
) {
    struct Names<'a> {
        names: &'a [Ident],
        found: Option<Ident>,
    }
    impl Visit<'_> for Names<'_> {
        fn visit_expr_path(&mut self, path: &syn::ExprPath) {
            if let Some(name) = path.path.get_ident()
                && self.names.contains(name)
            {
                self.found.get_or_insert(name.clone());
            }
        }

        // A parameter of a closure may have the name of a prop.
        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}
    }
    let names: Vec<Ident> = props
        .iter()
        .chain(ambient)
        .map(|prop| prop.name.clone())
        .collect();
    for prop in props {
        let Some(Default::Expr(expr)) = &prop.default else {
            continue;
        };
        let mut found = Names {
            names: &names,
            found: None,
        };
        found.visit_expr(expr);
        if let Some(other) = found.found {
            diagnostics.note(
                other.span(),
                format!(
                    "a default does not know the other props: take `{}` as an `Option`, and \
                     choose in the body, where `{other}` is known",
                    prop.name
                ),
            );
            let span = expr.span();
            let never: Expr = syn::parse_quote_spanned! { span => ::core::unreachable!() };
            prop.default = Some(Default::Expr(Box::new(never)));
        }
    }
}

/// The error for a component with the same name as a type that it takes. Both would be types, so each use of the
/// name would also be an error. A component that takes itself, as `Option<Rc<Tree>>`, is allowed.
pub(super) fn named_like_its_data(function: &ItemFn) -> Option<TokenStream> {
    let name = &function.sig.ident;
    let types = || {
        let inputs = function.sig.inputs.iter();
        inputs.filter_map(|input| match input {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        })
    };
    // The component's own type has parameters, which must be written where it is named.
    let has_parameters = !function.sig.generics.params.is_empty() || types().any(Elided::is_in);
    if !types().any(|ty| names(ty, name) && (has_parameters || is_whole(ty, name))) {
        return None;
    }
    let message = format!(
        "`{name}` is the name of a type that it takes, and a component is a type, too: give it \
         another name, such as `{name}View`; a component takes itself as `Rc<{name}>`"
    );
    Some(quote_spanned! { name.span() => ::core::compile_error! { #message } })
}

/// True if a type is the name alone, or an `Option` of it.
fn is_whole(ty: &Type, name: &Ident) -> bool {
    last_segment(ty).is_some_and(|word| {
        word.ident == *name
            || word.ident == "Option" && type_argument(word).is_some_and(|ty| is_whole(ty, name))
    })
}

/// True if a type contains a name without parameters.
fn names(ty: &Type, name: &Ident) -> bool {
    struct Find<'a>(&'a Ident, bool);
    impl Visit<'_> for Find<'_> {
        fn visit_type_path(&mut self, ty: &syn::TypePath) {
            if ty.qself.is_none()
                && let Some(word) = ty.path.segments.first()
                && ty.path.segments.len() == 1
                && word.ident == *self.0
                && matches!(word.arguments, PathArguments::None)
            {
                self.1 = true;
            }
            visit::visit_type_path(self, ty);
        }
    }
    let mut find = Find(name, false);
    find.visit_type(ty);
    find.1
}

/// The error for a function with `self`. It is in an `impl`, which can't contain the items that a component expands
/// to.
pub(super) fn is_a_method(function: &ItemFn) -> Option<TokenStream> {
    let receiver = function.sig.receiver()?;
    let message = "a component is a function without `self`: move it out of the `impl`, and pass what it needs as props";
    let span = receiver.self_token.span();
    Some(quote_spanned! { span => ::core::compile_error! { #message } })
}

/// Reports the lifetimes that a signature uses without a declaration, and declares them. Otherwise rustc would
/// report each of their uses.
pub(super) fn declare_lifetimes(
    generics: &mut Generics,
    inputs: &[FnArg],
    output: &ReturnType,
    name: &Ident,
    diagnostics: &mut Diagnostics,
) {
    struct Find {
        declared: Vec<Ident>,
        missing: Vec<Lifetime>,
    }
    impl Visit<'_> for Find {
        // The lifetimes of `for<'x>` are treated as declared everywhere after it. rustc reports a use outside of its
        // scope.
        fn visit_bound_lifetimes(&mut self, bound: &syn::BoundLifetimes) {
            let params = bound.lifetimes.iter().filter_map(|param| match param {
                GenericParam::Lifetime(param) => Some(param.lifetime.ident.clone()),
                GenericParam::Type(_) | GenericParam::Const(_) => None,
            });
            self.declared.extend(params);
        }

        fn visit_lifetime(&mut self, lifetime: &Lifetime) {
            let name = &lifetime.ident;
            let is_known = name == "_" || name == "static" || self.declared.contains(name);
            if !is_known && self.missing.iter().all(|other| other.ident != *name) {
                self.missing.push(lifetime.clone());
            }
        }
    }
    let mut find = Find {
        declared: (generics.lifetimes())
            .map(|param| param.lifetime.ident.clone())
            .collect(),
        missing: Vec::new(),
    };
    for input in inputs {
        find.visit_fn_arg(input);
    }
    find.visit_return_type(output);
    let Some(first) = find.missing.first() else {
        return;
    };
    for lifetime in find.missing.iter().rev() {
        generics.params.insert(0, syn::parse_quote! { #lifetime });
    }
    let params: Vec<_> = { generics.params.iter() }
        .map(|param| param.to_token_stream().to_string().replace("' ", "'"))
        .collect();
    let missing: Vec<_> = { find.missing.iter() }
        .map(|lifetime| format!("`{lifetime}`"))
        .collect();
    let are = if missing.len() == 1 { "is" } else { "are" };
    diagnostics.note(
        first.span(),
        format!(
            "{} {are} not declared: write `fn {name}<{}>`, or leave lifetimes out",
            missing.join(" and "),
            params.join(", ")
        ),
    );
}

/// Reports `children` and `density` with a wrong type. True if the type of `children` is wrong.
pub(super) fn refuse_another_type(name: &Ident, ty: &Type, diagnostics: &mut Diagnostics) -> bool {
    let inner = last_segment(ty)
        .filter(|word| word.ident == "Option")
        .and_then(type_argument);
    let message = if name == "children" && !is_element(inner.unwrap_or(ty)) {
        "what is between the tags are elements: write `children: Children`"
    } else if name == "density" && last_segment(ty).is_none_or(|word| word.ident != "Density") {
        "a prop `density` is the density of the call: write `density: Density`, or give it another name"
    } else {
        return false;
    };
    diagnostics.note(ty.span(), message);
    name == "children"
}

pub(super) fn refuse_qualifiers(sig: &syn::Signature, diagnostics: &mut Diagnostics) {
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

/// True if a context value can be found by this type. Otherwise the error is reported.
pub(super) fn is_findable(key: &Type, generics: &Generics, diagnostics: &mut Diagnostics) -> bool {
    let tokens = key.to_token_stream();
    let has_parameter = generics.params.iter().any(|param| match param {
        GenericParam::Type(param) => tag::mentions(tokens.clone(), &param.ident),
        GenericParam::Const(param) => tag::mentions(tokens.clone(), &param.ident),
        GenericParam::Lifetime(param) => {
            has_lifetime(tokens.clone(), &param.lifetime.ident.to_string())
        }
    });
    let is_unsized = matches!(key, Type::TraitObject(_) | Type::Slice(_))
        || last_segment(key).is_some_and(|word| word.ident == "str");
    let message = if has_parameter || Elided::is_in(key) {
        "an ambient value is found by its type, which has no parameters of the component and \
         borrows nothing: name a type of its own"
    } else if is_unsized {
        "an ambient value is found by its type, which has a size: wrap it in a struct of its own"
    } else {
        return true;
    };
    diagnostics.note(key.span(), message);
    false
}

/// Reports each provided prop after the first one.
pub(super) fn refuse_second_provided(props: &[Prop], diagnostics: &mut Diagnostics) {
    for prop in props.iter().filter(|prop| prop.provide).skip(1) {
        diagnostics.note(
            prop.name.span(),
            "a component provides one ambient value: put `<Provide value={..}>` into its body \
             for the other",
        );
    }
}
