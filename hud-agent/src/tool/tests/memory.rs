use std::sync::Arc;

use super::*;
use crate::settings::Settings;

#[test]
fn a_block_says_how_full_it_is_when_it_is_written_and_when_it_is_read() {
    let mut hud = Made::new();
    let goal = json!({ "block": "goal", "content": "Rate limits per tenant" });
    assert_eq!(
        hud.call("core_memory.update", goal.clone()),
        json!({ "goal": "22/1000" })
    );
    assert_eq!(
        hud.call("core_memory_update", goal),
        json!({ "goal": "22/1000", "unchanged": true })
    );
    let more = json!({ "block": "goal", "content": "by Friday", "operation": "append" });
    assert_eq!(
        hud.call("core_memory_update", more),
        json!({ "goal": "32/1000" })
    );
    assert_eq!(
        hud.call("core_memory_read", json!({})),
        json!({
            "goal": { "chars": "32/1000", "content": "Rate limits per tenant\nby Friday" },
            "progress": { "chars": "0/2000", "content": "" },
            "context": { "chars": "0/1500", "content": "" },
        })
    );
    hud.call(
        "core_memory.update",
        json!({ "block": "goal", "content": " " }),
    );
    assert_eq!(hud.state().core_memory.goal.content, "");
}

#[test]
fn what_is_too_long_is_refused_with_figures_and_what_the_block_says() {
    let mut hud = Made::new();
    let write = |text: &str, mode| json!({ "block": "goal", "content": text, "mode": mode });
    hud.call("core_memory.update", write("ship it", "replace"));
    for mode in ["replace", "append"] {
        let refusal = hud.refusal("core_memory.update", write(&"é".repeat(1_240), mode));
        assert!(
            refusal.contains("goal: 1,240 of 1,000 characters, 240 too many"),
            "{refusal}"
        );
        assert!(refusal.contains("\"ship it\""), "{refusal}");
    }
    hud.call("core_memory.update", write(&"é".repeat(1_000), "replace"));
}

#[test]
fn what_is_too_long_is_taken_once_the_agent_says_that_it_may_be_cut() {
    let mut hud = Made::new();
    let lines: String = (0..200).map(|n| format!("- ünd {n:03}\n")).collect();
    let mut write = json!({ "block": "goal", "content": lines, "mode": "replace" });
    let refusal = hud.refusal("core_memory.update", write.clone());
    assert!(refusal.contains("`\"cut\": true`"), "{refusal}");
    write["cut"] = json!(true);
    let answer = hud.call("core_memory.update", write);
    assert_eq!(answer["cut"], "the last 1,001 characters");
    let goal = &hud.state().core_memory.goal.content;
    assert!(goal.ends_with("- ünd 099"), "{goal}");

    let one_line = json!({ "block": "goal", "content": "é".repeat(1_240), "cut": true });
    hud.call("core_memory.update", one_line);
    assert_eq!(hud.state().core_memory.goal.chars(), 1_000);
}

#[test]
fn how_much_is_known_is_as_the_user_sets_it() {
    let settings = r#"{ "memory": { "knowledge": 100 } }"#;
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let mut hud = Made(Made::new().0.with_settings(Arc::new(settings)));
    let fact = |words: usize| json!({ "path": "facts.ci", "value": "word ".repeat(words) });
    hud.call("knowledge.set", fact(20));
    let refusal = hud.refusal("knowledge.set", fact(400));
    assert!(refusal.contains("of 100 tokens"), "{refusal}");
}

#[test]
fn what_is_appended_drops_the_oldest_lines_and_says_which() {
    let mut hud = Made::new();
    let line = |n: u32| format!("- [x] {n} {}", "x".repeat(490));
    let append = |n| json!({ "block": "progress", "content": line(n), "mode": "append" });
    for n in 1..=4 {
        let answer = hud.call("core_memory.update", append(n));
        assert_eq!(answer.get("left"), None);
    }
    let answer = hud.call("core_memory.update", append(5));
    assert_eq!(answer["left"], json!([line(1)]));
    let said = &hud.state().core_memory.progress.content;
    assert_eq!(*said, [2, 3, 4, 5].map(line).join("\n"));
}

