//! Traversal of expressions.

use crate::expr::{Child, Expr, ExprKind, LinkKind, Tag};

/// Calls `see` with an expression and all expressions in it.
pub(crate) fn walk<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
    see(expr);
    match &expr.kind {
        ExprKind::Template { values, .. } | ExprKind::Array(values) => {
            values.iter().for_each(|value| walk(value, see));
        }
        ExprKind::Path { of, links } => {
            walk(of, see);
            for link in links {
                match &link.kind {
                    LinkKind::Member(_) => {}
                    LinkKind::Index(index) => walk(index, see),
                    LinkKind::Method { args, .. } => args.iter().for_each(|arg| walk(arg, see)),
                }
            }
        }
        ExprKind::Call { args, .. } => args.iter().for_each(|arg| walk(arg, see)),
        ExprKind::Unary { of, .. } => walk(of, see),
        ExprKind::Binary { first, rest } => {
            walk(first, see);
            rest.iter().for_each(|(_, operand)| walk(operand, see));
        }
        ExprKind::Conditional {
            branches,
            otherwise,
        } => {
            for (test, value) in branches {
                walk(test, see);
                walk(value, see);
            }
            walk(otherwise, see);
        }
        ExprKind::Object(entries) => entries.iter().for_each(|(_, value)| walk(value, see)),
        ExprKind::Arrow(arrow) => walk(&arrow.body, see),
        ExprKind::Tag(tag) => of_tag(tag, see),
        ExprKind::Fragment(children) => of_children(children, see),
        ExprKind::Undefined
        | ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Builtin(_) => {}
    }
}

fn of_tag<'e>(tag: &'e Tag, see: &mut dyn FnMut(&'e Expr)) {
    tag.props.iter().for_each(|prop| walk(&prop.value, see));
    of_children(&tag.children, see);
}

fn of_children<'e>(children: &'e [Child], see: &mut dyn FnMut(&'e Expr)) {
    for child in children {
        match child {
            Child::Text(..) => {}
            Child::Tag(tag) => of_tag(tag, see),
            Child::Expr(expr) => walk(expr, see),
        }
    }
}

/// The tags in an expression, outer ones before inner ones.
pub(crate) fn tags(expr: &Expr) -> Vec<&Tag> {
    fn of<'e>(tag: &'e Tag, tags: &mut Vec<&'e Tag>) {
        tags.push(tag);
        below(&tag.children, tags);
    }
    fn below<'e>(children: &'e [Child], tags: &mut Vec<&'e Tag>) {
        for child in children {
            if let Child::Tag(tag) = child {
                of(tag, tags);
            }
        }
    }
    let mut found = Vec::new();
    walk(expr, &mut |expr| match &expr.kind {
        ExprKind::Tag(tag) => of(tag, &mut found),
        ExprKind::Fragment(children) => below(children, &mut found),
        _ => {}
    });
    found
}

/// True if an expression reads a name.
pub(crate) fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    walk(expr, &mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Name(own) if **own == *name);
    });
    found
}
