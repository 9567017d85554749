use hud_core::node::{Code, Field, Item, List, Section};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::section::{MemoryKind, PoolItem, WorkingMemory};
use hud_store::state::ActiveFile;

use crate::text::{line, prose};
use crate::{Ceiling, section};

/// How many characters are shown of all of it at most, in whole lines.
const ROOM: usize = 1_600;

/// How many characters of an item are shown.
const ITEM: usize = 200;

/// How many files are named.
const FILES: usize = 8;

/// How many characters of a path are shown: of a longer one, its end.
const PATH: usize = 60;

/// What the agent keeps at hand, best first. The files that it used are [`UsedBefore`].
#[component(layer = dynamic, worth = 6, cap = 20, part = "working_memory", schema)]
pub fn WorkingMemoryList<'a>(
    /// What there is.
    memory: &'a WorkingMemory,
    /// The turn that it is shown in: what was used long ago has faded by then.
    turn: u64,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element<'a> {
    let notes = ranked(memory, turn, MemoryKind::Note);
    if notes.is_empty() {
        return rsx! {};
    }
    let best = |most, length, handle| {
        let notes = notes.iter().map(|item| item.content.as_str());
        section::row(notes, cap.of(most), length, handle)
    };
    match density {
        Density::Full => listed(&notes, cap.of(notes.len()), handle),
        Density::Compact => rsx! { <Field label="At hand">{best(4, 60, handle)}</Field> },
        Density::Minimal => rsx! { "at hand: " {best(1, 40, handle)} },
    }
}

/// The files that the agent used before, best first, and that are not among those in view. Nothing else is
/// given up for them, and at minimal density they give way themselves.
#[component(layer = dynamic, worth = 0, cap = 8, part = "used_before", schema)]
pub fn UsedBefore<'a>(
    /// What the agent keeps at hand.
    memory: &'a WorkingMemory,
    /// The files in view, which are not said again.
    files: &'a [ActiveFile],
    /// The turn that it is shown in: what was used long ago has faded by then.
    turn: u64,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let is_in_view = |item: &&PoolItem| files.iter().any(|file| file.path == item.content);
    let mut paths = ranked(memory, turn, MemoryKind::Path);
    paths.retain(|item| !is_in_view(item));
    // In a project whose directory is known, paths in it are relative to that.
    if paths.iter().any(|item| !is_outside(&item.content))
        || files.iter().any(|file| !is_outside(&file.path))
    {
        paths.retain(|item| !is_outside(&item.content));
    }
    let most = match density {
        Density::Full => cap.of(FILES),
        Density::Compact => cap.of(FILES / 2),
        Density::Minimal => {
            let noun = ["file used before", "files used before"];
            return section::counted(paths.len(), noun, handle, ceiling);
        }
    };
    named(&paths, most, handle)
}

/// Whether a path leads out of the project, as far as that can be seen.
fn is_outside(path: &str) -> bool {
    let is_drive = path
        .get(1..3)
        .is_some_and(|mark| mark == ":\\" || mark == ":/");
    is_drive || path.starts_with(['/', '\\', '~']) || path.starts_with("../")
}

/// The end of a path that is long, from the beginning of one of its parts.
fn end(path: &str) -> String {
    let chars = path.chars().count();
    if chars <= PATH {
        return path.to_owned();
    }
    let end: String = path.chars().skip(chars - PATH).collect();
    match end.split_once('/') {
        Some((_, parts)) if !parts.is_empty() => format!("…/{parts}"),
        _ => format!("…{end}"),
    }
}

/// What there is of a kind, best first.
fn ranked(memory: &WorkingMemory, turn: u64, kind: MemoryKind) -> Vec<&PoolItem> {
    let mut ranked = memory.ranked(turn);
    ranked.retain(|item| item.kind == kind);
    ranked
}

/// The notes as a list, as many as there is room for.
fn listed<'a>(notes: &[&'a PoolItem], most: usize, handle: &Handle) -> Element<'a> {
    let mut left = ROOM;
    let fits = |item: &&&PoolItem| {
        // With the mark of the item and the end of the line.
        let length = line(&item.content, ITEM).chars().count() + 3;
        left = left.saturating_sub(length);
        left > 0
    };
    let shown: Vec<&PoolItem> = notes.iter().take(most).take_while(fits).copied().collect();
    let more = notes.len() - shown.len();
    rsx! {
        <Section title="At Hand">
            <List>
                for item in shown {
                    <Item key={item.content.as_str()}>{prose(&item.content, ITEM)}</Item>
                }
                if more > 0 { <Item>{section::others(more, "more", handle)}</Item> }
            </List>
        </Section>
    }
}

