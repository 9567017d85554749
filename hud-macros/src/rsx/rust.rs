//! Tags within the Rust in braces: `{items.iter().map(|item| <Item>{item}</Item>)}`.
//!
//! A `<` where Rust expects a value begins the path of a type, `<T as Trait>::NAME` or `<T>::NAME`, or a tag. The
//! tokens after the type decide: `as`, or `::` after the `>`, means a path. A `<` after a value is a comparison, and
//! one after a name or `::` begins generics. These are not changed, and neither are the arguments of other macros.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};

use super::ast::{Body, Else, Expr, If, Node, Part};
use super::parse::Parser;
use super::text::is_text;

impl Parser<'_> {
    /// The content of braces as Rust code.
    pub(super) fn expr(&mut self, group: &Group) -> Expr {
        Expr {
            parts: self.inside(group).parts(),
            span: group.span(),
        }
    }

    /// Parses Rust code up to the end, with the tags in it.
    pub(super) fn parts(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut rust = Vec::new();
        while let Some(token) = self.peek(0).cloned() {
            if self.at_ternary() {
                let span = self.span();
                self.diagnostics.note(
                    span,
                    "Rust has no `? :`: write `if condition { .. } else { .. }`",
                );
                // The rest is not Rust, and the compiler would report further errors in it.
                self.at = self.tokens.len();
                return Vec::new();
            }
            if self.at_tag() {
                if let [.., first, second] = rust.as_slice()
                    && is_double(first, second, '&')
                {
                    self.diagnostics.note(
                        first.span(),
                        "`&&` gives a `bool`: write `condition.then(|| <..>)`, or `if` among the \
                         children",
                    );
                    rust.clear();
                    parts.clear();
                }
                self.at += 1;
                parts.push(Part::Rust(rust.drain(..).collect()));
                parts.extend(
                    self.tag(token.span())
                        .map(|node| Part::Node(Box::new(node))),
                );
                continue;
            }
            self.at += 1;
            match token {
                TokenTree::Group(group) if !self.is_macro_call() && may_hold_tags(&group) => {
                    let inside = self.inside(&group).parts();
                    if let [] | [Part::Rust(_)] = inside.as_slice() {
                        rust.push(TokenTree::Group(group));
                    } else {
                        parts.push(Part::Rust(rust.drain(..).collect()));
                        parts.push(Part::Group(group, inside));
                    }
                }
                token => rust.push(token),
            }
        }
        parts.push(Part::Rust(rust.into_iter().collect()));
        parts.retain(|part| !matches!(part, Part::Rust(tokens) if tokens.is_empty()));
        parts
    }

    /// True if the group that was just consumed is the argument of another macro.
    fn is_macro_call(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
        matches!(before(2), Some(TokenTree::Punct(punct)) if punct.as_char() == '!')
            && matches!(before(3), Some(TokenTree::Ident(_)))
    }

    /// True if a value is expected here.
    fn expects_value(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
        match before(1) {
            None => true,
            // After a statement such as `if a { .. }`. A value in braces is never compared.
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
            Some(TokenTree::Punct(punct)) => match punct.as_char() {
                '&' | '|' | '=' | ',' | ';' => true,
                ':' => {
                    !matches!(before(2), Some(TokenTree::Punct(colon)) if colon.as_char() == ':')
                }
                '>' => matches!(before(2), Some(TokenTree::Punct(arrow)) if arrow.as_char() == '='),
                _ => false,
            },
            Some(TokenTree::Ident(word)) => word == "return" || word == "break",
            Some(TokenTree::Literal(_)) => false,
        }
    }

    fn at_tag(&self) -> bool {
        self.is_punct(0, '<') && self.expects_value() && self.looks_like_tag()
    }

    /// True if `<` begins a tag and not the type of a path.
    fn looks_like_tag(&self) -> bool {
        let mut at = 1;
        while self.is_punct(at, ':') || matches!(self.peek(at), Some(TokenTree::Ident(_))) {
            let is_name = !self.is_punct(at, ':');
            at += 1;
            if is_name && !self.is_punct(at, ':') {
                break;
            }
        }
        let named = at > 1;
        if named && self.is_punct(at, '<') {
            at = self.behind_generics(at);
        }
        match self.peek(at) {
            None => named,
            Some(TokenTree::Punct(punct)) => match punct.as_char() {
                '>' => !(self.is_punct(at + 1, ':') && self.is_punct(at + 2, ':')),
                '/' => named && self.is_punct(at + 1, '>'),
                _ => false,
            },
            Some(TokenTree::Ident(word)) => named && word != "as",
            Some(TokenTree::Group(group)) => named && group.delimiter() == Delimiter::Brace,
            Some(TokenTree::Literal(_)) => false,
        }
    }

    /// The index after the generics that begin at `at`.
    fn behind_generics(&self, mut at: usize) -> usize {
        let mut depth = 0_usize;
        while self.peek(at).is_some() {
            if self.is_punct(at, '<') {
                depth += 1;
            } else if self.is_punct(at, '>') && !self.is_punct(at - 1, '-') {
                depth -= 1;
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }

    /// True if a `?` is followed by a value, as in `a ? b : c`.
    fn at_ternary(&self) -> bool {
        if !self.is_punct(0, '?') || self.at == 0 {
            return false;
        }
        match self.peek(1) {
            Some(TokenTree::Literal(_)) => true,
            Some(TokenTree::Ident(word)) => word != "as" && word != "else",
            Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => {
                matches!(self.peek(2), Some(TokenTree::Ident(word))
                    if word.to_string().starts_with(char::is_uppercase))
                    && self.tokens.iter().skip(self.at).any(|token| {
                        matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':'
                            && punct.spacing() == Spacing::Alone)
                    })
            }
            _ => false,
        }
    }

    /// Parses braces among children: Rust, or `condition && value`, which is a choice.
    pub(super) fn shown(&mut self, group: &Group) -> Node {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        if let Some(or) = last(&tokens, '|') {
            let span = tokens.get(or).map_or_else(|| group.span(), TokenTree::span);
            self.diagnostics.note(
                span,
                "`||` gives a `bool`, of which none is shown: write `value.unwrap_or(..)` for an \
                 option, or `if`",
            );
            return Node::Fragment(Vec::new());
        }
        let Some(and) = last(&tokens, '&') else {
            return Node::Expr(self.expr(group));
        };
        let (condition, shown) = tokens.split_at(and);
        let shown: Vec<_> = shown.iter().skip(2).cloned().collect();
        let shown = match shown.as_slice() {
            [TokenTree::Literal(text)] if is_text(&text.to_string()) => {
                self.text(text).map(Node::Text)
            }
            _ => {
                let mut shown = Group::new(Delimiter::Brace, shown.into_iter().collect());
                shown.set_span(group.span());
                Some(Node::Expr(self.expr(&shown)))
            }
        };
        Node::If(If {
            condition: condition.iter().cloned().collect(),
            then: Body::Nodes(shown.into_iter().collect()),
            otherwise: None,
        })
    }

    /// Parses the tags in those bodies of an `if` that are Rust blocks.
    pub(super) fn read_bodies(&mut self, node: &mut If) {
        self.read_body(&mut node.then);
        match &mut node.otherwise {
            Some(Else::If(node)) => self.read_bodies(node),
            Some(Else::Body(Body::Unread(group))) if self.refuse_null(group) => {
                node.otherwise = None
            }
            Some(Else::Body(body)) => self.read_body(body),
            None => {}
        }
    }

    pub(super) fn read_body(&mut self, body: &mut Body) {
        if let Body::Unread(group) = body {
            *body = Body::Expr(self.expr(group));
        }
    }
}

