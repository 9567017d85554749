//! The access of a client's module to the machine.

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A readable file with byte offsets.
pub trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// The machine that a client runs on, as far as a client's module needs it: the files that the client
/// writes, and the folders that have them.
pub trait Host: Debug {
    /// Opens a file. Returns `None` if it cannot be read, or is not a regular file.
    fn open(&self, path: &Path) -> Option<Box<dyn Source>>;

    /// Opens a file below a folder, given the names on the way to it. Returns `None` if one of them is a
    /// link, or if the file cannot be read or is not a regular file. By default, it returns `None`.
    fn open_below(&self, folder: &Path, names: &[&str]) -> Option<Box<dyn Source>> {
        let _ = (folder, names);
        None
    }

    /// Returns the path in an environment variable, if it is not empty.
    fn variable(&self, name: &str) -> Option<PathBuf>;

    /// Returns the user's home folder.
    fn home(&self) -> Option<PathBuf>;
}

/// The maximum number of bytes that are read of the beginning or the end of a transcript. The call of an
/// event was written just before the event.
pub(super) const SOME: u64 = 1024 * 1024;

/// Returns the complete lines at the end of a transcript.
pub(super) fn end(host: &dyn Host, path: &Path) -> Option<String> {
    let mut file = host.open(path)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(SOME)))
        .ok()?;
    let mut bytes = Vec::new();
    file.take(SOME).read_to_end(&mut bytes).ok()?;
    if length > SOME {
        // The remainder of a cut line is dropped.
        let end = bytes.iter().position(|byte| *byte == b'\n');
        bytes.drain(..end.map_or(bytes.len(), |end| end + 1));
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The maximum number of bytes that are read at each end of an output.
const ENDS: u64 = 64 * 1024;

/// Returns the beginning and the end of a file, on separate lines. A short file is returned whole.
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

/// Returns the complete lines of a file after a byte offset, and the byte offset of the end of the last
/// one. Of more than [`SOME`] bytes, only the lines at the end are returned.
pub(super) fn lines_behind(host: &dyn Host, path: &Path, from: u64) -> Option<(Vec<String>, u64)> {
    let mut file = host.open(path)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    // A file that is shorter than before was rewritten. None of its lines are known to be new.
    if length < from {
        return Some((Vec::new(), length));
    }
    let begin = from.max(length.saturating_sub(SOME));
    file.seek(SeekFrom::Start(begin)).ok()?;
    let mut bytes = Vec::new();
    file.take(SOME).read_to_end(&mut bytes).ok()?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n');
    bytes.truncate(whole.map_or(0, |end| end + 1));
    // The remainder of a cut line is not JSON and yields nothing.
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(ToOwned::to_owned).collect();
    Some((lines, begin + bytes.len() as u64))
}

/// The maximum number of bytes at the end of a transcript that are searched for an older line.
const FAR_BACK: u64 = 64 * 1024 * 1024;

/// True if the current conversation of a transcript contains a line for which `is_it` is true. The
/// conversation begins after the last line for which `begins` is true.
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
    // A line whose beginning is missing is not JSON and matches neither.
    while let Ok(1..) = lines.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line);
        has = !begins(&text) && (has || is_it(&text));
        line.clear();
    }
    has
}

/// In-memory files by path, for tests.
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
