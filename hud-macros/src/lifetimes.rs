//! Lifetimes that were left out, written in: all of them become one.

use crate::props::{last_segment, type_argument};
use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, GenericParam, Generics, Lifetime, PathArguments, PathSegment, Type};

/// Writes a lifetime into types where it was left out: in `&T`, in `'_`, and in the crate's own
/// `Element` and `Children`.
pub(crate) struct Elided {
    lifetime: Lifetime,
    /// Whether there was a place for it.
    pub(crate) used: bool,
}

impl Elided {
    /// A lifetime that none of `generics` has: `'a` if it can be.
    pub(crate) fn new(generics: &Generics) -> Self {
        let taken = |name: &str| {
            generics.params.iter().any(|param| {
                matches!(param, GenericParam::Lifetime(param) if param.lifetime.ident == name)
            })
        };
        let name = ('a'..='z')
            .map(String::from)
            .find(|name| !taken(name))
            .unwrap_or_else(|| "props".to_owned());
        Self::of(Lifetime::new(&format!("'{name}"), Span::call_site()))
    }

    /// This lifetime.
    pub(crate) fn of(lifetime: Lifetime) -> Self {
        Self {
            lifetime,
            used: false,
        }
    }

    pub(crate) fn write(&mut self, ty: &mut Type) {
        self.visit_type_mut(ty);
    }

    pub(crate) fn into_lifetime(self) -> Lifetime {
        self.lifetime
    }

    fn take(&mut self) -> Lifetime {
        self.used = true;
        self.lifetime.clone()
    }
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.take());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.take();
        }
    }

    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        let own = segment.ident == "Element" || segment.ident == "Children";
        if own && segment.arguments.is_none() {
            let lifetime = self.take();
            segment.arguments = PathArguments::AngleBracketed(syn::parse_quote! { <#lifetime> });
        }
        visit_mut::visit_path_segment_mut(self, segment);
    }
}

/// The lifetime of an `Element<'x>`, or of the one in an `Option`.
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

/// Makes all lifetimes in a path `'static`.
pub(crate) fn make_static(path: &mut syn::Path) {
    struct Static;
    impl VisitMut for Static {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }
    }
    Static.visit_path_mut(path);
}
