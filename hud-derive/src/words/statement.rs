//! The statements of a message.

use super::announce::{Announcement, announces_abroad, before_announcement, is_next, is_under_way};
use super::cue::{Said, changes};
use super::half::Half;
use super::name::{measures, names};
use super::over::says_broken;
use super::record::record;
use super::{LEAST, LONGEST, PER_MESSAGE, Statement, clip};
use crate::lexicon::Intent;
use crate::prose::{self, Kind};

/// Returns the statements of a message that weigh most, in their order.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let mut all: Vec<Statement> = Vec::new();
    for part in prose::read(text) {
        collect(part, &mut all);
    }
    while all.len() > PER_MESSAGE {
        let lightest = (0..all.len()).min_by_key(|at| all[*at].weight);
        all.remove(lightest.unwrap_or(0));
    }
    all
}

fn collect(text: &str, all: &mut Vec<Statement>) {
    // The subject of the current list: the line before it, or the parent item.
    let mut about: Option<(usize, String)> = None;
    let mut leads = false;
    let mut is_asked = false;
    let mut half: Option<Half> = None;
    let blocks: Vec<_> = prose::blocks(text).collect();
    let mut at = 0;
    while let Some(block) = blocks.get(at) {
        at += 1;
        if let (Kind::Item { indent, .. }, Some(half)) = (block.kind, &mut half)
            && half.takes(indent, block.text, all)
        {
            continue;
        }
        if block.kind != Kind::Gap
            && let Some(half) = half.take()
        {
            half.end(all);
        }
        match block.kind {
            Kind::Code | Kind::Quote | Kind::Gap => {}
            Kind::Row => {
                let cells: Vec<&str> = block.text.split('|').map(str::trim).collect();
                let cells: Vec<&str> = cells
                    .into_iter()
                    .filter(|cell| !cell.is_empty())
                    .take(3)
                    .collect();
                let made = statement(&cells.join(": "), None, false);
                all.extend(made.filter(|made| made.weight > 0));
            }
            Kind::Heading => {
                about = None;
                leads = false;
                is_asked = false;
            }
            Kind::Line => {
                about = None;
                let line = prose::plain(block.text);
                let is_label = line.ends_with(':');
                if is_label && !line.contains(' ') {
                    about = Some((0, line.trim_end_matches(':').to_owned()));
                }
                leads = is_label && Said::of(&line.to_lowercase()).finds;
                is_asked = is_label && (asks_about(&line) || is_plan(&line));
                let mut follows = false;
                let behind = blocks.get(at..).unwrap_or_default();
                let of_list = (is_label && !is_asked).then(|| record(block.text, behind));
                if let Some((record, taken)) = of_list.flatten() {
                    all.push(record);
                    at += taken;
                    continue;
                }
                for sentence in prose::sentences(block.text) {
                    let made = statement(sentence, None, false);
                    let last = all.last_mut().filter(|_| follows);
                    follows = made.is_some();
                    match (made, last) {
                        // A few words belong to the sentence next to them.
                        (Some(made), Some(last))
                            if is_short(&made.text) || is_short(&last.text) =>
                        {
                            last.text = clip(&format!("{} {}", last.text, made.text), LONGEST);
                            last.weight = last.weight.max(made.weight);
                        }
                        (made, _) => all.extend(made),
                    }
                }
                // A few words without a sentence next to them are dropped.
                all.retain(|made| made.weight > 0);
                half = Half::of(&line, 0, all).filter(|_| follows);
            }
            Kind::Item {
                indent, checked, ..
            } => {
                if checked == Some(false) || is_asked {
                    continue;
                }
                let line = prose::plain(block.text);
                let parent = about
                    .as_ref()
                    .filter(|(at, name)| *at <= indent && is_label(name));
                let parent = parent.map(|(_, name)| name.as_str());
                let made = statement(block.text, parent, true);
                let is_parent = made.is_none() || line.trim_end().ends_with(':');
                if indent == 0 && is_parent {
                    let name = line
                        .split([':', '—', '–'])
                        .next()
                        .unwrap_or_default()
                        .trim();
                    about = Some((indent + 1, name.to_owned()));
                }
                let made = made.filter(|made| made.weight > 0);
                let is_kept = made.is_some();
                all.extend(made.map(|made| match leads {
                    true => Statement {
                        weight: (made.weight + 1).min(9),
                        ..made
                    },
                    false => made,
                }));
                if is_kept {
                    half = Half::of(&line, indent + 1, all);
                }
            }
        }
    }
    if let Some(half) = half {
        half.end(all);
    }
}

