//! Operators, conditionals and arrows.

use super::super::lex::Token;
use super::super::tree::{Arrow, BinaryOp, Expr, ExprKind, Name, UnaryOp};
use super::super::{Builtin, Mistake, Span, refused};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// An expression that is no function.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let expr = self.argument()?;
        if matches!(expr.kind, ExprKind::Arrow(_) | ExprKind::Builtin(_)) {
            let span = Span::new(expr.span.start - self.offset, expr.span.end - self.offset);
            self.mistakes.push(refused::lone_function(span));
        }
        Ok(expr)
    }

    /// An expression, or a function.
    pub(super) fn argument(&mut self) -> Parsed<Expr> {
        if self.begins_arrow() {
            return self.arrow();
        }
        let start = self.span.start;
        let first = self.binary()?;
        if !self.is("?") {
            return Ok(first);
        }
        let mut branches = Vec::new();
        let mut test = first;
        loop {
            self.check_row(branches.len() + 1, "branches")?;
            let question = self.span;
            self.deeper(question)?;
            self.advance()?;
            let value = self.expr()?;
            self.brackets -= 1;
            if !self.eat(":")? {
                if self.token == Token::End {
                    return self.fail(Mistake::new(
                        question,
                        "this `?` has no `:`: write `test ? a : b`, or `test && a`",
                    ));
                }
                return self.unexpected("`:`");
            }
            branches.push((test, value));
            if self.begins_arrow() {
                return self.fail(refused::lone_function(self.span));
            }
            let next = self.binary()?;
            if self.is("?") {
                test = next;
                continue;
            }
            let span = Span::new(start, self.before);
            let kind = ExprKind::Conditional {
                branches,
                otherwise: Box::new(next),
            };
            return self.make(kind, span);
        }
    }

    /// Operators and their operands, without going deeper for what binds more strongly.
    fn binary(&mut self) -> Parsed<Expr> {
        let mut operands = vec![self.unary()?];
        let mut operators: Vec<BinaryOp> = Vec::new();
        let mut count = 0;
        let mut mixed = (false, false);
        while let Some(operator) = self.operator() {
            count += 1;
            self.check_row(count, "operators")?;
            mixed.0 |= operator == BinaryOp::Coalesce;
            mixed.1 |= matches!(operator, BinaryOp::And | BinaryOp::Or);
            if mixed == (true, true) {
                return self.fail(Mistake::new(
                    self.span,
                    format!(
                        "`??` and `{}` in a row need parentheses: `(a ?? b) || c`",
                        if operator == BinaryOp::Coalesce {
                            "||"
                        } else {
                            operator.text()
                        }
                    ),
                ));
            }
            while operators
                .last()
                .is_some_and(|last| last.rank() >= operator.rank())
            {
                self.reduce(&mut operands, &mut operators)?;
            }
            operators.push(operator);
            self.advance()?;
            operands.push(self.unary()?);
        }
        while !operators.is_empty() {
            self.reduce(&mut operands, &mut operators)?;
        }
        match operands.pop() {
            Some(expr) => Ok(expr),
            None => self.unexpected("a value"),
        }
    }

    /// Puts the last operator and its operands together.
    fn reduce(&mut self, operands: &mut Vec<Expr>, operators: &mut Vec<BinaryOp>) -> Parsed<()> {
        let (Some(operator), Some(right), Some(mut left)) =
            (operators.pop(), operands.pop(), operands.pop())
        else {
            return Ok(());
        };
        let span = left.span.to(right.span);
        let in_source = Span::new(span.start - self.offset, span.end - self.offset);
        match left.push_operand(operator, right) {
            None => self.check_depth(left.depth(), in_source)?,
            Some(right) => {
                let kind = ExprKind::Binary {
                    first: Box::new(left),
                    rest: vec![(operator, right)],
                };
                left = self.make(kind, in_source)?;
            }
        }
        operands.push(left);
        Ok(())
    }

    fn operator(&self) -> Option<BinaryOp> {
        let Token::Sign(sign) = self.token else {
            return None;
        };
        Some(match sign {
            "??" => BinaryOp::Coalesce,
            "||" => BinaryOp::Or,
            "&&" => BinaryOp::And,
            "===" => BinaryOp::Equal,
            "!==" => BinaryOp::NotEqual,
            "==" => BinaryOp::LooselyEqual,
            "!=" => BinaryOp::NotLooselyEqual,
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::LessOrEqual,
            ">" => BinaryOp::Greater,
            ">=" => BinaryOp::GreaterOrEqual,
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Subtract,
            "*" => BinaryOp::Multiply,
            "/" => BinaryOp::Divide,
            "%" => BinaryOp::Remainder,
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span.start;
        let mut operators = Vec::new();
        loop {
            let operator = match self.token {
                Token::Sign("!") => UnaryOp::Not,
                Token::Sign("-") => UnaryOp::Negate,
                Token::Sign("+") => UnaryOp::ToNumber,
                _ => break,
            };
            operators.push(operator);
            self.check_row(operators.len(), "operators")?;
            self.advance()?;
        }
        let of = self.path()?;
        if operators.is_empty() {
            return Ok(of);
        }
        operators.reverse();
        let span = Span::new(start, self.before);
        let of = Box::new(of);
        self.make(ExprKind::Unary { operators, of }, span)
    }

    /// Whether a function is next: `x =>`, `() =>`, `(a, b) =>`, and what is none but was meant as
    /// one, `({a}) =>`.
    fn begins_arrow(&mut self) -> bool {
        let source = self.source();
        match self.token {
            Token::Word => {
                let behind = source[self.span.end..].trim_start();
                behind.starts_with("=>")
                    || (self.word() == "async" && !behind.starts_with(['.', ')', ',']))
            }
            Token::Sign("(") => {
                let inner = source[self.span.end..].trim_start();
                // Parameters have no parentheses within them, but for patterns with defaults.
                let Some(end) = inner.find(')') else {
                    return false;
                };
                inner[end + 1..].trim_start().starts_with("=>") && !inner[..end].contains('(')
            }
            _ => false,
        }
    }

    fn arrow(&mut self) -> Parsed<Expr> {
        let start = self.span.start;
        let params = if self.token == Token::Word {
            let param = self.param()?;
            vec![param]
        } else {
            self.nested(")", Self::params)?
        };
        for (index, param) in params.iter().enumerate() {
            if params[..index].iter().any(|other| other.text == param.text) {
                let span = Span::new(param.span.start - self.offset, param.span.end - self.offset);
                self.mistakes.push(Mistake::new(
                    span,
                    format!("`{}` is named twice: give one another name", param.text),
                ));
            }
        }
        if !self.eat("=>")? {
            return self.unexpected("`=>`");
        }
        if self.is("{") {
            return self.fail(
                Mistake::new(self.span, "a function is one value, without braces and `return`")
                    .with_help("write `item => item.name`, and an object in parentheses: `item => ({name: item})`"),
            );
        }
        self.deeper(self.span)?;
        let body = Box::new(self.expr()?);
        self.brackets -= 1;
        let span = Span::new(start, self.before);
        self.make(ExprKind::Arrow(Arrow { params, body }), span)
    }

    fn params(&mut self) -> Parsed<Vec<Name>> {
        let mut params = Vec::new();
        while !self.is(")") {
            if self.is("{") || self.is("[") {
                return self.fail(
                    Mistake::new(
                        self.span,
                        "what a function is given is named, and not taken apart",
                    )
                    .with_help(
                        "write `item => item.name`, and `entry => entry[0]` for `Object.entries`",
                    ),
                );
            }
            params.push(self.param()?);
            self.check_row(params.len(), "names")?;
            if !self.eat(",")? {
                break;
            }
        }
        Ok(params)
    }

    fn param(&mut self) -> Parsed<Name> {
        let span = self.span;
        let name = self.name("a name")?;
        let is_taken = matches!(
            &*name.text,
            "undefined" | "NaN" | "Infinity" | "Math" | "Object"
        ) || Builtin::named(&name.text).is_some();
        let is_literal = matches!(&*name.text, "null" | "true" | "false");
        if let Some(mistake) = refused::word(&name.text, span) {
            return self.fail(mistake);
        }
        if is_taken || is_literal {
            self.mistakes.push(Mistake::new(
                span,
                format!("`{}` has a meaning: take another name", name.text),
            ));
        }
        Ok(name)
    }
}
