//! Errors of users of other libraries, HTML or markdown. The code is parsed as it was meant, so that only this error
//! is reported, with the fix, and no consequence of it.

mod name;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::ast::{Node, Nodes, Tag};
use super::parse::Parser;
use super::text::{is_text, is_text_token};
use name::node_for;
pub(super) use name::{instead_of, instead_of_helper, why_none};

impl Parser<'_> {
    /// Reports a token that can't begin a node, and that was just consumed. The returned node counts as a child, so
    /// that missing children are not also reported.
    pub(super) fn mistaken(&mut self, first: &TokenTree) -> Node {
        let nothing = Node::Fragment(Nodes::new());
        match first {
            TokenTree::Ident(word) => return self.mistaken_word(word).unwrap_or(nothing),
            TokenTree::Punct(punct) if self.mistaken_mark(punct.as_char(), punct.span()) => {}
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let value = group.stream();
                self.diagnostics.note(
                    group.span(),
                    format!("a value goes in braces: write `{{{value}}}`"),
                );
            }
            _ => self.refuse(first),
        }
        nothing
    }

    fn mistaken_word(&mut self, word: &Ident) -> Option<Node> {
        let span = word.span();
        let name = word.to_string();
        let message = match name.as_str() {
            "let" => {
                self.skip_statement();
                "`let` is a statement: write it in front of `rsx!`, or in braces with what it is \
                 for, `{let name = value; <>..</>}`"
                    .to_owned()
            }
            "while" | "loop" => {
                let takes = self.tokens.iter().skip(self.at).any(|token| {
                    matches!(token, TokenTree::Ident(word) if word == "next" || word == "pop")
                });
                self.skip_body();
                let of = if takes {
                    "the iterator itself"
                } else {
                    "what is counted"
                };
                format!("`{name}` shows nothing: write `for item in items {{ .. }}`, over {of}")
            }
            "else" => {
                self.skip_body();
                "`else` follows the body of an `if`: write `if condition { .. } else { .. }`"
                    .to_owned()
            }
            "return" | "break" | "continue" => {
                self.skip_statement();
                format!(
                    "`{name}` leaves a function or a loop of Rust: choose with `if` what is shown"
                )
            }
            "rsx" if self.at_call_of_macro(0) => {
                self.at += 1;
                let Some(TokenTree::Group(group)) = self.next() else {
                    return None;
                };
                self.diagnostics.note(
                    span,
                    "elements within elements need no `rsx!`: write what is in it",
                );
                return Some(Node::Fragment(self.inside(&group).all()));
            }
            _ if self.at_body_of_tag() => {
                let (props, alone) = match self.next() {
                    Some(TokenTree::Group(group)) => (props_in(&group), holds_props_only(&group)),
                    _ => (String::new(), true),
                };
                match node_for(&name) {
                    Some(node) => format!("a tag goes in angle brackets: write `{node}`"),
                    None if alone => {
                        let tag = capital(&name);
                        format!("a tag goes in angle brackets: write `<{tag}{props} />`")
                    }
                    None => {
                        let tag = capital(&name);
                        format!("a tag goes in angle brackets: write `<{tag}{props}>..</{tag}>`")
                    }
                }
            }
            _ => {
                self.refuse(&TokenTree::Ident(word.clone()));
                return None;
            }
        };
        self.diagnostics.note(span, message);
        None
    }

    /// True if the next braces are the body of a tag in another library: `{ title: "a" }`, `{ "text" }`, `{ (value) }`,
    /// `{ p { .. } }`. In `Hello {name}` they contain a value.
    fn at_body_of_tag(&self) -> bool {
        let Some(TokenTree::Group(group)) = self.peek(0) else {
            return false;
        };
        let mut inside = group.stream().into_iter();
        group.delimiter() == Delimiter::Brace
            && match (inside.next(), inside.next()) {
                (None, _) => true,
                (Some(TokenTree::Literal(text)), _) => is_text(&text.to_string()),
                (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(colon))) => {
                    colon.as_char() == ':'
                        && !matches!(inside.next(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':')
                }
                (Some(TokenTree::Ident(_)), Some(TokenTree::Group(group))) => {
                    group.delimiter() == Delimiter::Brace
                }
                (Some(TokenTree::Group(group)), None) => {
                    group.delimiter() == Delimiter::Parenthesis
                }
                _ => false,
            }
    }

    /// Reports a mark that was just consumed. False if it has no special meaning in another language.
    fn mistaken_mark(&mut self, mark: char, span: Span) -> bool {
        let word = match self.peek(0) {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        };
        let message = match mark {
            ',' | ';' => format!("nothing goes between elements: remove `{mark}`"),
            '+' if !word.is_empty() && !["if", "for", "match"].contains(&&*word) => {
                let mut value = String::new();
                self.take_run(&mut value);
                format!(
                    "nothing goes between texts and values, and values go in braces: write `{{{value}}}`"
                )
            }
            '+' => "nothing goes between texts and values: remove `+`".to_owned(),
            '@' if !word.is_empty() => format!("`{word}` is written without `@`: remove it"),
            '$' if matches!(self.peek(0), Some(TokenTree::Group(_))) => {
                "braces are enough around a value: remove `$`".to_owned()
            }
            '&' if self.is_punct(1, ';') && !word.is_empty() => {
                self.at += 2;
                let shown = entity(&word);
                format!(
                    "a text is shown as it is, so there are no entities: write the character \
                     itself, as `\"{shown}\"`"
                )
            }
            '#' if matches!(self.peek(0), Some(TokenTree::Group(_))) => {
                self.at += 1;
                "an element has no attributes: choose with `if` what is shown".to_owned()
            }
            '#' => {
                while self.take_punct('#') {}
                self.skip_text();
                "markdown is made of elements: write `<Section title=\"..\">`".to_owned()
            }
            '-' | '*' if !word.is_empty() || self.at_text() => {
                while self.take_punct(mark) {}
                self.skip_text();
                "markdown is made of elements: write `<List><Item>..</Item></List>` for a list"
                    .to_owned()
            }
            _ => return false,
        };
        self.diagnostics.note(span, message);
        true
    }

    fn at_text(&self) -> bool {
        self.peek(0).is_some_and(is_text_token)
    }

    /// Skips words and numbers.
    fn skip_text(&mut self) {
        while matches!(
            self.peek(0),
            Some(TokenTree::Ident(_) | TokenTree::Literal(_))
        ) {
            self.at += 1;
        }
    }

    /// Skips all tokens up to and including a `;`, or up to the end.
    fn skip_statement(&mut self) {
        while self.peek(0).is_some() && !self.at_closing_tag() {
            if self.take_punct(';') {
                return;
            }
            self.at += 1;
        }
    }

    /// Skips all tokens up to and including braces, or up to the end.
    fn skip_body(&mut self) {
        while self.peek(0).is_some() && !self.at_closing_tag() {
            if self.take_braces().is_some() {
                return;
            }
            self.at += 1;
        }
    }

    /// Reports and skips `<!-- .. -->` and `<!DOCTYPE ..>`, whose `<` was just consumed.
    pub(super) fn declaration(&mut self, open: Span) -> bool {
        if !self.take_punct('!') {
            return false;
        }
        let comment = self.is_punct(0, '-');
        while self.peek(0).is_some() {
            let ends = !comment || (self.is_punct(0, '-') && self.is_punct(1, '-'));
            if comment && ends && self.is_punct(2, '>') {
                self.at += 3;
                break;
            }
            if !comment && self.is_punct(0, '>') {
                self.at += 1;
                break;
            }
            self.at += 1;
        }
        let message = if comment {
            "a comment is written as in Rust: `// ..` or `/* .. */`"
        } else {
            "a layout has no declarations: remove it"
        };
        self.diagnostics.note(open, message);
        true
    }

    /// Reports and skips marks of another language among the props. False if there are none.
    pub(super) fn foreign_mark(&mut self, tag: &mut Tag) -> bool {
        let span = self.span();
        let is_mark = |wanted| self.is_punct(0, wanted);
        let message = if is_mark(',') || is_mark(';') {
            self.at += 1;
            "nothing goes between props: remove the mark".to_owned()
        } else if is_mark('.') {
            while self.take_punct('.') {}
            let name = match self.next() {
                Some(TokenTree::Ident(name)) => name.to_string(),
                _ => "props".to_owned(),
            };
            tag.incomplete = true;
            format!("props are spread in braces: write `{{..{name}}}`")
        } else if is_mark('#') && matches!(self.peek(1), Some(TokenTree::Group(_))) {
            self.at += 2;
            "an attribute belongs to the argument of the component, not to where the prop is given: \
             remove it"
                .to_owned()
        } else if (is_mark('@') || is_mark(':') || is_mark('?'))
            && matches!(self.peek(1), Some(TokenTree::Ident(_)))
        {
            self.at += 1;
            "a prop has no mark in front of its name: remove it".to_owned()
        } else {
            return false;
        };
        self.diagnostics.note(span, message);
        true
    }

    /// Skips an expression without braces, up to the next prop or the end of the tag. It returns the text of the
    /// expression.
    pub(super) fn unbraced(&mut self) -> String {
        let start = self.at;
        let mut branch = false;
        while let Some(token) = self.peek(0) {
            let before = self.at.checked_sub(1).filter(|before| *before >= start);
            let before = before.and_then(|before| self.tokens.get(before));
            let ends = match token {
                TokenTree::Punct(punct) => match punct.as_char() {
                    // `=>` and `->` do not end the tag.
                    '>' => !matches!(before, Some(TokenTree::Punct(before))
                        if matches!(before.as_char(), '=' | '-')),
                    '/' => self.is_punct(1, '>'),
                    '<' | ',' => true,
                    _ => false,
                },
                TokenTree::Ident(word) => {
                    let is_prop = self.is_punct(1, '=') && !self.is_punct(2, '=');
                    let behind_value =
                        before.is_some_and(|before| !matches!(before, TokenTree::Punct(_)));
                    let word = word.to_string();
                    branch |= word == "if" || word == "match";
                    before.is_some() && is_prop
                        || behind_value && !branch && word != "as" && word != "else"
                }
                TokenTree::Group(group) => {
                    group.delimiter() == Delimiter::Brace && !branch && before.is_none()
                }
                TokenTree::Literal(_) => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        let tokens = &self.tokens[start..self.at];
        match tokens {
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                group.stream().to_string()
            }
            _ => tokens.iter().cloned().collect::<TokenStream>().to_string(),
        }
    }

    /// Reports a statement of a template language in braces, such as `{% for item in items %}` and `{#if done}`. The
    /// end of a statement is not reported, because its start was.
    pub(super) fn refuse_template(&mut self, group: &Group) -> bool {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        let (mark, word) = match tokens.as_slice() {
            [TokenTree::Punct(mark), TokenTree::Ident(word), ..] => {
                (mark.as_char(), word.to_string())
            }
            _ => return false,
        };
        let ends = mark == '/' || word.starts_with("end");
        let message = match word.as_str() {
            _ if !matches!(mark, '%' | '#' | '/' | '@' | ':') => return false,
            _ if ends => return true,
            "for" | "each" => {
                "a repetition is written without a mark: write `for item in items { .. }`"
            }
            "if" | "unless" => "a choice is written without a mark: write `if condition { .. }`",
            "else" | "elif" => return true,
            _ => "braces hold Rust: there are no statements with marks, remove it",
        };
        self.diagnostics.note(group.span(), message);
        true
    }

    /// Reports an arrow function among the arguments of a call, as in `items.map((item) => ..)`. Rust code never has
    /// `=>` directly in parentheses.
    pub(super) fn refuse_arrow(&mut self, group: &Group) -> bool {
        let Some((span, arguments, called)) = arrow(group, None) else {
            return false;
        };
        let message = match arguments.split_once(',') {
            Some((item, index)) if called.is_some_and(|name| name == "map") => format!(
                "items have their places from `.enumerate()`: write `.enumerate().map(|({}, {item})| ..)`",
                index.trim()
            ),
            _ => format!("a closure is written with `|`: write `|{arguments}| ..`"),
        };
        self.diagnostics.note(span, message);
        true
    }

    /// Reports an `else` that shows nothing, as `else { null }`.
    pub(super) fn refuse_null(&mut self, group: &Group) -> bool {
        let text = group.stream().to_string();
        let is_null = ["null", "undefined"].contains(&&*text);
        if is_null {
            self.diagnostics.note(
                group.span(),
                "without `else` nothing is shown: write `if condition { .. }`",
            );
        }
        is_null
    }

    /// Reports a closure without arguments as a child, `{move || value}`. Other libraries call it, but `rsx!` can't
    /// show a closure.
    pub(super) fn refuse_closure(&mut self, group: &Group) -> bool {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        let tokens = match tokens.as_slice() {
            [TokenTree::Ident(word), rest @ ..] if word == "move" => rest,
            all => all,
        };
        let [
            TokenTree::Punct(first),
            TokenTree::Punct(second),
            value @ ..,
        ] = tokens
        else {
            return false;
        };
        let is_closure = first.as_char() == '|' && second.as_char() == '|' && !value.is_empty();
        if is_closure {
            let value: TokenStream = value.iter().cloned().collect();
            self.diagnostics.note(
                first.span(),
                format!("a closure is not called: write its value, `{{{value}}}`"),
            );
        }
        is_closure
    }

    /// Reports an object in braces as the value of a prop, as in `style={{ color: "red" }}`.
    pub(super) fn refuse_object(&mut self, group: &Group) -> bool {
        let mut inside = group.stream().into_iter();
        let (Some(TokenTree::Group(object)), None) = (inside.next(), inside.next()) else {
            return false;
        };
        let tokens: Vec<_> = object.stream().into_iter().collect();
        let is_object = object.delimiter() == Delimiter::Brace
            && matches!(tokens.as_slice(), [TokenTree::Ident(_), TokenTree::Punct(colon), next, ..]
                if colon.as_char() == ':' && !matches!(next, TokenTree::Punct(next) if next.as_char() == ':'));
        if is_object {
            self.diagnostics.note(
                object.span(),
                "Rust has no objects without a type: write a prop for each value, or the struct in front of the braces",
            );
        }
        is_object
    }

    /// Reports a format after a value in braces, `{value:?}`, which is only allowed in texts.
    pub(super) fn refuse_format(&mut self, group: &Group) -> bool {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        let punct = |at: usize| match tokens.get(at) {
            Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
            _ => None,
        };
        let is_format = matches!(tokens.first(), Some(TokenTree::Ident(_)))
            && punct(1) == Some(':')
            && match tokens.get(2) {
                Some(TokenTree::Punct(mark)) => {
                    matches!(mark.as_char(), '?' | '#' | '.' | '<' | '>' | '^' | '+')
                }
                Some(TokenTree::Literal(_)) => true,
                Some(TokenTree::Ident(_)) => tokens.len() == 3,
                _ => false,
            };
        if is_format {
            let text: String = tokens.iter().map(ToString::to_string).collect();
            self.diagnostics.note(
                group.span(),
                format!("a format goes into a text: write `\"{{{text}}}\"`"),
            );
        }
        is_format
    }
}

