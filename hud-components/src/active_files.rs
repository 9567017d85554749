use hud_core::node::{Code, Field, Item, List, Relates, Section, Status};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{ActiveFile, FileStatus};

use crate::text::line;
use crate::{Ceiling, section};

/// How many files are on a compact line.
const COMPACT: usize = 5;

/// How many characters the names may have of what was changed in the files that were edited last; of
/// others none are shown.
const NAMES: [usize; 4] = [72, 48, 32, 32];

/// As many on the compact line, for the files that were edited last.
const COMPACT_NAMES: [usize; 2] = [32, 24];

/// The files that the agent works with, the one touched last first: a line for each one that it changed,
/// with what and where, and one for all that it read.
///
/// Paths are shown from the directory that makes the whole shortest; the heading names it.
#[component(layer = dynamic, worth = 6, cap = 10, part = "active_files", schema)]
pub fn ActiveFiles<'a>(
    /// The files, least recently touched first.
    files: &'a [ActiveFile],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    if files.is_empty() {
        return rsx! {};
    }
    let of = |group: Group| {
        let newest = files.iter().rev();
        newest.filter(move |file| Group::of(file) == group)
    };
    let count = |group| of(group).count();
    match density {
        Density::Full => {
            let root = root(files);
            let active = files.len() - count(Group::Deleted);
            let most = cap.of(active);
            // What is being read now is shown however much was changed before.
            let edited = count(Group::Edited).min(most - count(Group::Read).min(1).min(most));
            let read = count(Group::Read).min(most - edited);
            let title = match root {
                "" => format!("Active Files ({active})"),
                root => format!("Active Files ({active}) in {}", line(root, 100)),
            };
            rsx! {
                <Section title>
                    <List>
                        for (index, file) in of(Group::Edited).take(edited).enumerate() {
                            <Item key={file.path.as_str()}>
                                {changed(root, file, NAMES.get(index).copied())}
                            </Item>
                        }
                        if read > 0 {
                            <Item>
                                "read: "
                                for (index, file) in of(Group::Read).take(read).enumerate() {
                                    if index > 0 { ", " }
                                    <Code>{line(below(root, &file.path), 160)}</Code>
                                    if let Some(lines) = file.lines { " " {lines.to_string()} }
                                }
                            </Item>
                        }
                        if count(Group::Deleted) > 0 {
                            <Item>
                                "deleted: "
                                for (index, file) in of(Group::Deleted).enumerate() {
                                    if index > 0 { ", " }
                                    <Code>{line(below(root, &file.path), 160)}</Code>
                                }
                            </Item>
                        }
                        if active > edited + read {
                            <Item>{section::others(active - edited - read, "more", handle)}</Item>
                        }
                    </List>
                </Section>
            }
        }
        Density::Compact => {
            let most = cap.of(COMPACT);
            let edited = count(Group::Edited).min(most);
            let read = count(Group::Read).min(most - edited);
            let deleted = count(Group::Deleted).min(2);
            let more = files.len() - edited - read - deleted;
            let shown = of(Group::Edited).take(edited);
            let shown = shown.chain(of(Group::Read).take(read));
            let shown = shown.chain(of(Group::Deleted).take(deleted));
            let mut names = brief(shown).into_iter();
            let mut next = |count| names.by_ref().take(count).collect::<Vec<_>>();
            let [edits, reads, deletions] = [edited, read, deleted].map(&mut next);
            rsx! {
                <Field label="Files">
                    if edited > 0 {
                        "editing "
                        for (index, (file, name)) in of(Group::Edited).zip(edits).enumerate() {
                            if index > 0 { ", " }
                            <Code>{line(name, 60)}</Code>
                            if let Some(most) = COMPACT_NAMES.get(index)
                                && !file.names.is_empty()
                            {
                                " (" {said(&file.names, *most)} ")"
                            }
                        }
                    }
                    if edited > 0 && read > 0 { "; " }
                    if read > 0 { "read " {row(reads)} }
                    if edited + read > 0 && deleted > 0 { "; " }
                    if deleted > 0 { "deleted " {row(deletions)} }
                    {section::rest(more, edited + read + deleted > 0, handle)}
                </Field>
            }
        }
        Density::Minimal => {
            rsx! {
                if let Some(file) = of(Group::Edited).next() {
                    "editing " <Code>{line(tail(&file.path, 1), 40)}</Code>
                    {section::others_counted(files.len() - 1, handle, ceiling)}
                } else {
                    {section::counted(files.len(), ["file", "files"], handle, ceiling)}
                }
            }
        }
    }
}

/// Files that are shown together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Edited,
    Read,
    Deleted,
}

impl Group {
    const fn of(file: &ActiveFile) -> Self {
        match file.status {
            FileStatus::Editing => Self::Edited,
            FileStatus::Reading | FileStatus::Referenced => Self::Read,
            FileStatus::Deleted => Self::Deleted,
        }
    }
}

