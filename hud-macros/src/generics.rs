//! The generics of a component's struct.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Ident, Lifetime, Type, TypeParamBound, WherePredicate};

use crate::diagnostics::Diagnostics;
use crate::lifetimes::has_lifetime;
use crate::props::Prop;
use crate::tag::mentions;

/// The function's generics, with a default for each parameter, and with the bounds that the types of the props may
/// require.
///
/// With the defaults, the path of the tag is a complete type without arguments: `Table` for `Table<Row>`. The check
/// of the props needs this, because it is a constant in which nothing is inferred. A bound that the default does not
/// meet is dropped.
pub(crate) fn of_struct(generics: &Generics, props: &[Prop]) -> Generics {
    let bounded = bounded(generics, props);
    let is_kept = |name: &Ident, bound: &TypeParamBound| {
        is_structural(bound) || bounded.contains(name) && is_met_by_unit(bound)
    };
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => {
                param.bounds = std::mem::take(&mut param.bounds)
                    .into_iter()
                    .filter(|bound| is_kept(&param.ident, bound))
                    .collect();
                param.default = Some((Default::default(), syn::parse_quote! { () }));
            }
            GenericParam::Const(param) => {
                let default = match &param.ty {
                    Type::Path(path) if path.path.is_ident("bool") => quote! { false },
                    Type::Path(path) if path.path.is_ident("char") => quote! { '\0' },
                    _ => quote! { 0 },
                };
                param.default = Some((Default::default(), syn::parse_quote! { #default }));
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    if let Some(clause) = &mut generics.where_clause {
        clause.predicates = std::mem::take(&mut clause.predicates)
            .into_iter()
            .filter_map(|predicate| match predicate {
                WherePredicate::Type(mut predicate) => {
                    let param = match &predicate.bounded_ty {
                        Type::Path(path) => path.path.get_ident(),
                        _ => None,
                    };
                    predicate.bounds = predicate
                        .bounds
                        .into_iter()
                        .filter(|bound| match param {
                            Some(name) => is_kept(name, bound),
                            None => is_structural(bound),
                        })
                        .collect();
                    (!predicate.bounds.is_empty()).then_some(WherePredicate::Type(predicate))
                }
                other => Some(other),
            })
            .collect();
    }
    generics
}

/// The type parameters that are arguments of a type that may require bounds. References, slices and [types of the
/// standard library](HOLDS_ANY) that hold anything require none.
fn bounded(generics: &Generics, props: &[Prop]) -> Vec<Ident> {
    struct Arguments<'a> {
        generics: &'a Generics,
        found: Vec<Ident>,
    }
    impl Visit<'_> for Arguments<'_> {
        fn visit_path_segment(&mut self, segment: &syn::PathSegment) {
            if !segment.arguments.is_none() && !HOLDS_ANY.contains(&&*segment.ident.to_string()) {
                let arguments = segment.arguments.to_token_stream();
                let params = self.generics.type_params().map(|param| &param.ident);
                let mentioned = params.filter(|name| mentions(arguments.clone(), name));
                self.found.extend(mentioned.cloned());
            }
            visit::visit_path_segment(self, segment);
        }
    }
    let mut arguments = Arguments {
        generics,
        found: Vec::new(),
    };
    for prop in props {
        arguments.visit_type(&prop.ty);
    }
    arguments.found
}

/// Types that require no bounds of their arguments.
const HOLDS_ANY: [&str; 14] = [
    "Option",
    "Result",
    "Vec",
    "VecDeque",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "BTreeMap",
    "BTreeSet",
    "HashMap",
    "HashSet",
    "PhantomData",
];

/// True for a bound that `()` meets, by the name of its trait.
fn is_met_by_unit(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    bound.path.segments.last().is_some_and(|word| {
        word.arguments.is_none() && MET_BY_UNIT.contains(&&*word.ident.to_string())
    })
}

const MET_BY_UNIT: [&str; 13] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "ToOwned",
    "Unpin",
];

/// The type of a field for the type parameters and lifetimes that no prop uses, if there are any. Unlike a function,
/// a struct must use all its parameters.
pub(crate) fn unmentioned(generics: &Generics, props: &[Prop]) -> Option<TokenStream> {
    let types = || props.iter().map(|prop| prop.ty.to_token_stream());
    let missing: Vec<_> = (generics.params.iter())
        .filter_map(|param| match param {
            GenericParam::Type(param) => {
                let name = &param.ident;
                (!types().any(|ty| mentions(ty, name))).then(|| quote! { fn() -> #name })
            }
            GenericParam::Lifetime(param) => {
                let (lifetime, name) = (&param.lifetime, param.lifetime.ident.to_string());
                (!types().any(|ty| has_lifetime(ty, &name))).then(|| quote! { &#lifetime () })
            }
            GenericParam::Const(_) => None,
        })
        .collect();
    (!missing.is_empty()).then(|| quote! { ::core::marker::PhantomData<(#(#missing,)*)> })
}

/// The type and const arguments of a call of the function, as `::<T, N>`, or nothing if there are none. The compiler
/// cannot infer parameters that no argument uses.
pub(crate) fn turbofish(generics: &Generics) -> Option<TokenStream> {
    let names: Vec<_> = (generics.params.iter())
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!names.is_empty()).then(|| quote! { ::<#(#names),*> })
}

/// The lifetime, if it is the only generic parameter. It can also be the lifetime of the element, and then the
/// compiler has nothing to infer.
pub(crate) fn only_lifetime(generics: &Generics) -> Option<&Lifetime> {
    let mut params = generics.params.iter();
    match (params.next(), params.next(), &generics.where_clause) {
        (Some(GenericParam::Lifetime(only)), None, None) => Some(&only.lifetime),
        _ => None,
    }
}

/// True if a bound limits the values that the struct can hold, and not the operations on them.
fn is_structural(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Lifetime(_) => true,
        bound => bound.to_token_stream().to_string().starts_with('?'),
    }
}

/// Reports a prop whose type is an associated type of a parameter, as `T::Item`. The struct has no bounds to resolve
/// it.
pub(crate) fn refuse_projection(generics: &Generics, ty: &Type, diagnostics: &mut Diagnostics) {
    if let Some((param, text)) = projection(generics, ty) {
        diagnostics.note(
            param.span(),
            format!(
                "a prop's type cannot be `{text}`: add a type parameter for it, with the bound \
                 on `{param}`"
            ),
        );
    }
}

/// The first associated type of a parameter in `ty`, with the parameter.
pub(crate) fn projection(generics: &Generics, ty: &Type) -> Option<(Ident, String)> {
    struct Projections<'a> {
        generics: &'a Generics,
        found: Option<(Ident, String)>,
    }
    impl Visit<'_> for Projections<'_> {
        fn visit_path(&mut self, path: &syn::Path) {
            if path.segments.len() > 1
                && let Some(first) = path.segments.first()
                && is_type_param(self.generics, &first.ident)
            {
                let text = path.to_token_stream().to_string().replace(' ', "");
                self.found.get_or_insert((first.ident.clone(), text));
            }
            visit::visit_path(self, path);
        }
    }
    let mut projections = Projections {
        generics,
        found: None,
    };
    projections.visit_type(ty);
    projections.found
}

pub(crate) fn is_type_param(generics: &Generics, name: &Ident) -> bool {
    generics.type_params().any(|param| param.ident == *name)
}

/// The lifetimes. With them the type of the tag is complete, because all other parameters have defaults.
pub(crate) fn lifetimes(generics: &Generics) -> Generics {
    Generics {
        params: generics
            .params
            .iter()
            .filter(|param| matches!(param, GenericParam::Lifetime(_)))
            .cloned()
            .collect(),
        ..Generics::default()
    }
}

/// True if there are no parameters except lifetimes.
pub(crate) fn are_lifetimes(generics: &Generics) -> bool {
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    generics.params.iter().all(is_lifetime)
}

/// The generics without the lifetimes that no prop uses, which belong to the function.
pub(crate) fn of_props(generics: Generics, props: &[Prop]) -> Generics {
    let params = &generics.params;
    let kept = params.iter().filter(|param| {
        let GenericParam::Lifetime(param) = param else {
            return true;
        };
        let name = param.lifetime.ident.to_string();
        let mut others = props.iter().map(|prop| prop.ty.to_token_stream());
        let mut bounds = params.iter().map(|other| match other {
            GenericParam::Lifetime(other) if other.lifetime == param.lifetime => quote! {},
            other => other.to_token_stream(),
        });
        let in_clause = has_lifetime(generics.where_clause.to_token_stream(), &name);
        in_clause
            || others.any(|tokens| has_lifetime(tokens, &name))
            || bounds.any(|tokens| has_lifetime(tokens, &name))
    });
    Generics {
        params: kept.cloned().collect(),
        ..generics.clone()
    }
}

/// The generics without defaults, as a function or an `impl` declares them.
pub(crate) fn without_defaults(mut generics: Generics) -> Generics {
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => {
                param.default = None;
            }
            GenericParam::Const(param) => {
                param.default = None;
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    generics
}
