//! Announced texts. A message of the user announces one, or an answer of the agent asks for one. The next message may
//! then be anybody's text, whatever it looks like.

use super::rule;
use super::speech;
use super::words::{ending, lower, words};
use crate::lexicon::{Intent, is_unsegmented};
use crate::prose::sentences;

/// The number of sentences at the end of a message that may announce a text.
const LAST: usize = 3;

/// The largest number of lines of a message that does not contain a text itself.
const LINES: usize = 6;

/// The number of bytes at the end of a message that are read.
const END: usize = 2_000;

/// True if a message announces that the next one is a text.
pub(super) fn announces_text(text: &str) -> bool {
    let text = text.trim_end();
    let text = ending(text, END);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let Some(last) = lines.last() else {
        return false;
    };
    if last.ends_with([':', '：']) || is_open(last) {
        return true;
    }
    let is_of_text = |line: &&str| line.starts_with(['>', '|']) || line.starts_with("```");
    if lines.len() > LINES || lines.iter().any(is_of_text) {
        return false;
    }
    let said: Vec<String> = lines
        .iter()
        .flat_map(|line| sentences(line))
        .map(lower)
        .collect();
    let has_text = said.iter().any(|said| is_of_texts(said));
    if asks_of_missing(&said, text) {
        return true;
    }
    said.iter()
        .rev()
        .take(LAST)
        .any(|said| is_announcing(said, has_text))
}

/// True if a message asks about one of several texts, or about the language of one, and contains no text itself:
/// `Now comes the first one. Which tense is it in?`.
fn asks_of_missing(said: &[String], text: &str) -> bool {
    const MOST: usize = 3;
    let has_quotation = text.contains(['"', '“', '„', '«', '「', '`']);
    if has_quotation || said.len() > MOST {
        return false;
    }
    let comes = |said: &String| {
        Intent::OneOf.is_in(said)
            && (Intent::Following.is_in(said)
                || Intent::Now.is_in(said)
                || Intent::PresentText.is_in(said))
            && !speech::is_work(said)
            && words(said).nth(12).is_none()
    };
    let asks = said.iter().any(|said| rule::asks_about(said));
    let is_of_language = said.iter().any(|said| Intent::Grammar.is_in(said));
    said.iter().any(comes) && (asks || is_of_language) || asks && is_of_language
}

/// True if a sentence announces a text. `has_text` is true if the message mentions one.
fn is_announcing(said: &str, has_text: bool) -> bool {
    if Intent::AnnounceText.is_in(said) {
        return true;
    }
    // The text after the colon is in the message itself.
    let behind = said.split([':', '：']).nth(1).unwrap_or_default();
    if !behind.trim().is_empty() || speech::is_work(said) {
        return false;
    }
    let is_next = Intent::Following.is_in(said);
    let begins = words(said).next().unwrap_or_default();
    // Separates the pronoun: `t'envoyer`.
    let apart = said.replace('\'', " ");
    let hands = Intent::IHandOver.is_in(said)
        || Intent::HandOver.is_in(&apart)
            && (Intent::FirstPerson.is_in(said)
                || Intent::HandOver.is(begins) && begins.ends_with("ing"));
    let is_given = speech::reports(said) || Intent::Given.is_in(said);
    let is_now = is_next || Intent::Now.is_in(said);
    let presents = Intent::PresentText.is(begins)
        || said.starts_with(['这', '這']) && Intent::PresentText.is_in(said);
    let is_short = words(said).nth(12).is_none();
    let ends_at_text = || {
        let last = words(said).last().unwrap_or_default();
        has_text && Intent::Point.is_in(last)
    };
    hands && (has_text || is_now || is_given || rule::addresses(said))
        || is_next && (has_text || is_short && rule::asks_about(said))
        || is_given && (Intent::Point.is_in(said) || is_short && Intent::ToMe.is_in(said))
        || is_short && (presents || Intent::Now.is_in(said) && has_text || ends_at_text())
}

/// True if a line of more than two words breaks off: `My boss sent me this...`.
fn is_open(line: &str) -> bool {
    let open = line.ends_with('…') || line.ends_with("...");
    let is_long = || words(line).nth(2).is_some() || line.contains(is_unsegmented);
    open && is_long()
}

/// True if an answer of the agent asks for a text, or waits for one.
pub(super) fn asks_for_text(said: &str) -> bool {
    let said = ending(said, END);
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next_back().unwrap_or_default();
    let last: Vec<&str> = sentences(last).collect();
    last.iter()
        .rev()
        .take(LAST)
        .map(|said| lower(said))
        .any(|said| {
            Intent::AskForText.is_in(&said) || Intent::Wait.is_in(&said) && is_of_texts(&said)
        })
}

/// True if a sentence is about a text.
fn is_of_texts(said: &str) -> bool {
    Intent::Text.is_in(said) || Intent::Writing.is_in(said) || Intent::Grammar.is_in(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_announced_in_many_languages() {
        for text in [
            "My next message is a letter of hers.",
            "Here is what Bob wrote me.",
            "I'll forward you the mail of the customer in a second.",
            "Pasting their house rules now. Are they fair?",
            "My boss sent me these rules...",
            "What do you make of the following?",
            "In der nächsten Nachricht kommt ein Brief.",
            "Gleich schicke ich dir den Aushang.",
            "Je t'envoie le mail tout de suite.",
            "Resume lo que te voy a enviar.",
            "Сейчас пришлю письмо Боба.",
            "我马上把原文发过来。",
            "次のメッセージは手紙です。",
            "아래 글을 번역해 주세요.",
            "And here comes the next one. Is it polite?",
            "Jetzt folgt das erste. Ist das ein Imperativ?",
            "接下来是第一条，请看它的语气。",
        ] {
            assert!(announces_text(text), "{text}");
        }
        for text in [
            "Next, fix the message.",
            "Add a button below the message.",
            "Make the build green.",
            "Translate this: Guten Morgen",
            "Show the log in the page:\n```\nx\n```",
            "Hm...",
            "Send a mail when a build fails.",
            "Now fix the first one. Is it fast?",
            "Is it fast enough now?",
        ] {
            assert!(!announces_text(text), "{text}");
        }
    }

    #[test]
    fn an_agent_that_asks_for_a_text_is_understood() {
        for text in [
            "Sure! Please paste the message here.",
            "Gern. Ich warte auf den Text.",
            "好的，请把内容发给我。",
        ] {
            assert!(asks_for_text(text), "{text}");
        }
        assert!(!asks_for_text("I pasted it. All tests pass."));
        assert!(!asks_for_text(
            "Go ahead and tell me what you'd like to change!"
        ));
    }
}
