//! Files that are at hand because a call named them or a search found few others. Files that are read and written
//! are at hand anyway, because working memory folds their events.

use hud_observe::action::Action;
use hud_store::event::{HudEvent, MemoryItemAdd};
use hud_store::section::{MemoryKind, MemorySource, PoolItem};
use hud_store::state::HudState;

use super::command::linked;
use super::lookup;
use super::printed::Printed;

/// The largest number of files that a search may find to be specific.
const FEW: usize = 5;

/// Returns a new use of each path at hand that a call names, at most one in a turn.
pub(super) fn mentioned(
    action: &Action,
    turn: u64,
    state: &HudState,
    name: impl Fn(&str) -> Option<String>,
) -> Vec<HudEvent> {
    let is_path = |item: &&PoolItem| item.kind == MemoryKind::Path && item.turn != turn;
    let known: Vec<&PoolItem> = state.working_memory.pool.iter().filter(is_path).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let named: Vec<String> = match action {
        Action::Run { command } => {
            let parts = linked(command);
            let words = parts.iter().flat_map(|part| &part.words);
            words.filter_map(|word| name(word)).collect()
        }
        Action::Look {
            target: Some(target),
            ..
        } => name(target).into_iter().collect(),
        _ => return Vec::new(),
    };
    known
        .into_iter()
        .filter(|item| named.contains(&item.content))
        .map(|item| at_hand(&item.content))
        .collect()
}

/// Returns the files that a search found, if they are few and not at hand yet.
pub(super) fn found(
    action: &Action,
    output: &Printed<'_>,
    state: &HudState,
    name: impl Fn(&str) -> Option<String>,
) -> Vec<HudEvent> {
    if !lookup::searches(action) {
        return Vec::new();
    }
    let found = lookup::files(output);
    if found.len() > FEW {
        return Vec::new();
    }
    let is_new = |path: &String| {
        let pool = &state.working_memory.pool;
        !pool.iter().any(|item| item.content == *path)
    };
    let named = found.into_iter().filter_map(name).filter(is_new);
    named.map(|path| at_hand(&path)).collect()
}

fn at_hand(path: &str) -> HudEvent {
    MemoryItemAdd {
        content: path.to_owned(),
        kind: MemoryKind::Path,
        source: MemorySource::Derived,
    }
    .into()
}
