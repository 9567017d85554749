//! The outline of a summary: the texts under each heading, label or item, regardless of their marks.

use std::borrow::Cow;

use super::kind::Kind;
use super::markdown::{self, Block, Item};

/// The longest label, in characters.
const LABEL: usize = 80;

/// A piece of a summary with its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// The heading or label that it begins with, without its colon.
    pub(super) label: Option<String>,
    /// True if the label is a heading.
    pub(super) is_heading: bool,
    /// True if it is an item of a list.
    pub(super) is_item: bool,
    /// Its text on one line, without marks.
    pub(super) text: String,
    /// True if its check box or mark shows that it is done.
    pub(super) done: Option<bool>,
    pub(super) children: Vec<Piece>,
}

/// The levels of pieces. A heading has its own level, and labels and the pieces under them come after the headings.
const LABELLED: u8 = 7;
const SAID: u8 = 8;
const LISTED: u8 = 9;

/// Returns the outline of a text. `None` if it is nested too deeply.
pub(super) fn outline(text: &str) -> Option<Vec<Piece>> {
    let text = untagged(text);
    Some(nested(blocks(markdown::read(&text)?)))
}

/// Replaces tags on separate lines with headings, because some clients ask for a summary in tags.
fn untagged(text: &str) -> Cow<'_, str> {
    if !text.contains("</") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        let trimmed = line.trim();
        match tag(trimmed) {
            Some((name, behind)) => {
                let close = format!("</{name}>");
                plain.push_str("\n## ");
                plain.push_str(&name.replace(['_', '-'], " "));
                plain.push_str("\n\n");
                plain.push_str(behind.strip_suffix(&close).unwrap_or(behind).trim());
            }
            None if trimmed.starts_with("</") && trimmed.ends_with('>') => {}
            None => match trimmed.rfind("</").filter(|_| trimmed.ends_with('>')) {
                Some(close) => plain.push_str(&trimmed[..close]),
                None => plain.push_str(line),
            },
        }
        plain.push('\n');
    }
    Cow::Owned(plain)
}

/// The name of the tag that a line begins with, and the text after it.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, behind) = line.strip_prefix('<')?.split_once('>')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (begins && name.len() <= 40 && name.chars().all(is_name)).then_some((name, behind.trim()))
}

/// The pieces with their levels, before they are nested.
fn blocks(blocks: Vec<Block>) -> Vec<(u8, Piece)> {
    let mut all = Vec::new();
    let mut rest = blocks.into_iter().peekable();
    while let Some(block) = rest.next() {
        match block {
            Block::Heading { level, text } => all.push((
                level.min(LABELLED - 1),
                Piece {
                    label: Some(on_one_line(&text)),
                    is_heading: true,
                    ..Piece::default()
                },
            )),
            Block::Paragraph { text, is_strong } => {
                let leads = matches!(rest.peek(), Some(Block::List(_) | Block::Table(_)));
                all.extend(said(&text, is_strong, leads));
            }
            Block::List(items) => all.extend(items.into_iter().map(|item| (LISTED, listed(item)))),
            Block::Aside(within) => all.extend(self::blocks(within)),
            Block::Table(table) => all.extend(rows(&table)),
            Block::Rule => {}
            // Several lines of code do not fit on one line. The text around them describes them.
            Block::Code(code) if code.trim().lines().nth(1).is_some() => {}
            Block::Code(text) | Block::Html(text) => {
                let text = on_one_line(&text);
                if !text.is_empty() {
                    all.push((SAID, Piece::of(text)));
                }
            }
        }
    }
    all
}

impl Piece {
    /// The kind that its label names. Within a part of another kind, a label that is not a heading must be short, and
    /// cannot name findings, the task or the whole.
    pub(super) fn kind(&self, within: Option<Kind>) -> Option<Kind> {
        let label = self.label.as_deref()?;
        let kind = Kind::of(label)?;
        let words = label.split_whitespace().count();
        let is_whole = matches!(within, None | Some(Kind::Whole));
        let is_one = match self.is_heading {
            true => words <= 12,
            false if is_whole => words <= 8,
            false => words <= 4 && !matches!(kind, Kind::Findings | Kind::Task | Kind::Whole),
        };
        is_one.then_some(kind)
    }

    fn of(text: String) -> Self {
        let (done, text) = mark(&text);
        Self {
            text: text.to_owned(),
            done,
            ..Self::default()
        }
    }

    /// A text that may begin with the label of a kind: `Next: run the tests`.
    fn maybe_labelled(line: &str) -> Self {
        match Kind::label(line) {
            Some((label, text)) => Self {
                label: Some(label.to_owned()),
                children: (!text.is_empty())
                    .then(|| Self::of(text.to_owned()))
                    .into_iter()
                    .collect(),
                ..Self::default()
            },
            None => Self::of(line.to_owned()),
        }
    }
}

