//! How a log comes to be, and what is there instead.

use std::thread;

use hud_postgres::{Address, Options, PgLog, init};
use hud_store::log::{Expected, Log, LogError};

use crate::given::{contents, note, session};
use crate::homes::first;
use crate::nodes::{open, shared};
use crate::proxy::{Cut, Proxy};

fn make(address: &Address) -> Result<(), LogError> {
    init(address, &Options::default())
}

#[test]
fn a_log_is_made_once_whoever_makes_it_when() {
    let Some(nodes) = shared() else { return };
    let address = nodes.address("postgres", "raced");
    let missing = PgLog::open(&address, &Options::default());
    assert!(
        matches!(missing, Err(LogError::Missing { .. })),
        "{missing:?}"
    );
    thread::scope(|scope| {
        let makers: Vec<_> = (0..4).map(|_| scope.spawn(|| make(&address))).collect();
        makers
            .into_iter()
            .for_each(|maker| maker.join().unwrap().unwrap());
    });
    open(&address)
        .append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
    make(&address).unwrap();
    assert_eq!(contents(&open(&address)).len(), 1);
}

#[test]
fn a_log_whose_making_was_interrupted_anywhere_is_made_the_next_time() {
    let Some(nodes) = shared() else { return };
    let proxy = Proxy::before(nodes.nodes[0].port);
    make(&nodes.address_by(proxy.port, "whole")).unwrap();
    let turns = proxy.turns();
    assert!(turns > 5, "{turns}");
    for turn in 1..=turns {
        for cut in [Cut::Request, Cut::Answer] {
            let name = format!("cut_{turn}_{}", cut == Cut::Answer);
            proxy.cut(turn, cut, 1);
            let interrupted = make(&nodes.address_by(proxy.port, &name));
            proxy.mend();
            assert!(interrupted.is_err(), "turn {turn} {cut:?}");
            let address = nodes.address("postgres", &name);
            make(&address).unwrap();
            open(&address)
                .append(&session("s"), Expected::Any, &[note(1)])
                .unwrap();
        }
    }
}

#[test]
fn a_log_that_is_being_brought_up_to_date_is_what_it_was_wherever_that_is_interrupted() {
    let Some(nodes) = shared() else { return };
    let proxy = Proxy::before(nodes.nodes[0].port);
    first(&nodes, "older");
    make(&nodes.address_by(proxy.port, "older")).unwrap();
    let turns = proxy.turns();
    for turn in 1..=turns {
        for cut in [Cut::Request, Cut::Answer] {
            let name = format!("older_{turn}_{}", cut == Cut::Answer);
            first(&nodes, &name);
            proxy.cut(turn, cut, 1);
            let interrupted = make(&nodes.address_by(proxy.port, &name));
            proxy.mend();
            assert!(interrupted.is_err(), "turn {turn} {cut:?}");
            // The answer to the commit may be what was lost.
            let found = nodes.sql(&format!("SELECT schema FROM {name}.head"));
            let newest = nodes.sql("SELECT schema FROM older.head");
            assert!(["1", newest.trim()].contains(&found.trim()), "{found}");
            let address = nodes.address("postgres", &name);
            assert_eq!(contents(&open(&address)).len(), 1);
            make(&address).unwrap();
            open(&address)
                .append(&session("s"), Expected::Exact(1), &[note(2)])
                .unwrap();
        }
    }
}

#[test]
fn a_schema_that_is_something_else_is_left_alone() {
    let Some(nodes) = shared() else { return };
    nodes.sql("CREATE SCHEMA shop; CREATE TABLE shop.event (seq int)");
    let refused = make(&nodes.address("postgres", "shop"));
    assert!(
        matches!(refused, Err(LogError::Foreign { .. })),
        "{refused:?}"
    );
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'shop'";
    assert_eq!(nodes.sql(tables).trim(), "1");
    // Members of roles that are there already would have rights that nobody gave them.
    nodes.sql("CREATE ROLE bar_writer");
    let refused = make(&nodes.address("postgres", "bar"));
    assert!(
        matches!(refused, Err(LogError::Schema { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_log_of_a_newer_program_is_read_and_not_written() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    open(&address)
        .append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
    nodes.sql(&format!("UPDATE {}.head SET schema = 99", address.log()));
    let mut log = open(&address);
    assert_eq!(contents(&log).len(), 1);
    let refused = log.append(&session("s"), Expected::Any, &[note(2)]);
    assert!(
        matches!(refused, Err(LogError::Newer { found: 99, .. })),
        "{refused:?}"
    );
    assert!(matches!(make(&address), Err(LogError::Newer { .. })));
}

#[test]
fn a_database_in_another_encoding_is_refused() {
    let Some(nodes) = shared() else { return };
    nodes.sql("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    let port = nodes.nodes[0].port;
    let address = format!("postgres://postgres@127.0.0.1:{port}/old?log=latin");
    let refused = make(&address.parse().unwrap());
    assert!(
        matches!(refused, Err(LogError::Schema { .. })),
        "{refused:?}"
    );
    nodes.sql("DROP DATABASE old");
}

#[test]
fn who_may_make_roles_and_schemas_and_no_more_makes_a_log() {
    let Some(nodes) = shared() else { return };
    nodes.sql("CREATE ROLE maker LOGIN CREATEROLE; GRANT CREATE ON DATABASE postgres TO maker");
    let address = nodes.address("maker", "by_maker");
    make(&address).unwrap();
    open(&address)
        .append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
    nodes.sql("CREATE ROLE nobody LOGIN");
    let refused = make(&nodes.address("nobody", "by_nobody"));
    assert!(
        matches!(refused, Err(LogError::Denied { .. })),
        "{refused:?}"
    );
    // Names that SQL has a use for are names of logs, too.
    let address = nodes.address("maker", "user");
    make(&address).unwrap();
    open(&address)
        .append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
}

#[test]
fn a_server_that_is_too_old_is_refused_with_its_version() {
    let Some(nodes) = shared() else { return };
    let proxy = Proxy::before(nodes.nodes[0].port);
    let address = nodes.address_by(proxy.port, "old");
    proxy.pose(*b"14");
    let opened = PgLog::open(&address, &Options::default()).map(drop);
    for refused in [make(&address), opened] {
        let said = refused.unwrap_err().to_string();
        assert!(
            said.contains("is PostgreSQL 14.") && said.contains("needs 15 or newer"),
            "{said}"
        );
    }
    proxy.pose(*b"15");
    make(&address).unwrap();
}
