//! What the agent offers or asks for, which short answers answer.

use super::words::{clip, head, lower};
use crate::lexicon::Intent;
use crate::prose::{self, Kind, blocks, blocks_from_end, plain, sentences};

/// How long an offer is kept at most, in characters.
const OFFER: usize = 220;

/// How long an item of an offer is kept at most, in characters.
const ITEM: usize = 110;

/// How many items of an offer are requests.
const ITEMS: usize = 12;

/// What an agent offered at the end of its message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// What is done if it is taken.
    pub(super) text: String,
    /// What it is done to, where the offer speaks of a list.
    pub(super) items: Vec<String>,
    /// Whether it was asked for, rather than to be confirmed.
    pub(super) is_question: bool,
}

/// The offer that a message of an agent ends with: a question in its last paragraphs.
pub(super) fn offer(said: &str) -> Option<Offer> {
    offer_in(&last_lines(said), said)
}

/// Whether a line may ask something, which those of most languages do with a mark of ASCII.
fn may_ask(line: &str) -> bool {
    line.contains('?') || !line.is_ascii()
}

/// The offer of a message with these last lines.
fn offer_in(lines: &[&str], said: &str) -> Option<Offer> {
    let asked = lines.iter().find_map(|line| {
        let may_confirm = Intent::Confirm.is_in(&lower(line));
        if !may_confirm && !may_ask(line) {
            return None;
        }
        let mut asked = sentences(line).filter(|sentence| {
            (may_confirm && Intent::Confirm.is_in(&lower(sentence)))
                || sentence
                    .trim_end_matches(['*', '_', ' '])
                    .ends_with(['?', '？', '؟'])
                || sentence
                    .trim_end_matches('。')
                    .ends_with(['か', '吗', '呢', '요', '까'])
        });
        asked.next()
    })?;
    let asked = plain(asked);
    let lowered = lower(&asked);
    let confirms = Intent::Confirm.is_in(&lowered);
    if Intent::AskUser.is_in(&lowered) && !confirms {
        return None;
    }
    let put = Intent::Offer.first_in(&lowered).and_then(|put| {
        // Small letters may be longer than great ones.
        asked
            .get(put.end..)
            .filter(|_| lowered.len() == asked.len())
    });
    // What is to be confirmed without saying what is nothing.
    if confirms && put.is_none() {
        return None;
    }
    let text = put.unwrap_or(&asked).trim();
    let text = text.trim_end_matches(['?', '？', '.']);
    let speaks_of_list = put.is_some() && Intent::Listed.is_in(&lowered);
    let items: Vec<String> = match speaks_of_list {
        true => {
            let items = options(said).into_iter().map(|(_, item)| item);
            items.take(ITEMS).collect()
        }
        false => Vec::new(),
    };
    let text = match items.is_empty() && put.is_some() && Intent::Pronoun.is_in(&lowered) {
        true => with_list(text, said),
        false => text.to_owned(),
    };
    Some(Offer {
        text: clip(&text, OFFER),
        items,
        is_question: !confirms,
    })
}

/// An offer of `these changes` with the items of the list before it.
fn with_list(offer: &str, said: &str) -> String {
    let [begin, end] = prose::read(said);
    let mut list: Vec<String> = Vec::new();
    let mut goes_on = false;
    for block in blocks(begin).chain(blocks(end)) {
        match block.kind {
            Kind::Item { .. } => {
                if !goes_on {
                    list.clear();
                }
                goes_on = true;
                list.push(plain(block.text));
            }
            Kind::Gap => {}
            _ => goes_on = false,
        }
    }
    if list.is_empty() {
        list.extend(announced(said));
    }
    match list.is_empty() {
        true => offer.to_owned(),
        false => format!("{offer}: {}", list.join("; ")),
    }
}

/// The last sentence in which an agent says what it is about to do: what `these details` are where no list says it.
fn announced(said: &str) -> Option<String> {
    let announces = |sentence: &&str| Intent::AboutTo.is_in(&lower(sentence));
    last_lines(said).into_iter().find_map(|line| {
        let sentence = sentences(line).filter(announces).last()?;
        Some(plain(sentence).trim_end_matches('.').to_owned())
    })
}

