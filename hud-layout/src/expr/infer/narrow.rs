//! The facts that are known about values where a test holds.

use crate::expr::tree::{BinaryOp, Expr, ExprKind, LinkKind, UnaryOp};

/// The paths of values that are known to be there: `state.task`, or `state.files[]` for a list that has items.
pub(super) type Facts = Vec<String>;

/// The path of an expression that has only names and members.
pub(super) fn path_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.to_string()),
        ExprKind::Path { of, links } => {
            let mut path = path_of(of)?;
            for link in links {
                let LinkKind::Member(name) = &link.kind else {
                    return None;
                };
                path.push('.');
                path.push_str(&name.text);
            }
            Some(path)
        }
        _ => None,
    }
}

/// The facts that are known if the test holds, or if it does not.
pub(super) fn facts(test: &Expr, holds: bool) -> Facts {
    match &test.kind {
        ExprKind::Name(_) | ExprKind::Path { .. } if holds => there(test, true),
        ExprKind::Unary { operators, of } if operators.iter().all(|op| *op == UnaryOp::Not) => {
            facts(of, holds == operators.len().is_multiple_of(2))
        }
        ExprKind::Binary { first, rest } => row_facts(first, rest, holds),
        ExprKind::Call { args, .. } if holds => match &**args {
            // `Boolean(value)`
            [only] => there(only, false),
            _ => Facts::new(),
        },
        _ => Facts::new(),
    }
}

fn row_facts(first: &Expr, rest: &[(BinaryOp, Expr)], holds: bool) -> Facts {
    let Some((operator, second)) = rest.first() else {
        return Facts::new();
    };
    match operator {
        BinaryOp::And if holds => row(first, rest, true),
        BinaryOp::Or if !holds => row(first, rest, false),
        _ if rest.len() > 1 => Facts::new(),
        BinaryOp::NotEqual | BinaryOp::NotLooselyEqual if holds => unlike(first, second),
        BinaryOp::Equal | BinaryOp::LooselyEqual if !holds => unlike(first, second),
        BinaryOp::Equal | BinaryOp::LooselyEqual if is_value(second) => there(first, false),
        BinaryOp::Equal | BinaryOp::LooselyEqual if is_value(first) => there(second, false),
        // A comparison with `undefined` is never true, so both values are there.
        BinaryOp::Greater | BinaryOp::GreaterOrEqual if holds => {
            let some = *operator == BinaryOp::Greater || !is_zero(second);
            there(first, some)
                .into_iter()
                .chain(there(second, false))
                .collect()
        }
        BinaryOp::Less | BinaryOp::LessOrEqual if holds => {
            let some = *operator == BinaryOp::Less || !is_zero(first);
            there(second, some)
                .into_iter()
                .chain(there(first, false))
                .collect()
        }
        _ => Facts::new(),
    }
}

fn row(first: &Expr, rest: &[(BinaryOp, Expr)], holds: bool) -> Facts {
    let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
    operands.flat_map(|operand| facts(operand, holds)).collect()
}

/// The facts that are known if one value is not equal to the other.
fn unlike(first: &Expr, second: &Expr) -> Facts {
    for (one, other) in [(first, second), (second, first)] {
        if matches!(other.kind, ExprKind::Null | ExprKind::Undefined) {
            return there(one, false);
        }
        if is_zero(other) && path_of(one).is_some_and(|path| path.ends_with(".length")) {
            return some_items(one);
        }
    }
    Facts::new()
}

fn is_value(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Text(_) | ExprKind::Number(_) | ExprKind::Bool(_)
    )
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(number) if number <= 0.0)
}

/// The facts that are known if a value is there. If `some` is true, a length is also more than 0.
fn there(expr: &Expr, some: bool) -> Facts {
    let Some(path) = path_of(expr) else {
        return Facts::new();
    };
    let mut facts = Facts::new();
    for (at, _) in path.match_indices('.') {
        facts.push(path[..at].to_owned());
    }
    if some {
        facts.extend(some_items(expr));
    }
    facts.push(path);
    facts
}

/// The fact that a list has items, by the path of its length.
fn some_items(length: &Expr) -> Facts {
    let path = path_of(length).unwrap_or_default();
    match path.strip_suffix(".length") {
        Some(list) => vec![format!("{list}[]")],
        None => Facts::new(),
    }
}
