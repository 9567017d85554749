//! The components of Agent HUD: an agent's [`HudState`] as elements.
//!
//! Each section of the state has a component, and [`Hud`] puts them together. Every component
//! knows three densities: *full* is a section with a heading, *compact* one labelled line,
//! *minimal* a few words that share a line with others. A section without content shows nothing at
//! any density. At minimal density [`RequestsList`],
//! [`FindingsList`], [`NotesSection`], [`DependenciesList`], [`UsedBefore`] and [`CompactedContext`]
//! are of little use in a few words: they show the number of their items and the operation that lists them
//! where the whole HUD is at that density ([`Ceiling`]), and nothing where there is room for more.
//!
//! ```
//! use hud_components::Hud;
//! use hud_core::{Density, render, rsx};
//! use hud_store::state::HudState;
//!
//! # fn main() -> Result<(), hud_core::LowerError> {
//! let state = HudState::default();
//! let hud = render(&rsx! { <Hud state={&state} /> }, Density::Full)?;
//! assert_eq!(hud, "");
//! # Ok(())
//! # }
//! ```
//!
//! All text of the state is shown on one line and cut to a length that depends on the density;
//! the state keeps it whole. It is data: it opens no block and no mark, ends no piece of a line, and
//! has nothing in it that nobody sees ([`text`]).

mod active_files;
mod age_line;
mod blockers_list;
mod changes;
mod checks_list;
mod clearable;
mod compacted_context;
mod constraints_list;
mod context_bar;
mod core_memory;
mod decisions_list;
mod dependencies_list;
mod earlier_sessions;
mod errors_list;
mod findings_list;
pub mod handoff;
mod knowledge_list;
pub mod news;
mod next_steps;
mod notes_section;
mod relief;
mod reminder_line;
mod repository_line;
mod requests_list;
mod section;
mod section_items;
mod since;
mod task_section;
pub mod text;
pub mod usage;
pub mod value;
mod warning_banner;
mod working_memory_list;

#[cfg(test)]
mod fixture;

pub use active_files::ActiveFiles;
pub use age_line::AgeLine;
pub use blockers_list::BlockersList;
pub use changes::Changes;
pub use checks_list::ChecksList;
pub use clearable::Clearable;
pub use compacted_context::CompactedContext;
pub use constraints_list::ConstraintsList;
pub use context_bar::ContextBar;
pub use core_memory::{CoreMemoryBlocks, size_of};
pub use decisions_list::DecisionsList;
pub use dependencies_list::DependenciesList;
pub use earlier_sessions::EarlierSessions;
pub use errors_list::ErrorsList;
pub use findings_list::FindingsList;
pub use knowledge_list::{KNOWLEDGE_TOKENS, KnowledgeLimit, KnowledgeList, knowledge_tokens};
pub use next_steps::NextSteps;
pub use notes_section::NotesSection;
pub use relief::{Relief, relief};
pub use reminder_line::{Asks, ReminderLine};
pub use repository_line::RepositoryLine;
pub use requests_list::RequestsList;
pub use section_items::SectionItems;
pub use since::Since;
pub use task_section::TaskSection;
pub use warning_banner::WarningBanner;
pub use working_memory_list::{UsedBefore, WorkingMemoryList};

use hud_core::node::{Beside, Parts};
use hud_core::{Bands, Density, Element, component, rsx};
use hud_store::state::HudState;