/// Whether a message ends by asking the user for something: with a question, or with `please`.
pub(super) fn asks(said: &str) -> bool {
    asks_in(&last_lines(said))
}

fn asks_in(lines: &[&str]) -> bool {
    let mut last = lines.iter().take(2);
    last.any(|line| {
        let lowered = lower(line);
        let is_question = |sentence: &str| sentence.trim_end().ends_with(['?', '？', '؟']);
        (may_ask(line) && sentences(line).any(is_question)) || Intent::PleaseTell.is_in(&lowered)
    })
}

/// How much of what an agent offers is kept, in characters: of all, of a line, and how many lines behind its lists.
const KEPT: (usize, usize, usize) = (2_000, 240, 4);

/// What a message offers or asks for, in short: its lists and its last lines, of which [`offer`], [`option`] and
/// [`asks`] say what they say of the message. None where it ends with neither.
pub(super) fn kept(said: &str) -> Option<String> {
    let tells = |line: &&str| Intent::AskUser.is_in(&lower(line));
    let lines = last_lines(said);
    let is_asked =
        offer_in(&lines, said).is_some() || asks_in(&lines) || lines.iter().take(2).any(tells);
    if !is_asked {
        return None;
    }
    let (most, of_line, last) = KEPT;
    let numbered = options(said).into_iter().take(ITEMS);
    let mut kept: Vec<String> = numbered.map(|(n, item)| format!("{n}. {item}")).collect();
    let [begin, end] = prose::read(said);
    let (mut items, mut rest) = (Vec::new(), Vec::new());
    for block in blocks(begin).chain(blocks(end)) {
        match block.kind {
            Kind::Item { number: None, .. } => {
                items.push(format!("- {}", clip(&plain(block.text), ITEM)));
            }
            // What is numbered is in the list already.
            Kind::Line | Kind::Heading if !options(block.text).is_empty() => {}
            Kind::Line | Kind::Heading | Kind::Quote => rest.push(clip(block.text, of_line)),
            Kind::Item { .. } | Kind::Code | Kind::Row | Kind::Gap => {}
        }
    }
    kept.extend(items.into_iter().take(ITEMS));
    kept.extend(rest.split_off(rest.len().saturating_sub(last)));
    // What is asked is at the end.
    while kept.len() > 1
        && kept
            .iter()
            .map(|line| line.chars().count() + 1)
            .sum::<usize>()
            > most
    {
        kept.remove(0);
    }
    Some(kept.join("\n"))
}

/// The numbered item of a message that an answer names; the last one for the greatest number.
pub(super) fn option(said: &str, number: u32) -> Option<String> {
    let all = options(said);
    let found = match number {
        u32::MAX => all.into_iter().next_back(),
        number => all.into_iter().rev().find(|(of, _)| *of == number),
    };
    found.map(|(_, item)| item)
}

