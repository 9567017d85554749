//! The context section and what compaction does to it.

use crate::event::{CompactAfter, CompactBefore, ContextSnapshot};
use crate::state::{CompactedContext, Compacting, ContextUsage, PrunedOutput, READINGS, Touch};

/// Takes a reading. What it doesn't say (the limits, the model) stays as it was known, but the
/// limits of one model say nothing about another's, and a reading with a limit says all of the
/// window: without a `usable` the client does not compact by itself, or no longer.
pub(super) fn reading(
    context: &mut Option<ContextUsage>,
    event: &ContextSnapshot,
    now: Touch,
) -> bool {
    let mut usage = context.take().unwrap_or(ContextUsage {
        used: 0,
        limit: None,
        usable: None,
        model: None,
        at: now.at,
        readings: Vec::new(),
    });
    if event.model.is_some() && event.model != usage.model {
        usage.limit = None;
        usage.usable = None;
        usage.model = event.model.clone();
    }
    if event.limit.is_some() {
        usage.limit = event.limit;
        usage.usable = None;
    }
    usage.usable = event.usable.or(usage.usable);
    push(&mut usage, event.used, now);
    *context = Some(usage);
    true
}

/// A compaction begins. The state in its payload is a witness, not an input.
pub(super) fn begin(event: &CompactBefore, used: Option<u64>, now: Touch) -> Compacting {
    Compacting {
        at: now.at,
        trigger: event.trigger.clone(),
        tokens_before: event.tokens_before.or(used),
    }
}

/// A compaction ended, whether or not its beginning was seen. Where nothing began and the last one
/// ended in the same turn (`is_again`), it is that one, reported by another of the client's hooks.
pub(super) fn end(
    compacted: &mut Option<CompactedContext>,
    begun: Option<Compacting>,
    is_again: bool,
    context: &Option<ContextUsage>,
    event: &CompactAfter,
    now: Touch,
) {
    if let (Some(last), true) = (compacted.as_mut(), is_again) {
        last.summary = event.summary.clone().or(last.summary.take());
        last.tokens_after = event.tokens_after.or(last.tokens_after);
        last.boundary = event.boundary.clone().or(last.boundary.take());
        return;
    }
    let count = compacted.as_ref().map_or(0, |compacted| compacted.count);
    *compacted = Some(CompactedContext {
        summary: event.summary.clone(),
        at: now.at,
        count: count.saturating_add(1),
        tokens_before: match begun {
            Some(begun) => begun.tokens_before,
            None => context.as_ref().map(|context| context.used),
        },
        tokens_after: event.tokens_after,
        boundary: event.boundary.clone(),
    });
}

/// Drops the readings from before the compaction. How full the window is now is what the event
/// says, and not known at all when it says nothing: a stale figure would warn of a full window.
pub(super) fn forget_readings(
    context: &mut Option<ContextUsage>,
    tokens_after: Option<u64>,
    now: Touch,
) -> bool {
    let Some(mut usage) = context.take() else {
        return false;
    };
    if let Some(used) = tokens_after {
        usage.readings.clear();
        push(&mut usage, used, now);
        *context = Some(usage);
    }
    true
}

/// An output leaves the conversation. One that left before is found where it was kept last.
pub(super) fn prune(pruned: &mut Vec<PrunedOutput>, call: &str, seq: u64) {
    pruned.retain(|output| output.call != call);
    pruned.push(PrunedOutput {
        call: call.to_owned(),
        seq,
    });
}

fn push(usage: &mut ContextUsage, used: u64, now: Touch) {
    usage.used = used;
    usage.at = now.at;
    usage.readings.push(used);
    let excess = usage.readings.len().saturating_sub(READINGS);
    usage.readings.drain(..excess);
}