/// A file that was changed: what, and where.
fn changed<'f>(root: &'f str, file: &'f ActiveFile, most: Option<usize>) -> Element<'f> {
    let state = if file.created {
        "new"
    } else {
        file.status.word()
    };
    let names = most.map_or_else(String::new, |most| said(&file.names, most));
    let lines = file.lines.filter(|_| most.is_some());
    rsx! {
        <Code>{line(below(root, &file.path), 160)}</Code> " "
        <Status state />
        if let Some(was) = &file.was {
            ", was "
            <Relates how="was" to={was.as_str()}>
                <Code>{line(below(root, was), 160)}</Code>
            </Relates>
        }
        if !names.is_empty() || lines.is_some() { ": " {names.clone()} }
        if let Some(lines) = lines {
            if names.is_empty() {
                if lines.first == lines.last { "line " } else { "lines " }
                {lines.to_string()}
            } else {
                " (" {lines.to_string()} ")"
            }
        }
    }
}

/// The first names of what was changed, in a row of so many characters; at least one of them.
fn said(names: &[String], most: usize) -> String {
    let mut row = String::new();
    for name in names {
        let name = line(name, 64);
        if !row.is_empty() {
            if row.chars().count() + name.chars().count() + 2 > most {
                break;
            }
            row.push_str(", ");
        }
        row.push_str(&name);
    }
    row
}

/// The names of files one behind the other, each with the directory that it is in, where that is not the one of
/// the file before.
fn brief<'f>(files: impl Iterator<Item = &'f ActiveFile>) -> Vec<&'f str> {
    let mut before = None;
    let names = files.map(|file| {
        let name = tail(&file.path, 1);
        let directory = file.path.strip_suffix(name);
        let is_same = directory.is_some() && before.replace(directory) == Some(directory);
        if is_same { name } else { tail(&file.path, 2) }
    });
    names.collect()
}

/// Names in a row.
fn row(names: Vec<&str>) -> Element<'_> {
    rsx! {
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 { ", " }
            <Code>{line(name, 60)}</Code>
        }
    }
}

/// The directory that makes the whole shortest when it is left out of the paths, and said once; empty if none
/// does.
fn root(files: &[ActiveFile]) -> &str {
    root_of(files.iter().map(|file| file.path.as_str()))
}

fn root_of<'p>(paths: impl Iterator<Item = &'p str>) -> &'p str {
    let mut paths: Vec<&str> = paths.collect();
    paths.sort_unstable();
    // Of paths in their order, those in a directory are side by side: so it is enough to know how many bytes each has
    // in common with the one before it.
    let common = |pair: &[&str]| match pair {
        [before, path] => before
            .bytes()
            .zip(path.bytes())
            .take_while(|(one, other)| one == other)
            .count(),
        _ => 0,
    };
    let shared: Vec<usize> = std::iter::once(0)
        .chain(paths.windows(2).map(common))
        .collect();
    let (mut root, mut most) = ("", 0);
    for ((at, path), begun) in paths.iter().enumerate().zip(&shared) {
        let first = path.find('/').map_or(path.len(), |first| first + 1);
        let from = first.max(*begun);
        let rest = path.as_bytes().get(from..).unwrap_or_default().iter();
        for (end, _) in (from..).zip(rest).filter(|(_, byte)| **byte == b'/') {
            let behind = shared.get(at + 1..).unwrap_or_default().iter();
            let saved = behind.take_while(|shared| **shared > end).count() * end;
            if saved > most || most > 0 && saved == most && path[..end] > *root {
                (root, most) = (&path[..end], saved);
            }
        }
    }
    root
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

    use super::{ActiveFiles, root_of, tail};
    use crate::fixture::assert_snapshots;

    #[test]
    fn a_directory_has_a_name() {
        assert_eq!(tail("/app/src/", 1), "src/");
        assert_eq!(tail("src/", 2), "src/");
        assert_eq!(tail("/", 1), "/");
        assert_eq!(tail("a/b/c", 2), "b/c");
    }

    #[test]
    fn the_heading_names_the_directory_that_makes_the_whole_shortest() {
        let root = |paths: &[&'static str]| root_of(paths.iter().copied());
        assert_eq!(root(&["/app/cmd/a.rs", "/app/cmd/b.rs"]), "/app/cmd");
        // What lies elsewhere is long without the directory that they share.
        let elsewhere = ["/my/app/cmd/a.rs", "/my/app/cmd/b.rs", "/my/app/docs/c.md"];
        assert_eq!(root(&elsewhere), "/my/app");
        assert_eq!(root(&["/app/a.rs"]), "");
    }

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "active_files",
            |state| rsx! { <ActiveFiles files={&state.active_files} /> },
        );
    }
}
