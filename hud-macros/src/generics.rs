//! The generics of the struct that a component becomes.

use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Ident, Lifetime, Type, TypeParamBound, WherePredicate};

use crate::diagnostics::Diagnostics;
use crate::lifetimes::has_lifetime;
use crate::props::Prop;

/// The function's generics without the bounds of type parameters, each of which has a default.
///
/// So the tag's path is a whole type without arguments, `Table` of `Table<Row>`: the check of
/// the props, which is a constant and can infer nothing, needs no more.
pub(crate) fn of_struct(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => {
                param.bounds = std::mem::take(&mut param.bounds)
                    .into_iter()
                    .filter(is_structural)
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
                    predicate.bounds = predicate.bounds.into_iter().filter(is_structural).collect();
                    (!predicate.bounds.is_empty()).then_some(WherePredicate::Type(predicate))
                }
                other => Some(other),
            })
            .collect();
    }
    generics
}

/// The lifetime of what is generic over one lifetime and nothing else: it can be the element's, too, and then the compiler
/// has nothing to find out.
pub(crate) fn only_lifetime(generics: &Generics) -> Option<&Lifetime> {
    let mut params = generics.params.iter();
    match (params.next(), params.next(), &generics.where_clause) {
        (Some(GenericParam::Lifetime(only)), None, None) => Some(&only.lifetime),
        _ => None,
    }
}

/// Whether a bound says what the struct can hold, and not what can be done with it.
fn is_structural(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Lifetime(_) => true,
        bound => bound.to_token_stream().to_string().starts_with('?'),
    }
}

/// Notes a prop whose type is one of a parameter's own, as `T::Item`: the struct has no bounds
/// from which it could be known.
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

/// The first type in `ty` that is one of a parameter's own, and this parameter.
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

/// The lifetimes alone: with them the tag's type is whole, since all else has a default.
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

/// Whether there are no other parameters than lifetimes.
pub(crate) fn are_lifetimes(generics: &Generics) -> bool {
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    generics.params.iter().all(is_lifetime)
}

/// The generics without the lifetimes that no prop has: those are the function's own.
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

/// The generics as a function or an `impl` declares them.
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
