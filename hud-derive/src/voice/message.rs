//! Parses a message of the user into the user's own words, the items of its list, and a short form of all of it.

use std::borrow::Cow;

use super::ask::is_directive;
use super::pasted::{mark_pasted, telling};
use super::short::shortened;
use super::speech::{Own, own_sentences};
use super::table::rows;
use super::words::lower;
use crate::prose::{self, Kind, blocks, sentences};
use hud_components::value::Wording;

/// The longest request that is kept, in characters.
const LONGEST: usize = 480;

/// The longest item of a list that is kept, in characters.
const ITEM: usize = 200;

/// The largest number of list items that become requests.
const ITEMS: usize = 12;

/// The largest number of sentences of a message that are read.
pub(super) const SENTENCES: usize = 400;

/// A parsed message of the user.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The user's own words, without items and pasted text.
    pub(super) own: String,
    /// The items of a list, each shortened.
    pub(super) items: Vec<String>,
    /// The sentences of the message and of its items.
    pub(super) sentences: Vec<String>,
    /// The sentences that are the user's own speech, without quoted text.
    pub(super) own_sentences: Vec<Own>,
    /// A short form of the message. Empty if it has only items.
    pub(super) gist: String,
    /// True if all of it was pasted.
    pub(super) is_pasted: bool,
}

impl Message {
    /// True of a text that the message restates with another value, in the user's own words.
    pub(super) fn changes(&self) -> impl Fn(&str) -> bool {
        let sentences = self.own_sentences.iter();
        let sentences = sentences.map(|own| Wording::of(own.named.trim()));
        let sentences: Vec<Wording<'_>> = sentences.collect();
        move |text| {
            let before = Wording::of(text);
            sentences.iter().any(|later| before.is_changed_by(later))
        }
    }

    pub(super) fn read(text: &str) -> Self {
        let [begin, end] = prose::read(text);
        let mut lines: Vec<Line<'_>> = lines(begin).collect();
        lines.extend(lines_of_end(end));
        mark_pasted(&mut lines);
        let mut message = Self {
            own_sentences: own_sentences(text),
            ..Self::default()
        };
        let mut items: Vec<String> = Vec::new();
        let mut pasted: Vec<Cow<'_, str>> = Vec::new();
        let mut paragraphs: Vec<String> = vec![String::new()];
        let mut is_item = false;
        let mut is_titled = false;
        let rows = rows(&lines);
        let outer = lines
            .iter()
            .filter(|line| !line.is_pasted)
            .filter_map(Line::indent)
            .min();
        // The indexes of the paragraphs that are headings of lists.
        let mut headings: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match line.kind {
                _ if line.is_pasted => pasted.push(marked(line)),
                Kind::Row => {}
                Kind::Heading if !line.text.is_empty() => {
                    is_item = false;
                    is_titled = true;
                    if heads_list(&lines, at) {
                        headings.push(paragraphs.len());
                    }
                    paragraphs.push(titled(line.text));
                    paragraphs.push(String::new());
                }
                Kind::Gap => {
                    is_item = false;
                    paragraphs.push(String::new());
                }
                Kind::Item { indent, .. } if Some(indent) == outer => {
                    is_item = true;
                    items.push(line.text.to_owned());
                }
                _ => {
                    if let (false, Some(title)) = (is_item, paragraphs.last_mut())
                        && is_title(title, line.text)
                    {
                        title.push(':');
                        is_titled = true;
                        paragraphs.push(String::new());
                    }
                    let to = match (is_item, items.last_mut()) {
                        (true, Some(item)) => item,
                        _ => match paragraphs.last_mut() {
                            Some(paragraph) => paragraph,
                            None => continue,
                        },
                    };
                    if !to.is_empty() {
                        to.push(' ');
                    }
                    to.push_str(line.text);
                }
            }
        }
        // A table is a list of its rows.
        items.extend(rows);
        // A single item is not a list.
        if items.len() == 1 {
            paragraphs.append(&mut items);
        } else {
            leave_out(&mut paragraphs, &headings);
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        for paragraph in &mut paragraphs {
            if paragraph.contains("**") || paragraph.contains("](") {
                *paragraph = prose::plain(paragraph);
            }
        }
        message.sentences = paragraphs
            .iter()
            .chain(&items)
            .flat_map(|text| sentences(text))
            .take(SENTENCES)
            .map(str::to_owned)
            .collect();
        message.is_pasted = paragraphs.is_empty() && items.is_empty() && !pasted.is_empty();
        message.own = paragraphs.join("\n");
        let is_short = text.chars().nth(LONGEST).is_none();
        let is_quote = |line: &Line<'_>| !line.is_pasted || line.kind == Kind::Quote;
        let is_marked = lines.iter().all(is_quote);
        message.gist = match (&*message.own, &*pasted) {
            ("", []) => String::new(),
            // A short text is kept as it was typed.
            (_, []) if items.is_empty() && !is_titled && is_short => text.to_owned(),
            // A short text with quotations keeps its quotation marks.
            (_, [_, ..]) if items.is_empty() && is_short && is_marked => text.to_owned(),
            ("", pasted) => telling(pasted, true),
            (_, pasted) => {
                let own = shortened(&paragraphs, LONGEST);
                match telling(pasted, false) {
                    said if said.is_empty() => own,
                    said => format!("{own} {said}"),
                }
            }
        };
        message.items = items
            .iter()
            .take(ITEMS)
            .map(|item| shortened(std::slice::from_ref(item), ITEM))
            .collect();
        message
    }
}

