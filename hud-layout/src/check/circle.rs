//! Components that are made of themselves.

use super::Components;
use crate::file::Piece;
use crate::walk;

/// The way from a component to itself, if there is one.
pub(super) fn circle(name: &str, components: &Components) -> Option<Vec<String>> {
    // What was seen, each with what uses it.
    let mut seen: Vec<(&str, usize)> = vec![(name, 0)];
    let mut next = 0;
    while let Some((now, _)) = seen.get(next).copied() {
        for used in components
            .get(now)
            .map_or_else(Vec::new, |component| used(&component.pieces))
        {
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
            if components.contains_key(used) && seen.iter().all(|(known, _)| *known != used) {
                seen.push((used, next));
            }
        }
        next += 1;
    }
    None
}

/// The names of the tags that pieces use.
fn used(pieces: &[Piece]) -> Vec<&str> {
    let mut names = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => names.extend(walk::tags(expr).iter().map(|tag| &*tag.name.text)),
            Piece::Mark(_, inner) => names.extend(used(inner)),
            Piece::Tag(tag) => {
                names.extend(tag.name.as_ref().map(|name| &*name.text));
                let inner = tag.props.iter().flat_map(|prop| walk::tags(&prop.value));
                names.extend(inner.map(|tag| &*tag.name.text));
                names.extend(used(&tag.children));
            }
        }
    }
    names
}
