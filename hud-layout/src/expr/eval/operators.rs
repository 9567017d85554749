//! Operators.

use super::{Evaluated, Evaluator};
use crate::expr::{BinaryOp, Expr, Scope, Span, UnaryOp, Value};

impl Evaluator<'_> {
    pub(super) fn unary(
        &mut self,
        operators: &[UnaryOp],
        of: &Expr,
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut value = self.eval(of, scope)?;
        for operator in operators {
            self.step(of.span)?;
            value = match operator {
                UnaryOp::Not => Value::Bool(!value.is_truthy()),
                UnaryOp::Negate => Value::Number(-self.number(&value, of.span)?),
                UnaryOp::ToNumber => Value::Number(self.number(&value, of.span)?),
            };
        }
        Ok(value)
    }

    pub(super) fn binary(
        &mut self,
        first: &Expr,
        rest: &[(BinaryOp, Expr)],
        scope: &Scope<'_>,
    ) -> Evaluated {
        let mut left = self.eval(first, scope)?;
        for (operator, operand) in rest {
            let is_decided = match operator {
                BinaryOp::Coalesce => !left.is_nothing(),
                BinaryOp::Or => left.is_truthy(),
                BinaryOp::And => !left.is_truthy(),
                _ => false,
            };
            if is_decided {
                continue;
            }
            let right = self.eval(operand, scope)?;
            left = self.apply(*operator, left, right, first.span, operand.span)?;
        }
        Ok(left)
    }

    fn apply(
        &mut self,
        operator: BinaryOp,
        left: Value,
        right: Value,
        left_span: Span,
        right_span: Span,
    ) -> Evaluated {
        let both_nothing = left.is_nothing() && right.is_nothing();
        self.count_texts(&left, &right, right_span)?;
        Ok(match operator {
            BinaryOp::Coalesce | BinaryOp::Or | BinaryOp::And => right,
            BinaryOp::Equal => Value::Bool(left.is_identical(&right)),
            BinaryOp::NotEqual => Value::Bool(!left.is_identical(&right)),
            BinaryOp::LooselyEqual => Value::Bool(both_nothing || left.is_identical(&right)),
            BinaryOp::NotLooselyEqual => Value::Bool(!both_nothing && !left.is_identical(&right)),
            BinaryOp::Add => return self.add(&left, &right, left_span, right_span),
            BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual => {
                if let (Value::Text(left), Value::Text(right)) = (&left, &right) {
                    let order = left.encode_utf16().cmp(right.encode_utf16());
                    return Ok(Value::Bool(match operator {
                        BinaryOp::Less => order.is_lt(),
                        BinaryOp::LessOrEqual => order.is_le(),
                        BinaryOp::Greater => order.is_gt(),
                        _ => order.is_ge(),
                    }));
                }
                let left = self.number(&left, left_span)?;
                let right = self.number(&right, right_span)?;
                Value::Bool(match operator {
                    BinaryOp::Less => left < right,
                    BinaryOp::LessOrEqual => left <= right,
                    BinaryOp::Greater => left > right,
                    _ => left >= right,
                })
            }
            BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => {
                let left = self.number(&left, left_span)?;
                let right = self.number(&right, right_span)?;
                Value::Number(match operator {
                    BinaryOp::Subtract => left - right,
                    BinaryOp::Multiply => left * right,
                    BinaryOp::Divide => left / right,
                    _ => left % right,
                })
            }
        })
    }

    /// Counts the cost of comparing two strings, which depends on their length.
    fn count_texts(&mut self, left: &Value, right: &Value, span: Span) -> Evaluated<()> {
        if let (Value::Text(left), Value::Text(right)) = (left, right) {
            self.meter.count(left.len().min(right.len()) / 32, span)?;
        }
        Ok(())
    }

    fn add(&mut self, left: &Value, right: &Value, left_span: Span, right_span: Span) -> Evaluated {
        if !matches!(left, Value::Text(_)) && !matches!(right, Value::Text(_)) {
            let left = self.number(left, left_span)?;
            return Ok(Value::Number(left + self.number(right, right_span)?));
        }
        let left = self.words(left, left_span)?;
        let right = self.words(right, right_span)?;
        let span = left_span.to(right_span);
        self.meter.text(left.len() + right.len(), span)?;
        Ok(Value::text([&*left, &*right].concat()))
    }
}