/// A pasted line, with the mark of a quotation if it is one.
fn marked<'t>(line: &Line<'t>) -> Cow<'t, str> {
    match line.kind {
        Kind::Quote => Cow::Owned(format!("> {}", line.text.trim())),
        _ => Cow::Borrowed(line.text.trim()),
    }
}

/// True if a list or a table follows directly after a heading.
fn heads_list(lines: &[Line<'_>], heading: usize) -> bool {
    let mut below = lines.iter().skip(heading + 1);
    let first = below.find(|line| line.kind != Kind::Gap);
    first.is_some_and(|line| !line.is_pasted && matches!(line.kind, Kind::Item { .. } | Kind::Row))
}

/// A heading as the beginning of the text below it.
fn titled(heading: &str) -> String {
    match heading.ends_with(['.', ':', ',', '?', '!', ';']) {
        true => heading.to_owned(),
        false => format!("{heading}:"),
    }
}

/// Clears headings of lists that ask for nothing, if there is other text. The items are enough then.
fn leave_out(paragraphs: &mut [String], headings: &[usize]) {
    let is_said = |(at, text): (usize, &String)| !text.is_empty() && !headings.contains(&at);
    if !paragraphs.iter().enumerate().any(is_said) {
        return;
    }
    for at in headings {
        if let Some(heading) = paragraphs
            .get_mut(*at)
            .filter(|heading| !is_directive(&lower(heading)))
        {
            heading.clear();
        }
    }
}

/// True if a line is the title of the one below it.
fn is_title(line: &str, below: &str) -> bool {
    !line.is_empty()
        && line.len() < 100
        && !line.ends_with(['.', ':', ',', '?', '!', ';'])
        && below.starts_with(char::is_uppercase)
}

/// A line of a message.
pub(super) struct Line<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) is_pasted: bool,
}

impl Line<'_> {
    const fn indent(&self) -> Option<usize> {
        match self.kind {
            Kind::Item { indent, .. } => Some(indent),
            _ => None,
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    blocks(text).map(|block| Line {
        kind: block.kind,
        text: block.text,
        is_pasted: matches!(block.kind, Kind::Code | Kind::Quote),
    })
}

/// The lines at the end of a long text, without the incomplete first one.
fn lines_of_end(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text.split_once('\n').map_or("", |(_, rest)| rest))
}
