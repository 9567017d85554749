//! Statements that differ in a value alone: `the cap is $201`, and later `Actually the cap is $956 now`.

use super::alike::is_idle;

/// Whether a later statement is an earlier one with another value: their words are the same, in their order, but for one
/// that is a number or a name in the place of another, and for words at the edges that only say that it is new.
///
/// It goes by the words that both have, in whatever language: what is common comes first in both, or last.
pub(super) fn is_changed(before: &str, after: &str) -> bool {
    let (before, after) = (tokens(before), tokens(after));
    let values = |tokens: &[Token]| tokens.iter().filter(|token| token.is_value).count();
    // Without a value in its place nothing is known to be changed.
    if values(&before) == 0 || values(&before) != values(&after) || before == after {
        return false;
    }
    // `Never touch file 1` and `Never touch file 2` are two rules: what is denied of one value is not of the other.
    let denies = |tokens: &[Token]| {
        tokens
            .iter()
            .any(|token| DENIES.contains(&token.text.as_str()))
    };
    let compares = before
        .iter()
        .any(|token| COMPARES.contains(&token.text.as_str()));
    if denies(&before) && !compares && before.len() >= after.len() {
        return false;
    }
    let common = common(&before, &after);
    let plain = |tokens: &[Token]| {
        tokens
            .iter()
            .filter(|token| !token.is_value && token.tells)
            .count()
    };
    let (one, other) = (plain(&before), plain(&after));
    let least = one.min(other);
    // Almost all that both say besides, and something of it.
    least > 0 && common * 4 >= one * 3 && other <= one + EXTRA
}

/// Words that deny.
const DENIES: &[&str] = &[
    "never",
    "don't",
    "dont",
    "not",
    "no",
    "avoid",
    "without",
    "nie",
    "niemals",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "ohne",
    "jamais",
    "ne",
    "pas",
    "sans",
    "nunca",
    "sin",
    "nessun",
    "não",
    "sem",
    "никогда",
    "не",
    "нельзя",
    "без",
    "不",
    "别",
    "勿",
    "禁",
    "ない",
    "마",
];

/// Words by which a value is a bound.
const COMPARES: &[&str] = &[
    "than",
    "exceed",
    "above",
    "over",
    "below",
    "under",
    "beyond",
    "least",
    "most",
    "über",
    "unter",
    "mehr",
    "als",
    "plus",
    "moins",
    "dépasser",
    "más",
    "menos",
    "superar",
    "mais",
    "più",
    "больше",
    "меньше",
    "более",
    "менее",
    "超",
    "过",
    "過",
    "超え",
    "上",
    "下",
    "以",
];

/// How many words a correction may have more than what it corrects: `actually`, `now`, `instead of`.
const EXTRA: usize = 4;

/// A word, a number, or a character where no spaces part words.
#[derive(Debug, PartialEq, Eq)]
struct Token {
    text: String,
    /// Whether it is a number, with what is around it.
    is_value: bool,
    /// Whether it tells what the statement is about.
    tells: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut word = String::new();
    let end = |word: &mut String, tokens: &mut Vec<Token>| {
        let trimmed = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !trimmed.is_empty() {
            let text = trimmed.to_lowercase();
            // `module01` is a name.
            let is_value = text.starts_with(char::is_numeric);
            let tells = text.chars().nth(2).is_some() && !is_idle(&text);
            tokens.push(Token {
                text,
                is_value,
                tells,
            });
        }
        word.clear();
    };
    for c in text.chars() {
        let is_dense = u32::from(c) >= 0x2E80 && c.is_alphabetic();
        let last_is_number = word.chars().any(char::is_numeric);
        if c.is_whitespace() || (is_dense && last_is_number) {
            end(&mut word, &mut tokens);
        }
        if is_dense {
            end(&mut word, &mut tokens);
            tokens.push(Token {
                text: c.to_string(),
                is_value: false,
                tells: true,
            });
        } else if !c.is_whitespace() {
            word.push(c);
        }
    }
    end(&mut word, &mut tokens);
    tokens
}

/// How many telling words that are no values two statements have in common, in the same order.
fn common(one: &[Token], other: &[Token]) -> usize {
    let plain = |tokens: &'_ [Token]| -> Vec<String> {
        let told = tokens.iter().filter(|token| !token.is_value && token.tells);
        told.map(|token| token.text.clone()).take(LONGEST).collect()
    };
    let (one, other) = (plain(one), plain(other));
    let mut row = vec![0_usize; other.len() + 1];
    for word in &one {
        let mut diagonal = 0;
        for (at, with) in other.iter().enumerate() {
            let above = row.get(at + 1).copied().unwrap_or(0);
            let left = row.get(at).copied().unwrap_or(0);
            let best = match word == with {
                true => diagonal + 1,
                false => above.max(left),
            };
            diagonal = above;
            if let Some(place) = row.get_mut(at + 1) {
                *place = best;
            }
        }
    }
    row.last().copied().unwrap_or(0)
}

/// How many words of a statement are compared.
const LONGEST: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_with_another_value_is_the_same_one_changed() {
        for (before, after) in [
            ("Budget cap is $201", "Actually the budget cap is $956 now"),
            ("The retry limit must be 3.", "the retry limit must be 5"),
            (
                "Never use more than 4 workers",
                "Never use more than 8 workers, please",
            ),
            (
                "Das Budget darf nicht über 200 € liegen",
                "Das Budget darf nicht über 350 € liegen",
            ),
            (
                "Le délai doit rester sous 30 s",
                "Finalement le délai doit rester sous 45 s",
            ),
            (
                "Лимит должен быть 10 запросов",
                "Теперь лимит должен быть 25 запросов",
            ),
            ("预算必须低于200元", "预算必须低于350元"),
            ("必ず3回まで再試行する", "必ず5回まで再試行する"),
        ] {
            assert!(is_changed(before, after), "{before} / {after}");
        }
    }

    #[test]
    fn another_statement_is_none_that_changed() {
        for (before, after) in [
            ("Budget cap is $201", "Budget cap is $201"),
            ("Budget cap is $201", "The latency limit is 200 ms"),
            ("Never commit", "Never push"),
            (
                "Keep node 20 for the api",
                "Keep node 18 for the worker of the mail queue",
            ),
            ("Use port 8080", "Use the cache"),
            ("", ""),
        ] {
            assert!(!is_changed(before, after), "{before} / {after}");
        }
    }
}
