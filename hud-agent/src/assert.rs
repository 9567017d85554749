//! Assertions for tests of a layout, in addition to snapshots: [`assert_fits!`](crate::assert_fits) and
//! [`assert_cost_ratio!`](crate::assert_cost_ratio).
//!
//! ```
//! use hud_agent::{assert_cost_ratio, assert_fits};
//! use hud_agent::layout::Layout;
//! use hud_agent::setup::Setup;
//! use hud_components::TaskSection;
//! use hud_core::rsx;
//! use hud_store::state::HudState;
//!
//! let layout = Layout::new(|state| rsx! { <TaskSection task={state.task.as_ref()} /> });
//! let setup = Setup::default().with_layout(layout);
//! let states = vec![HudState::default(); 20];
//! for state in &states {
//!     assert_fits!(setup, state, 40);
//! }
//! assert_cost_ratio!(setup, states, < 1.05);
//! ```

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hud_core::fit::Choice as Shown;
use hud_store::state::HudState;

use crate::cost::{CostError, Profile, Recorded, Report};
use crate::frame::Frame;
use crate::placement::Placement;
use crate::setup::Setup;

/// The maximum number of parts that a message names.
const NAMED: usize = 5;

/// Asserts that the HUD of a state fits into a number of tokens of the state's model. It fits if the floors of
/// its parts do. The density is that of the context use.
///
/// The arguments are the [`Setup`], the [`HudState`] and the tokens. The message names the largest parts.
///
/// ```
/// use hud_agent::assert_fits;
/// use hud_agent::setup::Setup;
/// use hud_store::state::HudState;
///
/// assert_fits!(Setup::default(), HudState::default(), 60);
/// ```
///
/// # Panics
///
/// If it does not fit, or can't be rendered.
#[macro_export]
macro_rules! assert_fits {
    ($setup:expr, $state:expr, $tokens:expr $(,)?) => {
        let said = $crate::assert::too_large(&$setup, &$state, $tokens);
        assert!(said.is_none(), "{}", said.unwrap_or_default());
    };
}

/// Asserts that the ratio of a session's cost with the HUD to its cost without the HUD is below a limit.
///
/// The first argument is the [`Setup`]. The second is the session: the path of a recorded one, or a list of
/// [`HudState`]s, one before each model call. A list becomes a conversation with a prompt of 20,000 tokens,
/// and 1,500 more with each call, one minute apart. The default placement is that of the settings for the
/// provider. The default provider is that of the session's model, or Anthropic. The message names the part
/// that broke the cache.
///
/// ```
/// use hud_agent::assert_cost_ratio;
/// use hud_agent::placement::Placement;
/// use hud_agent::setup::Setup;
/// use hud_store::state::HudState;
///
/// let states = vec![HudState::default(); 10];
/// assert_cost_ratio!(Setup::default(), states, < 1.05);
/// let states = vec![HudState::default(); 10];
/// assert_cost_ratio!(Setup::default(), states, < 1.05, Placement::MessageTail, "openai-before-5.6");
/// ```
///
/// # Panics
///
/// If the ratio is not below the limit, the session can't be read, or the profile does not exist.
#[macro_export]
macro_rules! assert_cost_ratio {
    ($setup:expr, $session:expr, < $most:expr $(,)?) => {
        let said = $crate::assert::too_dear(&$setup, $session, $most, None, None);
        assert!(said.is_none(), "{}", said.unwrap_or_default());
    };
    ($setup:expr, $session:expr, < $most:expr, $placement:expr $(,)?) => {
        let said = $crate::assert::too_dear(&$setup, $session, $most, Some($placement), None);
        assert!(said.is_none(), "{}", said.unwrap_or_default());
    };
    ($setup:expr, $session:expr, < $most:expr, $placement:expr, $profile:expr $(,)?) => {
        let said =
            $crate::assert::too_dear(&$setup, $session, $most, Some($placement), Some($profile));
        assert!(said.is_none(), "{}", said.unwrap_or_default());
    };
}

/// The source of a session: a recording, or the states before each model call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Session {
    /// The file of a recorded session.
    File(PathBuf),
    /// The states.
    States(Vec<HudState>),
}

impl From<&str> for Session {
    fn from(path: &str) -> Self {
        Self::File(path.into())
    }
}

