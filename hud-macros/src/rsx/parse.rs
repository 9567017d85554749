//! Tokens to [`ast`](super::ast). It never fails: it notes what is wrong and goes on.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

use super::ast::{Expr, Node, Nodes, Part, Prop, Tag, Value};
use super::mistakes::instead_of;
use super::text::is_text;
use crate::diagnostics::Diagnostics;

pub(super) fn parse(input: TokenStream, diagnostics: &mut Diagnostics) -> Nodes {
    Parser::new(input, diagnostics).all()
}

/// A place among the tokens of one group.
pub(super) struct Parser<'d> {
    pub(super) tokens: Vec<TokenTree>,
    pub(super) at: usize,
    /// The names of the tags that are open here, the innermost last.
    open: Vec<String>,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'d> Parser<'d> {
    pub(super) fn new(tokens: TokenStream, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            at: 0,
            open: Vec::new(),
            diagnostics,
        }
    }

    /// A parser of a group's inside that notes its mistakes in the same place.
    pub(super) fn inside(&mut self, group: &Group) -> Parser<'_> {
        Parser::new(group.stream(), self.diagnostics)
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(super) fn is_punct(&self, ahead: usize, wanted: char) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
    }

    fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(0), Some(TokenTree::Ident(ident)) if ident == wanted)
    }

    pub(super) fn take_punct(&mut self, wanted: char) -> bool {
        let found = self.is_punct(0, wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, wanted: &str) -> bool {
        let found = self.is_word(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_braces(&mut self) -> Option<Group> {
        match self.peek(0) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let group = group.clone();
                self.at += 1;
                Some(group)
            }
            _ => None,
        }
    }

    /// Where the next token is, or the last one where there is none.
    pub(super) fn span(&self) -> Span {
        self.peek(0)
            .or(self.tokens.last())
            .map_or_else(Span::call_site, TokenTree::span)
    }

    /// Nodes up to the end or to a closing tag, which is left.
    fn nodes(&mut self) -> Nodes {
        let mut nodes = Nodes::new();
        while self.peek(0).is_some() && !self.at_closing_tag() {
            nodes.extend(self.node());
        }
        nodes
    }

    pub(super) fn at_closing_tag(&self) -> bool {
        self.is_punct(0, '<') && self.is_punct(1, '/')
    }

    pub(super) fn node(&mut self) -> Option<Node> {
        match self.next()? {
            TokenTree::Punct(punct) if punct.as_char() == '<' => self.tag(punct.span()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                Some(self.braces(&group))
            }
            // A literal or a variable that a macro passed on comes in an invisible group.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let text = literal_in(&group).and_then(|literal| self.text(&literal));
                Some(text.map_or_else(|| Node::Expr(self.expr(&group)), Node::Text))
            }
            TokenTree::Literal(literal) if is_text(&literal.to_string()) => {
                self.text(&literal).map(Node::Text)
            }
            TokenTree::Ident(word) if word == "if" => self.conditional(false).map(Node::If),
            TokenTree::Ident(word) if word == "for" => self.repetition(false).map(Node::For),
            TokenTree::Ident(word) if word == "match" => self.choice().map(Node::Match),
            other => Some(self.mistaken(&other)),
        }
    }

    /// Notes tokens that show nothing by themselves, once for a run of them.
    pub(super) fn refuse(&mut self, first: &TokenTree) {
        let mut run = first.to_string();
        while let Some(token) = self.peek(0) {
            let starts_node = match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Literal(literal) => is_text(&literal.to_string()),
                TokenTree::Ident(word) => word == "if" || word == "for" || word == "match",
                TokenTree::Punct(punct) => punct.as_char() == '<',
            };
            if starts_node {
                break;
            }
            let spaced = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
            run.push_str(if spaced { " " } else { "" });
            run.push_str(&token.to_string());
            self.at += 1;
        }
        let message = match first {
            TokenTree::Literal(_) if run.starts_with('\'') => {
                format!("`{run}` is not text: write `\"{}\"`", run.replace('\'', ""))
            }
            TokenTree::Literal(_) => {
                format!("`{run}` is not text: write `\"{run}\"`, or `{{{run}}}` for a value")
            }
            TokenTree::Punct(_) => format!("unexpected `{run}`"),
            _ => format!(
                "text goes in quotes and values in braces: write `\"{run}\"` or `{{{run}}}`"
            ),
        };
        self.diagnostics.note(first.span(), message);
    }

    /// `{..}`: an expression, or `if` or `for` with an expression as their body.
    fn braces(&mut self, group: &Group) -> Node {
        if self.refuse_format(group) {
            return Node::Fragment(Nodes::new());
        }
        // Whether it is an `if` alone is known at its end: `{if a { 1 } else { 2 } + 3}` is not.
        // What does not fit is Rust, and rustc says what is wrong with it.
        let mut unused = Diagnostics::default();
        let mut trial = Parser::new(group.stream(), &mut unused);
        let node = if trial.take_word("for") {
            trial.repetition(true).map(Node::For)
        } else if trial.take_word("if") {
            trial.conditional(true).map(Node::If)
        } else {
            None
        };
        match node.filter(|_| trial.peek(0).is_none()) {
            Some(Node::For(mut node)) => {
                self.read_body(&mut node.body);
                Node::For(node)
            }
            Some(Node::If(mut node)) => {
                self.read_bodies(&mut node);
                Node::If(node)
            }
            _ => self.shown(group),
        }
    }

    /// What follows `<`.
    pub(super) fn tag(&mut self, open: Span) -> Option<Node> {
        if self.take_punct('>') {
            let (children, _) = self.children("", open);
            return Some(Node::Fragment(children));
        }
        if self.declaration(open) {
            return Some(Node::Fragment(Nodes::new()));
        }
        let (path, mut name, span) = self.path();
        if path.is_empty() {
            self.diagnostics.note(
                open,
                "a tag begins with a name: `<Name ..>`, or `<>` for a fragment",
            );
            return None;
        }
        let misnamed = if name.ends_with(':') {
            let message = format!("`<{name}` lacks a name behind `::`");
            self.diagnostics.note(open, message);
            true
        } else if self.foreign_name(&mut name, span) {
            true
        } else if is_small(&name) {
            self.diagnostics.note(open, instead_of(&name));
            true
        } else {
            false
        };
        // rustc proposes them with `::`, as in a call.
        if self.is_punct(0, ':') && self.is_punct(1, ':') && self.is_punct(2, '<') {
            self.at += 2;
        }
        let generics = self.is_punct(0, '<').then(|| self.generics());
        let mut tag = Tag {
            path,
            name,
            span,
            open,
            generics,
            misnamed,
            incomplete: false,
            spread: None,
            props: Vec::new(),
            children: None,
            closing: None,
        };
        self.props(&mut tag);
        if self.take_punct('/') {
            if !self.take_punct('>') {
                let span = self.span();
                self.diagnostics
                    .note(span, format!("expected `/>` at the end of `<{}`", tag.name));
            }
        } else if self.take_punct('>') {
            let (children, closing) = self.children(&tag.name, open);
            tag.closing = closing.filter(|path| !path.is_empty());
            tag.children = (!children.is_empty()).then_some(children);
            if tag.children.is_some()
                && let Some(at) = tag.props.iter().position(|prop| prop.name == "children")
            {
                let prop = tag.props.remove(at);
                self.diagnostics.note(
                    prop.name.span(),
                    format!(
                        "`children` are given twice: here, and between `<{0}>` and `</{0}>`",
                        tag.name
                    ),
                );
            }
        } else {
            // At the bracket, not at the name: an editor that is asked what is at the name would
            // answer with the error too.
            self.diagnostics.note(
                open,
                format!("`<{}` is not ended: write `/>` or `>`", tag.name),
            );
        }
        Some(Node::Tag(tag))
    }

    /// `a::b::Name` as tokens and as text, and the place of its last word. Colons without a word
    /// behind them are in the text only: they would be a syntax error, and hide all others.
    fn path(&mut self) -> (TokenStream, String, Span) {
        // A path that another macro passed on comes in an invisible group.
        if let Some(TokenTree::Group(group)) = self.peek(0)
            && group.delimiter() == Delimiter::None
        {
            let inside = group.stream();
            self.tokens.splice(self.at..=self.at, inside);
        }
        let mut path = Vec::new();
        let mut name = String::new();
        let mut span = self.span();
        loop {
            let colons = self.is_punct(0, ':') && self.is_punct(1, ':') && !self.is_punct(2, '<');
            if colons {
                path.extend(self.next());
                path.extend(self.next());
                name.push_str("::");
            }
            match self.peek(0) {
                Some(TokenTree::Ident(word)) if colons || path.is_empty() => {
                    span = word.span();
                    name.push_str(&word.to_string());
                    path.extend(self.next());
                }
                _ => {
                    let whole = path.len() - if colons { 2 } else { 0 };
                    path.truncate(whole);
                    return (path.into_iter().collect(), name, span);
                }
            }
        }
    }

    /// `<..>` behind a tag's name, up to the `>` that closes it.
    fn generics(&mut self) -> TokenStream {
        let mut generics = Vec::new();
        let mut depth = 0_usize;
        let mut after_dash = false;
        while let Some(token) = self.next() {
            let punct = match &token {
                TokenTree::Punct(punct) => punct.as_char(),
                _ => ' ',
            };
            match punct {
                '<' => depth += 1,
                // The `>` of `->` closes nothing.
                '>' if !after_dash => depth = depth.saturating_sub(1),
                _ => {}
            }
            after_dash = punct == '-';
            generics.push(token);
            if depth == 0 {
                break;
            }
        }
        generics.into_iter().collect()
    }

    fn props(&mut self, tag: &mut Tag) {
        loop {
            let name = match self.peek(0) {
                Some(TokenTree::Ident(name)) => name.clone(),
                None => return,
                Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '>' | '/' | '<') => {
                    return;
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let group = group.clone();
                    self.at += 1;
                    self.spread(&group, tag);
                    continue;
                }
                Some(other) => {
                    let span = other.span();
                    if self.foreign_mark(tag) {
                        continue;
                    }
                    let message = format!("expected a prop of `<{}>`, `/>` or `>`", tag.name);
                    self.diagnostics.note(span, message);
                    self.at += 1;
                    continue;
                }
            };
            self.at += 1;
            let foreign = self.foreign_prop(&name);
            let value = self.value(&name);
            if foreign {
                tag.incomplete = true;
                continue;
            }
            if syn::parse_str::<Ident>(&name.to_string()).is_err() {
                let message = if name == "_" {
                    "`_` is not the name of a prop".to_owned()
                } else {
                    format!("`{name}` is a keyword: write `r#{name}` for a prop of this name")
                };
                self.diagnostics.note(name.span(), message);
                tag.incomplete = true;
                continue;
            }
            if tag.props.iter().any(|prop| prop.name == name) {
                self.diagnostics.note(
                    name.span(),
                    format!("prop `{name}` is given twice: remove one"),
                );
                continue;
            }
            tag.props.push(Prop { name, value });
        }
    }

    /// `{..expression}` among the props.
    fn spread(&mut self, group: &Group, tag: &mut Tag) {
        let mut inside = self.inside(group);
        let dots = inside.take_punct('.') && inside.take_punct('.');
        let third = dots && inside.take_punct('.');
        let more = dots
            && inside
                .tokens
                .iter()
                .any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
        let alone = match inside.tokens.as_slice() {
            [TokenTree::Ident(name)] if !dots => Some(name.to_string()),
            _ => None,
        };
        let parts = inside.parts();
        let span = group.span();
        let message = if third {
            "props are spread with two dots: write `{..props}`".to_owned()
        } else if more {
            "what goes before the props that are spread is written behind the braces: write \
             `{..props} name=..`"
                .to_owned()
        } else if let Some(name) = alone {
            format!("a prop of the same name as its value needs only the name: write `{name}`")
        } else if !dots {
            format!(
                "a value goes behind the name of its prop: write `name={{..}}`, or \
                 `{{..props}}` for all props of a `{}`",
                tag.name
            )
        } else if parts.is_empty() {
            format!(
                "`..` lacks the props: write `{{..props}}` with a `{}`",
                tag.name
            )
        } else if tag.spread.is_some() {
            "props are spread twice: remove one".to_owned()
        } else {
            if let Some(prop) = tag.props.first() {
                let message = format!(
                    "`{{..}}` gives all props, and those behind it replace some: move it in \
                     front of `{}`",
                    prop.name
                );
                self.diagnostics.note(span, message);
            }
            tag.spread = Some(Expr { parts, span });
            return;
        };
        tag.incomplete = true;
        self.diagnostics.note(span, message);
    }

    /// What follows a prop's name: `={..}`, `=literal`, `=<element>`, or nothing.
    fn value(&mut self, name: &Ident) -> Value {
        let equals = self.span();
        if self.is_punct(0, ':') && !self.is_punct(1, ':') {
            self.at += 1;
            self.diagnostics.note(
                equals,
                format!("a prop is given with `=`: write `{name}=..`"),
            );
        } else if self.take_punct('=') {
            if self.take_punct('=') || (self.is_punct(0, '>') && self.peek(1).is_some_and(is_value))
            {
                self.at += usize::from(self.is_punct(0, '>'));
                self.diagnostics.note(
                    equals,
                    format!("a prop is given with one `=`: write `{name}=..`"),
                );
            }
        } else {
            return Value::Expr(Expr {
                parts: vec![Part::Rust(TokenTree::from(name.clone()).into())],
                span: name.span(),
            });
        }
        let negative = self.is_punct(0, '-') && matches!(self.peek(1), Some(TokenTree::Literal(_)));
        let sign = if negative { self.next() } else { None };
        match self.peek(0) {
            Some(TokenTree::Group(group))
                if matches!(group.delimiter(), Delimiter::Brace | Delimiter::None) =>
            {
                let group = group.clone();
                self.at += 1;
                if group.delimiter() == Delimiter::None
                    && let Some(text) = literal_in(&group).and_then(|text| self.text(&text))
                {
                    return Value::Text(text);
                }
                let value = self.expr(&group);
                if group.stream().is_empty() {
                    self.diagnostics.note(
                        value.span,
                        format!("prop `{name}` has no value: write one between the braces"),
                    );
                    return Value::Missing;
                }
                Value::Expr(value)
            }
            Some(TokenTree::Literal(literal)) => {
                let literal = literal.clone();
                if let Some(text) = self.text(&literal) {
                    self.at += 1;
                    return Value::Text(text);
                }
                let tokens = sign.into_iter().chain(self.next()).collect();
                Value::Expr(Expr {
                    parts: vec![Part::Rust(tokens)],
                    span: literal.span(),
                })
            }
            Some(TokenTree::Ident(word)) if word == "true" || word == "false" => {
                let span = word.span();
                let parts = vec![Part::Rust(self.next().into_iter().collect())];
                Value::Expr(Expr { parts, span })
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '<' && !self.is_punct(1, '/') => {
                let node = self.node();
                self.refuse_second_element();
                node.map_or(Value::Missing, |node| Value::Element(Box::new(node)))
            }
            _ => {
                let span = self.span();
                // `prop= next=..`: the word is the next prop, not a value that lacks its braces.
                let is_next =
                    matches!(self.peek(0), Some(TokenTree::Ident(_))) && self.is_punct(1, '=');
                let value = if is_next {
                    String::new()
                } else {
                    self.unbraced()
                };
                if value.is_empty() {
                    let message = format!(
                        "prop `{name}` has no value: write `{name}={{..}}`, or a literal behind `=`"
                    );
                    self.diagnostics.note(equals, message);
                } else {
                    let message = format!("a value goes in braces: write `{name}={{{value}}}`");
                    self.diagnostics.note(span, message);
                }
                Value::Missing
            }
        }
    }

    /// Notes elements behind the one that a slot is given.
    fn refuse_second_element(&mut self) {
        if !self.is_punct(0, '<') || self.is_punct(1, '/') {
            return;
        }
        let span = self.span();
        self.diagnostics.note(
            span,
            "a slot is given one element: put several between `<>` and `</>`",
        );
        while self.is_punct(0, '<') && !self.is_punct(1, '/') {
            self.node();
        }
    }

    /// Children up to the closing tag of `name`, which was opened at `span`, and the path in it.
    fn children(&mut self, name: &str, span: Span) -> (Nodes, Option<TokenStream>) {
        self.open.push(name.to_owned());
        let mut children = self.nodes();
        while self.at_stray_closing_tag(name) {
            self.stray_closing_tag();
            children.extend(self.nodes());
        }
        self.open.pop();
        let before = self.at;
        let found = self.span_of_closing_name();
        let closing = self.at_closing_tag().then(|| self.closing_tag());
        let path = match closing {
            Some((path, closing)) if closing == name => Some(path),
            Some((_, closing)) if closing.is_empty() && !self.open.iter().any(String::is_empty) => {
                let message = format!("`</>` closes a fragment: write `</{name}>`");
                self.diagnostics.note(found, message);
                None
            }
            // It closes a tag further out, so the one that is missing is this one's.
            Some((path, closing)) if !self.open.contains(&closing) => {
                let message = format!("expected `</{name}>`, found `</{closing}>`");
                self.diagnostics.note(found, message);
                Some(path)
            }
            _ => {
                self.at = before;
                self.diagnostics
                    .note(span, format!("`<{name}>` is not closed: write `</{name}>`"));
                None
            }
        };
        (children, path)
    }

    /// Whether a closing tag is none of the open ones', and that of `name` is still to come: more
    /// are closed behind it than are opened there.
    fn at_stray_closing_tag(&mut self, name: &str) -> bool {
        let start = self.at;
        if !self.at_closing_tag() {
            return false;
        }
        self.at += 2;
        let (_, closing, _) = self.path();
        let mut balance = 0_isize;
        while !self.open.contains(&closing) && self.peek(0).is_some() {
            let is_tag = self.take_punct('<');
            let closes = is_tag && self.take_punct('/');
            if is_tag && self.path().1 == name {
                balance += if closes { 1 } else { -1 };
            } else if !is_tag {
                self.at += 1;
            }
        }
        self.at = start;
        let open = self.open.iter().filter(|open| *open == name).count();
        balance >= open.cast_signed() && balance > 0
    }

    fn stray_closing_tag(&mut self) {
        let span = self.span();
        let (_, closing) = self.closing_tag();
        self.diagnostics.note(
            span,
            format!("`</{closing}>` closes nothing: no `<{closing}>` is open here"),
        );
    }

    /// Where the name in `</name>` is, or the slash where there is none.
    fn span_of_closing_name(&self) -> Span {
        match (self.peek(1), self.peek(2)) {
            (_, Some(name @ TokenTree::Ident(_))) => name.span(),
            (slash, _) => slash.map_or_else(|| self.span(), TokenTree::span),
        }
    }

    /// Reads `</path>` and gives the path as tokens and as text.
    fn closing_tag(&mut self) -> (TokenStream, String) {
        self.at += 2;
        let (path, mut name, _) = self.path();
        name.push_str(&self.behind_foreign_name());
        let span = self.span();
        if self.is_punct(0, '<') && !self.is_punct(1, '/') {
            self.generics();
            self.take_punct('>');
            self.diagnostics.note(
                span,
                format!("a closing tag has no generics: write `</{name}>`"),
            );
        } else if !self.take_punct('>') {
            let message = format!("expected `>` at the end of `</{name}`");
            self.diagnostics.note(span, message);
            // What else was written in it, if it is ended on the way to the next tag.
            let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), '<' | '>'));
            let end = self.tokens.iter().skip(self.at).position(ends);
            if let Some(end) = end.filter(|end| self.is_punct(*end, '>')) {
                self.at += end + 1;
            }
        }
        (path, name)
    }

    /// Nodes up to the end. A closing tag without an opening one does not end them.
    pub(super) fn all(&mut self) -> Nodes {
        let mut nodes = self.nodes();
        while self.peek(0).is_some() {
            self.stray_closing_tag();
            nodes.extend(self.nodes());
        }
        nodes
    }
}

/// Whether a token can be the value of a prop.
fn is_value(token: &TokenTree) -> bool {
    match token {
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    }
}

/// The literal that a group holds and nothing else.
fn literal_in(group: &Group) -> Option<Literal> {
    let mut inside = group.stream().into_iter();
    match (inside.next(), inside.next()) {
        (Some(TokenTree::Literal(literal)), None) => Some(literal),
        _ => None,
    }
}

/// Whether the last word of a path begins with a small letter.
fn is_small(path: &str) -> bool {
    path.rsplit("::")
        .next()
        .is_some_and(|word| word.starts_with(char::is_lowercase))
}
