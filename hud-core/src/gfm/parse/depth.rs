//! The nesting depth of quotes, list items and footnotes, computed before parsing. The time of the
//! `markdown` crate grows with the cube of that depth.

/// The maximum nesting depth. It is also that of elements.
pub(super) const MAX_DEPTH: usize = 256;

/// The first line, from 1, on which more than [`MAX_DEPTH`] containers are open, if there is one.
///
/// This is an upper bound: a line of code that looks like containers counts as containers.
pub(super) fn line_too_deep(markdown: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (number, text) in markdown.split('\n').enumerate() {
        let mut line = Line {
            rest: text,
            column: 0,
        };
        let still_open = line.continued(&open);
        let mut opened = line.opened().peekable();
        if opened.peek().is_some() {
            // A line that opens a container is no lazy continuation, so containers that it does not
            // continue are closed.
            open.truncate(still_open);
            open.extend(opened.take(MAX_DEPTH + 1));
        }
        if open.len() > MAX_DEPTH {
            return Some(number + 1);
        }
    }
    None
}

enum Container {
    Quote,
    /// An item or a footnote. Its lines are indented by this many columns.
    Indented(usize),
}

/// The rest of a line.
struct Line<'t> {
    rest: &'t str,
    /// The column of the rest. A tab extends to the next multiple of four.
    column: usize,
}

impl<'t> Line<'t> {
    /// The number of open containers that the line continues. Removes their prefixes.
    fn continued(&mut self, open: &[Container]) -> usize {
        let is_blank = self.rest.trim().is_empty();
        for (count, container) in open.iter().enumerate() {
            match container {
                Container::Quote => {
                    let mut behind = self.indented().1;
                    if !behind.take('>') {
                        return count;
                    }
                    behind.take_space();
                    *self = behind;
                }
                Container::Indented(_) if is_blank => return open.len(),
                Container::Indented(columns) => {
                    let start = self.column;
                    let (_, behind) = self.indented();
                    if behind.column - start < *columns {
                        return count;
                    }
                    while self.column - start < *columns {
                        self.take_space();
                    }
                }
            }
        }
        open.len()
    }

    /// The containers that the line opens.
    fn opened(mut self) -> impl Iterator<Item = Container> {
        std::iter::from_fn(move || self.open())
    }

    fn open(&mut self) -> Option<Container> {
        let start = self.column;
        let (columns, mut line) = self.indented();
        if columns > 3 || is_thematic_break(line.rest) {
            return None;
        }
        let container = if line.take('>') {
            line.take_space();
            Container::Quote
        } else if let Some(size) = footnote_size(line.rest) {
            line.skip(size);
            Container::Indented(4)
        } else {
            line.skip(marker_size(line.rest)?);
            let (columns, behind) = line.indented();
            // More than four spaces count as one, and the rest is part of the code.
            let is_content = (1..=4).contains(&columns) && !behind.rest.trim().is_empty();
            if is_content {
                line = behind;
            }
            let end = line.column + usize::from(!is_content);
            Container::Indented(end - start)
        };
        *self = line;
        Some(container)
    }

    /// The number of columns of indentation, and the line after it.
    fn indented(&self) -> (usize, Line<'t>) {
        let mut line = Line {
            rest: self.rest,
            column: self.column,
        };
        while line.take_space() {}
        (line.column - self.column, line)
    }

    fn take(&mut self, marker: char) -> bool {
        match self.rest.strip_prefix(marker) {
            Some(rest) => {
                self.rest = rest;
                self.column += 1;
                true
            }
            None => false,
        }
    }

    fn take_space(&mut self) -> bool {
        let width = match self.rest.bytes().next() {
            Some(b' ') => 1,
            Some(b'\t') => 4 - self.column % 4,
            _ => return false,
        };
        self.rest = &self.rest[1..];
        self.column += width;
        true
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        self.column += bytes;
    }
}

/// The size of the list item's marker at the start of a text.
fn marker_size(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = *text.as_bytes().get(digits)?;
    let is_marker = match digits {
        0 => matches!(marker, b'-' | b'*' | b'+'),
        1..=9 => matches!(marker, b'.' | b')'),
        _ => false,
    };
    let behind = text.as_bytes().get(digits + 1);
    let is_apart = matches!(behind, None | Some(b' ' | b'\t' | b'\r'));
    (is_marker && is_apart).then_some(digits + 1)
}

/// The size of the footnote's label with its colon at the start of a text.
fn footnote_size(text: &str) -> Option<usize> {
    let label = text.strip_prefix("[^")?;
    let end = label.find(']').filter(|end| *end > 0)?;
    label[end + 1..].starts_with(':').then_some(2 + end + 2)
}

fn is_thematic_break(text: &str) -> bool {
    let Some(marker @ (b'-' | b'*' | b'_')) = text.bytes().next() else {
        return false;
    };
    let mut markers = 0;
    text.bytes().all(|byte| {
        markers += usize::from(byte == marker);
        byte == marker || byte.is_ascii_whitespace()
    }) && markers > 2
}
