//! The last good layout of a place, kept beside the project's log: many clients start a process for each frame, and
//! what one of them showed is shown by the next while the file has a mistake.

use std::path::PathBuf;

use hud_layout::Source;

use super::file::Place;
use crate::location::Location;
use crate::output;

/// What the name of its file ends with.
const END: &str = ".layout";

/// Each source by its name and its text, the layout first.
type Sources = Vec<(String, String)>;

fn location(place: &Place) -> Option<Location> {
    let folder: &PathBuf = match place {
        Place::Project(root) => root,
        Place::User(folder) => folder,
    };
    Location::of(None, folder).ok()
}

/// What was kept, if anything was.
pub(super) fn read(place: &Place) -> Option<(Source, Vec<Source>)> {
    let bytes = location(place)?.read_beside(END).ok()??;
    let sources: Sources = serde_json::from_slice(&bytes).ok()?;
    let mut sources = sources
        .into_iter()
        .map(|(name, text)| Source::new(name, text));
    Some((sources.next()?, sources.collect()))
}

/// Keeps a layout that is good, unless it is what was kept.
pub(super) fn write(place: &Place, layout: &Source, components: &[Source]) {
    let sources: Vec<(&str, &str)> = std::iter::once(layout)
        .chain(components)
        .map(|source| (&*source.name, &*source.text))
        .collect();
    let (Some(location), Ok(text)) = (location(place), serde_json::to_vec(&sources)) else {
        return;
    };
    if matches!(location.read_beside(END), Ok(Some(kept)) if kept == text) {
        return;
    }
    if let Err(error) = location.write_beside(END, &text) {
        output::problem(format_args!(
            "the layout is shown, and is not kept for when its file has a mistake: {error}"
        ));
    }
}
