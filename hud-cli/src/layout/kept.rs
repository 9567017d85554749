//! The last valid layout of a place, kept next to the project's log. Many clients start a process for each
//! frame. While the file has an error, a new process shows the layout that an earlier process showed.

use std::path::PathBuf;

use hud_layout::Source;

use super::file::Place;
use crate::location::Location;
use crate::output;

/// The end of the file's name.
const END: &str = ".layout";

/// The name and the text of each source. The layout comes first.
type Sources = Vec<(String, String)>;

fn location(place: &Place) -> Option<Location> {
    let folder: &PathBuf = match place {
        Place::Project(root) => root,
        Place::User(folder) => folder,
    };
    Location::of(None, folder).ok()
}

/// Returns the layout that was kept, if any.
pub(super) fn read(place: &Place) -> Option<(Source, Vec<Source>)> {
    let bytes = location(place)?.read_beside(END).ok()??;
    let sources: Sources = serde_json::from_slice(&bytes).ok()?;
    let mut sources = sources
        .into_iter()
        .map(|(name, text)| Source::new(name, text));
    Some((sources.next()?, sources.collect()))
}

/// Keeps a valid layout, unless it is the one that was kept.
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
