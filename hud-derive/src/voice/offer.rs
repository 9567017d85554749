//! Offers and questions of the agent, which short answers refer to.

use super::words::{beginning, clip, lower};
use crate::lexicon::Intent;
use crate::prose::{self, Kind, blocks, blocks_from_end, plain, sentences};

/// The longest offer that is kept, in characters.
const OFFER: usize = 220;

/// The longest item of an offer that is kept, in characters.
const ITEM: usize = 110;

/// The largest number of items of an offer that become requests.
const ITEMS: usize = 12;

/// The offer at the end of an agent's message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// The offered action.
    pub(super) text: String,
    /// The items that it applies to, if the offer refers to a list.
    pub(super) items: Vec<String>,
    /// True if it is a question. False if it is a request for confirmation.
    pub(super) is_question: bool,
}

/// Returns the offer at the end of an agent's message, which is a question in its last paragraphs.
pub(super) fn offer(said: &str) -> Option<Offer> {
    offer_in(&last_lines(said), said)
}

/// True if a line may be a question. Most languages use the ASCII question mark.
fn may_ask(line: &str) -> bool {
    line.contains('?') || !line.is_ascii()
}

/// Returns the offer of a message with these last lines.
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
        // Lower case letters may be longer than upper case ones.
        asked
            .get(put.end..)
            .filter(|_| lowered.len() == asked.len())
    });
    // A request for confirmation that names nothing is not an offer.
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

/// An offer of `these changes`, with the items of the list before it.
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

/// The last sentence that announces an action of the agent. It explains `these details` if there is no list.
fn announced(said: &str) -> Option<String> {
    let announces = |sentence: &&str| Intent::AboutTo.is_in(&lower(sentence));
    last_lines(said).into_iter().find_map(|line| {
        let sentence = sentences(line).filter(announces).last()?;
        Some(plain(sentence).trim_end_matches('.').to_owned())
    })
}

/// True if a message ends with a question to the user, or with `please`.
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

/// The limits of a kept offer: its characters, the characters of a line, and the number of lines after its lists.
const KEPT: (usize, usize, usize) = (2_000, 240, 4);

/// Returns the offer or question of a message in short: its lists and its last lines. [`offer`], [`option`] and
/// [`asks`] return the same for it as for the message. `None` if the message ends with neither.
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
            // Numbered options are in the list already.
            Kind::Line | Kind::Heading if !options(block.text).is_empty() => {}
            Kind::Line | Kind::Heading | Kind::Quote => rest.push(clip(block.text, of_line)),
            Kind::Item { .. } | Kind::Code | Kind::Row | Kind::Gap => {}
        }
    }
    kept.extend(items.into_iter().take(ITEMS));
    kept.extend(rest.split_off(rest.len().saturating_sub(last)));
    // The question is at the end.
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

/// Returns the numbered item of a message that an answer names. The greatest number stands for the last item.
pub(super) fn option(said: &str, number: u32) -> Option<String> {
    let all = options(said);
    let found = match number {
        u32::MAX => all.into_iter().next_back(),
        number => all.into_iter().rev().find(|(of, _)| *of == number),
    };
    found.map(|(_, item)| item)
}

/// The numbered items of a message, from lists, headings and bold lines.
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
        let lowered = lower(beginning(text, 12));
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

/// The last lines of a message that are not code, in reverse order.
fn last_lines(said: &str) -> Vec<&str> {
    /// The number of lines from the end that may have an offer.
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
