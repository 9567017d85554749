//! Values with their members, indices and methods.

use super::super::lex::Token;
use super::super::tree::{Expr, ExprKind, Function, Link, LinkKind, Name};
use super::super::{Builtin, Method, Mistake, Span, nearest, refused};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Parses a value and its links.
    pub(super) fn path(&mut self) -> Parsed {
        let start = self.span.start;
        let of = self.value()?;
        if !self.begins_link() {
            return Ok(of);
        }
        let mut links = Vec::new();
        while self.begins_link() {
            self.link(&of, &mut links)?;
        }
        let span = Span::new(start, self.before);
        self.make(ExprKind::Path { of, links }, span)
    }

    fn begins_link(&self) -> bool {
        matches!(
            self.token,
            Token::Sign("." | "?." | "[" | "(") | Token::Template
        )
    }

    fn link(&mut self, of: &Expr, links: &mut Vec<Link>) -> Parsed<()> {
        let start = self.span.start;
        let optional = self.is("?.");
        if optional || self.is(".") {
            self.advance()?;
        }
        let is_index = self.is("[") && (optional || self.span.start == start);
        let kind = if is_index {
            LinkKind::Index(*self.nested("]", Self::expr)?)
        } else if optional || self.span.start != start {
            self.member()?
        } else {
            return self.no_link(of, links.is_empty());
        };
        let span = self.placed(Span::new(start, self.before));
        links.push(Link {
            kind,
            optional,
            span,
        });
        self.check_row(links.len(), "links")
    }

    /// Reports a call of a value that is not a method, and a template after a value.
    fn no_link(&mut self, of: &Expr, is_first: bool) -> Parsed<()> {
        if self.token == Token::Template {
            return self.refuse(self.span, "a template has no name in front of it");
        }
        let what = match (&of.kind, is_first) {
            (ExprKind::Name(name), true) => format!("`{name}` is not a function"),
            _ => "only methods and functions can be called, by their names".to_owned(),
        };
        self.refuse_with(
            self.span,
            &what,
            "there are methods: `list.map(..)`, `text.trim()`",
        )
    }

    /// Parses a member, or a method if a parenthesis follows.
    fn member(&mut self) -> Parsed<LinkKind> {
        if self.is("(") {
            return self.refuse(self.span, "a function is not called with `?.(`");
        }
        let name = self.name("a name")?;
        if !self.is("(") {
            return Ok(LinkKind::Member(name));
        }
        let bracket = self.span;
        let args = self.nested(")", Self::args)?;
        let method = Method::named(&name.text);
        if let Some(method) = method {
            self.check_method(method, &args, bracket);
        }
        Ok(LinkKind::Method { name, method, args })
    }

    fn check_method(&mut self, method: Method, args: &[Expr], bracket: Span) {
        let name = format!("`{}`", method.name());
        let takes_function = method.takes_function();
        self.check_args(&name, method.arity(), takes_function, args, bracket);
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        while !self.is(")") {
            let arg = self.argument()?;
            push(&mut args, arg);
            self.check_row(args.len(), "arguments")?;
            if !self.eat(",")? {
                break;
            }
        }
        Ok(args)
    }

    /// Reports wrong arguments of a method or a function.
    fn check_args(
        &mut self,
        name: &str,
        (least, most): (usize, usize),
        takes_function: bool,
        args: &[Expr],
        bracket: Span,
    ) {
        if args.len() < least && takes_function {
            self.mistakes.push(
                Mistake::new(bracket, format!("{name} takes a function"))
                    .with_help("write `item => item.name`"),
            );
        } else if !(least..=most).contains(&args.len()) {
            let count = match (least, most) {
                (0, 0) => "nothing".to_owned(),
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let values = if most == 1 { "value" } else { "values" };
            let values = if most == 0 { "" } else { values };
            let message = format!("{name} takes {count} {values}");
            self.mistakes.push(Mistake::new(
                bracket,
                format!("{}, and {} are given", message.trim_end(), args.len()),
            ));
        }
        for (index, arg) in args.iter().enumerate() {
            let span = self.unplaced(arg.span);
            let is_function = matches!(arg.kind, ExprKind::Arrow(_) | ExprKind::Builtin(_));
            if is_function && !(takes_function && index == 0) {
                self.mistakes
                    .push(Mistake::new(span, format!("{name} takes no function here")));
            }
            let may_be_function = is_function || matches!(arg.kind, ExprKind::Name(_));
            if takes_function && index == 0 && !may_be_function {
                self.mistakes.push(
                    Mistake::new(span, format!("{name} takes a function"))
                        .with_help("write `item => item.name`"),
                );
            }
        }
    }

    fn value(&mut self) -> Parsed {
        match &self.token {
            Token::Number(_) | Token::Text(_) => self.literal(),
            Token::Template => self.template(),
            Token::Word => self.named(),
            Token::Sign("(") => self.nested(")", Self::expr),
            Token::Sign("[") => self.array(),
            Token::Sign("{") => self.object(),
            Token::Sign("<") => self.tag(),
            Token::Sign("/" | "/=") => self.fail(refused::regex(self.span)),
            _ => self.unexpected("a value"),
        }
    }

    fn literal(&mut self) -> Parsed {
        let span = self.span;
        let kind = match &self.token {
            Token::Number(number) => ExprKind::Number(*number),
            Token::Text(text) => ExprKind::Text(text.clone()),
            _ => return self.unexpected("a value"),
        };
        self.advance()?;
        self.make(kind, span)
    }

    fn array(&mut self) -> Parsed {
        let start = self.span.start;
        let items = self.nested("]", Self::items)?;
        self.make(ExprKind::Array(items), Span::new(start, self.before))
    }

    fn object(&mut self) -> Parsed {
        let start = self.span.start;
        let entries = self.nested("}", Self::entries)?;
        self.make(ExprKind::Object(entries), Span::new(start, self.before))
    }

    /// Parses a value that begins with a word.
    fn named(&mut self) -> Parsed {
        if matches!(
            self.word(),
            "Math" | "Object" | "String" | "Number" | "Boolean"
        ) {
            return self.builtin();
        }
        let span = self.span;
        let expr = self.constant()?;
        if matches!(expr.kind, ExprKind::Name(_)) && self.is("(") {
            return self.named_call(&expr, span);
        }
        Ok(expr)
    }

    /// Parses a name or a named constant.
    fn constant(&mut self) -> Parsed {
        let (word, span) = (self.word(), self.span);
        let kind = match word {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "null" => ExprKind::Null,
            "undefined" => ExprKind::Undefined,
            "NaN" => ExprKind::Number(f64::NAN),
            "Infinity" => ExprKind::Number(f64::INFINITY),
            "new" => {
                self.advance()?;
                let made = self.word();
                let mistake = match refused::word(made, span) {
                    Some(mistake) if made == "Date" => mistake,
                    _ => refused::word("new", span).unwrap_or_else(|| refused::statement(span)),
                };
                return self.fail(mistake);
            }
            _ => match refused::word(word, span) {
                Some(mistake) => return self.fail(mistake),
                None => ExprKind::Name(word.into()),
            },
        };
        self.advance()?;
        self.make(kind, span)
    }

    fn named_call(&mut self, name: &Expr, span: Span) -> Parsed {
        let args = self.nested(")", Self::args)?;
        let text = match &name.kind {
            ExprKind::Name(text) => text.clone(),
            _ => return self.unexpected("a name"),
        };
        self.check_args(&format!("`{text}`"), (0, 16), false, &args, span);
        let function = Function::Named(Name {
            text,
            span: name.span,
        });
        let span = Span::new(span.start, self.before);
        self.make(ExprKind::Call { function, args }, span)
    }

    /// Parses a built-in function: a call, or its name as an argument of a method.
    fn builtin(&mut self) -> Parsed {
        let start = self.span.start;
        let builtin = self.builtin_name()?;
        let name = Span::new(start, self.before);
        if !self.is("(") {
            return self.make(ExprKind::Builtin(builtin), name);
        }
        let bracket = self.span;
        let args = self.nested(")", Self::args)?;
        let own = format!("`{}`", builtin.name());
        self.check_args(&own, builtin.arity(), false, &args, bracket);
        let function = Function::Builtin(builtin, self.placed(name));
        let span = Span::new(start, self.before);
        self.make(ExprKind::Call { function, args }, span)
    }

    fn builtin_name(&mut self) -> Parsed<Builtin> {
        let start = self.span;
        let mut name = self.word().to_owned();
        self.advance()?;
        if self.is(".") {
            let object = name.clone();
            self.advance()?;
            name = format!("{object}.{}", self.word());
            if self.token == Token::Word && Builtin::named(&name).is_none() {
                let span = Span::new(start.start, self.span.end);
                return self.fail(no_builtin(&object, self.word(), span));
            }
            self.name("a name")?;
        }
        let Some(builtin) = Builtin::named(&name) else {
            let members = Builtin::ALL.iter().map(|own| own.name());
            let own: Vec<&str> = members.filter(|own| own.starts_with(&name)).collect();
            return self.fail(
                Mistake::new(start, format!("`{name}` is not a value"))
                    .with_help(format!("there are `{}`", own.join("`, `"))),
            );
        };
        Ok(builtin)
    }

    fn items(&mut self) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.is("]") {
            if self.is(",") {
                return self.fail(Mistake::new(
                    self.span,
                    "a value is missing before this `,`",
                ));
            }
            let item = self.expr()?;
            push(&mut items, item);
            if !self.eat(",")? {
                break;
            }
        }
        Ok(items)
    }

    fn entries(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        let mut entries = Vec::new();
        while !self.is("}") {
            self.entry(&mut entries)?;
            if !self.eat(",")? {
                break;
            }
        }
        Ok(entries)
    }

    fn entry(&mut self, entries: &mut Vec<(Name, Expr)>) -> Parsed<()> {
        let span = self.span;
        let is_word = self.token == Token::Word;
        let name = self.entry_name()?;
        let value = if self.eat(":")? {
            self.expr()?
        } else {
            self.entry_alone(&name, is_word, span)?
        };
        push_entry(entries, name, value);
        Ok(())
    }

    fn entry_name(&mut self) -> Parsed<Name> {
        let text = match &self.token {
            Token::Word => self.word().into(),
            Token::Text(text) => text.clone(),
            Token::Number(number) => super::super::number_text(*number).into(),
            Token::Sign("[") => {
                let message = "the names in an object are plain: write `{name: value}`";
                return self.refuse(self.span, message);
            }
            _ => return self.unexpected("a name"),
        };
        if &*text == "__proto__" {
            return self.refuse(self.span, "no object has a `__proto__`");
        }
        let span = self.placed(self.span);
        self.advance()?;
        Ok(Name { text, span })
    }

    /// The value of an entry that has only a name.
    fn entry_alone(&mut self, name: &Name, is_word: bool, span: Span) -> Parsed {
        if self.is("(") || (is_word && matches!(self.token, Token::Word | Token::Text(_))) {
            let message = "an object has values and no functions";
            return self.refuse_with(self.span, message, "write `{name: value}`");
        }
        if !is_word || !(self.is(",") || self.is("}")) {
            return self.unexpected("`:`");
        }
        let text = &*name.text;
        let is_literal = matches!(text, "true" | "false" | "null");
        if !is_literal && let Some(mistake) = refused::word(text, span) {
            return self.fail(mistake);
        }
        let builtin = ["Math", "Object", "String", "Number", "Boolean"];
        if is_literal || builtin.contains(&text) {
            let message = format!("`{text}` needs a value: write `{text}: value`");
            return self.refuse(span, &message);
        }
        let kind = match text {
            "undefined" => ExprKind::Undefined,
            "NaN" => ExprKind::Number(f64::NAN),
            "Infinity" => ExprKind::Number(f64::INFINITY),
            _ => ExprKind::Name(name.text.clone()),
        };
        self.make(kind, span)
    }

    fn template(&mut self) -> Parsed {
        let open = self.span;
        self.deeper(open)?;
        let (mut texts, mut values) = (Vec::new(), Vec::new());
        while self.template_text(&mut texts)? {
            let value = self.template_value()?;
            push(&mut values, value);
        }
        self.brackets -= 1;
        let span = Span::new(open.start, self.lexer.at);
        self.resume(span.end)?;
        let kind = match (values.is_empty(), texts.pop()) {
            (true, Some(text)) => ExprKind::Text(text),
            (_, text) => {
                texts.extend(text);
                ExprKind::Template { texts, values }
            }
        };
        self.make(kind, span)
    }

    /// Parses a text of a template. It returns true if a value follows.
    fn template_text(&mut self, texts: &mut Vec<std::sync::Arc<str>>) -> Parsed<bool> {
        match self.lexer.text(&['`']) {
            Ok((text, end)) => {
                texts.push(text.into());
                self.check_row(texts.len() - 1, "values")?;
                Ok(end != '`')
            }
            Err(mistake) => self.fail(mistake),
        }
    }

    fn template_value(&mut self) -> Parsed {
        let open = Span::new(self.lexer.at - 2, self.lexer.at);
        self.advance()?;
        let value = self.expr()?;
        if self.is("}") {
            self.lexer.at = self.span.end;
            return Ok(value);
        }
        if self.token == Token::End {
            return self.refuse(open, "this `${` is not closed: write `}`");
        }
        self.unexpected("`}`")
    }
}

#[allow(
    clippy::boxed_local,
    reason = "the expression is unboxed here and not in the frames of those who go deeper"
)]
fn push(list: &mut Vec<Expr>, expr: Box<Expr>) {
    list.push(*expr);
}

#[allow(
    clippy::boxed_local,
    reason = "the expression is unboxed here and not in the frames of those who go deeper"
)]
fn push_entry(entries: &mut Vec<(Name, Expr)>, name: Name, value: Box<Expr>) {
    entries.push((name, *value));
}

fn no_builtin(object: &str, member: &str, span: Span) -> Mistake {
    let name = format!("{object}.{member}");
    if name == "Math.random" {
        return refused::impure(span, &name);
    }
    let own = |builtin: &Builtin| builtin.name().strip_prefix(object)?.strip_prefix('.');
    let members: Vec<&str> = Builtin::ALL.iter().filter_map(own).collect();
    let message = match nearest(member, members.iter().copied()) {
        Some(meant) => format!("there is no `{name}`: did you mean `{object}.{meant}`?"),
        None if members.is_empty() => format!("there is no `{name}`"),
        None => format!(
            "there is no `{name}`: `{object}` has `{}`",
            members.join("`, `")
        ),
    };
    Mistake::new(span, message)
}
