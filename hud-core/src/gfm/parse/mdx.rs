//! Finds the end of an MDX expression.

use markdown::MdxSignal;

/// Checks whether the text between two braces is a complete expression, as far as brackets,
/// strings, templates and comments are concerned. The parser calls it at each `}`.
pub(super) fn expression(code: &str) -> MdxSignal {
    let mut rest = code.char_indices().peekable();
    // The open constructs: brackets as their closing characters, and templates, whose text
    // continues after a `}`.
    let mut open: Vec<char> = Vec::new();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|&(_, next)| next);
        if open.last() == Some(&'`') {
            match (c, next) {
                ('\\', _) => {
                    rest.next();
                }
                ('$', Some('{')) => {
                    rest.next();
                    open.push('}');
                }
                ('`', _) => {
                    open.pop();
                }
                _ => {}
            }
            continue;
        }
        match (c, next) {
            ('"' | '\'', _) => {
                let mut closed = false;
                while let Some((_, inside)) = rest.next() {
                    match inside {
                        '\\' => {
                            rest.next();
                        }
                        _ if inside == c => {
                            closed = true;
                            break;
                        }
                        // A string ends with its line, so this quote is an apostrophe.
                        '\n' => {
                            closed = true;
                            break;
                        }
                        _ => {}
                    }
                }
                if !closed {
                    return unfinished("a string");
                }
            }
            ('/', Some('/')) => {
                let newline = rest.by_ref().any(|(_, c)| c == '\n');
                if !newline {
                    return unfinished("a comment");
                }
            }
            ('/', Some('*')) => match code[at + 2..].find("*/") {
                Some(length) => {
                    let end = at + 2 + length + 2;
                    while rest.next_if(|&(at, _)| at < end).is_some() {}
                }
                None => return unfinished("a comment"),
            },
            ('`', _) => open.push('`'),
            ('{', _) => open.push('}'),
            ('(', _) => open.push(')'),
            ('[', _) => open.push(']'),
            ('}' | ')' | ']', _) if open.pop() != Some(c) => {
                return MdxSignal::Error(
                    format!("`{c}` closes nothing in this expression"),
                    at,
                    Box::new("expression".to_owned()),
                    Box::new("hud".to_owned()),
                );
            }
            _ => {}
        }
    }
    match open.last() {
        Some('`') => unfinished("a template"),
        Some(_) => unfinished("a bracket"),
        None => MdxSignal::Ok,
    }
}

/// The signal that the brace belongs to a construct that is still open.
fn unfinished(what: &str) -> MdxSignal {
    MdxSignal::Eof(
        format!("{what} is not closed in this expression"),
        Box::new("expression".to_owned()),
        Box::new("hud".to_owned()),
    )
}
