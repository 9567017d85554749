//! Parses a tag: its name, its generics and its end.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::Parser;
use crate::rsx::ast::{Node, Nodes, Tag};
use crate::rsx::mistakes::{instead_of, instead_of_helper};

impl Parser<'_> {
    /// Parses the rest of a tag after its `<`.
    pub(in crate::rsx) fn tag(&mut self, open: Span) -> Option<Node> {
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
            let message = format!("`<{name}` lacks a name after `::`");
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
        // rustc suggests generics with `::`, as in a call.
        if self.is_punct(0, ':') && self.is_punct(1, ':') && self.is_punct(2, '<') {
            self.at += 2;
        }
        let generics = self.is_punct(0, '<').then(|| self.generics());
        let generics = generics.and_then(|generics| self.without_lifetimes(generics));
        let mut tag = Tag {
            path,
            name,
            span,
            open,
            generics,
            instead: None,
            misnamed,
            incomplete: false,
            spread: None,
            props: Vec::new(),
            children: None,
            closing: None,
        };
        self.props_in_parentheses(&mut tag);
        self.props(&mut tag);
        if tag.generics.is_none() {
            let gives = |name: &str| tag.props.iter().any(|prop| prop.name == name);
            tag.instead = instead_of_helper(&tag.name, gives);
        }
        if self.take_punct('/') {
            if !self.take_punct('>') {
                let span = self.span();
                self.diagnostics
                    .note(span, format!("expected `/>` at the end of `<{}`", tag.name));
            }
        } else if self.take_punct('>') {
            let (children, closing) = self.children(&tag.name, open);
            tag.closing = closing.filter(|path| !path.is_empty());
            // The children of a tag that is not closed may not be its own.
            tag.incomplete |= tag.closing.is_none();
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
            // The span is at the bracket and not at the name. Otherwise an editor would also show the error for the
            // name.
            self.diagnostics.note(
                open,
                format!("`<{}` is not ended: write `/>` or `>`", tag.name),
            );
        }
        Some(Node::Tag(tag))
    }

    /// Reports and skips `(name=value)` after the name of a tag.
    fn props_in_parentheses(&mut self, tag: &mut Tag) {
        let group = match self.peek(0) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                group.clone()
            }
            _ => return,
        };
        self.at += 1;
        let (name, props) = (&tag.name, group.stream());
        self.diagnostics.note(
            group.span(),
            format!("props are written without parentheses: write `<{name} {props}`"),
        );
        tag.incomplete = true;
    }

    /// Reports and removes the lifetimes in the generics of a tag, because the compiler infers them. It is `None` if
    /// nothing remains.
    fn without_lifetimes(&mut self, generics: TokenStream) -> Option<TokenStream> {
        let tokens: Vec<_> = generics.into_iter().collect();
        let is_mark = |token: Option<&TokenTree>, wanted: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if wanted.contains(&punct.as_char()));
        let (mut kept, mut at, mut depth, mut found) = (Vec::new(), 0, 0_usize, None);
        while let Some(token) = tokens.get(at) {
            let begins = depth == 1 && is_mark(kept.last(), &['<', ',']);
            if begins && is_mark(Some(token), &['\'']) {
                found.get_or_insert(token.span());
                at += if is_mark(tokens.get(at + 2), &[',']) {
                    3
                } else {
                    2
                };
                continue;
            }
            depth += usize::from(is_mark(Some(token), &['<']));
            depth = depth.saturating_sub(usize::from(is_mark(Some(token), &['>'])));
            kept.push(token.clone());
            at += 1;
        }
        if let Some(span) = found {
            self.diagnostics.note(
                span,
                "a tag has no lifetimes, the compiler finds them: remove them",
            );
        }
        (kept.len() > 2 || found.is_none()).then(|| kept.into_iter().collect())
    }

    /// Parses `a::b::Name`. It returns the tokens, the text and the span of the last word. A trailing `::` is only
    /// in the text: in the tokens it would be a syntax error and hide all other errors.
    pub(super) fn path(&mut self) -> (TokenStream, String, Span) {
        // A path that was passed through another macro is in an invisible group.
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

    /// Parses `<..>` after the name of a tag.
    pub(super) fn generics(&mut self) -> TokenStream {
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
                // The `>` of `->` does not close the generics.
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
}

/// True if the last word of a path begins with a lowercase letter.
fn is_small(path: &str) -> bool {
    path.rsplit("::")
        .next()
        .is_some_and(|word| word.starts_with(char::is_lowercase))
}
