//! The files that a summary names.

use hud_store::state::HudState;

use crate::words::is_name;

/// The full paths of files with their names alone, if these are unique. The paths are in the list of files.
pub(super) struct Short(Vec<(String, String)>);

impl Short {
    /// `seen` has the files of the summary, each with its name there and its name in the session.
    pub(super) fn of(state: &HudState, seen: &[(String, String)]) -> Self {
        let mut paths: Vec<&str> = state.active_files.iter().map(|file| &*file.path).collect();
        paths.extend(seen.iter().map(|(_, path)| &**path));
        paths.sort_unstable();
        paths.dedup();
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let is_one = |name: &str| paths.iter().filter(|path| base(path) == name).count() == 1;
        let given = seen.iter().map(|(given, _)| &**given);
        let mut short: Vec<(String, String)> = paths
            .iter()
            .copied()
            .chain(given)
            .map(|path| (path.to_owned(), base(path)))
            .filter(|(path, name)| path != name && !name.is_empty() && is_one(name))
            .collect();
        short.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self(short)
    }

    pub(super) fn shorten(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // Each path has a directory.
        if !text.contains('/') {
            return text;
        }
        for (path, name) in &self.0 {
            if text.contains(path.as_str()) {
                text = text.replace(path.as_str(), name);
            }
        }
        text
    }
}

/// The paths that a text begins with, and the text after them.
pub(super) fn file(text: &str) -> (Vec<&str>, &str) {
    let mut paths = Vec::new();
    let mut rest = text.trim_start();
    // Skips the state of the file: `MODIFIED: src/a.rs`.
    if let Some((state, behind)) = rest.split_once(": ")
        && state.chars().all(char::is_uppercase)
    {
        rest = behind.trim_start();
    }
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let path = word.trim_matches([',', ';', ':', '(', ')', '`', '"', '\'']);
        let joins = matches!(word, "and" | "," | "&" | "+" | "und" | "et" | "y");
        if !joins && !is_path(path) {
            break;
        }
        if !joins {
            paths.push(path);
        }
        rest = behind.trim_start();
        if word.ends_with(':') {
            break;
        }
    }
    (paths, rest.trim_start_matches([':', '-', '–', '—', ' ']))
}

/// True if the text about a file adds nothing to the list of files: `(edited)`.
pub(super) fn is_status(about: &str) -> bool {
    let says = |word: &str| word.chars().any(|c| c.is_numeric() || c == '_');
    about.split_whitespace().count() <= 2 && !about.split_whitespace().any(says)
}

pub(super) fn names_file(text: &str) -> bool {
    !file(text).0.is_empty()
}

/// True if a word is the path of a file. A line number after it is ignored.
fn is_path(word: &str) -> bool {
    let word = word.split(':').next().unwrap_or(word);
    let has_end = word.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=8).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    !word.contains("://")
        && word.len() > 2
        && word.len() < 300
        && (has_end && (is_name(word) || word.starts_with('.'))
            || word.contains('/') && word.len() > 4)
}

/// The name that a file has in the session. The path may lack leading directories.
pub(super) fn known_as(
    path: &str,
    state: &HudState,
    named: &impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let path = path.split(':').next().unwrap_or(path);
    let mut known = state.active_files.iter().filter(|file| {
        file.path == path
            || file
                .path
                .strip_suffix(path)
                .is_some_and(|before| before.ends_with('/'))
    });
    match (known.next(), known.next()) {
        (Some(file), None) => Some(file.path.clone()),
        // Without a directory, the file may be anywhere.
        _ if !path.contains('/') => None,
        _ => named(path),
    }
}
