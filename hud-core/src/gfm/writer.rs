//! Writes lines with the prefixes of the enclosing containers.

/// A text that is written line by line. Each line has the prefixes of the open containers.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    containers: Vec<Container>,
    /// The prefixes of all open containers, for lines that are not the first of a container.
    prefix: String,
    /// The length of `prefix` without its trailing spaces, for blank lines.
    blank_prefix: usize,
    /// The prefix of the current line, or the rest of it, while `is_first`.
    first: String,
    /// True in the first line of a container that has no content yet.
    is_first: bool,
    is_in_line: bool,
}

/// The state to restore when a container closes.
struct Container {
    prefix: usize,
    blank_prefix: usize,
    /// The length of `Writer::first` when the container was opened, if it was in use.
    begun: Option<usize>,
    /// The start of the container's own part of it.
    first: usize,
}

impl Writer {
    /// A writer with a capacity in bytes.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self {
            out: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Opens a container with the prefix `first` for its first line, and `rest` for the others.
    pub(super) fn open(&mut self, first: &str, rest: &str) {
        let begun = self.is_first.then_some(self.first.len());
        if !self.is_first {
            self.is_first = true;
            self.first.clear();
            if !self.is_in_line {
                self.first.push_str(&self.prefix);
            }
        }
        self.containers.push(Container {
            prefix: self.prefix.len(),
            blank_prefix: self.blank_prefix,
            begun,
            first: self.first.len(),
        });
        self.first.push_str(first);
        self.prefix.push_str(rest);
        if rest.contains(|c| c != ' ') {
            self.blank_prefix = self.prefix.trim_end_matches(' ').len();
        }
    }

    /// Closes the last opened container. If its last line is blank, it gets its prefix, as all of
    /// its lines do.
    pub(super) fn close(&mut self) {
        let Some(container) = self.containers.pop() else {
            return;
        };
        let own = match (self.is_first, self.is_in_line) {
            (true, _) => self.first.get(container.first..),
            (false, false) => self.prefix.get(container.prefix..),
            (false, true) => None,
        };
        if own.is_some_and(|own| own.contains(|c| c != ' ')) {
            self.write_blank_prefix();
        } else if self.is_first {
            match container.begun {
                Some(begun) => self.first.truncate(begun),
                None => self.is_first = false,
            }
        }
        self.prefix.truncate(container.prefix);
        self.blank_prefix = container.blank_prefix;
    }

    pub(super) fn write(&mut self, text: &str) {
        let mut rest = text;
        // Most texts have one line. The smallest byte shows that.
        if text.bytes().fold(u8::MAX, u8::min) > b'\r' {
            return self.write_in_line(text);
        }
        let is_eol = |byte| matches!(byte, b'\n' | b'\r');
        while let Some(end) = rest.bytes().position(is_eol) {
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
        if self.is_first {
            self.out.push_str(&self.first);
        } else if !self.is_in_line {
            self.out.push_str(&self.prefix);
        }
        self.is_first = false;
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

    /// Writes the prefix of a blank line, if nothing is written in the line yet.
    fn write_blank_prefix(&mut self) {
        let before = self.out.len();
        if self.is_first {
            self.out.push_str(self.first.trim_end_matches(' '));
        } else if !self.is_in_line {
            self.out.push_str(&self.prefix[..self.blank_prefix]);
        }
        self.is_first = false;
        self.is_in_line |= self.out.len() > before;
    }
}