/// The HUD of a state: its [parts](hud_core::part), in their order.
///
/// Full is a document with the task as its heading, compact a line for each section, minimal two
/// lines. The bands of context use are an [ambient value](hud_core::ambient): they say in which steps
/// it is shown and when it is warned about.
#[component(schema)]
pub fn Hud<'a>(
    /// The state that the session's events fold to.
    state: &'a HudState,
) -> Element<'a> {
    let context = state.context.as_ref();
    rsx! {
        <Parts>
            <Beside>
                <TaskSection task={state.task.as_ref()} />
                <WarningBanner context state={Some(state)} />
                <ContextBar context />
            </Beside>
            <CoreMemoryBlocks memory={&state.core_memory} />
            <KnowledgeList knowledge={&state.knowledge} />
            <RequestsList requests={&state.requests} task={state.task.as_ref()} />
            <ConstraintsList constraints={&state.constraints} />
            <EarlierSessions earlier={&state.earlier} />
            <BlockersList blockers={&state.blockers} />
            <DecisionsList decisions={&state.decisions} />
            <ActiveFiles files={&state.active_files} />
            <NextSteps steps={&state.next_steps} />
            <ErrorsList errors={&state.errors} />
            <ChecksList checks={&state.checks} />
            <RepositoryLine repository={&state.repository} />
            <FindingsList findings={&state.findings} />
            <NotesSection notes={&state.notes} />
            <DependenciesList dependencies={&state.dependencies} />
            <WorkingMemoryList memory={&state.working_memory} turn={state.turn} />
            <UsedBefore
                memory={&state.working_memory}
                files={&state.active_files}
                turn={state.turn}
            />
            <CompactedContext compacted={state.compacted.as_ref()} />
            <AgeLine steps={&state.next_steps} blockers={&state.blockers} turn={state.turn} />
            <ReminderLine
                asks={state.reminder.asks.as_ref()}
                decisions={&state.decisions}
                findings={&state.findings}
            />
        </Parts>
    }
}

/// The density that no part of a HUD is above: a context value, by default full. Where it is minimal, a part that has no room
/// for its items shows their number and the operation that lists them, so that nothing is hidden without notice.
///
/// ```
/// use hud_components::{Ceiling, NotesSection};
/// use hud_core::part::Handle;
/// use hud_core::{Density, Provide, render, rsx};
/// use hud_store::state::HudState;
///
/// let state: HudState = serde_json::from_value(serde_json::json!({
///     "notes": [{ "id": "n1", "content": "redis", "updated_at": "2026-01-01T00:00:00Z" }],
/// })).unwrap_or_default();
/// let notes = rsx! { <NotesSection notes={&state.notes} /> };
/// assert_eq!(render(&notes, Density::Minimal)?, "");
/// let handle = Handle::from("notes.list");
/// let full = rsx! {
///     <Provide value={&Ceiling(Density::Minimal)}>
///         <Provide value={&handle}>{&notes}</Provide>
///     </Provide>
/// };
/// assert_eq!(render(&full, Density::Minimal)?, "1 note: `notes.list`\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ceiling(pub Density);

/// What is said of the turn that a state is in, beside the names of its sections.
pub const TURN: &str = "turn";

/// What of a state a part of [`Hud`] shows: the names of sections, and [`TURN`] where it depends on that. While they are
/// the same, and so are the [ambient values](hud_core::ambient), the part is the same. `None` for a part of which
/// that is not known, and for one that may look at anything.
///
/// ```
/// assert_eq!(hud_components::shown_by("requests"), Some(&["requests", "task"][..]));
/// assert_eq!(hud_components::shown_by("warning"), None);
/// ```
pub fn shown_by(part: &str) -> Option<&'static [&'static str]> {
    Some(match part {
        "task" => &["task"],
        "context" => &["context"],
        "core_memory" => &["core_memory"],
        "knowledge" => &["knowledge"],
        "requests" => &["requests", "task"],
        "constraints" => &["constraints"],
        "earlier" => &["earlier"],
        "blockers" => &["blockers"],
        "decisions" => &["decisions"],
        "active_files" => &["active_files"],
        "next_steps" => &["next_steps"],
        "errors" => &["errors"],
        "checks" => &["checks"],
        "repository" => &["repository"],
        "findings" => &["findings"],
        "notes" => &["notes"],
        "dependencies" => &["dependencies"],
        "working_memory" => &["working_memory", TURN],
        "used_before" => &["working_memory", "active_files", TURN],
        "compacted" => &["compacted"],
        "age" => &["next_steps", "blockers", TURN],
        "reminder" => &["reminder", "decisions", "findings"],
        _ => return None,
    })
}

/// The density that a state's use of its context asks for: the bands over its last readings.
/// Full where the window's size is not known.
pub fn density(state: &HudState, bands: &Bands) -> Density {
    let context = state.context.as_ref();
    let steady = context.and_then(|context| bands.steady(context.percentages()));
    steady.map_or(Density::Full, |percentage| bands.density(percentage))
}

