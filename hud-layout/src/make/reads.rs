//! The members of the state that the expressions of a layout read: [`Reads`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::catalogue::{Catalogue, Entry};
use crate::expr::{Expr, ExprKind, LinkKind, Prop};
use crate::file::{Component, Piece};
use crate::walk::walk;

/// The members of the state that expressions read. The other members are not converted to values.
#[derive(Clone, Debug)]
pub(crate) enum Reads {
    /// All members, because an expression uses the state as a whole.
    All,
    /// These members.
    Members(BTreeSet<Arc<str>>),
}

impl Reads {
    /// Collects the members that the expressions of a layout and of its components read.
    pub(crate) fn of(
        pieces: &[Piece],
        components: &BTreeMap<Arc<str>, Component>,
        catalogue: &Catalogue,
    ) -> Self {
        let mut reader = Reader {
            components,
            catalogue,
            members: BTreeSet::new(),
            is_whole: false,
        };
        reader.pieces(pieces);
        for component in components.values() {
            reader.pieces(&component.pieces);
        }
        match reader.is_whole {
            true => Self::All,
            false => Self::Members(reader.members),
        }
    }
}

struct Reader<'r> {
    components: &'r BTreeMap<Arc<str>, Component>,
    catalogue: &'r Catalogue,
    members: BTreeSet<Arc<str>>,
    is_whole: bool,
}

impl Reader<'_> {
    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Text(_) => {}
                Piece::Expr(expr) => self.expr(expr),
                Piece::Mark(_, inner) => self.pieces(inner),
                Piece::Tag(tag) => {
                    let name = tag.name.as_ref().map_or("", |name| &name.text);
                    for prop in &tag.props {
                        if lent(name, prop, self.components, self.catalogue).is_none() {
                            self.expr(&prop.value);
                        }
                    }
                    self.pieces(&tag.children);
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let (mut named, mut reached) = (0_usize, 0_usize);
        walk(expr, &mut |expr| match &expr.kind {
            ExprKind::Name(name) if &**name == "state" => named += 1,
            ExprKind::Name(name) if &**name == "context" => {
                self.members.insert(name.clone());
            }
            ExprKind::Path { of, links } if is_state(of) => {
                if let Some(LinkKind::Member(member)) = links.first().map(|link| &link.kind) {
                    reached += 1;
                    self.members.insert(member.text.clone());
                }
            }
            _ => {}
        });
        self.is_whole |= named > reached;
    }
}

fn is_state(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if &**name == "state")
}

/// The path of a prop such as `state.task`, if the tag can be given the state's JSON directly, without an
/// evaluation.
pub(crate) fn lent<'p>(
    tag: &str,
    prop: &'p Prop,
    components: &BTreeMap<Arc<str>, Component>,
    catalogue: &Catalogue,
) -> Option<Vec<&'p str>> {
    let path = match &prop.value.kind {
        ExprKind::Path { of, links } if is_state(of) => {
            let members = links.iter().map(|link| match &link.kind {
                LinkKind::Member(name) => Some(&*name.text),
                LinkKind::Index(_) | LinkKind::Method { .. } => None,
            });
            members.collect::<Option<Vec<_>>>()?
        }
        _ if is_state(&prop.value) => Vec::new(),
        _ => return None,
    };
    if components.contains_key(tag) {
        return None;
    }
    let known = catalogue.get(tag)?.meta().props.iter();
    let is_slot = { known }.any(|known| known.name == &*prop.name.text && Entry::is_slot(known));
    (!is_slot).then_some(path)
}
