//! Comparison of the type of a value with the wanted type.

use std::collections::HashSet;
use std::marker::PhantomData;

use serde_json::Value as Json;

use super::schema::Member;
use super::types::{Node, ObjectType, Type};
use crate::expr::{Mistake, Name, Span, nearest};

/// The maximum depth to which objects and lists are compared.
const MAX_LEVELS: u8 = 6;

/// Returns an error if a value of the type `found` can't be a prop of the type `wanted`. An optional prop also takes
/// nothing: its type is `wanted.or(Type::Nothing)`.
///
/// ```
/// use hud_layout::expr::{Name, Span, Type, check_prop};
/// use serde_json::json;
///
/// let (found, wanted) = (json!({"type": "string"}), json!({"type": "number"}));
/// let (found, wanted) = (Type::of_schema(&found), Type::of_schema(&wanted));
/// let prop = Name { text: "used".into(), span: Span::default() };
/// let mistake = check_prop("Meter", &prop, Span::default(), &found, &wanted).expect("a mistake");
/// assert_eq!(mistake.message, "`used` of `<Meter>` takes a number, found text");
/// ```
#[must_use]
pub fn check_prop(
    tag: &str,
    prop: &Name,
    value: Span,
    found: &Type<'_>,
    wanted: &Type<'_>,
) -> Option<Mistake> {
    Fitting::default().check_prop(tag, prop, value, found, wanted)
}

/// The address of a schema, and the address of the root that its references point into.
type Place = (*const Json, *const Json);

/// Cache of objects that fit others, by their schemas. A layout that gives the same part of the state several times
/// has it compared once. It is valid only as long as the schemas live.
#[derive(Debug, Default)]
pub(crate) struct Fitting<'s> {
    known: HashSet<(Place, Place, u8)>,
    schemas: PhantomData<&'s Json>,
}

impl<'s> Fitting<'s> {
    /// [`check_prop`] with the cache.
    pub(crate) fn check_prop(
        &mut self,
        tag: &str,
        prop: &Name,
        value: Span,
        found: &Type<'s>,
        wanted: &Type<'s>,
    ) -> Option<Mistake> {
        let misfit = self.misfit(found, wanted, MAX_LEVELS)?;
        Some(mistake(tag, prop, value, found, wanted, misfit))
    }
}

/// The error for a misfit.
fn mistake(
    tag: &str,
    prop: &Name,
    value: Span,
    found: &Type<'_>,
    wanted: &Type<'_>,
    misfit: Misfit,
) -> Mistake {
    let own = &prop.text;
    let wanted_something = wanted.something();
    if let (Type::Text(Some(found)), Type::Text(Some(texts))) = (found, &wanted_something) {
        let mistake = Mistake::new(value, format!("`{own}` of `<{tag}>` is {wanted_something}"));
        let meant = found.first().and_then(|found| {
            let texts = texts.iter().map(|text| &**text);
            nearest(found, texts)
        });
        return match meant {
            Some(meant) => mistake.with_help(format!("did you mean `{meant}`?")),
            None => mistake,
        };
    }
    if misfit == Misfit::Nothing {
        let message =
            format!("`{own}` of `<{tag}>` takes {wanted_something}, and this may be nothing");
        return Mistake::new(value, message).with_help(format!(
            "show the tag only if there is one, `value && <{tag} .. />`, or write `value ?? other`"
        ));
    }
    let part = match misfit {
        Misfit::Part(part) => format!(": {part}"),
        _ => String::new(),
    };
    let found = found.without_texts();
    let message = format!("`{own}` of `<{tag}>` takes {wanted_something}, found {found}{part}");
    Mistake::new(value, message)
}

/// The reason why a value can't be of the wanted type.
#[derive(Debug, PartialEq)]
enum Misfit {
    /// The value may be nothing.
    Nothing,
    /// The value is of another kind.
    Kind,
    /// A part of the value is wrong.
    Part(String),
}

impl<'s> Fitting<'s> {
    fn misfit(&mut self, found: &Type<'s>, wanted: &Type<'s>, levels: u8) -> Option<Misfit> {
        if levels == 0 || matches!(wanted, Type::Unknown) {
            return None;
        }
        found.kinds().iter().find_map(|kind| {
            let mut nearest = None;
            for wanted in wanted.kinds() {
                match (self.one_misfit(kind, wanted, levels), &nearest) {
                    (None, _) => return None,
                    (Some(Misfit::Kind), Some(_)) => {}
                    (Some(other), _) => nearest = Some(other),
                }
            }
            match kind {
                Type::Nothing if found.kinds().len() > 1 => Some(Misfit::Nothing),
                _ => nearest,
            }
        })
    }

