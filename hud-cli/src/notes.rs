//! Files of notes next to a log. Each note is a line of JSON, which is appended in one write.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The factor between the length from which notes are dropped and the maximum length that is read.
const MOST: u64 = 16;

/// Reads the notes of a file. A line that was truncated because a process ended is skipped.
pub(crate) fn read<N: DeserializeOwned>(file: &mut File, many: u64) -> io::Result<Vec<N>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.take(MOST * many).read_to_end(&mut text)?;
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect())
}

/// Appends a note. If the file is longer than `many` bytes, only the notes that `keep` returns stay.
pub(crate) fn add<N: Serialize + DeserializeOwned>(
    file: &mut File,
    note: &N,
    many: u64,
    keep: impl FnOnce(Vec<N>) -> Vec<N>,
) -> io::Result<()> {
    file.lock()?;
    if file.metadata()?.len() > many {
        let kept = keep(read(file, many)?);
        rewrite(file, &kept)?;
    }
    append(file, std::slice::from_ref(note))?;
    file.unlock()
}

/// Keeps only the notes for which `is_kept` returns true.
pub(crate) fn retain<N: Serialize + DeserializeOwned>(
    file: &mut File,
    many: u64,
    is_kept: impl Fn(&N) -> bool,
) -> io::Result<()> {
    file.lock()?;
    let mut notes: Vec<N> = read(file, many)?;
    let count = notes.len();
    notes.retain(is_kept);
    if notes.len() < count {
        rewrite(file, &notes)?;
    }
    file.unlock()
}

/// Replaces the notes of a locked file.
fn rewrite<N: Serialize>(file: &mut File, notes: &[N]) -> io::Result<()> {
    file.set_len(0)?;
    append(file, notes)
}

/// Appends notes in one write. The file is open in append mode.
fn append<N: Serialize>(file: &mut File, notes: &[N]) -> io::Result<()> {
    let mut text = Vec::new();
    for note in notes {
        serde_json::to_writer(&mut text, note)?;
        text.push(b'\n');
    }
    file.write_all(&text)
}
