//! Warnings for parts of the static layer that read values which change from turn to turn.

use crate::catalogue::Catalogue;
use crate::expr::{Expr, ExprKind, LinkKind, Mistake, Span};
use crate::file::Piece;
use crate::walk;

/// Warns of parts of the static layer that read values which change from turn to turn.
pub(super) fn steadiness(pieces: &[Piece], catalogue: &Catalogue, warnings: &mut Vec<Mistake>) {
    for piece in pieces {
        let Piece::Tag(tag) = piece else { continue };
        let Some(name) = &tag.name else { continue };
        let part = catalogue
            .get(&name.text)
            .and_then(|entry| entry.meta().part.as_ref());
        let says_static = tag.props.iter().any(|prop| {
            &*prop.name.text == "layer"
                && matches!(&prop.value.kind, ExprKind::Text(text) if &**text == "static")
        });
        if part.is_some_and(|part| part.layer == hud_core::Layer::Static) || says_static {
            let mut changing = |expr: &Expr| {
                let wrong = changes_each_turn(expr);
                warnings.extend(wrong.map(|(span, what)| {
                    Mistake::new(span, format!("the static layer reads {what}, which changes from turn to turn"))
                        .with_help("the provider's prompt cache ends with each change: put it into a part of the dynamic layer")
                }));
            };
            tag.props.iter().for_each(|prop| changing(&prop.value));
            each_expr(&tag.children, &mut changing);
        }
        steadiness(&tag.children, catalogue, warnings);
    }
}

fn each_expr(pieces: &[Piece], see: &mut dyn FnMut(&Expr)) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => see(expr),
            Piece::Mark(_, inner) => each_expr(inner, see),
            Piece::Tag(tag) => {
                tag.props.iter().for_each(|prop| see(&prop.value));
                each_expr(&tag.children, see);
            }
        }
    }
}

/// The first value in an expression that changes with each turn.
fn changes_each_turn(expr: &Expr) -> Option<(Span, &'static str)> {
    let mut found = None;
    walk::walk(expr, &mut |expr| {
        let is = match &expr.kind {
            ExprKind::Name(name) if &**name == "context" => Some("`context`"),
            ExprKind::Path { of, links } if matches!(&of.kind, ExprKind::Name(name) if &**name == "state") => {
                match links.first().map(|link| &link.kind) {
                    Some(LinkKind::Member(name)) => match &*name.text {
                        "turn" => Some("`state.turn`"),
                        "version" => Some("`state.version`"),
                        "context" => Some("`state.context`"),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(what) = is {
            found.get_or_insert((expr.span, what));
        }
    });
    found
}