/// The index of the last `&&` or `||` if it is evaluated last. Its result is a `bool`, which can't be shown, so the
/// value after it is meant.
fn last(tokens: &[TokenTree], mark: char) -> Option<usize> {
    let behind_value = |at: usize| !matches!(tokens.get(at), Some(TokenTree::Punct(_)) | None);
    let mut found = None;
    for (at, pair) in tokens.windows(2).enumerate() {
        if let [first, second] = pair
            && is_double(first, second, mark)
            && at > 0
            && behind_value(at - 1)
            && at + 2 < tokens.len()
        {
            found = Some(at);
        }
    }
    let at = found?;
    // With these tokens it is not evaluated last, or it is within a statement or a closure.
    let mut others = tokens
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != at && *other != at + 1);
    let binds = others.any(|(_, token)| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '|' | ';' | ','),
        TokenTree::Ident(word) => {
            let word = word.to_string();
            [
                "let", "if", "match", "for", "while", "loop", "return", "move",
            ]
            .contains(&&*word)
        }
        _ => false,
    });
    (!binds).then_some(at)
}

/// True if two tokens are the same mark twice, as `&&`.
fn is_double(first: &TokenTree, second: &TokenTree, mark: char) -> bool {
    let is = |token: &TokenTree| match token {
        TokenTree::Punct(punct) if punct.as_char() == mark => Some(punct.spacing()),
        _ => None,
    };
    is(first) == Some(Spacing::Joint) && is(second).is_some()
}

/// True if a group contains a `<` or a `?` at any depth.
fn may_hold_tags(group: &Group) -> bool {
    fn any(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), '<' | '?'),
            TokenTree::Group(group) => any(group.stream()),
            _ => false,
        })
    }
    any(group.stream())
}

/// True for code that needs a block to be a value, because it is empty or has statements.
pub(super) fn needs_block(tokens: &TokenStream) -> bool {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    tokens.is_empty()
        || tokens.iter().any(|token| match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            TokenTree::Ident(word) => word == "let",
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        })
        // A statement may end in braces, without a semicolon.
        || tokens.iter().rev().skip(1).any(is_block)
            && syn::parse2::<syn::Expr>(tokens.into_iter().collect()).is_err()
}

/// True for code that diverges: it ends in `panic!()` or `return x`, in a block or without one.
pub(super) fn diverges(tokens: TokenStream) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    if let [TokenTree::Group(group)] = tokens.as_slice() {
        return group.delimiter() != Delimiter::Bracket && diverges(group.stream());
    }
    let ends =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let last = tokens.rsplit(ends).next().unwrap_or_default();
    match last {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(mark),
            TokenTree::Group(_),
        ] => mark.as_char() == '!' && is_never(name),
        [TokenTree::Ident(word), ..] => {
            ["return", "break", "continue"].contains(&&*word.to_string())
        }
        _ => false,
    }
}

/// True for the names of macros that diverge.
pub(super) fn is_never(name: &Ident) -> bool {
    ["todo", "unimplemented", "unreachable", "panic"].contains(&&*name.to_string())
}
