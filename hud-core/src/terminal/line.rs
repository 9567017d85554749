//! Lines of styled text: filling lines with words, and writing them.

use std::fmt::Write as _;

use anstyle::Style;

use super::text::{SELECTOR, split, visible, width};

/// A text with one style.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Span {
    pub(super) fn new(text: impl Into<String>, style: Style) -> Self {
        let text = text.into();
        Self { text, style }
    }

    pub(super) fn width(&self) -> usize {
        width(&self.text)
    }
}

/// The spans of a line.
pub(super) type Line = Vec<Span>;

pub(super) fn width_of(line: &Line) -> usize {
    line.iter().map(Span::width).sum()
}

/// Puts a prefix before each line, with a different one for the first.
pub(super) fn prefixed(lines: Vec<Line>, first: &Span, rest: &Span) -> Vec<Line> {
    let prefixed = lines.into_iter().enumerate().map(|(at, line)| {
        let prefix = if at == 0 { first } else { rest };
        std::iter::once(prefix.clone()).chain(line).collect()
    });
    prefixed.collect()
}

/// Serializes lines for a terminal.
pub(super) fn written(lines: &[Line], colours: bool) -> String {
    let mut out = String::new();
    for line in lines {
        for (text, style) in merged(line) {
            if colours && style != Style::new() {
                // Writing to a string never fails.
                let _ = write!(out, "{style}{text}{style:#}");
            } else {
                out.push_str(&text);
            }
        }
        out.push('\n');
    }
    out
}

/// Merges adjacent texts of the same style, and removes the spaces at the end of a line.
fn merged(line: &Line) -> Vec<(String, Style)> {
    let mut merged: Vec<(String, Style)> = Vec::with_capacity(line.len());
    for Span { text, style } in line {
        match merged.last_mut() {
            Some((last, of_last)) if of_last == style => last.push_str(text),
            _ => merged.push((text.clone(), *style)),
        }
    }
    while let Some((last, _)) = merged.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
        if !last.is_empty() {
            break;
        }
        merged.pop();
    }
    merged
}

/// Words to fill lines with.
#[derive(Default)]
pub(super) struct Words {
    lines: Vec<Vec<Word>>,
    /// The number of spaces before the next word. Without it, the next text continues the last
    /// word.
    gap: Option<usize>,
}

#[derive(Default)]
struct Word {
    gap: usize,
    spans: Vec<Span>,
}

impl Words {
    /// Adds prose, in which all white space counts as one space.
    pub(super) fn prose(&mut self, text: &str, style: Style) {
        self.add(text, style, |_, _| 1);
    }

    /// Adds text whose spaces count.
    pub(super) fn code(&mut self, text: &str, style: Style) {
        self.add(
            text,
            style,
            |gap, c| if c == ' ' { gap + 1 } else { gap.max(1) },
        );
    }

    fn add(&mut self, text: &str, style: Style, gap_after: impl Fn(usize, char) -> usize) {
        let text = visible(text);
        let is_gap =
            |c: char| c.is_whitespace() && !matches!(c, '\u{A0}' | '\u{2007}' | '\u{202F}');
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(is_gap).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            // Removes a selector without a character before it.
            let word = word.trim_start_matches(SELECTOR);
            if !word.is_empty() {
                self.word(Span::new(word, style));
            }
            let spaces = behind.chars().take_while(|c| is_gap(*c));
            for c in spaces {
                self.gap = Some(gap_after(self.gap.unwrap_or(0), c));
            }
            rest = behind.trim_start_matches(is_gap);
        }
    }

    fn word(&mut self, span: Span) {
        let gap = self.gap.take();
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        match (gap, line.last_mut()) {
            (None, Some(word)) => word.spans.push(span),
            (gap, _) => line.push(Word {
                gap: gap.unwrap_or(0),
                spans: vec![span],
            }),
        }
    }

    /// Ends a line.
    pub(super) fn end_line(&mut self) {
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        self.lines.push(Vec::new());
        self.gap = None;
    }

    /// The lines, none of them wider than `most`.
    pub(super) fn filled(self, most: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for words in self.lines {
            let mut filling = Filling {
                most,
                line: Line::new(),
                width: 0,
                lines: &mut lines,
            };
            for word in words {
                filling.put(word);
            }
            filling.end();
        }
        // A line that was ended and has no content after it.
        if lines.len() > 1 {
            lines.pop_if(|line| line.is_empty());
        }
        lines
    }
}

struct Filling<'l> {
    most: usize,
    line: Line,
    width: usize,
    lines: &'l mut Vec<Line>,
}

impl Filling<'_> {
    fn put(&mut self, word: Word) {
        let text: String = word.spans.iter().map(|span| span.text.as_str()).collect();
        let columns = width(&text);
        if self.width > 0 {
            if self.width + word.gap + columns > self.most {
                self.end();
            } else {
                let style = self.gap_style(&word);
                self.line.push(Span::new(" ".repeat(word.gap), style));
                self.width += word.gap;
            }
        }
        if columns <= self.most {
            self.width += columns;
            self.line.extend(word.spans);
            return;
        }
        for Span { text, style } in word.spans {
            let mut rest = text.as_str();
            while !rest.is_empty() {
                if self.width >= self.most {
                    self.end();
                }
                let room = self.most - self.width;
                let (piece, behind) = split(rest, room);
                if width(piece) > room && self.width > 0 {
                    self.end();
                    continue;
                }
                self.width += width(piece).max(1);
                self.line.push(Span::new(piece, style));
                rest = behind;
            }
        }
    }

    /// The style of the gap between two words: that of the words if they have the same, otherwise
    /// none.
    fn gap_style(&self, word: &Word) -> Style {
        let before = self.line.last().map(|span| span.style);
        let behind = word.spans.first().map(|span| span.style);
        before.filter(|_| before == behind).unwrap_or_default()
    }

    fn end(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
        self.width = 0;
    }
}