/// The numbered items of a message: of a list, of headings, of bold lines.
fn options(said: &str) -> Vec<(u32, String)> {
    let [begin, end] = prose::read(said);
    let mut found = Vec::new();
    for line in blocks(begin).chain(blocks(end)) {
        let text = match line.kind {
            Kind::Item {
                number: Some(number),
                indent,
                ..
            } if indent < 4 => {
                found.push((number, clip(&plain(line.text), ITEM)));
                continue;
            }
            Kind::Heading | Kind::Line | Kind::Item { .. } => plain(line.text),
            _ => continue,
        };
        let text = text.trim();
        let lowered = lower(head(text, 12));
        let named = Intent::Variant.after(&lowered);
        let rest = match named {
            Some(_) => text.split_once([' ', '案']).map_or(text, |(_, rest)| rest),
            None if line.text.starts_with("**") || line.kind == Kind::Heading => text,
            None => continue,
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(number) = rest
            .get(..digits)
            .and_then(|digits| digits.parse::<u32>().ok())
        else {
            continue;
        };
        let item = rest.get(digits..).unwrap_or("").trim_start();
        let item = item
            .strip_prefix(['.', ')', ':', '-', '–', '—'])
            .unwrap_or(item)
            .trim_start();
        if !item.is_empty() && number < 100 {
            found.push((number, clip(item, ITEM)));
        }
    }
    found
}

/// The last lines of a message that are no code, from the last one on.
fn last_lines(said: &str) -> Vec<&str> {
    /// No offer is further from the end.
    const LINES: usize = 6;
    let [begin, end] = prose::read(said);
    blocks_from_end(end)
        .chain(blocks_from_end(begin))
        .filter(|line| !matches!(line.kind, Kind::Code | Kind::Gap | Kind::Row))
        .map(|line| line.text)
        .take(LINES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_the_question_at_the_end() {
        let said = "All is done.\n\nWould you like me to run the tests, or look for **others**?";
        assert_eq!(
            offer(said).unwrap().text,
            "run the tests, or look for others"
        );
        assert_eq!(
            offer("修好了。\n\n要我运行测试吗？").unwrap().text,
            "要我运行测试吗"
        );
        assert_eq!(offer("All is done."), None);
        let confirmed = "I will do this:\n- **Cabin:** economy\n- **Refund:** card\n\n\
                         Please confirm if you would like to proceed with these changes.";
        assert_eq!(
            offer(confirmed).unwrap().text,
            "proceed with these changes: Cabin: economy; Refund: card"
        );
        let announced = "Yes. I will move you to flight 266, for $146.\n\n\
                         Please confirm if you would like to proceed with these details.";
        assert_eq!(
            offer(announced).unwrap().text,
            "proceed with these details: I will move you to flight 266, for $146"
        );
        assert_eq!(offer("Please confirm that you have read it."), None);
        assert_eq!(offer("Could you please provide your user name?"), None);
        assert_eq!(offer("```\nreally?\n```\nDone."), None);
    }

    #[test]
    fn an_offer_to_do_all_of_a_list_takes_its_items_in() {
        let said = "**1. `.a` is lost** (High)\n- why\n\n**2. `b` breaks**\n\n---\n\nWant me to fix these? All are valid.";
        let offer = offer(said).unwrap();
        assert_eq!(
            (&*offer.text, &*offer.items),
            (
                "fix these",
                &[".a is lost (High)".to_owned(), "b breaks".to_owned()][..]
            )
        );
    }

    #[test]
    fn what_is_kept_of_an_offer_says_the_same_as_its_message() {
        let long = "Something that was done. ".repeat(400);
        for said in [
            format!("{long}\n\nWould you like me to run the tests, or look for **others**?"),
            format!("{long}\n\n1. Retry\n2. **Cache** it: fast\n\n{long}\n\nWhich one?"),
            format!("### Option 1: Retry\n{long}\n### Option 2: Cache it: fast\n\nTell me which."),
            "**1. `.a` is lost** (High)\n- why\n\n**2. `b` breaks**\n\n---\n\nWant me to fix these?".into(),
            "I will:\n- **Cabin:** economy\n- **Refund:** card\n\nPlease confirm if you want to proceed with this."
                .into(),
        ] {
            let kept = kept(&said).unwrap();
            assert!(kept.chars().count() <= KEPT.0, "{kept}");
            assert_eq!(offer(&kept), offer(&said), "{kept}");
            assert_eq!(option(&kept, 2), option(&said, 2), "{kept}");
            assert_eq!(asks(&kept), asks(&said), "{kept}");
        }
        assert_eq!(kept("All is done.\n1. This\n2. That"), None);
    }

    #[test]
    fn an_answer_by_number_is_the_item_of_that_number() {
        for said in [
            "1. Retry\n2. **Cache** it: fast\n\nWhich one?",
            "### Option 1: Retry\nslow\n### Option 2: Cache it: fast\n",
            "Option 1: Retry\nOption 2 - Cache it: fast",
        ] {
            assert_eq!(option(said, 2).as_deref(), Some("Cache it: fast"), "{said}");
            assert_eq!(
                option(said, u32::MAX).as_deref(),
                Some("Cache it: fast"),
                "{said}"
            );
            assert_eq!(option(said, 7), None);
        }
    }
}
