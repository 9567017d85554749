//! Statements of the user that a later one replaces: the same words with another value.

use super::{Heading, Item};

/// The number of words of a statement that are compared.
const WORDS: usize = 40;

/// The number of words that a later statement may have more: `actually`, `now`.
const MORE: usize = 4;

/// Removes units of the user's messages, and rules, that a later message says with another value.
pub(super) fn remove(items: &mut Vec<Item<'_>>) {
    let is_users = |item: &Item<'_>| matches!(item.heading, Heading::Task | Heading::Rules);
    let mut later: Vec<Vec<Token>> = Vec::new();
    for item in items.iter_mut().rev().filter(|item| is_users(item)) {
        let mut own = Vec::new();
        for unit in &item.units {
            own.push(tokens(&unit.text));
        }
        let mut at = 0;
        item.units.retain(|_| {
            let unit = own.get(at);
            at += 1;
            unit.is_none_or(|unit| !later.iter().any(|later| replaces(unit, later)))
        });
        later.extend(own);
    }
    items.retain(|item| !is_users(item) || !item.units.is_empty());
}

#[derive(Debug, PartialEq, Eq)]
struct Token {
    text: String,
    is_value: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let word = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '-' | '/' | '.' | ':' | '@' | '$' | '€' | '£' | '%')
    };
    let words = text.split(|c| !word(c));
    let words = words.map(|text| text.trim_matches(|c: char| matches!(c, '.' | ':' | '-' | '/')));
    let words = words.filter(|text| !text.is_empty()).take(WORDS);
    words
        .map(|text| Token {
            is_value: text.contains(|c: char| c.is_numeric()),
            text: text.to_lowercase(),
        })
        .collect()
}

/// True if a later statement has the words of an earlier one in their order, and another value in the place of at least
/// one, and no other word differs but for a few that it adds.
fn replaces(earlier: &[Token], later: &[Token]) -> bool {
    if earlier.len() < 3 || later.len() > earlier.len() + MORE {
        return false;
    }
    let (mut differs, mut same) = (false, 0);
    let mut rest = later.iter();
    for token in earlier {
        let found = rest.find(|other| match token.is_value {
            true => other.is_value,
            false => *other == token,
        });
        match found {
            None => return false,
            Some(other) if token.is_value => differs |= other.text != token.text,
            Some(_) => same += 1,
        }
    }
    differs && same >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_with_another_value_replace_and_other_words_do_not() {
        for (earlier, later, expected) in [
            (
                "Budget cap is $201",
                "Actually the budget cap is $956 now",
                true,
            ),
            (
                "Das Limit ist 20 Anfragen",
                "Das Limit ist jetzt 50 Anfragen",
                true,
            ),
            (
                "Limit is 20 for production",
                "Limit is 50 for staging",
                false,
            ),
            ("Budget cap is $201", "Budget cap is $201", false),
            ("see 3", "see 4", false),
        ] {
            assert_eq!(
                replaces(&tokens(earlier), &tokens(later)),
                expected,
                "{later}"
            );
        }
    }
}
