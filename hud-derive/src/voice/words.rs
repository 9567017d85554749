//! Words for comparisons: in lower case, without surrounding marks and inflections.

use std::collections::BTreeSet;

pub(super) use hud_store::text::{beginning, ending};

use crate::lexicon::{Intent, is_unsegmented};
pub(super) use crate::prose::{lower, without_start};

/// The words of a text in lower case, including apostrophes.
pub(super) fn words(lowered: &str) -> impl Iterator<Item = &str> + Clone {
    lowered
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
}

/// The subject of a text: its words of four or more letters without their endings. In scripts without spaces, each pair
/// of adjacent characters.
pub(super) fn about(text: &str) -> BTreeSet<String> {
    let text = lower(text);
    let mut about = BTreeSet::new();
    for word in words(&text) {
        if !word.is_ascii() && word.contains(is_unsegmented) {
            let next = word.chars().skip(1);
            about.extend(
                word.chars()
                    .zip(next)
                    .map(|(one, other)| format!("{one}{other}")),
            );
        } else if word.chars().nth(3).is_some() {
            let stem = stem(word);
            about.extend((!Intent::StopStem.is(stem)).then(|| stem.to_owned()));
        }
    }
    about
}

/// True if two texts have the same subject. They have a quarter of the words of the shorter one in common.
pub(super) fn share(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    shared > 0 && shared * 4 >= one.len().min(other.len())
}

fn stem(word: &str) -> &str {
    for ending in ["ing", "ied", "ies", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().nth(2).is_some()
        {
            return stem;
        }
    }
    word
}

/// A text of at most this number of characters. A longer one is cut at the end of a word and ends in `…`.
pub(super) fn clip(text: &str, most: usize) -> String {
    hud_components::text::line(text, most).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_what_they_are_about_however_it_is_inflected() {
        let shared = |one, other| share(&about(one), &about(other));
        assert!(shared("Remove the start command", "what commands remain?"));
        assert!(shared("修复测试", "修复测试"));
        assert!(!shared("Please make it work", "what does that do?"));
    }
}
