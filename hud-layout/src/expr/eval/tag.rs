//! Tags.

use std::sync::Arc;

use super::{Evaluated, Evaluator};
use crate::expr::tree::{Child, Tag};
use crate::expr::{Element, Scope, Span, Value, refused};

impl Evaluator<'_> {
    pub(super) fn tag(&mut self, tag: &Tag, scope: &Scope<'_>) -> Evaluated<Element> {
        self.step(tag.span)?;
        let mut props = Vec::with_capacity(tag.props.len());
        for prop in &tag.props {
            let value = self.eval(&prop.value, scope)?;
            props.push((Arc::clone(&prop.name.text), value));
        }
        let children = self.children(&tag.children, scope)?;
        let element = Element::new(Arc::clone(&tag.name.text), props, children, tag.span);
        self.checked(Value::Element(element.clone()), tag.span)?;
        Ok(element)
    }

    pub(super) fn fragment(
        &mut self,
        children: &[Child],
        span: Span,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let children = self.children(children, scope)?;
        self.list(children, span)
    }

    fn children(&mut self, children: &[Child], scope: &Scope<'_>) -> Evaluated<Vec<Value>> {
        let mut shown = Vec::new();
        for child in children {
            match child {
                Child::Text(text, span) => {
                    self.step(*span)?;
                    shown.push(Value::Text(text.clone()));
                }
                Child::Tag(tag) => shown.push(Value::Element(self.tag(tag, scope)?)),
                Child::Expr(expr) => {
                    let value = self.eval(expr, scope)?;
                    self.show(&value, expr.span, &mut shown)?;
                }
            }
        }
        Ok(shown)
    }

    /// Adds the parts of a value that are shown.
    pub(super) fn show(
        &mut self,
        value: &Value,
        span: Span,
        shown: &mut Vec<Value>,
    ) -> Evaluated<()> {
        // The values that are still to be shown, the next one last.
        let mut rest = vec![value.clone()];
        while let Some(value) = rest.pop() {
            self.step(span)?;
            match value {
                Value::Undefined | Value::Null | Value::Bool(_) => {}
                Value::Number(_) | Value::Text(_) | Value::Element(_) => shown.push(value),
                Value::List(list) => {
                    self.meter.list(list.len(), span)?;
                    rest.extend(list.iter().rev().cloned());
                }
                Value::Object(_) => {
                    return Err(Box::new(refused::not_shown(span)));
                }
            }
        }
        Ok(())
    }
}