/// The props in the braces of a tag of another library, `title: "a", "text"`, in the syntax of `rsx!`.
pub(super) fn props_in(group: &Group) -> String {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut props = String::new();
    for entry in tokens.split(is_comma) {
        let [TokenTree::Ident(name), TokenTree::Punct(colon), value @ ..] = entry else {
            continue;
        };
        if colon.as_char() != ':' || value.is_empty() {
            continue;
        }
        // The argument of `#[prop(into)]` is converted already, so a call of `.into()` has an ambiguous type.
        let value = match value {
            [
                value @ ..,
                TokenTree::Punct(dot),
                TokenTree::Ident(method),
                TokenTree::Group(arguments),
            ] if dot.as_char() == '.' && method == "into" && arguments.stream().is_empty() => value,
            value => value,
        };
        let text: TokenStream = value.iter().cloned().collect();
        props.push_str(&match value {
            [TokenTree::Literal(_)] => format!(" {name}={text}"),
            _ => format!(" {name}={{{text}}}"),
        });
    }
    props
}

/// True if the braces of a tag of another library contain no children.
fn holds_props_only(group: &Group) -> bool {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut entries = tokens.split(is_comma);
    entries.all(|entry| match entry {
        [TokenTree::Ident(_), TokenTree::Punct(colon), ..] => colon.as_char() == ':',
        entry => entry.is_empty(),
    })
}