#[test]
fn the_user_sets_up_more_blocks_and_other_limits() {
    let settings = r#"{ "memory": { "core": { "risks": 20, "goal": 10 } } }"#;
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let mut hud = Made::new();
    let unknown = json!({ "block": "risks", "content": "x" });
    let refusal = hud.refusal("core_memory.update", unknown.clone());
    assert!(refusal.contains("goal, progress, context"), "{refusal}");
    let mut hud = Made(hud.0.with_settings(Arc::new(settings)));
    assert_eq!(
        hud.call("core_memory.update", unknown),
        json!({ "risks": "1/20" })
    );
    let long = json!({ "block": "goal", "content": "Rate limits" });
    let refusal = hud.refusal("core_memory.update", long);
    assert!(
        refusal.contains("11 of 10 characters, 1 too many"),
        "{refusal}"
    );
    // Without the settings the block is there as it was.
    let mut hud = Made(hud.0.with_settings(Arc::default()));
    let again = json!({ "block": "risks", "content": "y" });
    assert_eq!(
        hud.call("core_memory.update", again),
        json!({ "risks": "1/20" })
    );
    assert_eq!(
        hud.call("core_memory.read", json!({ "block": "risks" })),
        json!({ "risks": { "chars": "1/20", "content": "y" } })
    );
}

#[test]
fn a_slot_is_a_view_of_the_section_that_there_is() {
    let mut hud = Made::new();
    let add = |slot, content| json!({ "slot": slot, "content": content });
    let decided = hud.call("working_memory_add", add("decision", "Token bucket"));
    assert_eq!(decided, json!({ "id": "d1" }));
    hud.call("working_memory.add", add("todo", "Write the middleware"));
    hud.call("working_memory.add", add("error", "The port is taken"));
    let again = hud.call("working_memory.add", add("error", "The port is taken"));
    assert_eq!(again, json!({ "id": "e1", "unchanged": true }));
    hud.call("working_memory.add", add("dependency", "redis"));
    hud.call(
        "working_memory.add",
        json!({ "content": "Staging has no TLS" }),
    );
    let state = hud.state();
    assert_eq!(state.decisions[0].summary, "Token bucket");
    assert_eq!(state.next_steps[0].description, "Write the middleware");
    assert_eq!(state.errors[0].message, "The port is taken");
    assert_eq!(state.dependencies[0].name, "redis");
    assert_eq!(state.working_memory.pool[0].content, "Staging has no TLS");

    hud.call("working_memory_clear_slot", json!({ "slot": "error" }));
    assert!(hud.state().errors[0].is_resolved());
    hud.call("working_memory_clear", json!({}));
    let state = hud.state();
    assert!(state.working_memory.is_empty());
    assert_eq!((state.decisions.len(), state.dependencies.len()), (1, 1));
}

#[test]
fn something_is_forgotten_by_words_that_only_it_has() {
    let mut hud = Made::new();
    hud.call(
        "working_memory.add",
        json!({ "content": "Port 6379 is taken" }),
    );
    hud.call(
        "working_memory.add",
        json!({ "content": "Port 80 is free" }),
    );
    hud.call(
        "working_memory.add",
        json!({ "slot": "decision", "content": "Token bucket" }),
    );
    let remove = |content| json!({ "content": content });
    let refusal = hud.refusal("working_memory.remove", remove("Port"));
    assert!(
        refusal.contains("6379") && refusal.contains("80"),
        "{refusal}"
    );
    let refusal = hud.refusal("working_memory.remove", remove("nothing like it"));
    assert!(
        refusal.contains("nothing in working memory says"),
        "{refusal}"
    );
    let removed = hud.call("working_memory_remove", remove("6379"));
    assert_eq!(removed, json!({ "removed": "Port 6379 is taken" }));
    hud.call("working_memory.remove", remove("Token"));
    let state = hud.state();
    assert_eq!(
        (state.working_memory.pool.len(), state.decisions.len()),
        (1, 0)
    );
}