/// The pieces of a paragraph: one, or one for each line that begins with a label.
fn said(text: &str, is_strong: bool, leads: bool) -> Vec<(u8, Piece)> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return Vec::new();
    };
    let others: Vec<&str> = lines.collect();
    let label = first.trim_end_matches([':', '：']);
    let is_short = first.chars().nth(LABEL).is_none();
    let names_kind = label.split_whitespace().count() <= 4 && Kind::of(label).is_some();
    let is_label = is_short && label.len() < first.len() && (leads || !others.is_empty())
        || is_short && label.len() < first.len() && names_kind
        || is_short && is_strong
        || leads && others.is_empty() && names_kind;
    let mut all: Vec<(u8, Piece)> = Vec::new();
    let mut rest = String::new();
    let begin = |rest: &mut String, all: &mut Vec<(u8, Piece)>| {
        if !rest.is_empty() {
            let piece = Piece::maybe_labelled(&std::mem::take(rest));
            let is_label = piece.label.is_some() && piece.children.is_empty();
            all.push((if is_label { LABELLED } else { SAID }, piece));
        }
    };
    if is_label {
        let piece = Piece {
            label: Some(on_one_line(label)),
            ..Piece::default()
        };
        all.push((LABELLED, piece));
    } else {
        rest.push_str(first);
    }
    for line in others {
        if Kind::label(line).is_some() {
            begin(&mut rest, &mut all);
        }
        if !rest.is_empty() {
            rest.push(' ');
        }
        rest.push_str(line);
    }
    begin(&mut rest, &mut all);
    all
}

fn listed(item: Item) -> Piece {
    let mut blocks = blocks(item.blocks).into_iter();
    let mut piece = Piece::default();
    let mut under = Vec::new();
    if let Some((level, first)) = blocks.next() {
        match level {
            LISTED => under.push((level, first)),
            _ => piece = first,
        }
    }
    under.extend(blocks);
    // The text after the label of an item is under it.
    piece.children.extend(nested(under));
    piece.done = item.checked.or(piece.done);
    piece.is_item = true;
    piece
}

/// The rows of a table, under the first one.
fn rows(table: &[Vec<String>]) -> Option<(u8, Piece)> {
    let mut rows = table.iter().filter_map(|row| {
        let cells = row.iter().map(|cell| on_one_line(cell));
        let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
        match cells.split_first() {
            Some((first, [])) => Some(first.clone()),
            Some((first, others)) => Some(format!("{first}: {}", others.join(", "))),
            None => None,
        }
    });
    let head = rows.next()?;
    let piece = Piece {
        text: head,
        children: rows.map(Piece::of).collect(),
        ..Piece::default()
    };
    Some((SAID, piece))
}

/// Nests each piece under the last one with a lower level.
fn nested(blocks: Vec<(u8, Piece)>) -> Vec<Piece> {
    let mut root = Piece::default();
    // The open headings and labels, each with true if a list was the last thing under it.
    let mut open: Vec<(u8, Piece, bool)> = Vec::new();
    let close = |open: &mut Vec<(u8, Piece, bool)>, root: &mut Piece| {
        if let Some((_, piece, _)) = open.pop() {
            let parent = open.last_mut().map_or(root, |(_, parent, _)| parent);
            parent.children.push(piece);
        }
    };
    for (level, piece) in blocks {
        while open.last().is_some_and(|(top, _, after_list)| {
            *top >= level || (*top == LABELLED && level == SAID && *after_list)
        }) {
            close(&mut open, &mut root);
        }
        if level <= LABELLED {
            open.push((level, piece, false));
            continue;
        }
        match open.last_mut() {
            Some((_, parent, after_list)) => {
                *after_list = level == LISTED;
                parent.children.push(piece);
            }
            None => root.children.push(piece),
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut root);
    }
    root.children
}

fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The state that a mark other than a check box shows, and the text after the mark: `[DONE] ...`.
fn mark(text: &str) -> (Option<bool>, &str) {
    const MARKS: &[(&str, bool)] = &[
        ("[done]", true),
        ("[x]", true),
        ("[completed]", true),
        ("✅", true),
        ("✓", true),
        ("✔", true),
        ("☑", true),
        ("[ ]", false),
        ("[todo]", false),
        ("[pending]", false),
        ("[in progress]", false),
        ("[in_progress]", false),
        ("☐", false),
        ("⬜", false),
        ("⏳", false),
    ];
    let text = text.trim();
    for (mark, done) in MARKS {
        let head = text.get(..mark.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(mark)) {
            return (
                Some(*done),
                text[mark.len()..].trim_start_matches([' ', ':', '\u{fe0f}']),
            );
        }
    }
    (None, text)
}
