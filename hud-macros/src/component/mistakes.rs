//! What the compiler would report many times over, and is reported once here.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ItemFn, PathArguments, Type};

use crate::diagnostics::Diagnostics;
use crate::lifetimes::Elided;
use crate::props::{Default, Prop, last_segment, type_argument};

/// Notes a default that is made of another prop, and takes it for the type's own: nobody knows yet
/// which props are given.
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

        // What a closure takes may have the name of a prop.
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

/// What is said of a component that is named like a type that it takes: both would be types, so all
/// that names one of them would be reported as well. A component that takes itself, as
/// `Option<Rc<Tree>>`, is no mistake.
pub(super) fn named_like_its_data(function: &ItemFn) -> Option<TokenStream> {
    let name = &function.sig.ident;
    let types = || {
        let inputs = function.sig.inputs.iter();
        inputs.filter_map(|input| match input {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        })
    };
    // Its own type has parameters, which are not left out where it is named.
    let has_parameters = !function.sig.generics.params.is_empty()
        || types().any(|ty| {
            let mut elided = Elided::new(TokenStream::new());
            elided.write(&mut ty.clone());
            elided.used
        });
    if !types().any(|ty| names(ty, name) && (has_parameters || is_whole(ty, name))) {
        return None;
    }
    let message = format!(
        "`{name}` is the name of a type that it takes, and a component is a type, too: name it \
         otherwise, as `{name}View`"
    );
    Some(quote_spanned! { name.span() => ::core::compile_error! { #message } })
}

/// Whether a type is a name and nothing else, or an option of it.
fn is_whole(ty: &Type, name: &Ident) -> bool {
    last_segment(ty).is_some_and(|word| {
        word.ident == *name
            || word.ident == "Option" && type_argument(word).is_some_and(|ty| is_whole(ty, name))
    })
}

/// Whether a type mentions a name without parameters.
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
