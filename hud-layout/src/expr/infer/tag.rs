//! Tags and their children.

use super::{Inferrer, Type, Types};
use crate::expr::refused;
use crate::expr::tree::{Child, Expr, Tag};

impl<'s> Inferrer<'_, 's> {
    pub(super) fn tag(&mut self, tag: &Tag, types: &Types<'_, 's>) {
        let mut props = Vec::with_capacity(tag.props.len());
        for prop in &tag.props {
            props.push(self.infer(&prop.value, types));
        }
        self.findings.tag(tag, &props);
        self.children(&tag.children, types);
    }

    pub(super) fn children(&mut self, children: &[Child], types: &Types<'_, 's>) {
        for child in children {
            match child {
                Child::Text(..) => {}
                Child::Tag(tag) => self.tag(tag, types),
                Child::Expr(expr) => self.shown(expr, types),
            }
        }
    }

    pub(super) fn shown(&mut self, expr: &Expr, types: &Types<'_, 's>) {
        let mut of = self.infer(expr, types);
        // Lists are shown item by item.
        while let Type::List(list) = &of {
            of = list.item.clone();
        }
        if of
            .kinds()
            .iter()
            .any(|kind| matches!(kind, Type::Object(_)))
        {
            self.findings.mistake(refused::not_shown(expr.span));
        }
    }
}
