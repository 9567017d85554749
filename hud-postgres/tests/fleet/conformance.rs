//! The promises of `Log`, held against servers.

use hud_store::conformance::{
    check, check_follow, check_many, check_redact, check_search, check_writers,
};

use crate::nodes::{Nodes, alone, open, shared};

#[test]
fn one_server_keeps_them() {
    let Some(nodes) = shared() else { return };
    check(|| Box::new(nodes.log()));
}

#[test]
fn one_server_keeps_those_of_searching_and_following() {
    let Some(nodes) = shared() else { return };
    check_search(nodes.log());
    let shared = || {
        let made = nodes.made();
        move || open(&made)
    };
    check_writers(shared);
    check_follow(shared);
}

#[test]
fn one_server_keeps_those_of_several_sessions_and_of_redacting() {
    let Some(nodes) = shared() else { return };
    check_many(|| nodes.log());
    check_redact(|| nodes.log());
}

#[test]
fn one_server_keeps_them_for_who_may_only_write() {
    let Some(nodes) = shared() else { return };
    nodes.sql("CREATE ROLE wally LOGIN");
    let made = || {
        let made = nodes.made();
        nodes.sql(&format!("GRANT {}_writer TO wally", made.log()));
        open(&nodes.address("wally", made.log()))
    };
    check(|| Box::new(made()));
    check_many(made);
    check_redact(made);
}

#[test]
fn three_servers_keep_them() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    check(|| Box::new(nodes.log()));
    check_many(|| nodes.log());
    check_redact(|| nodes.log());
}
