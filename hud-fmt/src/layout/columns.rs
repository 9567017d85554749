//! Lines and their indentation.

use unicode_width::UnicodeWidthStr;

use super::Layout;
use crate::source::Place;

impl Layout<'_> {
    /// Writes text, and moves all lines after the first by some columns.
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
            // A blank line has no indentation. The last line has the indentation of the part that follows.
            if !code.is_empty() || lines.peek().is_none() {
                let indent = self.columns(&line[..line.len() - code.len()]);
                self.indentation(indent.saturating_add_signed(by));
                self.out.push_str(code);
            }
        }
    }

    /// Keeps an empty line of the source, but not at the beginning.
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

    /// True if a text and the text after it fit on the line.
    pub(super) fn fits(&self, text: &str, after: usize) -> bool {
        self.columns(last_line(&self.out)) + text.width() + after <= self.options.max_width
    }

    pub(super) fn columns(&self, text: &str) -> usize {
        text.width() + text.matches('\t').count() * self.options.tab_spaces.saturating_sub(1)
    }

    /// The indentation of the line that is being written.
    pub(super) fn indent(&self) -> usize {
        self.indent_in(last_line(&self.out))
    }

    /// The indentation of the source line of a byte offset.
    pub(super) fn indent_of(&self, at: usize) -> usize {
        let line = at - last_line(&self.text[..at]).len();
        self.indent_in(&self.text[line..])
    }

    /// True if only white space precedes a byte offset on its source line.
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

/// The number of columns by which a line moves.
pub(super) fn shift(new: usize, old: usize) -> isize {
    new.cast_signed() - old.cast_signed()
}
