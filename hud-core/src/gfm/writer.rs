//! Lines inside containers: each gets what the containers around it put before it.

use super::character::is_eol;

/// Text written line by line, each prefixed by the containers open around it.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    containers: Vec<Container>,
    /// The prefixes of all open containers, for a line that is not the first of any.
    prefix: String,
    /// The length of `prefix` up to its trailing spaces, which blank lines do without.
    blank_prefix: usize,
    /// What the current line begins with, or goes on with, while it is the first line of some
    /// container that has nothing in it yet.
    first: Option<String>,
    is_in_line: bool,
}

/// What to go back to when a container closes.
struct Container {
    prefix: usize,
    blank_prefix: usize,
    /// The length of `Writer::first`, if there was one.
    begun: Option<usize>,
    /// Where the container's own part of it begins.
    first: usize,
}

impl Writer {
    /// Opens a container that puts `first` before its first line and `rest` before the others.
    pub(super) fn open(&mut self, first: &str, rest: &str) {
        let begun = self.first.as_ref().map(String::len);
        let begin = || {
            if self.is_in_line {
                String::new()
            } else {
                self.prefix.clone()
            }
        };
        let begins = self.first.get_or_insert_with(begin);
        self.containers.push(Container {
            prefix: self.prefix.len(),
            blank_prefix: self.blank_prefix,
            begun,
            first: begins.len(),
        });
        begins.push_str(first);
        self.prefix.push_str(rest);
        if rest.contains(|c| c != ' ') {
            self.blank_prefix = self.prefix.trim_end_matches(' ').len();
        }
    }

    /// Closes the container opened last. If its last line is blank, that gets its prefix, as all
    /// of its lines do.
    pub(super) fn close(&mut self) {
        let Some(container) = self.containers.pop() else {
            return;
        };
        let own = match &self.first {
            Some(first) => first.get(container.first..),
            None if !self.is_in_line => self.prefix.get(container.prefix..),
            None => None,
        };
        if own.is_some_and(|own| own.contains(|c| c != ' ')) {
            self.write_blank_prefix();
        } else if let Some(first) = &mut self.first {
            match container.begun {
                Some(begun) => first.truncate(begun),
                None => self.first = None,
            }
        }
        self.prefix.truncate(container.prefix);
        self.blank_prefix = container.blank_prefix;
    }

    pub(super) fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(end) = rest.find(is_eol) {
            let (line, tail) = rest.split_at(end);
            self.write_in_line(line);
            let eol = if tail.starts_with("\r\n") { 2 } else { 1 };
            let (eol, tail) = tail.split_at(eol);
            self.end_line(eol);
            rest = tail;
        }
        self.write_in_line(rest);
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn write_in_line(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.first.take() {
            Some(first) => self.out.push_str(&first),
            None if !self.is_in_line => self.out.push_str(&self.prefix),
            None => {}
        }
        self.out.push_str(text);
        self.is_in_line = true;
    }

    fn end_line(&mut self, eol: &str) {
        let completes_crlf = !self.is_in_line && eol == "\n" && self.out.ends_with('\r');
        if !completes_crlf {
            self.write_blank_prefix();
        }
        self.out.push_str(eol);
        self.is_in_line = false;
    }

    /// Writes the prefix that a line without text has, if nothing is written in it yet.
    fn write_blank_prefix(&mut self) {
        let before = self.out.len();
        match self.first.take() {
            Some(first) => self.out.push_str(first.trim_end_matches(' ')),
            None if !self.is_in_line => self.out.push_str(&self.prefix[..self.blank_prefix]),
            None => {}
        }
        self.is_in_line |= self.out.len() > before;
    }
}
