//! Checks of types by their path.

use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The last segment of a type's path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// True if a type is `Element` or `Children`.
pub(crate) fn is_element(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|word| word.ident == "Element" || word.ident == "Children")
}

/// The first type argument of a path segment.
pub(crate) fn type_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Formats a type in the usual way: `&'a [String]`.
pub(crate) fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    for word in ty.to_token_stream().to_string().split(' ') {
        let glued = matches!(word, ">" | "," | ")" | "]" | ";" | "<" | "::")
            || text.ends_with(['<', '&', '(', '['])
            || text.ends_with("::");
        if !glued && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
