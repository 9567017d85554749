//! Operators, conditionals and arrows.

use super::super::lex::{self, Token};
use super::super::tree::{Arrow, BinaryOp, Expr, ExprKind, Name, UnaryOp};
use super::super::{Builtin, Mistake, Span, refused};
use super::{Parsed, Parser};

/// The operators that are not reduced yet, with their operands.
struct Row {
    operands: Vec<Expr>,
    operators: Vec<BinaryOp>,
    count: usize,
}

impl Parser<'_> {
    /// Parses an expression that is not a function.
    pub(super) fn expr(&mut self) -> Parsed {
        let expr = self.argument()?;
        if matches!(expr.kind, ExprKind::Arrow(_) | ExprKind::Builtin(_)) {
            self.note_function(expr.span);
        }
        Ok(expr)
    }

    fn note_function(&mut self, span: Span) {
        let span = self.unplaced(span);
        self.mistakes.push(refused::lone_function(span));
    }

    /// Parses an expression or a function.
    pub(super) fn argument(&mut self) -> Parsed {
        if self.begins_arrow() {
            return self.arrow();
        }
        let start = self.span.start;
        let first = self.binary()?;
        if self.is("?") {
            return self.conditional(start, first);
        }
        Ok(first)
    }

    /// Parses the rest of `test ? a : b ? c : d`, after its first test.
    fn conditional(&mut self, start: usize, first: Box<Expr>) -> Parsed {
        let mut branches = Vec::new();
        let mut test = first;
        while self.is("?") {
            self.check_row(branches.len() + 1, "branches")?;
            let value = self.branch()?;
            branches.push((*test, *value));
            test = self.binary()?;
        }
        let span = Span::new(start, self.before);
        let otherwise = test;
        self.make(
            ExprKind::Conditional {
                branches,
                otherwise,
            },
            span,
        )
    }

    /// Parses the value between `?` and `:`, and consumes both.
    fn branch(&mut self) -> Parsed {
        let question = self.span;
        self.deeper(question)?;
        self.advance()?;
        let value = self.expr()?;
        self.brackets -= 1;
        if !self.is(":") {
            if self.token == Token::End {
                let message = "this `?` has no `:`: write `test ? a : b`, or `test && a`";
                return self.refuse(question, message);
            }
            return self.unexpected("`:`");
        }
        self.advance()?;
        if self.begins_arrow() {
            return self.fail(refused::lone_function(self.span));
        }
        Ok(value)
    }

    /// Parses operators and their operands, without recursion for operators of higher precedence.
    fn binary(&mut self) -> Parsed {
        let first = self.unary()?;
        if self.operator().is_none() {
            return Ok(first);
        }
        let mut row = Row {
            operands: vec![*first],
            operators: Vec::new(),
            count: 0,
        };
        while self.push_operator(&mut row)? {
            let operand = self.unary()?;
            row.operands.push(*operand);
        }
        self.whole_row(row)
    }

    /// Adds the next token if it is an operator, after it reduces the operators of higher or equal precedence.
    fn push_operator(&mut self, row: &mut Row) -> Parsed<bool> {
        let Some(operator) = self.operator() else {
            return Ok(false);
        };
        row.count += 1;
        self.check_row(row.count, "operators")?;
        while row
            .operators
            .last()
            .is_some_and(|last| last.rank() >= operator.rank())
        {
            self.check_mixed(row, operator)?;
            self.reduce(row)?;
        }
        self.check_mixed(row, operator)?;
        row.operators.push(operator);
        self.advance()?;
        Ok(true)
    }

    /// Fails if `??` is combined with `||` or `&&`.
    fn check_mixed(&mut self, row: &Row, operator: BinaryOp) -> Parsed<()> {
        let is_coalesce = |operator: &BinaryOp| *operator == BinaryOp::Coalesce;
        let is_logical = |operator: &BinaryOp| matches!(operator, BinaryOp::And | BinaryOp::Or);
        let other = row.operators.iter().rev().find(|other| {
            (is_coalesce(&operator) && is_logical(other))
                || (is_logical(&operator) && is_coalesce(other))
        });
        let Some(other) = other else {
            return Ok(());
        };
        let logical = if is_logical(&operator) {
            &operator
        } else {
            other
        };
        let message = format!(
            "`??` and `{}` in a row need parentheses: `(a ?? b) {} c`",
            logical.text(),
            logical.text()
        );
        self.refuse(self.span, &message)
    }

    fn whole_row(&mut self, mut row: Row) -> Parsed {
        while !row.operators.is_empty() {
            self.reduce(&mut row)?;
        }
        match row.operands.pop() {
            Some(expr) => Ok(Box::new(expr)),
            None => self.unexpected("a value"),
        }
    }

    /// Combines the last operator with its operands.
    fn reduce(&mut self, row: &mut Row) -> Parsed<()> {
        let (Some(operator), Some(right), Some(mut left)) =
            (row.operators.pop(), row.operands.pop(), row.operands.pop())
        else {
            return Ok(());
        };
        let span = self.unplaced(left.span.to(right.span));
        match left.push_operand(operator, right) {
            None => self.check_depth(left.depth(), span)?,
            Some(right) => {
                let kind = ExprKind::Binary {
                    first: Box::new(left),
                    rest: vec![(operator, right)],
                };
                left = *self.make(kind, span)?;
            }
        }
        row.operands.push(left);
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

    fn unary(&mut self) -> Parsed {
        if self.unary_operator().is_none() {
            return self.path();
        }
        let start = self.span.start;
        let mut operators = Vec::new();
        while let Some(operator) = self.unary_operator() {
            operators.push(operator);
            self.check_row(operators.len(), "operators")?;
            self.advance()?;
        }
        operators.reverse();
        let of = self.path()?;
        let span = Span::new(start, self.before);
        self.make(ExprKind::Unary { operators, of }, span)
    }

    fn unary_operator(&self) -> Option<UnaryOp> {
        match self.token {
            Token::Sign("!") => Some(UnaryOp::Not),
            Token::Sign("-") => Some(UnaryOp::Negate),
            Token::Sign("+") => Some(UnaryOp::ToNumber),
            _ => None,
        }
    }

    /// True if a function is next: `x =>`, `() =>`, `(a, b) =>`. It is also true for invalid functions such as
    /// `({a}) =>`.
    fn begins_arrow(&mut self) -> bool {
        let source = self.source();
        match self.token {
            Token::Word => {
                let behind = lex::trim_start(&source[self.span.end..]);
                behind.starts_with("=>")
                    || (self.word() == "async" && !behind.starts_with(['.', ')', ',']))
            }
            Token::Sign("(") => {
                let inner = lex::trim_start(&source[self.span.end..]);
                // Parameters contain no parentheses, except for patterns with defaults.
                let Some(end) = inner.find(')') else {
                    return false;
                };
                lex::trim_start(&inner[end + 1..]).starts_with("=>") && !inner[..end].contains('(')
            }
            _ => false,
        }
    }

    fn arrow(&mut self) -> Parsed {
        let start = self.span.start;
        let params = self.arrow_head()?;
        self.deeper(self.span)?;
        let body = self.expr()?;
        self.brackets -= 1;
        let span = Span::new(start, self.before);
        self.make(ExprKind::Arrow(Arrow { params, body }), span)
    }

    /// Parses the parameters of a function and the arrow.
    fn arrow_head(&mut self) -> Parsed<Vec<Name>> {
        let params = if self.token == Token::Word {
            let param = self.param()?;
            vec![param]
        } else {
            self.nested(")", Self::params)?
        };
        for (index, param) in params.iter().enumerate() {
            if params[..index].iter().any(|other| other.text == param.text) {
                let message = format!("`{}` is named twice: give one another name", param.text);
                let span = self.unplaced(param.span);
                self.mistakes.push(Mistake::new(span, message));
            }
        }
        if !self.eat("=>")? {
            return self.unexpected("`=>`");
        }
        if self.is("{") {
            return self.refuse_with(
                self.span,
                "a function is one value, without braces and `return`",
                "write `item => item.name`, and an object in parentheses: `item => ({name: item})`",
            );
        }
        Ok(params)
    }

    fn params(&mut self) -> Parsed<Vec<Name>> {
        let mut params = Vec::new();
        while !self.is(")") {
            if self.is("{") || self.is("[") {
                return self.fail(
                    Mistake::new(
                        self.span,
                        "an argument is a name, and is not taken apart",
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
                format!(
                    "`{}` has a meaning of its own: choose another name",
                    name.text
                ),
            ));
        }
        Ok(name)
    }
}
