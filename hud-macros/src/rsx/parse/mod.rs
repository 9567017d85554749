//! The parser of [`ast`](super::ast). It never fails: it reports errors and continues.

mod closing;
mod prop;
mod tag;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

use super::ast::{Expr, Node, Nodes, Part};
use super::rust::is_never;
use super::text::{is_text, is_text_token};
use crate::diagnostics::Diagnostics;

pub(super) fn parse(input: TokenStream, diagnostics: &mut Diagnostics) -> Nodes {
    Parser::new(input, diagnostics).all()
}

/// A parser at a position in the tokens of one group.
pub(super) struct Parser<'d> {
    pub(super) tokens: Vec<TokenTree>,
    pub(super) at: usize,
    /// The names of the open tags, the innermost last.
    pub(super) open: Vec<String>,
    /// True after a tag that was meant to close the tag around it.
    pub(super) lacks_slash: bool,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'d> Parser<'d> {
    pub(super) fn new(tokens: TokenStream, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            at: 0,
            open: Vec::new(),
            lacks_slash: false,
            diagnostics,
        }
    }

    /// Returns a parser of a group's content that adds its errors to the same diagnostics.
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

    /// The span of the next token, or of the last one at the end.
    pub(super) fn span(&self) -> Span {
        self.peek(0)
            .or(self.tokens.last())
            .map_or_else(Span::call_site, TokenTree::span)
    }

    /// Parses nodes up to the end or to a closing tag, which is not consumed.
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
            // A literal or a variable that was passed through a macro is in an invisible group.
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
            TokenTree::Ident(word) if is_never(&word) && self.at_call_of_macro(0) => {
                let (mark, span) = (self.next(), word.span());
                let tokens = [Some(word.into()), mark, self.next()];
                let parts = vec![Part::Rust(tokens.into_iter().flatten().collect())];
                Some(Node::Expr(Expr { parts, span }))
            }
            other => Some(self.mistaken(&other)),
        }
    }

    /// True if the rest of `name!(..)` comes after this number of tokens.
    pub(super) fn at_call_of_macro(&self, ahead: usize) -> bool {
        self.is_punct(ahead, '!') && matches!(self.peek(ahead + 1), Some(TokenTree::Group(_)))
    }

    /// Skips the tokens up to the next one that begins a node, and appends them to a text.
    pub(super) fn take_run(&mut self, run: &mut String) {
        while let Some(token) = self.peek(0) {
            let starts_node = match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Literal(_) => is_text_token(token),
                TokenTree::Ident(word) => word == "if" || word == "for" || word == "match",
                TokenTree::Punct(punct) => punct.as_char() == '<',
            };
            if starts_node {
                break;
            }
            let spaced = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
            run.push_str(if spaced && !run.is_empty() { " " } else { "" });
            run.push_str(&token.to_string());
            self.at += 1;
        }
    }

    /// Reports tokens that are not a node, with one error for a run of them.
    pub(super) fn refuse(&mut self, first: &TokenTree) {
        let mut run = first.to_string();
        self.take_run(&mut run);
        let message = match first {
            TokenTree::Literal(_) if run.starts_with('\'') => {
                format!("`{run}` is not text: write `\"{}\"`", run.replace('\'', ""))
            }
            TokenTree::Literal(_) => {
                format!("`{run}` is not text: write `\"{run}\"`, or `{{{run}}}` for a value")
            }
            TokenTree::Punct(mark) if run.len() == 1 && ".!?:".contains(mark.as_char()) => {
                format!("text goes in quotes: write `\"{run}\"`")
            }
            TokenTree::Punct(_) => format!("unexpected `{run}`"),
            _ => {
                let is_value = syn::parse_str::<syn::Expr>(&run).is_ok();
                let ways = match (run.contains('"'), is_value) {
                    (true, true) => format!("`{{{run}}}`"),
                    (_, true) => format!("`\"{run}\"` or `{{{run}}}`"),
                    (true, false) => format!("`{}`", quoted(&run)),
                    (false, false) => format!("`\"{run}\"`"),
                };
                format!("text goes in quotes and values in braces: write {ways}")
            }
        };
        self.diagnostics.note(first.span(), message);
    }

    /// Parses `{..}`: an expression, or an `if` or `for` with an expression as its body.
    fn braces(&mut self, group: &Group) -> Node {
        if self.refuse_template(group)
            || self.refuse_format(group)
            || self.refuse_arrow(group)
            || self.refuse_closure(group)
        {
            return Node::Fragment(Nodes::new());
        }
        // Only the end shows if the braces contain just an `if`: `{if a { 1 } else { 2 } + 3}` does not. Other
        // content is Rust, and rustc reports its errors.
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

    /// Parses nodes up to the end. A stray closing tag does not end them.
    pub(super) fn all(&mut self) -> Nodes {
        let mut nodes = self.nodes();
        while self.peek(0).is_some() {
            self.stray_closing_tag();
            nodes.extend(self.nodes());
        }
        nodes
    }
}

/// A text as a string literal, with its braces doubled.
fn quoted(text: &str) -> String {
    Literal::string(&text.replace('{', "{{").replace('}', "}}")).to_string()
}

/// The literal of a group that contains nothing else.
fn literal_in(group: &Group) -> Option<Literal> {
    let mut inside = group.stream().into_iter();
    match (inside.next(), inside.next()) {
        (Some(TokenTree::Literal(literal)), None) => Some(literal),
        _ => None,
    }
}
