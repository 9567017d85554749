//! The types that methods give.

use std::sync::Arc;

use super::types::{ListType, Type};
use super::{Inferrer, Types};
use crate::expr::tree::{Expr, ExprKind};
use crate::expr::{Method, Span};

impl<'s> Inferrer<'_, 's> {
    pub(super) fn method(
        &mut self,
        of: &Type<'s>,
        method: Method,
        args: &[Expr],
        has_items: bool,
        span: Span,
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        let list = of.kinds().iter().find_map(|kind| match kind {
            Type::List(list) => Some(Arc::clone(list)),
            _ => None,
        });
        let item = list
            .as_ref()
            .map_or(Type::Unknown, |list| list.item.clone());
        if method.takes_function() {
            let given = match args.first() {
                Some(function) => self.given(function, method, &item, of, types),
                None => Type::Unknown,
            };
            return gives(method, of, item, given);
        }
        let mut found = Vec::with_capacity(args.len());
        for arg in args {
            let own = self.infer(arg, types);
            self.check_arg(method, of, found.len(), &own, arg.span);
            found.push(own);
        }
        match (of, list) {
            (Type::List(_), Some(list)) => self.of_list(method, of, &list, found, has_items, span),
            (Type::Text(_), _) => of_text(method),
            (Type::Number, _) => Type::TEXT,
            _ => of_any(method),
        }
    }

    /// The type that the function gives for an item.
    fn given(
        &mut self,
        function: &Expr,
        method: Method,
        item: &Type<'s>,
        of: &Type<'s>,
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        let list = of.something();
        match &function.kind {
            ExprKind::Arrow(arrow) if method == Method::ToSorted => {
                self.arrow(arrow, [item.clone(), item.clone(), Type::Nothing], types)
            }
            ExprKind::Arrow(arrow) => self.arrow(arrow, [item.clone(), Type::Number, list], types),
            ExprKind::Builtin(builtin) => {
                self.builtin(*builtin, std::slice::from_ref(item), function.span)
            }
            ExprKind::Name(name) if types.has_function(name) => Type::Unknown,
            _ => {
                self.infer(function, types);
                let message = format!("`{}` takes a function", method.name());
                self.wrong_with(function.span, message, "write `item => item.name`");
                Type::Unknown
            }
        }
    }

    fn of_list(
        &mut self,
        method: Method,
        of: &Type<'s>,
        list: &ListType<'s>,
        args: Vec<Type<'s>>,
        has_items: bool,
        span: Span,
    ) -> Type<'s> {
        let item = list.item.clone();
        match method {
            Method::Slice | Method::ToReversed => of.clone(),
            Method::At if has_items => item,
            Method::At => item.or(Type::Nothing),
            Method::Includes => Type::Bool,
            Method::IndexOf => Type::Number,
            Method::Join => {
                self.check_words(&item, span);
                Type::TEXT
            }
            Method::Concat => {
                let all = args.into_iter().fold(item, |all, arg| match &arg {
                    Type::List(list) => all.or(list.item.clone()),
                    _ => all.or(arg),
                });
                Type::list(all)
            }
            Method::Flat => match &item {
                Type::List(inner) if args.is_empty() => Type::list(inner.item.clone()),
                Type::List(_) | Type::Union(_) | Type::Unknown => Type::list(Type::Unknown),
                _ => of.clone(),
            },
            _ => Type::Unknown,
        }
    }

    /// Reports an argument that is certainly of the wrong kind.
    fn check_arg(
        &mut self,
        method: Method,
        of: &Type<'s>,
        index: usize,
        found: &Type<'s>,
        span: Span,
    ) {
        let of_text = matches!(of, Type::Text(_));
        let wanted = match (method, index) {
            (Method::Includes, 0) if !of_text => return,
            (Method::IndexOf, 0) | (Method::Concat, _) => return,
            (Method::Includes | Method::StartsWith | Method::EndsWith | Method::Split, 0)
            | (Method::ReplaceAll, _)
            | (Method::PadStart | Method::PadEnd, 1)
            | (Method::Join, 0) => Type::TEXT,
            _ => Type::Number,
        };
        let fits = |kind: &Type<'_>| match kind {
            Type::Unknown | Type::Nothing => true,
            Type::Text(_) => wanted == Type::TEXT,
            Type::Number => wanted == Type::Number,
            _ => false,
        };
        if !found.kinds().iter().any(fits) {
            let name = method.name();
            let message = format!("`{name}` takes {wanted}, found {}", found.kind_words());
            self.wrong(span, message);
        }
    }
}

/// The type that a method with a function gives.
fn gives<'s>(method: Method, of: &Type<'s>, item: Type<'s>, given: Type<'s>) -> Type<'s> {
    match method {
        Method::Map => Type::list(given),
        Method::FlatMap => match &given {
            Type::List(inner) => Type::list(inner.item.clone()),
            Type::Union(_) | Type::Unknown => Type::list(Type::Unknown),
            _ => Type::list(given),
        },
        Method::Filter | Method::ToSorted => {
            of.only(|kind| matches!(kind, Type::List(_) | Type::Unknown))
        }
        Method::Find => item.or(Type::Nothing),
        Method::Some | Method::Every => Type::Bool,
        _ => Type::Unknown,
    }
}

fn of_text<'s>(method: Method) -> Type<'s> {
    match method {
        Method::Includes | Method::StartsWith | Method::EndsWith => Type::Bool,
        Method::Split => Type::list(Type::TEXT),
        Method::At => Type::TEXT.or(Type::Nothing),
        _ => Type::TEXT,
    }
}

/// The type that a method gives of a value that may be a list or a string.
fn of_any<'s>(method: Method) -> Type<'s> {
    match method {
        Method::Includes | Method::StartsWith | Method::EndsWith => Type::Bool,
        Method::IndexOf => Type::Number,
        Method::Split => Type::list(Type::TEXT),
        Method::Slice | Method::At | Method::Concat | Method::Flat | Method::ToReversed => {
            Type::Unknown
        }
        _ => Type::TEXT,
    }
}
