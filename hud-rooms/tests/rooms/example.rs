//! A HUD field by field, and what it takes in each format.

use hud_rooms::format::Format;
use hud_rooms::limits::{HUD_TOKENS, STATIC_TOKENS};
use serde_json::json;

use crate::world::{act, answer, at, hud, three};

#[test]
fn every_field_is_where_it_should_be() {
    let mut rooms = three();
    act(
        &mut rooms,
        1,
        json!({ "type": "set_billboard", "message": "Be kind" }),
        at(0),
    )
    .unwrap();
    rooms.say(1, "What do you keep?", at(10)).unwrap();
    answer(
        &mut rooms,
        2,
        json!({ "actions": [
        { "type": "set", "path": "people.Ada.trust", "value": 0.8 },
        { "type": "react", "message_id": 1, "reaction": "brain" },
        { "type": "reply", "room_id": 1, "message_id": 1, "message": "Facts, by path." },
        { "type": "set_attention", "room_id": 1, "value": "70%" },
    ] }),
        at(20),
    );
    let shown = rooms.hud(2, Some(Format::Json), at(140)).unwrap();
    assert!(shown.tokens <= HUD_TOKENS && shown.static_tokens <= STATIC_TOKENS);
    let mut shown = hud(&mut rooms, 2, at(140));
    for (part, field) in [
        ("system", "directives"),
        ("meta", "instructions"),
        ("meta", "available_actions"),
    ] {
        let known = &mut shown[part][field];
        assert!(!known.is_null());
        *known = json!("…");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
}
