//! Makes elided lifetimes explicit. All of them become one.

use crate::types::{last_segment, type_argument};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{
    BoundLifetimes, GenericArgument, GenericParam, Lifetime, ParenthesizedGenericArguments,
    PathArguments, PathSegment, ReturnType, Type,
};

/// Writes a lifetime into types that elide it: `&T`, `'_`, `Element` and `Children`.
///
/// An elided lifetime in the arguments of `fn(&str)` and `dyn Fn(&str)` belongs to the signature and is kept. As in
/// Rust, the return type of such a signature has the lifetime of its arguments. If no argument has one, it gets the
/// written lifetime.
pub(crate) struct Elided {
    lifetime: Lifetime,
    /// True if the lifetime was written at least once.
    pub(crate) used: bool,
    /// True while elided lifetimes belong to a signature.
    bound: bool,
    /// True if the arguments of the signature have a lifetime.
    met: bool,
}

impl Elided {
    /// Returns a writer of a lifetime that does not occur in a function: `'a` if possible.
    pub(crate) fn new(function: TokenStream) -> Self {
        let name = ('a'..='z')
            .map(String::from)
            .find(|name| !has_lifetime(function.clone(), name))
            .unwrap_or_else(|| "props".to_owned());
        Self::of(Lifetime::new(&format!("'{name}"), Span::call_site()))
    }

    /// Returns a writer of this lifetime.
    pub(crate) fn of(lifetime: Lifetime) -> Self {
        Self {
            lifetime,
            used: false,
            bound: false,
            met: false,
        }
    }

    /// True if a type elides a lifetime.
    pub(crate) fn is_in(ty: &Type) -> bool {
        let mut elided = Self::new(TokenStream::new());
        elided.write(&mut ty.clone());
        elided.used
    }

    pub(crate) fn write(&mut self, ty: &mut Type) {
        self.visit_type_mut(ty);
    }

    pub(crate) fn lifetime(&self) -> &Lifetime {
        &self.lifetime
    }

    /// The lifetime for a place where it is elided. Its declaration gets the span of the first place, where rustc
    /// shows it.
    fn take(&mut self, place: Span) -> Lifetime {
        if !self.used {
            self.lifetime.set_span(place);
        }
        self.used = true;
        self.lifetime.clone()
    }

    /// Visits the arguments of a signature, and then its return type.
    fn signature(&mut self, output: &mut ReturnType, inputs: impl FnOnce(&mut Self)) {
        let (bound, met) = (self.bound, self.met);
        (self.bound, self.met) = (true, false);
        inputs(self);
        self.bound = bound || self.met;
        self.visit_return_type_mut(output);
        (self.bound, self.met) = (bound, met);
    }
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        self.met = true;
        if reference.lifetime.is_none() && !self.bound {
            reference.lifetime = Some(self.take(reference.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        self.met = true;
        if lifetime.ident == "_" && !self.bound {
            *lifetime = self.take(lifetime.span());
        }
    }

    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        let own = segment.ident == "Element" || segment.ident == "Children";
        if own && segment.arguments.is_none() {
            self.met = true;
            let lifetime = if self.bound {
                Lifetime::new("'_", Span::call_site())
            } else {
                self.take(segment.ident.span())
            };
            segment.arguments = PathArguments::AngleBracketed(syn::parse_quote! { <#lifetime> });
        }
        visit_mut::visit_path_segment_mut(self, segment);
    }

    fn visit_type_fn_ptr_mut(&mut self, pointer: &mut syn::TypeFnPtr) {
        let inputs = &mut pointer.inputs;
        self.signature(&mut pointer.output, |elided| {
            for input in inputs {
                elided.visit_named_arg_mut(input);
            }
        });
    }

    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        arguments: &mut ParenthesizedGenericArguments,
    ) {
        let inputs = &mut arguments.inputs;
        self.signature(&mut arguments.output, |elided| {
            for input in inputs {
                elided.visit_named_arg_mut(input);
            }
        });
    }
}

/// True if a lifetime occurs in the tokens.
pub(crate) fn has_lifetime(tokens: TokenStream, name: &str) -> bool {
    let mut quote = false;
    tokens.into_iter().any(|token| {
        let behind_quote = std::mem::take(&mut quote);
        match token {
            TokenTree::Punct(punct) => {
                quote = punct.as_char() == '\'';
                false
            }
            TokenTree::Ident(word) => behind_quote && word == name,
            TokenTree::Group(group) => has_lifetime(group.stream(), name),
            TokenTree::Literal(_) => false,
        }
    })
}

/// The lifetime of an `Element<'x>`, or of an `Option` of one.
pub(crate) fn of_element(ty: &Type) -> Option<&Lifetime> {
    let segment = last_segment(ty)?;
    if let Some(inner) = type_argument(segment) {
        return of_element(inner);
    }
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    })
}

/// Replaces all lifetimes in a path with `'static`, except for `'_` and those declared with `for<'a>`.
pub(crate) fn make_static(path: &mut syn::Path) {
    Replace::all_with("'static").visit_path_mut(path);
}

/// Replaces all lifetimes in a type with `'static`, except for those declared with `for<'a>`.
pub(crate) fn make_static_type(ty: &mut Type) {
    let mut replace = Replace::all_with("'static");
    replace.kept.clear();
    replace.visit_type_mut(ty);
}

fn lifetime(name: &str) -> Lifetime {
    Lifetime::new(name, Span::call_site())
}

/// Replaces explicit lifetimes.
struct Replace {
    with: Lifetime,
    kept: Vec<Lifetime>,
}

impl Replace {
    fn all_with(name: &str) -> Self {
        Self {
            with: lifetime(name),
            kept: vec![lifetime("'_")],
        }
    }
}

impl VisitMut for Replace {
    fn visit_bound_lifetimes_mut(&mut self, bound: &mut BoundLifetimes) {
        let names = bound.lifetimes.iter().filter_map(|param| match param {
            GenericParam::Lifetime(param) => Some(param.lifetime.clone()),
            GenericParam::Type(_) | GenericParam::Const(_) => None,
        });
        self.kept.extend(names);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if !self.kept.contains(lifetime) {
            *lifetime = self.with.clone();
        }
    }
}
