//! Who is asked next: a function of the world, over its own time.
//!
//! A heartbeat takes an agent's interval, from 1.0 to 10.0 seconds. Thumbs speed it up and slow it down by
//! 0.5, each heartbeat slows down the next one by 0.1. Who sleeps is not asked before it wakes.

use jiff::Timestamp;

use crate::world::{AgentId, World};

/// A heartbeat that is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beat {
    /// When.
    pub at: Timestamp,
    /// Whose.
    pub agent: AgentId,
}

/// The next heartbeat of a world; of several at one time, that of the agent with the lowest number. None
/// where there are no agents.
pub fn next(world: &World) -> Option<Beat> {
    beats(world).min()
}

/// The heartbeats that are due at a time, in the order in which they were.
pub fn due(world: &World, now: Timestamp) -> Vec<Beat> {
    let mut due: Vec<Beat> = beats(world).filter(|beat| beat.at <= now).collect();
    due.sort_unstable();
    due
}

/// The next heartbeat of each agent.
fn beats(world: &World) -> impl Iterator<Item = Beat> {
    let agents = world.agents().filter(|agent| !agent.is_retired);
    agents.map(|agent| Beat {
        at: agent.next_beat(),
        agent: agent.id,
    })
}
