//! Lines inside containers: each gets what the containers around it put before it.

/// Text written line by line, each prefixed by the containers open around it.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    containers: Vec<Container>,
    /// The prefixes of all open containers, for a line that is not the first of any.
    prefix: String,
    /// The length of `prefix` up to its trailing spaces, which blank lines do without.
    blank_prefix: usize,
    /// What the current line begins with, or goes on with, while `is_first`.
    first: String,
    /// Whether it is the first line of some container that has nothing in it yet.
    is_first: bool,
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
    /// A writer with room for a text of so many bytes.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self {
            out: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Opens a container that puts `first` before its first line and `rest` before the others.
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

    /// Closes the container opened last. If its last line is blank, that gets its prefix, as all
    /// of its lines do.
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
        // Most texts are of one line, which their least byte says.
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

    /// Writes the prefix that a line without text has, if nothing is written in it yet.
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