impl From<&Path> for Session {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<PathBuf> for Session {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<Vec<HudState>> for Session {
    fn from(states: Vec<HudState>) -> Self {
        Self::States(states)
    }
}

impl Session {
    fn recorded(&self, setup: &Setup) -> Result<Recorded, CostError> {
        match self {
            Self::File(path) => Recorded::read(path, setup),
            Self::States(states) => Recorded::of_states(states, setup),
        }
    }
}

/// Returns the reason that the HUD of a state does not fit into so many tokens; `None` if it fits.
#[must_use]
pub fn too_large(setup: &Setup, state: &HudState, tokens: u64) -> Option<String> {
    let report = match Frame::fitted(state, None, tokens, setup) {
        Ok((_, report)) if report.count <= tokens => return None,
        Ok((_, report)) => report,
        Err(error) => return Some(format!("the HUD can't be shown: {error}")),
    };
    let mut parts: Vec<_> = report.parts.iter().collect();
    parts.retain(|part| matches!(part.choice, Shown::Level(_)) && part.count > 0);
    parts.sort_by_key(|part| std::cmp::Reverse(part.count));
    let mut said = format!(
        "the HUD takes {} tokens at least, more than {tokens} ({})",
        report.count, report.counter
    );
    for part in parts.iter().take(NAMED) {
        let floor = match part.part.floor {
            Some(floor) => format!("its floor is {floor}"),
            None => "it has no floor".to_owned(),
        };
        let _ = write!(
            said,
            "\n  {}: {} tokens, {floor}",
            part.part.name, part.count
        );
    }
    Some(said)
}

/// Returns the reason that a session costs too much with the HUD; `None` if it does not.
#[must_use]
pub fn too_dear(
    setup: &Setup,
    session: impl Into<Session>,
    most: f64,
    placement: Option<Placement>,
    profile: Option<&str>,
) -> Option<String> {
    let recorded = match session.into().recorded(setup) {
        Ok(recorded) => recorded,
        Err(error) => return Some(format!("the session can't be costed: {error}")),
    };
    let profiles = &setup.settings.profiles;
    let model = recorded.model.as_deref().unwrap_or_default();
    let own = Profile::of(profiles, None, model).map(|(name, _)| name);
    let name = profile.or(own).unwrap_or(DEFAULT);
    let Some(profile) = profiles.get(name) else {
        let known: Vec<&str> = profiles.keys().map(String::as_str).collect();
        return Some(format!(
            "there is no profile `{name}`: there are {}",
            known.join(", ")
        ));
    };
    let placement = placement.unwrap_or_else(|| setup.settings.placement.at(Some(profile)));
    let report = Report::of(&recorded, placement, &profile.for_model(model));
    (report.ratio().is_nan() || report.ratio() >= most)
        .then(|| dear(&report, most, placement, name))
}

/// The profile of a session whose model is unknown.
const DEFAULT: &str = "anthropic";

fn dear(report: &Report, most: f64, placement: Placement, profile: &str) -> String {
    let mut said = format!(
        "{placement} costs {:.3} times what the session costs without the HUD at {profile}, not \
         less than {most}: {:.1} % of it is read from the cache, {:.1} % without the HUD",
        report.ratio(),
        100.0 * report.with.read_share(),
        100.0 * report.without.read_share(),
    );
    if let Some(first) = &report.first_break {
        let part = first.part.as_deref().unwrap_or(&first.id);
        let _ = write!(
            said,
            "\n  {part} broke the cache first, in call {} at block {}, with {} tokens behind it; {} of {} \
             calls were read anew",
            first.call, first.block, first.behind, report.breaks, report.calls
        );
    }
    let changed = report.parts.iter().filter(|part| part.changed > 0);
    for part in changed.take(NAMED) {
        let _ = write!(
            said,
            "\n  {}: {} tokens, changed in {} of {} calls, {:.0} tokens read anew for it in each call",
            part.part,
            part.tokens,
            part.changed,
            part.calls,
            part.cost()
        );
    }
    said
}

#[cfg(test)]
mod tests {
    use hud_components::{ActiveFiles, TaskSection};
    use hud_core::rsx;
    use hud_store::event::{Actor, EventId, FileEdit, HudEvent, SessionId, StoredEvent, TaskSet};
    use hud_store::fold::fold;
    use jiff::Timestamp;

    use super::*;
    use crate::layout::Layout;

    /// The states of a session that edits file after file.
    fn edits(count: u32) -> Vec<HudState> {
        let task = TaskSet {
            description: "Add rate limits to each of the services".into(),
        };
        let edits = (0..count).map(|n| FileEdit::of(format!("src/service_{n}.rs")).into());
        let mut state = HudState::default();
        let states = [HudEvent::from(task)]
            .into_iter()
            .chain(edits)
            .map(|event| {
                let stored = StoredEvent {
                    seq: state.version + 1,
                    session: SessionId::new("s").unwrap(),
                    version: state.version + 1,
                    id: EventId::now_v7(),
                    turn: state.turn + 1,
                    at: Timestamp::UNIX_EPOCH,
                    actor: Actor::Agent,
                    cause: None,
                    event,
                };
                state = fold(std::mem::take(&mut state), &stored);
                state.clone()
            });
        states.collect()
    }

    #[test]
    fn a_hud_that_does_not_fit_is_refused_with_the_parts_that_take_most() {
        let state = edits(3).pop().unwrap();
        assert_fits!(Setup::default(), state, 60);
        let said = too_large(&Setup::default(), &state, 3).unwrap();
        assert!(
            said.contains("more than 3") && said.contains("\n  task: "),
            "{said}"
        );
    }

    #[test]
    fn a_layout_whose_static_layer_changes_is_refused_with_the_part_that_broke_the_cache() {
        // The files are in the static layer, so the system prompt changes with each call.
        let layout = Layout::new(|state| {
            rsx! {
                <TaskSection task={state.task.as_ref()} />
                <hud_core::node::Part layer={hud_core::part::Layer::Static} name="files">
                    <ActiveFiles files={&state.active_files} />
                </hud_core::node::Part>
            }
        });
        let wrong = Setup::default().with_layout(layout);
        assert_cost_ratio!(Setup::default(), edits(20), < 1.1);
        let said = too_dear(&wrong, edits(20), 1.1, Some(Placement::MessageTail), None).unwrap();
        assert!(
            said.contains("files broke the cache first, in call 2")
                && said.contains("message-tail"),
            "{said}"
        );
        assert_cost_ratio!(wrong, edits(20), < 1.1, Placement::Epoch);
    }

    #[test]
    fn what_can_not_be_costed_is_said() {
        let setup = Setup::default();
        let said = |session: Session, profile| too_dear(&setup, session, 2.0, None, profile);
        assert!(
            said("nobody.jsonl".into(), None)
                .unwrap()
                .contains("nobody.jsonl")
        );
        assert!(said(Vec::new().into(), None).unwrap().contains("no model"));
        let unknown = said(edits(2).into(), Some("mine")).unwrap();
        assert!(unknown.contains("there are anthropic"), "{unknown}");
    }
}
