//! What a dialect may ask of the machine.

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Something to read that has places.
pub trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// The machine that a client runs on, as far as a dialect sees it: the files that the client writes, and
/// where they are.
pub trait Host: Debug {
    /// Opens a file; nothing if it cannot be read, or is no ordinary file.
    fn open(&self, path: &Path) -> Option<Box<dyn Source>>;

    /// Opens a file below a folder, by the names that lead to it; nothing if one of them is a link, if it cannot be read,
    /// or if it is no ordinary file. By default there is none.
    fn open_below(&self, folder: &Path, names: &[&str]) -> Option<Box<dyn Source>> {
        let _ = (folder, names);
        None
    }

    /// The path in a variable of the environment, if it is not empty.
    fn variable(&self, name: &str) -> Option<PathBuf>;

    /// The user's folder.
    fn home(&self) -> Option<PathBuf>;
}

/// How much of the beginning or the end of a transcript is read: the call that an event is of was written
/// just now.
pub(super) const SOME: u64 = 1024 * 1024;

/// The whole lines at the end of a transcript.
pub(super) fn end(host: &dyn Host, path: &Path) -> Option<String> {
    let mut file = host.open(path)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(SOME)))
        .ok()?;
    let mut bytes = Vec::new();
    file.take(SOME).read_to_end(&mut bytes).ok()?;
    if length > SOME {
        // The rest of a line is not a line.
        let end = bytes.iter().position(|byte| *byte == b'\n');
        bytes.drain(..end.map_or(bytes.len(), |end| end + 1));
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The most bytes at the beginning, and at the end, of an output that are read.
const ENDS: u64 = 64 * 1024;

/// The beginning and the end of a file, on separate lines; all of it if it is short.
pub(super) fn ends(file: &mut dyn Source) -> Option<String> {
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let mut read = |from: u64, most: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from)).ok()?;
        (&mut *file).take(most).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    if length <= 2 * ENDS {
        return read(0, 2 * ENDS);
    }
    let (begin, end) = (read(0, ENDS)?, read(length - ENDS, ENDS)?);
    let begin = begin.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let end = end.split_once('\n').map_or("", |(_, lines)| lines);
    Some(format!("{begin}\n{end}"))
}

/// The whole lines of a file behind a place in bytes, and where the last of them ends. Of what is longer
/// than [`SOME`] they are those at the end.
pub(super) fn lines_behind(host: &dyn Host, path: &Path, from: u64) -> Option<(Vec<String>, u64)> {
    let mut file = host.open(path)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    // What is shorter than before was written anew: none of it is known to be new.
    if length < from {
        return Some((Vec::new(), length));
    }
    let begin = from.max(length.saturating_sub(SOME));
    file.seek(SeekFrom::Start(begin)).ok()?;
    let mut bytes = Vec::new();
    file.take(SOME).read_to_end(&mut bytes).ok()?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n');
    bytes.truncate(whole.map_or(0, |end| end + 1));
    // The rest of a line is not JSON, and says nothing.
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(ToOwned::to_owned).collect();
    Some((lines, begin + bytes.len() as u64))
}

/// The most bytes at the end of a transcript that are searched for something that may be far back.
const FAR_BACK: u64 = 64 * 1024 * 1024;

/// True if a line that `is_it` is in the conversation that a transcript ends with: after the last line that
/// `begins` it again.
pub(super) fn has_since(
    host: &dyn Host,
    path: &Path,
    begins: impl Fn(&str) -> bool,
    is_it: impl Fn(&str) -> bool,
) -> bool {
    let Some(mut file) = host.open(path) else {
        return false;
    };
    let Ok(length) = file.seek(SeekFrom::End(0)) else {
        return false;
    };
    let begin = length.saturating_sub(FAR_BACK);
    if file.seek(SeekFrom::Start(begin)).is_err() {
        return false;
    }
    let mut lines = BufReader::new(file).take(FAR_BACK);
    let (mut line, mut has) = (Vec::new(), false);
    // A line of which the beginning is missing is no JSON, and is neither.
    while let Ok(1..) = lines.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line);
        has = !begins(&text) && (has || is_it(&text));
        line.clear();
    }
    has
}

/// Files by their names, for tests.
#[cfg(test)]
#[derive(Debug, Default)]
pub(super) struct Files(pub(super) Vec<(PathBuf, String)>);

#[cfg(test)]
impl Files {
    pub(super) fn of(path: &str, text: impl Into<String>) -> Self {
        Self(vec![(path.into(), text.into())])
    }
}

#[cfg(test)]
impl Host for Files {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        let (_, text) = self.0.iter().find(|(known, _)| known == path)?;
        Some(Box::new(std::io::Cursor::new(text.clone().into_bytes())))
    }

    fn open_below(&self, folder: &Path, names: &[&str]) -> Option<Box<dyn Source>> {
        self.open(&folder.join(names.join("/")))
    }

    fn variable(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        Some("/home".into())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_long_output_is_read_at_its_ends() {
        let read = |text: &str| ends(&mut Cursor::new(text.as_bytes().to_vec()));
        assert_eq!(read("a\nb").as_deref(), Some("a\nb"));
        let line = "x".repeat(99);
        let lines = |count: usize| format!("{line}\n").repeat(count);
        let read = read(&format!("first\n{}last\n", lines(1_000_000 / 100))).unwrap_or_default();
        assert!(read.starts_with("first\n") && read.ends_with("last\n"));
        assert!(read.len() as u64 <= 2 * ENDS, "{}", read.len());
        assert!(
            read.lines()
                .all(|read| ["first", "last", &line].contains(&read))
        );
    }
}
