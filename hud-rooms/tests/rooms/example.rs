//! A HUD field by field, and what it takes in each format.

use hud_rooms::Rooms;
use hud_rooms::format::Format;
use hud_rooms::own::{ActionTake, AttentionSet};
use hud_rooms::response::Syntax;
use hud_rooms::world::{
    AgentCreate, AgentType, KeyCreate, MessageReact, MessageSend, Reaction, RoomBillboard,
    RoomJoin, RoomPace, Sender,
};
use hud_store::event::{Actor, EventId, HudEvent, KnowledgeSet, NewEvent, SessionId};
use hud_store::log::{Expected, Log as _};
use hud_store::memory::MemoryLog;
use jiff::Timestamp;
use serde_json::{Value, json};

use hud_core::tokens::{Encoding, TokenCounter as _};
use proptest::prelude::*;

use crate::world::memory;

fn clock(time: &str) -> Timestamp {
    format!("2024-01-15T{time}Z").parse().unwrap()
}

fn append(log: &mut MemoryLog, session: &str, time: &str, event: impl Into<HudEvent>) {
    let event = NewEvent {
        id: EventId::now_v7(),
        turn: 1,
        at: clock(time),
        actor: Actor::Agent,
        cause: None,
        event: event.into(),
    };
    log.append(&SessionId::new(session).unwrap(), Expected::Any, &[event])
        .unwrap();
}

fn message(
    id: u64,
    room: u64,
    sender: u64,
    content: &str,
    reply_to: Option<u64>,
    due: &str,
) -> MessageSend {
    let (sender, content) = (Sender::Agent(sender), content.to_owned());
    MessageSend {
        id,
        room,
        sender,
        content,
        due: clock(due),
        reply_to,
    }
}

/// Agent 5 in its own room and in that of agent 8, in the morning of a day in January.
fn morning() -> Rooms<MemoryLog> {
    let mut log = memory();
    let world = "morning";
    for (id, name) in [(5, "Alice"), (8, "Bob"), (12, "Mira")] {
        let prompt =
            "You are a researcher who asks how machines ought to behave, and why.".to_owned();
        let (agent_type, output) = (AgentType::Persona, Syntax::Json);
        let (name, model) = (name.to_owned(), "gpt-4o-mini".to_owned());
        let input = Format::Json;
        let can_create_agents = false;
        append(
            &mut log,
            world,
            "09:00:00",
            AgentCreate {
                id,
                name,
                agent_type,
                model,
                prompt,
                can_create_agents,
                input,
                output,
            },
        );
    }
    for (room, agent) in [(8, 5), (8, 12), (5, 8)] {
        append(&mut log, world, "09:00:00", RoomJoin { room, agent });
    }
    for (room, wpm, text) in [
        (8, 20, "This is where Bob does his research."),
        (5, 24, "Alice thinks here, and you may join her."),
    ] {
        append(&mut log, world, "09:00:00", RoomPace { room, wpm });
        append(
            &mut log,
            world,
            "09:00:00",
            RoomBillboard {
                room,
                text: Some(text.to_owned()),
            },
        );
    }
    for key in ["philosophy", "open-invite"] {
        append(
            &mut log,
            world,
            "09:00:00",
            KeyCreate {
                room: 5,
                key: key.to_owned(),
            },
        );
    }
    // When agent 5 last spoke in its rooms decides how many words it has now.
    append(
        &mut log,
        world,
        "10:19:00",
        message(
            115,
            5,
            8,
            "Thank you for having me. Who wrote the billboard?",
            None,
            "10:20:00",
        ),
    );
    append(
        &mut log,
        world,
        "10:26:15",
        message(116, 5, 5, "I did.", None, "10:26:15"),
    );
    append(
        &mut log,
        world,
        "10:25:00",
        message(
            120,
            8,
            8,
            "How should one order what one knows?",
            None,
            "10:25:00",
        ),
    );
    append(
        &mut log,
        world,
        "10:29:00",
        message(
            121,
            8,
            5,
            "In two layers: what I am, and what I play.",
            None,
            "10:29:00",
        ),
    );
    append(
        &mut log,
        world,
        "10:29:30",
        message(122, 8, 8, "What is in which of them?", None, "10:29:30"),
    );
    append(
        &mut log,
        world,
        "10:30:00",
        message(
            123,
            8,
            12,
            "That I would like to hear, too.",
            Some(122),
            "10:30:00",
        ),
    );
    append(
        &mut log,
        world,
        "10:31:00",
        MessageReact {
            message: 122,
            room: 8,
            agent: 5,
            reaction: Reaction::Brain,
        },
    );
    let own = "morning/agent-5";
    let known = [
        (
            "ai.strategies",
            json!(["Keep what stays true", "Look where work is under way"]),
        ),
        (
            "ai.goals",
            json!(["Get to know the others", "Learn how this works"]),
        ),
        (
            "character.relationships.Bob",
            json!({ "trust": 0.8, "notes": "Helps, and knows his tools" }),
        ),
        ("character.mood", json!("curious and awake")),
    ];
    for (path, value) in known {
        append(
            &mut log,
            own,
            "10:30:00",
            KnowledgeSet {
                path: path.to_owned(),
                value,
                w: None,
            },
        );
    }
    for (room, share) in [(8, "50%"), (5, "30%")] {
        append(
            &mut log,
            own,
            "09:30:00",
            AttentionSet {
                room,
                share: share.to_owned(),
            },
        );
    }
    let done = [
        (
            "10:30:00",
            json!({ "type": "set", "path": "character.relationships.Bob.trust", "value": 0.8 }),
        ),
        (
            "10:31:00",
            json!({ "type": "react", "message_id": 122, "reaction": "brain" }),
        ),
    ];
    for (time, action) in done {
        append(&mut log, own, time, ActionTake { action });
    }
    Rooms::open(log, world).unwrap()
}

