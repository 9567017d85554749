//! A small world to try things in.

use hud_rooms::world::AgentType;
use hud_rooms::{Answer, NewAgent, Rooms, log::sections};
use hud_store::memory::MemoryLog;
use hud_store::section::Sections;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// A log in memory that knows the sections of worlds.
pub(crate) fn memory() -> MemoryLog {
    MemoryLog::new().with_sections(sections(Sections::new()).unwrap())
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    let begin: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    begin + SignedDuration::from_secs(seconds)
}

pub(crate) fn agent(name: &str, rooms: &[u64]) -> NewAgent {
    NewAgent {
        name: Some(name.to_owned()),
        agent_type: AgentType::Persona,
        model: "small-model".to_owned(),
        prompt: format!("You are {name}."),
        can_create_agents: false,
        input: Default::default(),
        output: Default::default(),
        rooms: rooms.to_vec(),
    }
}

/// Ada (1, a manager) and Bob (2) in Ada's room, Cleo (3) by herself.
pub(crate) fn three() -> Rooms<MemoryLog> {
    let ada = NewAgent {
        can_create_agents: true,
        ..agent("Ada", &[])
    };
    Rooms::begin(
        memory(),
        "lab",
        &[ada, agent("Bob", &[1]), agent("Cleo", &[])],
        at(0),
    )
    .unwrap()
}

/// Does one action, and gives why it was refused, if it was.
pub(crate) fn act(
    rooms: &mut Rooms<MemoryLog>,
    agent: u64,
    action: Value,
    now: Timestamp,
) -> Result<(), String> {
    let answer = answer(
        rooms,
        agent,
        serde_json::json!({ "actions": [action] }),
        now,
    );
    match answer.refused.first() {
        Some(refused) => Err(format!("{}: {}", refused.gate, refused.said)),
        None => Ok(()),
    }
}

pub(crate) fn answer(
    rooms: &mut Rooms<MemoryLog>,
    agent: u64,
    response: Value,
    now: Timestamp,
) -> Answer {
    rooms
        .respond(agent, &response.to_string(), None, now)
        .unwrap()
}

/// The HUD of an agent as JSON.
pub(crate) fn hud(rooms: &mut Rooms<MemoryLog>, agent: u64, now: Timestamp) -> Value {
    serde_json::from_str(
        &rooms
            .hud(agent, Some(hud_rooms::format::Format::Json), now)
            .unwrap()
            .text,
    )
    .unwrap()
}
