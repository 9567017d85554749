//! Components that use themselves.

use std::collections::BTreeMap;

use super::Components;
use crate::file::Piece;
use crate::walk;

/// The components that each component uses, in the order of their first use.
pub(crate) struct Uses<'c>(BTreeMap<&'c str, Vec<&'c str>>);

impl<'c> Uses<'c> {
    pub(crate) fn of(components: &'c Components) -> Self {
        let uses = components.iter().map(|(name, component)| {
            let mut used = Vec::new();
            each_tag(&component.pieces, &mut |tag| {
                if components.contains_key(tag) && !used.contains(&tag) {
                    used.push(tag);
                }
            });
            (&**name, used)
        });
        Self(uses.collect())
    }

    /// The path from a component back to itself, if there is one.
    pub(super) fn circle(&self, name: &str) -> Option<Vec<String>> {
        // The visited components, each with the index of the one that uses it.
        let mut seen: Vec<(&str, usize)> = vec![(name, 0)];
        let mut next = 0;
        while let Some((now, _)) = seen.get(next).copied() {
            for used in self.0.get(now).into_iter().flatten().copied() {
                if used == name {
                    let mut way = vec![name];
                    let mut at = next;
                    while at > 0 {
                        way.push(seen[at].0);
                        at = seen[at].1;
                    }
                    way.push(name);
                    return Some(
                        { way.iter().rev() }
                            .map(|name| format!("`<{name}>`"))
                            .collect(),
                    );
                }
                if seen.iter().all(|(known, _)| *known != used) {
                    seen.push((used, next));
                }
            }
            next += 1;
        }
        None
    }
}

/// Calls `see` with the name of each tag in the pieces.
fn each_tag<'p>(pieces: &'p [Piece], see: &mut dyn FnMut(&'p str)) {
    let of_expr = |expr, see: &mut dyn FnMut(&'p str)| {
        let tags = walk::tags(expr);
        tags.iter().for_each(|tag| see(&tag.name.text));
    };
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => of_expr(expr, see),
            Piece::Mark(_, inner) => each_tag(inner, see),
            Piece::Tag(tag) => {
                if let Some(name) = &tag.name {
                    see(&name.text);
                }
                tag.props.iter().for_each(|prop| of_expr(&prop.value, see));
                each_tag(&tag.children, see);
            }
        }
    }
}
