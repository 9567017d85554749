//! HUDs within a budget, and why they are as they are.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use crate::common::{example, hud, shown};
use serde_json::Value;

#[test]
fn a_hud_within_a_budget_is_explained_part_by_part() {
    let all = ["500", "150", "60"].map(|budget| {
        let line = [
            "replay",
            &example(),
            "--density",
            "full",
            "--explain",
            "--budget",
            budget,
        ];
        shown(&line)
    });
    // Built with the feature `bpe`, other numbers are counted.
    if !cfg!(feature = "bpe") {
        insta::assert_snapshot!(all.join("\n"));
    }
}

#[test]
fn a_hud_without_a_budget_is_explained_too() {
    let plain = shown(&["replay", &example()]);
    let explained = shown(&["replay", &example(), "--explain"]);
    let below = explained.strip_prefix(&*plain).unwrap();
    assert!(below.starts_with("── "), "{below}");
    assert!(below.contains("all of it"), "{below}");
}

#[test]
fn machines_are_given_the_same() {
    let json = shown(&["replay", &example(), "--budget", "100", "--json"]);
    let frame: Value = serde_json::from_str(&json).unwrap();
    let budget = &frame["budget"];
    assert_eq!(budget["tokens"], 100);
    assert!(budget["taken"].as_u64().unwrap() <= 100, "{budget}");
    assert!(budget["gap"].as_f64().unwrap() >= 0.0, "{budget}");
    let parts = budget["parts"].as_array().unwrap();
    let task = parts.iter().find(|part| part["name"] == "task").unwrap();
    for key in ["choice", "tokens", "worth", "reason"] {
        assert!(!task[key].is_null(), "{task}");
    }
}

#[test]
fn a_budget_that_is_too_small_shows_what_has_to_be_there_and_says_so() {
    for budget in ["0", "1"] {
        let output = hud(&["replay", &example(), "--budget", budget]);
        assert!(output.status.success());
        assert!(!output.stdout.is_empty());
        let said = String::from_utf8(output.stderr).unwrap();
        let warning = format!("tokens, and the budget is {budget}");
        assert!(
            said.contains("warning: what has to be there takes ") && said.contains(&warning),
            "{said}"
        );
    }
}