    fn one_misfit(&mut self, found: &Type<'s>, wanted: &Type<'s>, levels: u8) -> Option<Misfit> {
        match (found, wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => None,
            (Type::Nothing, Type::Nothing)
            | (Type::Bool, Type::Bool)
            | (Type::Number, Type::Number)
            | (Type::Element, Type::Element)
            | (Type::Text(None), Type::Text(_))
            | (Type::Text(_), Type::Text(None)) => None,
            (Type::Text(Some(found)), Type::Text(Some(wanted))) => {
                // The string is known only at run time, so one that fits is enough.
                let fits = found.iter().any(|text| wanted.contains(text));
                (!fits).then_some(Misfit::Kind)
            }
            (Type::List(found), Type::List(wanted)) => {
                // `filter` may have removed the items that may be nothing, so these are not compared.
                let item = found.item.something();
                let misfit = self.misfit(&item, &wanted.item, levels - 1)?;
                Some(part("[0]", misfit, &item, &wanted.item))
            }
            (Type::Object(found), Type::Object(wanted)) => {
                self.object_misfit(found, wanted, levels)
            }
            _ => Some(Misfit::Kind),
        }
    }

    fn object_misfit(
        &mut self,
        found: &ObjectType<'s>,
        wanted: &ObjectType<'s>,
        levels: u8,
    ) -> Option<Misfit> {
        let places = match (found, wanted) {
            (ObjectType::Schema(found), ObjectType::Schema(wanted)) => {
                Some((place(*found), place(*wanted), levels))
            }
            _ => None,
        };
        if places.is_some_and(|places| self.known.contains(&places)) {
            return None;
        }
        let misfit = self.members_misfit(found, wanted, levels);
        if misfit.is_none() {
            self.known.extend(places);
        }
        misfit
    }

    fn members_misfit(
        &mut self,
        found: &ObjectType<'s>,
        wanted: &ObjectType<'s>,
        levels: u8,
    ) -> Option<Misfit> {
        if found == wanted || found.is_open() || wanted.is_open() {
            return None;
        }
        let own = found.members();
        let missing = wanted
            .members()
            .into_iter()
            .find_map(
                |(name, wanted, required)| match own.iter().find(|(own, ..)| *own == name) {
                    None if required => Some(Misfit::Part(format!("lacks `{name}`"))),
                    None => None,
                    Some((_, found, always)) => {
                        let found = if *always {
                            found.clone()
                        } else {
                            found.clone().or(Type::Nothing)
                        };
                        let wanted = if required {
                            wanted
                        } else {
                            wanted.or(Type::Nothing)
                        };
                        let misfit = self.misfit(&found, &wanted, levels - 1)?;
                        Some(part(&format!(".{name}"), misfit, &found, &wanted))
                    }
                },
            );
        missing.or_else(|| {
            let is_extra = |name: &str| matches!(wanted.member(name), Member::Missing(_));
            let extra = own
                .iter()
                .find(|(name, ..)| wanted.is_closed() && is_extra(name));
            extra.map(|(name, ..)| Misfit::Part(format!("has `{name}`, which is not taken")))
        })
    }
}

/// The addresses of a schema and its root.
fn place(node: Node<'_>) -> Place {
    (node.root, node.json)
}

/// Prefixes the misfit of a part with its path: `` `[0].id` lacks `x` ``.
fn part(path: &str, misfit: Misfit, found: &Type<'_>, wanted: &Type<'_>) -> Misfit {
    Misfit::Part(match misfit {
        Misfit::Nothing => format!("`{path}` may be nothing"),
        Misfit::Kind if matches!(wanted, Type::Text(Some(_))) => {
            format!("`{path}` is {found} and not {wanted}")
        }
        Misfit::Kind => format!("`{path}` is {} and not {wanted}", found.without_texts()),
        Misfit::Part(inner) => match inner.strip_prefix('`') {
            Some(rest) => format!("`{path}{rest}"),
            None => format!("`{path}` {inner}"),
        },
    })
}
