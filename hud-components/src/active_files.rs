use std::collections::BTreeMap;

use hud_core::node::{Code, Field, Item, List, Section, Status};
use hud_core::part::Cap;
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{ActiveFile, FileStatus};

use crate::text::line;

/// How many files are on a compact line.
const COMPACT: usize = 5;

/// The files that the agent works with, the one touched last first.
///
/// Paths are shown from the directory that shortens them most; the heading names it.
#[component(layer = dynamic, worth = 4, cap = 10, part = "active_files")]
pub fn ActiveFiles<'a>(
    /// The files, least recently touched first.
    files: &'a [ActiveFile],
    density: Density,
    #[prop(ambient)] cap: Cap,
) -> Element<'a> {
    if files.is_empty() {
        return rsx! {};
    }
    let newest = || files.iter().rev();
    match density {
        Density::Full => {
            let root = root(files);
            let shown = cap.of(files.len());
            let title = match root {
                "" => format!("Active Files ({})", files.len()),
                root => format!("Active Files ({}) in {}", files.len(), line(root, 100)),
            };
            rsx! {
                <Section title>
                    <List>
                        for file in newest().take(shown) {
                            <Item>
                                <Code>{line(below(root, &file.path), 160)}</Code> " "
                                <Status state={status(file.status)} />
                            </Item>
                        }
                        if files.len() > shown { <Item>{files.len() - shown} " more"</Item> }
                    </List>
                </Section>
            }
        }
        Density::Compact => {
            let of = |editing: bool| {
                newest().filter(move |file| (file.status == FileStatus::Editing) == editing)
            };
            let most = cap.of(COMPACT);
            let shown = of(true).count().min(most);
            let (edited, read) = (of(true).take(shown), of(false).take(most - shown));
            let more = files.len().saturating_sub(most);
            rsx! {
                <Field label="Files">
                    if shown > 0 { "editing " {names(edited)} }
                    if shown > 0 && shown < most && shown < files.len() { "; " }
                    if shown < most && shown < files.len() { "read " {names(read)} }
                    if more > 0 { "; +" {more} " more" }
                </Field>
            }
        }
        Density::Minimal => {
            let editing = newest().find(|file| file.status == FileStatus::Editing);
            rsx! {
                if let Some(file) = editing {
                    "editing " <Code>{line(tail(&file.path, 1), 40)}</Code>
                }
            }
        }
    }
}

/// The names of files, with the directories that they are in, one behind the other.
fn names<'f>(files: impl Iterator<Item = &'f ActiveFile>) -> Element<'f> {
    rsx! {
        for (index, file) in files.enumerate() {
            if index > 0 { ", " }
            <Code>{line(tail(&file.path, 2), 60)}</Code>
        }
    }
}

const fn status(status: FileStatus) -> &'static str {
    match status {
        FileStatus::Reading => "reading",
        FileStatus::Editing => "editing",
        FileStatus::Referenced => "referenced",
    }
}

/// The directory that shortens the paths most when it is left out of them; empty if none does.
fn root(files: &[ActiveFile]) -> &str {
    let mut saved: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        for (end, _) in file.path.match_indices('/').skip(1) {
            let directory = &file.path[..end];
            *saved.entry(directory).or_default() += directory.len();
        }
    }
    saved
        .into_iter()
        .filter(|(directory, saved)| *saved > directory.len())
        .max_by_key(|(_, saved)| *saved)
        .map_or("", |(directory, _)| directory)
}

/// A path from a directory on, or whole where it lies elsewhere.
fn below<'p>(directory: &str, path: &'p str) -> &'p str {
    path.strip_prefix(directory)
        .filter(|_| !directory.is_empty())
        .and_then(|path| path.strip_prefix('/'))
        .filter(|path| !path.is_empty())
        .unwrap_or(path)
}

/// The last `parts` parts of a path; a slash at its end is no part.
fn tail(path: &str, parts: usize) -> &str {
    path.trim_end_matches('/')
        .rmatch_indices('/')
        .nth(parts - 1)
        .map_or(path, |(slash, _)| &path[slash + 1..])
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::{ActiveFiles, tail};
    use crate::fixture::assert_snapshots;

    #[test]
    fn a_directory_has_a_name() {
        assert_eq!(tail("/app/src/", 1), "src/");
        assert_eq!(tail("src/", 2), "src/");
        assert_eq!(tail("/", 1), "/");
        assert_eq!(tail("a/b/c", 2), "b/c");
    }

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "active_files",
            |state| rsx! { <ActiveFiles files={&state.active_files} /> },
        );
    }
}
