use hud_core::node::{Field, Relates};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Note;

use crate::text::prose;
use crate::{Ceiling, section};

/// The agent's scratchpad. At minimal density it gives way to everything else: `notes.list` has all of it.
#[component(layer = dynamic, worth = 7, cap = 10, part = "notes", schema)]
pub fn NotesSection<'a>(
    /// The notes, oldest first.
    notes: &'a [Note],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    if notes.is_empty() {
        return rsx! {};
    }
    let noted = match density {
        Density::Full => section::worthiest_list("Notes", notes, cap, handle, |note| {
            rsx! { {prose(&note.content, 200)} {section::sub_agent(&note.id)} }
        }),
        Density::Compact => {
            let said = |note: &'a Note| (note.content.as_str(), section::sub_agent(&note.id));
            let joined = section::joined_by(notes, cap.of(3), 60, handle, said);
            rsx! { <Field label="Notes">{joined}</Field> }
        }
        Density::Minimal => section::counted(notes.len(), ["note", "notes"], handle, ceiling),
    };
    rsx! { <Relates how="is about">{noted}</Relates> }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::NotesSection;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "notes_section",
            |state| rsx! { <NotesSection notes={&state.notes} /> },
        );
    }
}
