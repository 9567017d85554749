//! Every action, what it does, and what stands in its way.

use serde_json::json;

use crate::world::{act, agent, answer, at, hud, three};

#[test]
fn each_gate_says_what_to_do() {
    let mut rooms = three();
    rooms.say(1, "Welcome", at(0)).unwrap();
    rooms.say(3, "Alone", at(0)).unwrap();
    let mut said = Vec::new();
    let cases = [
        (2, json!({ "type": "set", "path": "a..b", "value": 1 })),
        (
            2,
            json!({ "type": "set", "path": "a", "value": 1, "w": 1.5 }),
        ),
        (
            2,
            json!({ "type": "set", "path": "a", "value": "word ".repeat(4_000) }),
        ),
        (
            2,
            json!({ "type": "set", "path": vec!["x"; 10_000].join("."), "value": 1 }),
        ),
        (2, json!({ "type": "delete", "path": "a" })),
        (2, json!({ "type": "set", "value": 1 })),
        (2, json!({ "type": "sett", "path": "a", "value": 1 })),
        (2, json!({ "type": "dance" })),
        (2, json!(["set"])),
        (
            2,
            json!({ "type": "react", "message_id": 2, "reaction": "heart" }),
        ),
        (
            2,
            json!({ "type": "react", "message_id": 1, "reaction": "shrug" }),
        ),
        (
            2,
            json!({ "type": "react", "message_id": "x", "reaction": "heart" }),
        ),
        (2, json!({ "type": "wake_agent", "agent_id": 3 })),
        (2, json!({ "type": "wake_agent", "agent_id": 2 })),
        (2, json!({ "type": "wake_agent", "agent_id": 1 })),
        (2, json!({ "type": "wake_agent", "agent_id": 0 })),
        (
            2,
            json!({ "type": "reply", "room_id": 1, "message_id": 2, "message": "Hi" }),
        ),
        (
            2,
            json!({ "type": "reply", "room_id": 3, "message_id": 2, "message": "Hi" }),
        ),
        (
            2,
            json!({ "type": "reply", "room_id": 1, "message_id": 1, "message": "word ".repeat(201) }),
        ),
        (2, json!({ "type": "set_billboard", "message": " " })),
        (
            2,
            json!({ "type": "set_billboard", "message": "word ".repeat(300) }),
        ),
        (2, json!({ "type": "clear_billboard" })),
        (2, json!({ "type": "set_wpm", "wpm": 9 })),
        (2, json!({ "type": "set_wpm", "wpm": 201 })),
        (2, json!({ "type": "create_key", "key": "k".repeat(65) })),
        (2, json!({ "type": "create_key", "key": "two\nlines" })),
        (2, json!({ "type": "revoke_key", "key": "none" })),
        (
            2,
            json!({ "type": "request_access", "room_id": 3, "key": "guess" }),
        ),
        (
            2,
            json!({ "type": "request_access", "room_id": 77, "key": "guess" }),
        ),
        (
            2,
            json!({ "type": "request_access", "room_id": 1, "key": "guess" }),
        ),
        (2, json!({ "type": "grant_access", "request_id": 1 })),
        (2, json!({ "type": "leave_room", "room_id": 2 })),
        (2, json!({ "type": "leave_room", "room_id": 3 })),
        (
            2,
            json!({ "type": "set_attention", "room_id": 3, "value": "30%" }),
        ),
        (
            2,
            json!({ "type": "set_attention", "room_id": 1, "value": "130%" }),
        ),
        (
            2,
            json!({ "type": "set_attention", "room_id": 1, "value": "much" }),
        ),
        (2, json!({ "type": "set_name", "name": "n".repeat(51) })),
        (2, json!({ "type": "sleep", "until": "tomorrow" })),
        (
            2,
            json!({ "type": "sleep", "until": "2026-03-02T08:00:00" }),
        ),
        (
            2,
            json!({ "type": "create_agent", "name": "Eve", "background_prompt": "You are Eve." }),
        ),
        (2, json!({ "type": "retire_agent", "agent_id": 1 })),
        (
            1,
            json!({ "type": "create_agent", "name": "Eve", "background_prompt": "x", "in_room_id": 3 }),
        ),
        (
            1,
            json!({ "type": "create_agent", "name": "Eve", "background_prompt": "word ".repeat(600) }),
        ),
        (
            1,
            json!({ "type": "create_agent", "name": "Eve", "background_prompt": "x", "agent_type": "god" }),
        ),
        (
            1,
            json!({ "type": "alter_agent", "agent_id": 3, "name": "X" }),
        ),
        (
            1,
            json!({ "type": "alter_agent", "agent_id": 1, "name": "X" }),
        ),
        (1, json!({ "type": "alter_agent", "agent_id": 2 })),
        (1, json!({ "type": "retire_agent", "agent_id": 1 })),
        (1, json!({ "type": "retire_agent", "agent_id": 99 })),
    ];
    for (who, action) in cases {
        let refused = act(&mut rooms, who, action.clone(), at(1)).expect_err(&action.to_string());
        let action: String = action.to_string().chars().take(90).collect();
        said.push(format!("{action}\n  {refused}"));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_refused_action_is_in_the_next_hud_and_gone_after_the_next_answer() {
    let mut rooms = three();
    let done = json!({ "type": "set", "path": "mood", "value": "calm" });
    let response = json!({ "actions": [{ "type": "dance" }, done, 7], "responses": [{ "room_id": 3, "message": "Hi" }] });
    let answered = answer(&mut rooms, 2, response, at(1));
    assert_eq!((answered.accepted.len(), answered.refused.len()), (1, 3));
    let shown = hud(&mut rooms, 2, at(2));
    let gates: Vec<_> = shown["self"]["refused_actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["gate"])
        .collect();
    assert_eq!(gates, ["form", "form", "membership"]);
    assert_eq!(shown["self"]["knowledge"]["mood"], "calm");
    answer(&mut rooms, 2, json!({}), at(3));
    assert_eq!(
        hud(&mut rooms, 2, at(4))["self"].get("refused_actions"),
        None
    );
}

#[test]
fn words_are_typed_before_others_see_them_and_a_budget_grows_with_time() {
    let mut rooms = three();
    let say = |text: &str| json!({ "responses": [{ "room_id": 1, "message": text }] });
    assert_eq!(
        answer(&mut rooms, 2, say(&"word ".repeat(40)), at(0)).sent,
        [1]
    );
    // 40 words at 80 a minute.
    assert!(
        !rooms
            .hud(1, None, at(29))
            .unwrap()
            .text
            .contains("word word")
    );
    assert!(
        rooms
            .hud(2, None, at(29))
            .unwrap()
            .text
            .contains("word word")
    );
    assert!(
        rooms
            .hud(1, None, at(30))
            .unwrap()
            .text
            .contains("word word")
    );
    let room = |shown: serde_json::Value| {
        let rooms = shown["rooms"].as_array().unwrap().clone();
        let room = rooms.iter().find(|room| room["id"] == 1).unwrap();
        (room["time_since_last"].clone(), room["word_budget"].clone())
    };
    assert_eq!(
        room(hud(&mut rooms, 2, at(3))),
        (json!("3 seconds"), json!(10))
    );
    assert_eq!(
        room(hud(&mut rooms, 2, at(45))),
        (json!("45 seconds"), json!(60))
    );
    assert_eq!(
        room(hud(&mut rooms, 2, at(900))),
        (json!("15 minutes"), json!(200))
    );
    assert_eq!(
        room(hud(&mut rooms, 1, at(45))),
        (json!("never (just joined)"), json!(200))
    );
    let refused = answer(&mut rooms, 2, say(&"word ".repeat(61)), at(45)).refused;
    assert_eq!(refused[0].gate.name(), "word_budget");
    assert!(
        answer(&mut rooms, 2, say("[no response]"), at(46))
            .sent
            .is_empty()
    );
}

#[test]
fn a_key_opens_a_door_only_when_the_owner_says_so() {
    let mut rooms = three();
    act(
        &mut rooms,
        3,
        json!({ "type": "create_key", "key": "sesame" }),
        at(1),
    )
    .unwrap();
    let ask = json!({ "type": "request_access", "room_id": 3, "key": "sesame" });
    act(&mut rooms, 2, ask.clone(), at(2)).unwrap();
    assert!(
        act(&mut rooms, 2, ask.clone(), at(3))
            .unwrap_err()
            .starts_with("effect")
    );
    // Somebody else's room can't be opened with one's own right to answer.
    assert!(
        act(
            &mut rooms,
            1,
            json!({ "type": "grant_access", "request_id": 1 }),
            at(3)
        )
        .is_err()
    );
    let shown = hud(&mut rooms, 3, at(4));
    assert_eq!(shown["rooms"][0]["my_keys"], json!(["sesame"]));
    assert_eq!(
        shown["rooms"][0]["pending_access_requests"],
        json!([{ "id": 1, "requester_id": 2, "key_used": "sesame" }])
    );
    assert_eq!(shown["rooms"][0]["messages"][0]["sender"], "System");
    act(
        &mut rooms,
        3,
        json!({ "type": "grant_access", "request_id": 1 }),
        at(5),
    )
    .unwrap();
    let theirs = hud(&mut rooms, 2, at(6));
    let ids: Vec<_> = theirs["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|room| room["id"].clone())
        .collect();
    assert_eq!(ids, [1, 2, 3]);
    // The key was asked for by its user, so it knows it; those in the room do not.
    assert!(
        theirs["rooms"]
            .as_array()
            .unwrap()
            .iter()
            .all(|room| !room.to_string().contains("sesame"))
    );
    act(
        &mut rooms,
        2,
        json!({ "type": "leave_room", "room_id": 3 }),
        at(7),
    )
    .unwrap();
    act(
        &mut rooms,
        3,
        json!({ "type": "revoke_key", "key": "sesame" }),
        at(8),
    )
    .unwrap();
    assert!(
        act(&mut rooms, 2, ask, at(9))
            .unwrap_err()
            .starts_with("key")
    );
}

#[test]
fn managers_make_change_and_retire_agents_near_them() {
    let mut rooms = three();
    let make = json!({ "type": "create_agent", "name": "Dan", "background_prompt": "You count.", "agent_type": "bot" });
    act(&mut rooms, 1, make, at(1)).unwrap();
    let dan = hud(&mut rooms, 4, at(2));
    assert_eq!(dan["self"]["identity"]["role"], "You count.");
    assert_eq!(
        dan["meta"]["available_actions"].get("agent_management"),
        None
    );
    assert!(
        hud(&mut rooms, 1, at(2))["meta"]["available_actions"]
            .get("agent_management")
            .is_some()
    );
    act(
        &mut rooms,
        1,
        json!({ "type": "alter_agent", "agent_id": 4, "name": "Don", "model": "m2" }),
        at(3),
    )
    .unwrap();
    assert_eq!(hud(&mut rooms, 4, at(4))["self"]["identity"]["name"], "Don");
    act(
        &mut rooms,
        1,
        json!({ "type": "retire_agent", "agent_id": 4 }),
        at(5),
    )
    .unwrap();
    assert!(rooms.hud(4, None, at(6)).is_err());
    assert!(rooms.respond(4, "{}", None, at(6)).is_err());
    assert_eq!(rooms.world().room(4), None);
    let next = rooms.add(&agent("Eve", &[1]), at(7)).unwrap();
    assert_eq!(next, 5, "a number is not given again");
}

#[test]
fn full_knowledge_refuses_what_is_too_much_and_names_what_could_leave() {
    let mut rooms = three();
    for (path, w) in [("light", 0.1), ("heavy", 0.9)] {
        let value = json!({ "v": "word ".repeat(1_400), "w": w });
        act(
            &mut rooms,
            2,
            json!({ "type": "set", "path": path, "value": value }),
            at(1),
        )
        .unwrap();
    }
    let more = json!({ "type": "append", "path": "log", "value": "word ".repeat(300) });
    let refused = act(&mut rooms, 2, more.clone(), at(2)).unwrap_err();
    insta::assert_snapshot!(refused);
    let shown = hud(&mut rooms, 2, at(3));
    assert_eq!(shown["self"]["memory_used"], "93%");
    assert!(
        shown["self"]["knowledge"]["light"].is_string()
            && shown["self"]["knowledge"]["heavy"].is_string()
    );
    act(
        &mut rooms,
        2,
        json!({ "type": "delete", "path": "light" }),
        at(4),
    )
    .unwrap();
    act(&mut rooms, 2, more, at(5)).unwrap();
}

#[test]
fn thumbs_and_heartbeats_move_an_interval_within_its_bounds() {
    let mut rooms = three();
    let interval =
        |rooms: &hud_rooms::Rooms<_>, id| rooms.world().agent(id).unwrap().interval.as_millis();
    answer(
        &mut rooms,
        2,
        json!({ "responses": [{ "room_id": 1, "message": "one" }] }),
        at(0),
    );
    assert_eq!(interval(&rooms, 2), 10_000);
    let up = json!({ "type": "react", "message_id": 1, "reaction": "thumbs_up" });
    act(&mut rooms, 1, up.clone(), at(20)).unwrap();
    assert_eq!(interval(&rooms, 2), 9_500);
    assert!(
        act(&mut rooms, 1, up.clone(), at(21))
            .unwrap_err()
            .starts_with("effect")
    );
    // One's own thumb counts as a reaction and moves nothing.
    act(&mut rooms, 2, up, at(22)).unwrap();
    assert_eq!(interval(&rooms, 2), 9_600, "a heartbeat is over");
    act(
        &mut rooms,
        1,
        json!({ "type": "react", "message_id": 1, "reaction": "thumbs_down" }),
        at(23),
    )
    .unwrap();
    assert_eq!(interval(&rooms, 2), 10_000);
}

#[test]
fn who_sleeps_is_asked_when_it_wakes() {
    let mut rooms = three();
    act(
        &mut rooms,
        2,
        json!({ "type": "sleep", "until": "2026-03-02T10:00:00" }),
        at(0),
    )
    .unwrap();
    assert_eq!(rooms.world().agent(2).unwrap().next_beat(), at(3_600));
    act(
        &mut rooms,
        1,
        json!({ "type": "wake_agent", "agent_id": 2 }),
        at(60),
    )
    .unwrap();
    assert_eq!(rooms.world().agent(2).unwrap().next_beat(), at(60));
    // The clock of the machine goes back, that of the world does not.
    answer(&mut rooms, 2, json!({}), at(-500));
    assert_eq!(rooms.world().agent(2).unwrap().next_beat(), at(70));
}