/// Returns the statement of a sentence or of an item of a list. `None` if it should not be kept.
fn statement(marked: &str, about: Option<&str>, is_item: bool) -> Option<Statement> {
    let plain = prose::plain(marked);
    let text = without_filler(plain.trim());
    let done = behind_done(text);
    let mut text = done.unwrap_or(text);
    let mut lower = text.to_lowercase();
    // Lower case letters may be longer than upper case ones.
    if text.len() == lower.len()
        && let Some(end) = before_announcement(&lower)
    {
        text = text.get(..end)?;
        lower.truncate(end);
    }
    if text.chars().nth(11).is_none() || text.ends_with(['?', '？']) {
        return None;
    }
    let announced = Announcement::of(&lower);
    let Said {
        finds,
        chooses,
        decides,
        intends,
        contrasts,
    } = match &announced {
        // An announced act and its purpose are not findings.
        Some(announced) => Said {
            finds: false,
            ..Said::of(announced.clause)
        },
        None => Said::of(&lower),
    };
    let looks = announced.as_ref().is_some_and(Announcement::looks);
    let does = announced.as_ref().is_some_and(Announcement::does);
    let chooses = chooses || (intends && (does || !looks));
    // Most of an agent's sentences announce the next look.
    if looks && !chooses {
        return None;
    }
    let measures = measures(text);
    let code = u8::try_from(marked.matches('`').count() / 2).unwrap_or(u8::MAX);
    let names = names(text).max(code).saturating_add(measures.min(2));
    let changes = done.is_some() || changes(&lower);
    // A repair that is announced shows that something is broken.
    let mends = |said: &Announcement<'_>| said.mends() && says_broken(said.clause);
    let mends = announced.as_ref().is_some_and(mends);
    // The result of an announced act is known soon. A choice between two things is kept.
    if (does && !(chooses && contrasts && names > 0) && !mends)
        || (text.ends_with([':', '：'])
            && only_leads(&lower, finds || chooses || contrasts || changes))
        || (!finds && !contrasts && measures == 0 && is_under_way(&lower))
        || (!finds && !chooses && !contrasts && done.is_none() && announces_abroad(&lower))
        || lower.starts_with("to confirm")
        || (names == 0 && (is_ours(&lower) || is_to_user(&lower)))
    {
        return None;
    }
    let mut weight = names.min(3);
    weight += if finds { 3 } else { 0 };
    weight += if changes || chooses { 2 } else { 0 };
    weight += u8::from(contrasts);
    weight += u8::from(measures > 0);
    weight += u8::from(is_item);
    // The cue words are of a few languages, but names are of all languages.
    weight += u8::from(!text.is_ascii() && mostly_foreign(text));
    // The next step is done soon and then reported again.
    weight = weight.saturating_sub(if looks { 2 } else { u8::from(is_next(&lower)) });
    let is_empty = match decides {
        true => text.split_whitespace().nth(3).is_none() && text.is_ascii(),
        // A choice in a few words still states what was chosen.
        false => is_short(text) || !(finds || chooses),
    };
    if weight < LEAST || (names == 0 && is_empty) {
        return None;
    }
    let text = match about {
        Some(about) if !text.contains(about) => format!("{about}: {text}"),
        _ => text.to_owned(),
    };
    // A measure or a name alone is not a statement.
    let is_scrap = text
        .split_whitespace()
        .nth(if code > 0 { 1 } else { 2 })
        .is_none();
    let weight = if is_scrap && text.is_ascii() {
        0
    } else {
        weight.clamp(1, 9)
    };
    let text = text.trim_end_matches([':', '：']);
    Some(Statement {
        text: clip(without_dangling(text), LONGEST),
        weight,
    })
}