#[test]
fn what_is_known_is_written_by_path_and_says_how_full_it_is() {
    let mut hud = Made::new();
    let trust = json!({ "path": "people.Bob.trust", "value": { "v": 0.8, "w": 0.9 } });
    assert_eq!(hud.call("set", trust), json!({ "memory_used": "0%" }));
    hud.call(
        "knowledge.append",
        json!({ "path": "goals", "value": "ship" }),
    );
    hud.call("append", json!({ "path": "goals", "value": "rest" }));
    hud.call(
        "knowledge.set",
        json!({ "path": r"files.main\.rs", "value": 12, "w": 0.2 }),
    );
    let known = hud.call("knowledge.get", json!({}));
    assert_eq!(
        known["knowledge"],
        json!({
            "people": { "Bob": { "trust": 0.8 } },
            "goals": ["ship", "rest"],
            "files": { "main.rs": 12 },
        })
    );
    let one = hud.call("knowledge.get", json!({ "path": "goals.1" }));
    assert_eq!(one, json!({ "value": "rest" }));
    hud.call("delete", json!({ "path": "people" }));
    for (tool, args, said) in [
        (
            "knowledge.delete",
            json!({ "path": "people" }),
            "there are files, goals",
        ),
        (
            "knowledge.set",
            json!({ "path": "a..b", "value": 1 }),
            "is empty",
        ),
        (
            "knowledge.set",
            json!({ "path": "goals.7", "value": 1 }),
            "is nowhere",
        ),
        (
            "knowledge.append",
            json!({ "path": "files", "value": 1 }),
            "is no list",
        ),
    ] {
        let refusal = hud.refusal(tool, args);
        assert!(refusal.contains(said), "{refusal}");
    }
}

#[test]
fn where_there_is_no_room_to_know_more_it_is_said_what_is_worth_least_and_nothing_is_dropped() {
    let mut hud = Made::new();
    let fact = |n: usize, w: f64| {
        let value = format!("{n} {}", "many words to remember ".repeat(20));
        json!({ "path": format!("facts.f{n}"), "value": value, "w": w })
    };
    let mut written = 0;
    let refusal = loop {
        let w = if written == 3 { 0.1 } else { 0.7 };
        match hud.try_call("knowledge.set", fact(written, w)) {
            Ok(_) => written += 1,
            Err(refusal) => break refusal.to_string(),
        }
    };
    assert!(written > 10, "{written}");
    assert!(refusal.contains("of 3,000 tokens"), "{refusal}");
    assert!(
        refusal.contains("worth least: `facts.f3` (w 0.1, turn 0), `facts.f0` (w 0.7"),
        "{refusal}"
    );
    assert_eq!(hud.state().knowledge.values().len(), written);
    hud.call("knowledge.delete", json!({ "path": "facts.f3" }));
    hud.call("knowledge.set", fact(written, 0.7));
}

#[test]
fn attention_is_given_in_shares_that_are_no_more_than_all_of_it() {
    let mut hud = Made::new();
    let set = |section, value| json!({ "section": section, "value": value });
    hud.call("attention.set", set("notes", "30%"));
    let given = hud.call("set_attention", set("findings", "%*"));
    assert_eq!(
        given["attention"],
        json!({ "notes": "30%", "findings": "%*" })
    );
    for (section, value, said) in [
        ("decisions", "80%", "110 % together"),
        ("decisions", "much", "is no share"),
        ("decision", "10%", "there is no section"),
    ] {
        let refusal = hud.refusal("attention.set", set(section, value));
        assert!(refusal.contains(said), "{refusal}");
    }
    let given = hud.call("attention.set", set("notes", ""));
    assert_eq!(given["attention"], json!({ "findings": "%*" }));
}
