//! Texts, which show values as in `format!`: `"{name} took {step.seconds:.1} s"`.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Ident, LitStr};

use super::parse::Parser;

/// A text literal.
pub(crate) enum Text {
    /// A text without values.
    Plain(Literal),
    /// A text with variables, and with these expressions in the places of `{}`.
    Formatted(Literal, Vec<Expr>),
}

impl Text {
    /// The text as a Rust value: a `&str` or a `String`.
    pub(super) fn value(&self) -> TokenStream {
        match self {
            Self::Plain(literal) => literal.to_token_stream(),
            Self::Formatted(literal, values) => {
                let values = values.iter();
                quote_spanned! { literal.span() => ::std::format!(#literal #(, #values)*) }
            }
        }
    }

    /// The text as an element of this crate.
    pub(super) fn element(&self, krate: &impl ToTokens) -> TokenStream {
        match self {
            Self::Plain(literal) => quote! { #krate::Element::text(#literal) },
            Self::Formatted(literal, values) => {
                let values = values.iter();
                quote! {
                    #krate::IntoElement::into_element(::core::format_args!(#literal #(, #values)*))
                }
            }
        }
    }
}

impl Parser<'_> {
    /// Parses a text literal. Without values, `{{` and `}}` become braces. It is `None` if the literal is not text.
    pub(super) fn text(&mut self, literal: &Literal) -> Option<Text> {
        let written = literal.to_string();
        if !is_text(&written) {
            return None;
        }
        if !written.contains(['{', '}']) {
            return Some(Text::Plain(literal.clone()));
        }
        let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) else {
            return None;
        };
        let text = text.value();
        let in_formula = self
            .open
            .last()
            .is_some_and(|tag| matches!(tag.rsplit(':').next(), Some("Math" | "MathBlock")));
        if in_formula && let Some(argument) = argument_of_tex(&text) {
            let message = format!(
                "a brace of a formula is written twice: write `{{{{{argument}}}}}`, or `{{{{{{{argument}}}}}}}` for \
                 the value of `{argument}` in braces"
            );
            self.diagnostics.note(literal.span(), message);
            return Some(Text::Plain(with_span(Literal::string(""), literal.span())));
        }
        let literal_of = |text: &str| with_span(Literal::string(text), literal.span());
        Some(match Format::read(&text, literal.span()) {
            Ok(format) if !format.shows => {
                Text::Plain(literal_of(&text.replace("{{", "{").replace("}}", "}")))
            }
            Ok(format) if format.values.is_empty() => Text::Formatted(literal.clone(), Vec::new()),
            Ok(format) => Text::Formatted(literal_of(&format.text), format.values),
            Err(message) => {
                self.diagnostics.note(literal.span(), message);
                Text::Plain(literal_of(""))
            }
        })
    }
}

/// True if a token is a string.
pub(super) fn is_text_token(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Literal(literal) if is_text(&literal.to_string()))
}

pub(super) fn is_text(literal: &str) -> bool {
    literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#")
}

fn with_span(mut literal: Literal, span: Span) -> Literal {
    literal.set_span(span);
    literal
}

/// The argument of a TeX command in single braces, as `a` in `\frac{a}{b}`.
fn argument_of_tex(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        if let Some(doubled) = behind.strip_prefix('{') {
            rest = doubled.trim_start_matches('{');
            continue;
        }
        let command = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if command.len() < before.len() && command.ends_with('\\') {
            let (argument, _) = behind.split_once('}')?;
            return Some(argument);
        }
        rest = behind;
    }
    None
}

/// A text in the syntax of `format!`.
#[derive(Default)]
struct Format {
    /// The text with `{}` in place of each value that is not a variable.
    text: String,
    /// The values that are not variables.
    values: Vec<Expr>,
    /// True if it shows a variable or another value.
    shows: bool,
}

impl Format {
    /// Parses a text. It returns an error about its braces if there is one.
    fn read(text: &str, span: Span) -> Result<Self, String> {
        let mut format = Self::default();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            let (brace, behind) = from.split_at(1);
            format.text.push_str(before);
            if let Some(behind) = behind.strip_prefix(brace) {
                format.text.push_str(brace);
                format.text.push_str(brace);
                rest = behind;
                continue;
            }
            if brace == "}" {
                return Err(AS_THEY_ARE.to_owned());
            }
            let Some((inside, behind)) = behind
                .split_once('}')
                .filter(|(inside, _)| !inside.contains('{'))
            else {
                return Err(AS_THEY_ARE.to_owned());
            };
            let (value, spec) = inside.split_at(end_of_value(inside));
            match value_of(value.trim(), inside, span)? {
                None => format.text.push_str(&from[..inside.len() + 2]),
                Some(value) => {
                    format.text.push_str(&format!("{{{spec}}}"));
                    format.values.push(value);
                }
            }
            format.shows = true;
            rest = behind;
        }
        format.text.push_str(rest);
        Ok(format)
    }
}

/// The end of the value, before a colon that is not in brackets and not part of `::`.
fn end_of_value(inside: &str) -> usize {
    let mut depth = 0_usize;
    let mut colons = inside.char_indices().peekable();
    while let Some((at, c)) = colons.next() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ':' if colons.next_if(|(_, next)| *next == ':').is_some() => {}
            ':' if depth == 0 => return at,
            _ => {}
        }
    }
    inside.len()
}

const AS_THEY_ARE: &str = "braces in a text show a value: write `{{` and `}}` for braces, or \
                           `{\"..\"}` for a text that is shown as it is";

/// The value in the braces, before a colon. It is `None` for a variable, which stays in the text.
fn value_of(value: &str, inside: &str, span: Span) -> Result<Option<Expr>, String> {
    let is_variable = syn::parse_str::<Ident>(value).is_ok() && !value.starts_with("r#");
    if is_variable || value == "self" {
        return Ok(None);
    }
    if value.is_empty() || value.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!(
            "`{{{inside}}}` lacks the name of a variable: write `{{name}}`, or `{{{{{inside}}}}}` \
             for braces"
        ));
    }
    match LitStr::new(value, span).parse() {
        Ok(Expr::Assign(_)) | Err(_) => Err(AS_THEY_ARE.to_owned()),
        Ok(_) if value.contains('"') => Err(AS_THEY_ARE.to_owned()),
        Ok(value) => Ok(Some(value)),
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::Format;

    #[test]
    fn braces_show_values_or_are_doubled() {
        for (text, read, values) in [
            ("{a}", "{a}", 0),
            ("{a:?} {b:>5.1}", "{a:?} {b:>5.1}", 0),
            ("{{{a}}}", "{{{a}}}", 0),
            ("{self}", "{self}", 0),
            ("{r}", "{r}", 0),
            ("{a.b}: {c}", "{}: {c}", 1),
            ("{r#type}", "{}", 1),
            ("{a::B:?}{ c[0] :>w$}{d(e::F, 1)}", "{:?}{:>w$}{}", 3),
        ] {
            let format = Format::read(text, Span::call_site()).unwrap_or_default();
            assert!(format.shows, "{text}");
            assert_eq!((&*format.text, format.values.len()), (read, values));
        }
        for text in ["", "a", "{{a}}", "{{ \"b\": {{}} }}"] {
            let format = Format::read(text, Span::call_site());
            assert!(format.is_ok_and(|format| !format.shows && format.text == text));
        }
        for text in [
            "{",
            "}",
            "{}",
            "{0}",
            "{a",
            "a}",
            "{{a}",
            "{a b}",
            "{a = b}",
            "{\"a\": 1}",
        ] {
            assert!(Format::read(text, Span::call_site()).is_err(), "{text}");
        }
    }
}
