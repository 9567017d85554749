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

    fn variable(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        Some("/home".into())
    }
}