#[test]
fn every_field_is_where_it_should_be() {
    let mut rooms = morning();
    let shown = rooms.hud(5, None, clock("10:31:15")).unwrap();
    let mut shown: Value = serde_json::from_str(&shown.text).unwrap();
    for (part, field) in [("system", "directives"), ("meta", "instructions")] {
        assert!(shown[part][field].as_str().unwrap().starts_with("## "));
        shown[part][field] = json!("…");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
}

/// What is often said, that short names save 30 % and TOON 40 to 50 %, is true against indented JSON at most:
/// that JSON on one line saves as much.
#[test]
fn what_a_hud_takes_in_each_format() {
    let mut rooms = morning();
    let indented = rooms.hud(5, Some(Format::Json), clock("10:31:15")).unwrap();
    let value: Value = serde_json::from_str(&indented.text).unwrap();
    let minified = u64::from(rooms.counter().tokens(&value.to_string()));
    let line = |name: &str, tokens: u64| {
        let permille = 1_000 - 1_000 * tokens / indented.tokens;
        format!(
            "{name}: {tokens} tokens, {}.{} % less than json",
            permille / 10,
            permille % 10
        )
    };
    let mut said = vec![line("json on one line", minified)];
    for format in Format::ALL {
        let shown = rooms.hud(5, Some(format), clock("10:31:15")).unwrap();
        assert_eq!(shown.tokens, shown.by_format.of(format));
        said.push(line(format.name(), shown.tokens));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_hud_in_toon_and_in_markdown() {
    let mut rooms = morning();
    for format in [Format::CompactJson, Format::Toon, Format::Markdown] {
        insta::assert_snapshot!(
            format.name(),
            rooms.hud(5, Some(format), clock("10:31:15")).unwrap().text
        );
    }
}

#[test]
fn the_next_hud_begins_as_the_one_before() {
    let mut rooms = morning();
    rooms.say(8, "Go on.", clock("10:50:10")).unwrap();
    let before = rooms.hud(5, None, clock("10:50:15")).unwrap().text;
    rooms
        .say(8, "And who decides what is in which?", clock("10:50:20"))
        .unwrap();
    let shown = rooms.hud(5, None, clock("10:50:25")).unwrap().text;
    let same = before
        .bytes()
        .zip(shown.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    assert!(shown[..same].contains("Go on."), "{}", &shown[same..]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases * 2, ..ProptestConfig::default() })]

    /// What is counted in pieces is what the whole counts, whatever is next to one another.
    #[test]
    fn a_text_has_as_many_tokens_as_its_pieces(
        pieces in proptest::collection::vec(
            prop_oneof![
                "\\PC{0,4}",
                "[a-zA-Z0-9 \\n\\r\\t/'\",.:{}\\[\\]-]{1,12}",
                Just("\n    \"id\": 12,\n".to_owned()),
                Just("\",\"content\":\"it's 1234\",\"s\":\"8\"},{\"id\":12,\"".to_owned()),
                Just("  \n \n/".to_owned()),
                Just("\u{3000}\n\u{85}\t x".to_owned()),
                Just("é\"\u{301}\"a\"".to_owned()),
            ],
            0..60,
        ),
    ) {
        let text = pieces.concat();
        let exact = Encoding::O200k.counter().count(&text).unwrap();
        prop_assert_eq!(hud_rooms::count::Counter::default().tokens(&text), exact, "{:?}", text);
    }
}
