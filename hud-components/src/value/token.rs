//! The words of a statement.

use super::words::{self, Role};

/// The most words of a statement that are compared.
const LONGEST: usize = 120;

/// A word, or a character where no spaces part words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// In small letters.
    pub(super) text: String,
    pub(super) role: Role,
    pub(super) shape: Shape,
    /// True of a character of a script without spaces.
    pub(super) is_dense: bool,
    /// True if a comma follows.
    ends_clause: bool,
}

/// The form of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// It begins with a digit: an amount, a date, a time, a version.
    Number {
        /// True if its unit is a part of it.
        has_unit: bool,
    },
    /// A path, an identifier, a name.
    Name,
}

impl Token {
    pub(super) fn tells(&self) -> bool {
        matches!(self.role, Role::Tells | Role::Fixed | Role::Uses)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.shape, Shape::Number { .. })
    }

    /// True of a word that is a value by its form.
    pub(super) fn is_value(&self) -> bool {
        self.shape != Shape::Plain || self.role == Role::Fixed
    }
}

/// The words of a statement, each with its part.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = split(text);
    tokens.truncate(LONGEST);
    let mut at = 0;
    while let Some(rest) = tokens.get_mut(at..)
        && let Some(first) = rest.first()
    {
        // A name that is written as one is no word of any language.
        let is_name = first.shape == Shape::Name && first.text.contains(['/', '_', '.']);
        let (role, length) = match is_name {
            true => (Role::Tells, 1),
            false => words::role(rest.iter().map(|token| token.text.as_str())),
        };
        // `No, use spaces`.
        let answers = at == 0 && role == Role::Denies && length == 1 && first.ends_clause;
        let role = match answers {
            true => Role::Corrects,
            false => role,
        };
        for token in rest.iter_mut().take(length) {
            token.role = role;
        }
        at += length;
    }
    tokens
}

/// The words of a text as they are compared.
pub(super) fn words_of(text: &str) -> Vec<String> {
    split(text).into_iter().map(|token| token.text).collect()
}

fn split(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let is_dense = is_dense(c);
        if is_dense || c.is_whitespace() {
            end(&mut word, &mut tokens);
        }
        match c {
            _ if is_dense => {
                let shape = match ('\u{30A1}'..='\u{30FF}').contains(&c) {
                    // Katakana: a word of another language, or a name.
                    true => Shape::Name,
                    false => Shape::Plain,
                };
                tokens.push(token(c.to_string(), shape, true));
            }
            // Punctuation of these scripts parts words as spaces do.
            '，' | '、' | '。' | '！' | '？' | '（' | '）' | '「' | '」' | '；' => {
                end(&mut word, &mut tokens);
                if let Some(last) = tokens.last_mut() {
                    last.ends_clause |= matches!(c, '，' | '、');
                }
            }
            '：' => {
                end(&mut word, &mut tokens);
                tokens.push(token(":".to_owned(), Shape::Plain, false));
            }
            _ if c.is_whitespace() => {}
            _ => word.push(c),
        }
    }
    end(&mut word, &mut tokens);
    tokens
}

fn is_dense(c: char) -> bool {
    u32::from(c) >= 0x2E80 && c.is_alphabetic()
}

const fn token(text: String, shape: Shape, is_dense: bool) -> Token {
    Token {
        text,
        role: Role::Tells,
        shape,
        is_dense,
        ends_clause: false,
    }
}

/// Ends a word that spaces part from others.
fn end(word: &mut String, tokens: &mut Vec<Token>) {
    let said = std::mem::take(word);
    let is_first = tokens.is_empty();
    let ends_clause = said.ends_with(',');
    // `Reviewer: Ana`, `log_level=info`.
    let (said, links) = match said.strip_suffix(':') {
        Some(said) => (said, true),
        None => (said.as_str(), false),
    };
    if let Some((key, value)) = said.split_once('=')
        && !said.contains(['?', '/', '<', '>', '!'])
        && said.len() > 1
    {
        for part in [key, "=", value] {
            end(&mut part.to_owned(), tokens);
        }
        return;
    }
    let is_code = said.contains('`');
    let edge = |c: char| {
        !c.is_alphanumeric()
            && !matches!(c, '/' | '$' | '€' | '£' | '¥' | '₽' | '%' | '_' | '@' | '#')
    };
    let bare = said.trim_matches(edge);
    // `.env` and `./a`.
    let from = said.find(bare).unwrap_or(0);
    let bare = match said.get(..from) {
        Some(before) if before.ends_with('.') && !bare.is_empty() => said
            .get(from.saturating_sub(1)..from + bare.len())
            .unwrap_or(bare),
        _ => bare,
    };
    if bare.is_empty() {
        if matches!(said, "=" | "—" | "–" | "-") {
            tokens.push(token(said.to_owned(), Shape::Plain, false));
        }
    } else {
        // `l'API`, `d'abord`.
        let (article, noun) = match bare.split_once(['\'', '’']) {
            Some((article, noun)) if article.chars().count() == 1 && !noun.is_empty() => {
                (Some(article), noun)
            }
            _ => (None, bare),
        };
        if let Some(article) = article {
            tokens.push(token(article.to_lowercase(), Shape::Plain, false));
        }
        let shape = shape(noun, is_first, is_code);
        let mut token = token(noun.to_lowercase().replace('’', "'"), shape, false);
        token.ends_clause = ends_clause;
        tokens.push(token);
    }
    if links {
        tokens.push(token(":".to_owned(), Shape::Plain, false));
    }
}

fn shape(word: &str, is_first: bool, is_code: bool) -> Shape {
    let amount = word.trim_start_matches(['$', '€', '£', '¥', '-', '+', '<', '>', '~']);
    if amount.starts_with(char::is_numeric) {
        let has_unit = word.starts_with(['$', '€', '£', '¥'])
            || amount.ends_with(|c: char| c.is_alphabetic() || matches!(c, '%' | '€' | '$' | '₽'));
        return Shape::Number { has_unit };
    }
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let is_inner = |c: char| matches!(c, '/' | '_' | '.' | '\\' | ':' | '@') || c.is_numeric();
    let is_camel = letters.clone().any(char::is_uppercase);
    match is_code
        || word.starts_with('#')
        || (is_capital && !is_first)
        || is_camel
        || word.contains(is_inner)
    {
        true => Shape::Name,
        false => Shape::Plain,
    }
}