/// The first `=>` directly in parentheses, with the arguments before it and the name of the called method. `called`
/// is the method that takes the group.
fn arrow(group: &Group, called: Option<&Ident>) -> Option<(Span, String, Option<Ident>)> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let is_punct = |at: usize, wanted: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted);
        if group.delimiter() == Delimiter::Parenthesis && is_punct(at, '=') && is_punct(at + 1, '>')
        {
            let arguments = match at.checked_sub(1).and_then(|before| tokens.get(before)) {
                Some(TokenTree::Group(group)) => group.stream().to_string(),
                Some(TokenTree::Ident(name)) => name.to_string(),
                _ => "..".to_owned(),
            };
            return Some((token.span(), arguments, called.cloned()));
        }
        // The arguments of another macro are not searched.
        let is_passed = at > 1 && is_punct(at - 1, '!');
        if let TokenTree::Group(inside) = token
            && !is_passed
            && let Some(found) = arrow(
                inside,
                match at.checked_sub(1).and_then(|before| tokens.get(before)) {
                    Some(TokenTree::Ident(name)) => Some(name),
                    _ => None,
                },
            )
        {
            return Some(found);
        }
    }
    None
}

/// Converts a word to the name of a tag: `my_item` to `MyItem`.
fn capital(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let mut chars = part.chars();
        let first = chars
            .next()
            .map(|first| first.to_uppercase().collect::<String>());
        first.unwrap_or_default() + chars.as_str()
    });
    parts.collect()
}

/// The character of an entity, as it is written in a string of Rust.
fn entity(name: &str) -> &'static str {
    match name {
        "nbsp" => "\\u{a0}",
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\\\"",
        "apos" => "'",
        "mdash" => "—",
        "ndash" => "–",
        "hellip" => "…",
        "copy" => "©",
        _ => "…",
    }
}