/// A sentence without the words at its end that a list continues.
pub(super) fn without_dangling(text: &str) -> &str {
    let lower = text.to_lowercase();
    let mut ends = Intent::Dangling.all_in(&lower);
    // Lower case letters may be longer than upper case ones.
    let end = ends.find(|found| found.end == lower.len() && found.end == text.len());
    let whole = end.and_then(|end| text.get(..end.start));
    whole.map_or(text, str::trim_end)
}

/// True if a sentence is too short to be clear alone.
fn is_short(text: &str) -> bool {
    text.chars().nth(39).is_none()
}

/// True if a line is the label of a plan. A planned step is neither decided nor found.
fn is_plan(line: &str) -> bool {
    let label = line.trim_end_matches([':', '：', ' ']).to_lowercase();
    Intent::Plan.is(&label)
}

/// True if a text begins with a word for completed work, and describes the work.
pub(crate) fn says_done(text: &str) -> bool {
    let first = prose::blocks(text).find(|block| block.kind != Kind::Gap);
    first.is_some_and(|block| behind_done(&prose::plain(block.text)).is_some())
}

/// True if a name is short enough to be repeated before each item under it.
fn is_label(name: &str) -> bool {
    !name.is_empty() && name.chars().nth(40).is_none() && name.split_whitespace().nth(3).is_none()
}

/// True if a line that ends in a colon only introduces the text after it.
fn only_leads(lower: &str, says_more: bool) -> bool {
    Intent::Lead.begins(lower)
        || (Intent::Time.begins(lower) && !lower.contains(", "))
        || (!says_more && lower.split_whitespace().nth(6).is_none())
}

/// True if a sentence is about the conversation.
fn is_ours(lower: &str) -> bool {
    Intent::Ours.begins(lower)
}

/// True if a sentence asks something of the user, or leaves it to them.
fn is_to_user(lower: &str) -> bool {
    let asks = |clause: &str| Intent::ToUser.begins(clause);
    // The request may follow a short lead-in: `To proceed, please ..`, `Additionally, let me know ..`.
    let behind = lower
        .split_once(", ")
        .filter(|(begin, _)| begin.split_whitespace().nth(3).is_none());
    asks(lower) || behind.is_some_and(|(_, clause)| asks(clause))
}

/// True if a line asks the user about the list after it. The items of that list are not facts yet.
pub(crate) fn asks_about(line: &str) -> bool {
    Intent::AskAbout.is_in(&line.to_lowercase())
}

/// The text after a word for completed work: `Done: the cache is keyed by tenant`.
fn behind_done(text: &str) -> Option<&str> {
    // The marks are found by their first bytes, because most texts are ASCII.
    let is_mark = |at: &usize| text[*at..].starts_with([':', '：', '—', '–']);
    let mark = memchr::memchr3_iter(b':', 0xE2, 0xEF, text.as_bytes()).find(is_mark)?;
    let (said, rest) = text.split_at(mark);
    let said = said.trim().to_lowercase();
    let rest = rest.trim_start_matches([':', '：', '—', '–']).trim_start();
    (Intent::Finished.is(&said) && !rest.is_empty()).then_some(rest)
}

/// A sentence without its opening words.
fn without_filler(text: &str) -> &str {
    let text = text.trim_start_matches(['-', '—', '–', '•', ' ', '✓', '✅']);
    prose::without_start(text, Intent::Opening)
}

/// True if more than a quarter of the letters of a text are not ASCII.
fn mostly_foreign(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (mut all, mut foreign) = (0_usize, 0_usize);
    for letter in letters {
        all += 1;
        foreign += usize::from(!letter.is_ascii());
    }
    foreign * 4 > all
}
