//! Values, and what is taken from them.

use super::super::lex::Token;
use super::super::tree::{Expr, ExprKind, Function, Link, LinkKind, Name};
use super::super::{Builtin, Method, Mistake, Span, nearest, refused};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// A value and what is taken from it, link by link.
    pub(super) fn path(&mut self) -> Parsed<Expr> {
        let start = self.span.start;
        let of = self.value()?;
        let mut links = Vec::new();
        while let Some(link) = self.link(&of, links.is_empty())? {
            links.push(link);
            self.check_row(links.len(), "links")?;
        }
        if links.is_empty() {
            return Ok(of);
        }
        let span = Span::new(start, self.before);
        let of = Box::new(of);
        self.make(ExprKind::Path { of, links }, span)
    }

    fn link(&mut self, of: &Expr, is_first: bool) -> Parsed<Option<Link>> {
        let start = self.span.start;
        let optional = self.is("?.");
        let kind = if optional || self.is(".") {
            self.advance()?;
            if optional && self.is("[") {
                LinkKind::Index(self.nested("]", Self::expr)?)
            } else if optional && self.is("(") {
                return self.fail(Mistake::new(self.span, "a function is not called by `?.(`"));
            } else {
                let name = self.name("a name")?;
                self.member(name)?
            }
        } else if self.is("[") {
            LinkKind::Index(self.nested("]", Self::expr)?)
        } else if self.is("(") {
            let what = match (&of.kind, is_first) {
                (ExprKind::Name(name), true) => format!("`{name}` is no function"),
                _ => "only methods and functions are called, and by their names".to_owned(),
            };
            return self.fail(
                Mistake::new(self.span, what)
                    .with_help("there are methods: `list.map(..)`, `text.trim()`"),
            );
        } else if self.token == Token::Template {
            return self.fail(Mistake::new(
                self.span,
                "a template stands alone, with no name before it",
            ));
        } else {
            return Ok(None);
        };
        let span = self.placed(Span::new(start, self.before));
        Ok(Some(Link {
            kind,
            optional,
            span,
        }))
    }

    /// A member, or a method if a bracket follows.
    fn member(&mut self, name: Name) -> Parsed<LinkKind> {
        if !self.is("(") {
            return Ok(LinkKind::Member(name));
        }
        let method = Method::named(&name.text);
        let bracket = self.span;
        let args = self.nested(")", Self::args)?;
        if let Some(method) = method {
            let own = format!("`{}`", name.text);
            self.check_args(
                &own,
                method.arity(),
                method.takes_function(),
                &args,
                bracket,
            );
        }
        Ok(LinkKind::Method { name, method, args })
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        while !self.is(")") {
            args.push(self.argument()?);
            self.check_row(args.len(), "arguments")?;
            if !self.eat(",")? {
                break;
            }
        }
        Ok(args)
    }

    /// Notes what is wrong with what a method or a function is given.
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
            let span = Span::new(arg.span.start - self.offset, arg.span.end - self.offset);
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

    fn value(&mut self) -> Parsed<Expr> {
        let span = self.span;
        let kind = match &self.token {
            Token::Number(number) => ExprKind::Number(*number),
            Token::Text(text) => ExprKind::Text(text.clone()),
            Token::Template => return self.template(),
            Token::Word => return self.named(),
            Token::Sign("(") => return self.nested(")", Self::expr),
            Token::Sign("[") => {
                let items = self.nested("]", Self::items)?;
                return self.make(ExprKind::Array(items), Span::new(span.start, self.before));
            }
            Token::Sign("{") => {
                let entries = self.nested("}", Self::entries)?;
                return self.make(
                    ExprKind::Object(entries),
                    Span::new(span.start, self.before),
                );
            }
            Token::Sign("<") => return self.tag(),
            Token::Sign("/" | "/=") => return self.fail(refused::regex(span)),
            _ => return self.unexpected("a value"),
        };
        self.advance()?;
        self.make(kind, span)
    }

    /// What begins with a word.
    fn named(&mut self) -> Parsed<Expr> {
        let (word, span) = (self.word(), self.span);
        let kind = match word {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "null" => ExprKind::Null,
            "undefined" => ExprKind::Undefined,
            "NaN" => ExprKind::Number(f64::NAN),
            "Infinity" => ExprKind::Number(f64::INFINITY),
            "Math" | "Object" | "String" | "Number" | "Boolean" => return self.builtin(),
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
        let ExprKind::Name(name) = &kind else {
            return self.make(kind, span);
        };
        if !self.is("(") {
            return self.make(kind, span);
        }
        let function = Function::Named(Name {
            text: name.clone(),
            span: self.placed(span),
        });
        let args = self.nested(")", Self::args)?;
        self.check_args(&format!("`{word}`"), (0, 16), false, &args, span);
        let span = Span::new(span.start, self.before);
        self.make(ExprKind::Call { function, args }, span)
    }

    /// A function that is built in: called, or as what a method is given.
    fn builtin(&mut self) -> Parsed<Expr> {
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
        let span = Span::new(start.start, self.before);
        let Some(builtin) = Builtin::named(&name) else {
            let members = Builtin::ALL.iter().map(|own| own.name());
            let own: Vec<&str> = members.filter(|own| own.starts_with(&name)).collect();
            return self.fail(
                Mistake::new(span, format!("`{name}` is no value"))
                    .with_help(format!("there are `{}`", own.join("`, `"))),
            );
        };
        if !self.is("(") {
            return self.make(ExprKind::Builtin(builtin), span);
        }
        let bracket = self.span;
        let args = self.nested(")", Self::args)?;
        self.check_args(&format!("`{name}`"), builtin.arity(), false, &args, bracket);
        let function = Function::Builtin(builtin, self.placed(span));
        let span = Span::new(start.start, self.before);
        self.make(ExprKind::Call { function, args }, span)
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
            items.push(self.expr()?);
            if !self.eat(",")? {
                break;
            }
        }
        Ok(items)
    }

    fn entries(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        let mut entries = Vec::new();
        while !self.is("}") {
            entries.push(self.entry()?);
            if !self.eat(",")? {
                break;
            }
        }
        Ok(entries)
    }

    fn entry(&mut self) -> Parsed<(Name, Expr)> {
        let span = self.span;
        let text = match &self.token {
            Token::Word => self.word().into(),
            Token::Text(text) => text.clone(),
            Token::Number(number) => super::super::number_text(*number).into(),
            Token::Sign("[") => {
                return self.fail(Mistake::new(
                    span,
                    "the names of an object are written as they are: `{name: value}`",
                ));
            }
            _ => return self.unexpected("a name"),
        };
        let is_word = self.token == Token::Word;
        if &*text == "__proto__" {
            return self.fail(Mistake::new(span, "no object has a `__proto__`"));
        }
        let name = Name {
            text,
            span: self.placed(span),
        };
        self.advance()?;
        if self.eat(":")? {
            return Ok((name, self.expr()?));
        }
        if self.is("(") || (is_word && matches!(self.token, Token::Word | Token::Text(_))) {
            return self.fail(
                Mistake::new(self.span, "an object has values and no functions")
                    .with_help("write `{name: value}`"),
            );
        }
        if !is_word || !(self.is(",") || self.is("}")) {
            return self.unexpected("`:`");
        }
        let is_value = !matches!(&*name.text, "true" | "false" | "null");
        if let Some(mistake) = refused::word(&name.text, span).filter(|_| is_value) {
            return self.fail(mistake);
        }
        if !is_value
            || Builtin::ALL
                .iter()
                .any(|own| own.name().starts_with(&*name.text))
        {
            return self.fail(Mistake::new(
                span,
                format!(
                    "`{}` needs a value: write `{}: value`",
                    name.text, name.text
                ),
            ));
        }
        let kind = match &*name.text {
            "undefined" => ExprKind::Undefined,
            "NaN" => ExprKind::Number(f64::NAN),
            "Infinity" => ExprKind::Number(f64::INFINITY),
            _ => ExprKind::Name(name.text.clone()),
        };
        let value = self.make(kind, span)?;
        Ok((name, value))
    }

    fn template(&mut self) -> Parsed<Expr> {
        let open = self.span;
        self.deeper(open)?;
        let (mut texts, mut values) = (Vec::new(), Vec::new());
        loop {
            let text = match self.lexer.text(&['`']) {
                Ok((text, end)) => {
                    texts.push(text.into());
                    end
                }
                Err(mistake) => return self.fail(mistake),
            };
            if text == '`' {
                break;
            }
            self.check_row(texts.len(), "values")?;
            let value_open = Span::new(self.lexer.at - 2, self.lexer.at);
            self.advance()?;
            values.push(self.expr()?);
            if !self.is("}") {
                if self.token == Token::End {
                    return self.fail(Mistake::new(
                        value_open,
                        "this `${` is not closed: write `}`",
                    ));
                }
                return self.unexpected("`}`");
            }
            self.lexer.at = self.span.end;
        }
        self.brackets -= 1;
        let span = Span::new(open.start, self.lexer.at);
        self.resume(span.end)?;
        let kind = match (texts.pop(), values.is_empty()) {
            (Some(text), true) => ExprKind::Text(text),
            (text, _) => {
                texts.extend(text);
                ExprKind::Template { texts, values }
            }
        };
        self.make(kind, span)
    }
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
