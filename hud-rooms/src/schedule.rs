//! The next agent to call. It is a function of the world and its own time.
//!
//! A heartbeat takes an agent's interval, from 1.0 to 10.0 seconds. A thumb makes it 0.5 seconds faster
//! or slower, and each heartbeat makes the next one 0.1 seconds slower. A sleeping agent is not called
//! before it wakes.

use jiff::Timestamp;

use crate::world::{AgentId, World};

/// A future heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beat {
    /// The time.
    pub at: Timestamp,
    /// The agent.
    pub agent: AgentId,
}

/// Returns the next heartbeat of a world. Of several at the same time, it is that of the agent with the
/// lowest number. `None` if there are no agents.
pub fn next(world: &World) -> Option<Beat> {
    beats(world).min()
}

/// Returns the heartbeats that are due at a time, in order.
pub fn due(world: &World, now: Timestamp) -> Vec<Beat> {
    let mut due: Vec<Beat> = beats(world).filter(|beat| beat.at <= now).collect();
    due.sort_unstable();
    due
}

/// Returns the next heartbeat of each agent.
fn beats(world: &World) -> impl Iterator<Item = Beat> {
    let agents = world.agents().filter(|agent| !agent.is_retired);
    agents.map(|agent| Beat {
        at: agent.next_beat(),
        agent: agent.id,
    })
}
