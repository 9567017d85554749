//! Lines and how far they are indented.

use unicode_width::UnicodeWidthStr;

use super::Layout;
use crate::source::Place;

impl Layout<'_> {
    /// Text whose lines behind the first are moved by some columns.
    pub(super) fn shifted(&mut self, place: Place, by: isize) {
        let text = &self.text[place];
        if by == 0 {
            self.out.push_str(text);
            return;
        }
        let mut lines = text.split('\n').peekable();
        self.out.push_str(lines.next().unwrap_or_default());
        while let Some(line) = lines.next() {
            let code = line.trim_start();
            self.out.push('\n');
            // A blank line has no indentation; before a part, it is that of the part.
            if !code.is_empty() || lines.peek().is_none() {
                let indent = self.columns(&line[..line.len() - code.len()]);
                self.indentation(indent.saturating_add_signed(by));
                self.out.push_str(code);
            }
        }
    }

    /// An empty line where the author had one, but not at the beginning.
    pub(super) fn blank_line(&mut self, at: usize, lines: usize) {
        if at > 0 && lines > 1 {
            self.out.push('\n');
        }
    }

    /// Begins a line.
    pub(super) fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.indentation(indent);
    }

    pub(super) fn indentation(&mut self, columns: usize) {
        let tab = self.options.tab_spaces.max(1);
        let (tabs, spaces) = if self.options.hard_tabs {
            (columns / tab, columns % tab)
        } else {
            (0, columns)
        };
        self.out.extend(std::iter::repeat_n('\t', tabs));
        self.out.extend(std::iter::repeat_n(' ', spaces));
    }

    /// Whether a text and what follows it fit on the line.
    pub(super) fn fits(&self, text: &str, after: usize) -> bool {
        self.columns(last_line(&self.out)) + text.width() + after <= self.options.max_width
    }

    pub(super) fn columns(&self, text: &str) -> usize {
        text.width() + text.matches('\t').count() * self.options.tab_spaces.saturating_sub(1)
    }

    /// How far the line is indented that is being written.
    pub(super) fn indent(&self) -> usize {
        self.indent_in(last_line(&self.out))
    }

    /// How far the line of a byte of the source is indented.
    pub(super) fn indent_of(&self, at: usize) -> usize {
        let line = at - last_line(&self.text[..at]).len();
        self.indent_in(&self.text[line..])
    }

    /// Whether nothing but white space is in front of a byte of the source on its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        last_line(&self.text[..at]).trim().is_empty()
    }

    pub(super) fn indent_in(&self, line: &str) -> usize {
        let code = line.trim_start_matches([' ', '\t']);
        self.columns(&line[..line.len() - code.len()])
    }
}

pub(super) fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or(text)
}

/// By how many columns a line moves.
pub(super) fn shift(new: usize, old: usize) -> isize {
    new.cast_signed() - old.cast_signed()
}