#[cfg(test)]
mod tests {
    use hud_core::part::{Arrangement, Layer, PartMeta};
    use hud_core::tokens::Encoding;
    use hud_core::{Bands, Density, Renderer, Scope, render, rsx};
    use hud_store::state::HudState;

    use super::{Hud, TURN, density, shown_by};
    use crate::fixture::{STATES, assert_snapshots, example};

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots("hud", |state| rsx! { <Hud state /> });
    }

    /// One part of a state at one density.
    fn part(state: &HudState, name: &str, density: Density) -> String {
        let parts = Renderer::builtin().parts(
            &rsx! { <Hud state /> },
            Scope::new(density),
            &Arrangement::default(),
            &mut |part| (part.name == name).then_some(density),
        );
        parts.unwrap().markdown
    }

    #[test]
    fn a_part_shows_nothing_but_the_sections_that_are_said_of_it() {
        let mut names = Vec::new();
        let mut see = |part: &PartMeta| {
            names.push(part.name.clone());
            None
        };
        let (empty, arrangement) = (HudState::default(), Arrangement::default());
        let layout = rsx! { <Hud state={&empty} /> };
        let scope = Scope::new(Density::Full);
        let parts = Renderer::builtin().parts(&layout, scope, &arrangement, &mut see);
        parts.unwrap();
        let mut said = 0;
        for name in &names {
            let Some(sections) = shown_by(name) else {
                assert_eq!(name, "warning");
                continue;
            };
            let has_part = |section: &&str| names.iter().any(|name| name == section);
            assert!(
                sections
                    .iter()
                    .all(|section| *section == TURN || has_part(section))
            );
            for (_, one) in STATES {
                for (_, other) in STATES {
                    // All sections of another state, but for those of this part.
                    let (mut mixed, one) = (other(), one());
                    mixed.take_sections(&one, |section| sections.contains(&section));
                    if sections.contains(&TURN) {
                        mixed.turn = one.turn;
                    } else {
                        mixed.turn = one.turn + 9;
                    }
                    for density in Density::ALL {
                        let shown = part(&one, name, density);
                        assert_eq!(part(&mixed, name, density), shown, "{name}");
                        said += usize::from(!shown.is_empty());
                    }
                }
            }
        }
        assert!(said > 400, "{said}");
    }

    /// One layer of a state at one density.
    fn layer(state: &HudState, layer: Layer, density: Density) -> String {
        let parts = Renderer::builtin().parts(
            &rsx! { <Hud state /> },
            Scope::new(density),
            &Arrangement::default(),
            &mut |part| (part.layer == layer).then_some(density),
        );
        parts.unwrap().markdown
    }

    #[test]
    fn the_example_takes_as_many_tokens_as_each_density_may_have() {
        let bands = Bands::default();
        let tokens = [90_000, 144_000, 178_000].map(|used| {
            let state = example(used);
            let density = density(&state, &bands);
            let hud = render(&rsx! { <Hud state={&state} /> }, density).unwrap();
            let count = Encoding::O200k.counter().count(&hud).unwrap();
            println!("{density}: {count} tokens\n{hud}");
            (density, count)
        });
        let [full, compact, minimal] = tokens;
        assert_eq!(
            tokens.map(|(density, _)| density),
            [Density::Full, Density::Compact, Density::Minimal]
        );
        assert!((300..=500).contains(&full.1), "{full:?}");
        assert!((100..=150).contains(&compact.1), "{compact:?}");
        assert!((30..=50).contains(&minimal.1), "{minimal:?}");
    }

    #[test]
    fn every_density_of_every_state_in_layers() {
        for (kind, state) in STATES {
            let state = state();
            let layers = Density::ALL.map(|density| {
                let [fixed, changing] =
                    [Layer::Static, Layer::Dynamic].map(|of| layer(&state, of, density));
                let between = if changing.is_empty() { "" } else { "\n" };
                format!("=== {density} ===\n{fixed}{between}{changing}")
            });
            insta::assert_snapshot!(format!("layers_{kind}"), layers.join("\n"));
        }
    }
}
