//! Texts: `"{name} failed"` shows a variable, as in `format!`.

use proc_macro2::{Literal, Span};
use syn::Ident;

use super::parse::Parser;

/// A text literal.
pub(crate) enum Text {
    /// It is shown as it is.
    Plain(Literal),
    /// It shows variables.
    Formatted(Literal),
}

impl Parser<'_> {
    /// A text literal, with `{{` and `}}` read as braces where no variable is shown. None if the
    /// literal is no text.
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
        Some(match shows_variables(&text) {
            Ok(true) => Text::Formatted(literal.clone()),
            Ok(false) => {
                let shown = text.replace("{{", "{").replace("}}", "}");
                Text::Plain(with_span(Literal::string(&shown), literal.span()))
            }
            Err(message) => {
                self.diagnostics.note(literal.span(), message);
                Text::Plain(with_span(Literal::string(""), literal.span()))
            }
        })
    }
}

pub(super) fn is_text(literal: &str) -> bool {
    literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#")
}

fn with_span(mut literal: Literal, span: Span) -> Literal {
    literal.set_span(span);
    literal
}

/// Whether a text shows variables, or else what is wrong with its braces.
fn shows_variables(text: &str) -> Result<bool, String> {
    let mut found = false;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, behind) = rest[at..].split_at(1);
        if let Some(behind) = behind.strip_prefix(brace) {
            rest = behind;
            continue;
        }
        if brace == "}" {
            return Err(AS_THEY_ARE.to_owned());
        }
        let Some(end) = behind
            .find(['}', '{'])
            .filter(|end| behind[*end..].starts_with('}'))
        else {
            return Err(AS_THEY_ARE.to_owned());
        };
        let inside = &behind[..end];
        let (name, _) = inside.split_once(':').unwrap_or((inside, ""));
        check(name.trim(), inside)?;
        found = true;
        rest = &behind[end + 1..];
    }
    Ok(found)
}

const AS_THEY_ARE: &str = "braces in a text show a variable: write `{{` and `}}` for braces, or \
                           `{\"..\"}` for a text that is shown as it is";

/// Checks the name in the braces: that of a variable, in front of a colon.
fn check(name: &str, inside: &str) -> Result<(), String> {
    if syn::parse_str::<Ident>(name).is_ok() || name == "self" {
        return Ok(());
    }
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!(
            "`{{{inside}}}` lacks the name of a variable: write `{{name}}`, or `{{{{{inside}}}}}` \
             for braces"
        ));
    }
    if syn::parse_str::<syn::Expr>(name).is_ok() && !name.contains(['"', ' ']) {
        return Err(format!(
            "a text shows variables, and `{name}` is more than a variable: end the text in front of \
             `{{{name}}}` and begin another one after it, or write `{{{{{inside}}}}}` for braces"
        ));
    }
    Err(AS_THEY_ARE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::shows_variables;

    #[test]
    fn braces_show_variables_or_are_doubled() {
        for text in ["{a}", "{a:?} {b:>5.1}", "{{{a}}}", "{self}", "{r}"] {
            assert_eq!(shows_variables(text), Ok(true), "{text}");
        }
        for text in ["", "a", "{{a}}", "{{ \"b\": {{}} }}"] {
            assert_eq!(shows_variables(text), Ok(false), "{text}");
        }
        for text in [
            "{",
            "}",
            "{}",
            "{0}",
            "{a.b}",
            "{a",
            "a}",
            "{{a}",
            "{a b}",
            "{\"a\": 1}",
        ] {
            assert!(shows_variables(text).is_err(), "{text}");
        }
    }
}