/// The names of files on one line.
fn named(paths: &[&PoolItem], most: usize, handle: &Handle) -> Element<'static> {
    if paths.is_empty() || most == 0 {
        return rsx! {};
    }
    let more = paths.len().saturating_sub(most);
    let shown: Vec<String> = paths
        .iter()
        .take(most)
        .map(|item| end(&line(&item.content, 400)))
        .collect();
    rsx! {
        <Field label="Used before">
            for (at, path) in shown.into_iter().enumerate() {
                if at > 0 { ", " }
                <Code>{path}</Code>
            }
            {section::rest(more, true, handle)}
        </Field>
    }
}

#[cfg(test)]
mod tests {
    use hud_core::node::Parts;
    use hud_core::{Density, render, render_densities, rsx};
    use hud_store::section::{MemoryKind, MemorySource, PoolItem, WorkingMemory};
    use hud_store::state::{ActiveFile, FileStatus};
    use jiff::Timestamp;

    use super::{UsedBefore, WorkingMemoryList};

    fn item(kind: MemoryKind, content: &str, turn: u64) -> PoolItem {
        PoolItem {
            content: content.to_owned(),
            added_at: Timestamp::UNIX_EPOCH,
            turn,
            mentions: 0,
            kind,
            source: MemorySource::Agent,
        }
    }

    #[test]
    fn notes_and_files_that_are_not_in_view_are_shown_while_they_have_not_faded() {
        let pool = vec![
            item(MemoryKind::Note, "faded", 1),
            item(MemoryKind::Path, "src/old.rs", 20),
            item(MemoryKind::Note, "# No heading\n- `x`", 30),
            item(MemoryKind::Path, "src/in_view.rs", 31),
            item(MemoryKind::Path, "odd\n# `name`.rs", 32),
            item(MemoryKind::Note, "Port 6379 is taken", 33),
        ];
        let memory = WorkingMemory { pool };
        let in_view = ActiveFile::new(
            "src/in_view.rs",
            FileStatus::Reading,
            Timestamp::UNIX_EPOCH,
            1,
        );
        let files = [in_view];
        let shown = |turn| {
            rsx! {
                <Parts>
                    <WorkingMemoryList memory={&memory} turn />
                    <UsedBefore memory={&memory} files={&files} turn />
                </Parts>
            }
        };
        insta::assert_snapshot!(render_densities(&shown(34)).unwrap());
        assert_eq!(render(&shown(90), Density::Full).unwrap(), "");
    }

    #[test]
    fn files_outside_of_the_project_are_left_out_and_long_paths_are_shown_by_their_ends() {
        let long = format!("src/{}limit.rs", "generated/".repeat(9));
        let outside = "/home/me/.cargo/registry/src/serde/lib.rs";
        let path = |path: &str, turn| item(MemoryKind::Path, path, turn);
        let shown = |paths: &[&str]| {
            let pool = (1..)
                .zip(paths)
                .map(|(turn, name)| path(name, turn))
                .collect();
            let memory = WorkingMemory { pool };
            let shown = rsx! { <UsedBefore memory={&memory} files={&[]} turn=5 /> };
            render(&shown, Density::Full).unwrap()
        };
        let said = shown(&[&long, outside, "../other/a.rs", "src/a.rs"]);
        assert_eq!(
            said,
            "**Used before:** `src/a.rs`, `…/generated/generated/generated/generated/generated/limit.rs`\n"
        );
        // Where no directory is known, all of them are whole.
        assert!(shown(&[outside]).contains("serde/lib.rs"));
    }

    #[test]
    fn no_more_than_there_is_room_for_is_shown_in_whole_lines() {
        let pool = (0..50).map(|n| {
            item(
                MemoryKind::Note,
                &format!("{n:02} {}", "x y ".repeat(60)),
                n,
            )
        });
        let pool = pool.collect();
        let memory = WorkingMemory { pool };
        let shown = rsx! { <WorkingMemoryList memory={&memory} turn=49 /> };
        let shown = render(&shown, Density::Full).unwrap();
        assert!(
            shown.len() < 1_700 && shown.len() > 1_300,
            "{}",
            shown.len()
        );
        assert!(shown.starts_with("# At Hand\n\n- 49 x"), "{shown}");
        assert!(shown.ends_with("- 22 more\n"), "{shown}");
    }
}
