//! Many heartbeats, over the world's own time.

use hud_rooms::{NewAgent, Rooms, schedule};
use serde_json::json;

use crate::world::{agent, at, memory};

/// Twenty agents, each in its own room and in one of six.
fn twenty() -> Vec<NewAgent> {
    (0..20)
        .map(|n| agent(&format!("Agent {n}"), &[1 + n % 6]))
        .collect()
}

#[test]
fn twenty_agents_talk_for_a_thousand_heartbeats() {
    let mut rooms = Rooms::begin(memory(), "lab", &twenty(), at(0)).unwrap();
    let (mut sent, mut last) = (0, at(0));
    for nth in 0..1_000_u64 {
        let beat = rooms.next().unwrap();
        assert!(beat.at >= last, "time goes on");
        last = beat.at;
        // A HUD for each would be too much of a test's time; it is the same code for all of them.
        if nth % 50 == 0 {
            let shown = rooms.hud(beat.agent, None, beat.at).unwrap();
            assert!(shown.text.contains("\"you\": "));
        }
        let room = 1 + (beat.agent - 1) % 6;
        let response = json!({
            "responses": [{ "room_id": room, "message": format!("Heartbeat {nth}") }],
            "actions": [
                { "type": "set", "path": "last", "value": nth },
                { "type": "react", "message_id": nth, "reaction": if nth % 2 == 0 { "thumbs_up" } else { "brain" } },
            ],
        });
        let answer = rooms
            .respond(beat.agent, &response.to_string(), None, beat.at)
            .unwrap();
        sent += answer.sent.len();
    }
    assert_eq!(sent, 1_000);
    let beats: Vec<u64> = rooms.world().agents().map(|agent| agent.beats).collect();
    assert_eq!(beats.iter().sum::<u64>(), 1_000);
    assert!(
        beats.iter().all(|beats| (40..=70).contains(beats)),
        "nobody is left out: {beats:?}"
    );
    // It goes on where it was, in another process.
    let next = rooms.next();
    let again = Rooms::open(rooms.into_log(), "lab").unwrap();
    assert_eq!(again.next(), next);
    assert_eq!(schedule::due(again.world(), last).len(), 0);
}
