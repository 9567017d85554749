//! Answers as models write them, cut off, and at random: `FUZZ_CASES` says how many, and `FUZZ_SEED` which ones.

use hud_rooms::Rooms;
use hud_rooms::response::Response;
use hud_rooms::world::World;
use hud_store::log::state_of;
use hud_store::memory::MemoryLog;

use crate::cases;
use crate::world::{at, three};

#[test]
fn a_response_is_read_as_models_write_it() {
    let said = |text: &str| {
        let read = Response::read(text).unwrap();
        let says: Vec<_> = read
            .says
            .iter()
            .flatten()
            .map(|say| (say.room, say.message.as_str()))
            .collect();
        format!(
            "{says:?} {} actions {} unread {} {} mended",
            read.actions.iter().flatten().count(),
            read.actions.iter().filter(|it| it.is_err()).count()
                + read.says.iter().filter(|it| it.is_err()).count(),
            read.syntax,
            read.mends
        )
    };
    let texts = [
        r#"{"responses":[{"room_id":8,"message":"Hi"}],"actions":[]}"#,
        "Here you go:\n```json\n{\"responses\": [{\"room_id\": 8, \"message\": \"Hi\",},],}\n```\nAnything else?",
        "{responses: [{room_id: '8', message: 'It\\'s me'}], actions: [{type: set, path: a.b, value: True}]}",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"She said \"no\" to me\"}]}",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"cut off",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"Hi\"}], \"actions\": [{\"type\": \"delete\", \"path\": \"people",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"Hi\"}, {\"room_id\": 1",
        "{\"actions\": [{\"type\": \"set\", \"path\": \"a\", \"value\": [1, 2",
        "{\"type\": \"set\", \"path\": \"a\", \"value\": [1, 2",
        "{\"actions\": [{\"type\": \"delete\", \"path\": \"people\"}",
        "<think>{\"actions\": [{\"type\": \"delete\", \"path\": \"a\"}]} or not?</think>{\"actions\": []}",
        "{\"thoughts\": \"nothing to say\", \"responses\": [], \"actions\": []}",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"one\nline end\"}] // that is all\n}",
        "[{\"type\": \"set\", \"path\": \"a\", \"value\": 1}, {\"room_id\": 8, \"message\": \"Hi\"}]",
        "{\"type\": \"set\", \"path\": \"a\", \"value\": 1}",
        "{\"actions\": [{\"type\": \"send_message\", \"room_id\": 5, \"content\": \"Hello!\"}]}",
        "{“responses”: [{“room_id”: 8, “message”: “Hi”}]}",
        "responses[1]{room_id,message}:\n  8,Hi\nactions[1]{type,message_id,reaction}:\n  react,1,brain",
        "Sure:\n```toon\nactions[1]{type,room_id,content}:\n  send_message, 5, Hello!\n```",
        "[no response]",
        "I have nothing to add.\n```\n[No response]\n```",
        "",
        "{\"responses\": [{\"room_id\": 8, \"message\": \"[no response]\"}]}",
        "I think {maybe} not. {\"responses\": [{\"room_id\": 8, \"message\": \"Hi\"}]}",
    ];
    let all: Vec<String> = texts
        .iter()
        .map(|text| format!("{text}\n  => {}", said(text)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
    for text in [
        "I would rather not.",
        "{}x",
        "7",
        "{\"a\": ",
        "<think>{\"actions\": [{\"type\": \"clear_billboard\"}]}",
        &"[".repeat(100_000),
        &"{\"a\":".repeat(50_000),
        &"x".repeat(300_000),
    ] {
        let refused = Response::read(text).map(|read| (read.says.len(), read.actions.len()));
        assert!(
            refused
                .as_ref()
                .map_or(true, |(says, actions)| says + actions <= 1),
            "{refused:?}"
        );
    }
}

/// Pieces of which random answers are made.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\n",
    " ",
    "```json",
    "```",
    "responses",
    "actions",
    "\"responses\":[",
    "\"actions\":[",
    "{\"type\":\"set\",\"path\":\"a.b\",\"value\":",
    "{\"type\":\"append\",\"path\":\"l\",\"value\":1}",
    "{\"type\":\"delete\",\"path\":\"a\"}",
    "{\"room_id\":1,\"message\":\"Hi\"}",
    "{\"room_id\":2,\"message\":\"",
    "1e999",
    "-0",
    "NaN",
    "null",
    "true",
    "\\u12",
    "\\ud800",
    "\u{feff}",
    "\u{202e}",
    "💡",
    "//",
    "/*",
    "*/",
    "actions[1]{type,key}:",
    "\n  create_key,k",
    "- ",
    "    ",
    "{\"type\":\"set_name\",\"name\":\"N\"}",
    "{\"type\":\"sleep\",\"until\":\"2026-03-02T12:00\"}",
    "{\"type\":\"leave_room\",\"room_id\":1}",
    "9223372036854775808",
    "{\"type\":\"create_agent\",\"name\":\"x\",\"background_prompt\":\"y\"}",
];

#[test]
fn random_answers_are_taken_whole_or_not_at_all() {
    // Zero would stay zero.
    let mut random = cases::seed(0x2545_f491_4f6c_dd1d).max(1);
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    // A world is begun anew now and then: what is tried are answers, not how large a world may become.
    let mut rooms = three();
    for case in 0..cases::count(2_000_u64) {
        if case % 250 == 249 {
            is_what_the_log_says(std::mem::replace(&mut rooms, three()));
        }
        let mut text: String = (0..next(24)).map(|_| PIECES[next(PIECES.len())]).collect();
        if next(3) == 0 {
            text = format!("{{\"actions\":[{text}],\"responses\":[{text}]}}");
        }
        let who = 1 + case % 3;
        let before = rooms.world().clone();
        let known = rooms.own(who).unwrap().knowledge.clone();
        let now = at(i64::try_from(case).unwrap());
        let answer = rooms.respond(who, &text, None, now).unwrap();
        let beats = |world: &World| world.agent(who).unwrap().beats;
        assert_eq!(beats(rooms.world()), beats(&before) + 1, "{text}");
        let sent = rooms.world().next_message() - before.next_message();
        assert!(answer.sent.len() as u64 <= sent, "{text}");
        // Where nothing was accepted, nothing but the heartbeat happened.
        if answer.accepted.is_empty() && answer.sent.is_empty() {
            assert_eq!(sent, 0, "{text}");
            assert!(before.rooms().eq(rooms.world().rooms()), "{text}");
            let others = |world: &World| {
                world
                    .agents()
                    .filter(|it| it.id != who)
                    .cloned()
                    .collect::<Vec<_>>()
            };
            assert_eq!(others(&before), others(rooms.world()), "{text}");
        }
        let changed = rooms.own(who).unwrap().knowledge != known;
        let wrote = answer
            .accepted
            .iter()
            .any(|it| matches!(it["type"].as_str(), Some("set" | "append" | "delete")));
        assert!(wrote || !changed, "{text}");
    }
    is_what_the_log_says(rooms);
}

/// What was decided is what the log says, of the world and of what is each agent's own.
fn is_what_the_log_says(mut rooms: Rooms<MemoryLog>) {
    let session = rooms.session().clone();
    let world = rooms.world().clone();
    let own: Vec<_> = (1..=3)
        .map(|agent| {
            let own = rooms.own(agent).unwrap().clone();
            (rooms.session_of(agent).unwrap(), own)
        })
        .collect();
    let log = rooms.into_log();
    assert_eq!(
        state_of(&log, &session).unwrap().section::<World>(),
        Some(&world)
    );
    for (session, own) in own {
        assert_eq!(state_of(&log, &session).unwrap(), own);
    }
}
