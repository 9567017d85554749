//! What becomes of a call when the connection does not hold.

use std::io::Write;
use std::net::TcpListener;
use std::slice;
use std::thread;
use std::time::Duration;

use hud_postgres::{Options, PgLog};
use hud_store::log::{Expected, Listing, Log, LogError, Order, append_onto};
use hud_store::state::HudState;

use crate::given::{contents, note, session};
use crate::nodes::{open, open_within, shared, until};
use crate::proxy::{Cut, Proxy};

#[test]
fn an_append_is_one_round_trip() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let proxy = Proxy::before(nodes.nodes[0].port);
    let mut log = open(&nodes.address_by(proxy.port, made.log()));
    let s = session("s");
    log.append(&s, Expected::Any, &[note(1)]).unwrap();
    for n in 1..=5 {
        let before = proxy.turns();
        let events: Vec<_> = (10 * n..11 * n + 3).map(note).collect();
        let version = log.append(&s, Expected::Any, &events).unwrap().version;
        assert_eq!(proxy.turns() - before, 1);
        // So is one that is refused.
        let refused = log.append(&s, Expected::Exact(version + 1), &[note(1000)]);
        assert!(
            matches!(refused, Err(LogError::Conflict { .. })),
            "{refused:?}"
        );
        assert_eq!(proxy.turns() - before, 2);
    }
}

#[test]
fn who_has_the_newest_state_decides_and_appends_in_one_round_trip() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let proxy = Proxy::before(nodes.nodes[0].port);
    let mut log = open(&nodes.address_by(proxy.port, made.log()));
    let (s, mut state) = (session("s"), HudState::default());
    let decide = |state: &HudState| Ok::<_, LogError>(vec![note(state.version + 1)]);
    append_onto(&mut log, &s, &mut state, decide).unwrap();
    let before = proxy.turns();
    for _ in 0..5 {
        append_onto(&mut log, &s, &mut state, decide).unwrap();
    }
    assert_eq!((proxy.turns() - before, state.notes.len()), (5, 6));
}

#[test]
fn a_page_of_many_sessions_is_read_by_an_index() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    nodes.sql(&format!(
        "INSERT INTO {log}.session (stream, ver, first, last, first_ts, last_ts, origin, is_deleted, sum) \
         SELECT 's' || n, 1, n, n, n, n * 7919 % 20000, \
             CASE WHEN n % 100 = 0 THEN json_build_object('parent', 's' || n / 1000)::text ELSE '{{}}' END, \
             false, '' FROM generate_series(1, 20000) AS n; ANALYZE {log}.session"
    ));
    let scans = format!(
        "SELECT seq_scan FROM pg_stat_user_tables WHERE schemaname = '{log}' AND relname = 'session'"
    );
    // To make an index takes one, too.
    let made_with = nodes.sql(&scans);
    let listing = |parent: Option<&str>, order| {
        let parent = parent.map(session);
        Listing {
            parent,
            order,
            limit: 3,
            ..Listing::default()
        }
    };
    let reader = open(&made);
    for (listing, first) in [
        (listing(None, Order::Begun), "s1"),
        (listing(None, Order::Newest), "s2321"),
        (listing(Some("s7"), Order::Begun), "s7000"),
        (listing(Some("s7"), Order::Newest), "s7200"),
    ] {
        let page = reader.list(&listing).unwrap();
        assert_eq!((page.len(), page[0].id.as_str()), (3, first));
        let second = Listing {
            after: page.last().cloned(),
            ..listing
        };
        reader.list(&second).unwrap();
    }
    // Statistics of a connection are handed in when it ends.
    drop(reader);
    let by_index = format!(
        "SELECT count(*) FROM pg_stat_user_indexes WHERE schemaname = '{log}' AND idx_scan > 0 \
         AND indexrelname IN ('session_by_first', 'session_by_last', 'session_by_parent')"
    );
    until(|| nodes.sql(&by_index).trim() == "3");
    assert_eq!(nodes.sql(&scans), made_with);
}

#[test]
fn a_connection_that_is_cut_once_is_not_noticed() {
    let Some(nodes) = shared() else { return };
    for (cut, duplicates) in [(Cut::Request, 0), (Cut::Answer, 1)] {
        let made = nodes.made();
        let proxy = Proxy::before(nodes.nodes[0].port);
        let mut log = open(&nodes.address_by(proxy.port, made.log()));
        let s = session("s");
        log.append(&s, Expected::Any, &[note(1)]).unwrap();
        // What the server answers to the hint for followers has come.
        assert_eq!(contents(&log).len(), 1);
        proxy.cut(1, cut, 1);
        let done = log.append(&s, Expected::Exact(1), &[note(2)]).unwrap();
        assert_eq!((done.version, done.duplicates), (2, duplicates), "{cut:?}");
        proxy.cut(1, cut, 1);
        assert_eq!(contents(&log).len(), 2, "{cut:?}");
    }
}

#[test]
fn what_may_have_been_written_is_in_doubt_until_it_is_repeated() {
    let Some(nodes) = shared() else { return };
    for cut in [Cut::Request, Cut::Answer, Cut::Silence] {
        let made = nodes.made();
        let proxy = Proxy::before(nodes.nodes[0].port);
        let mut log = open_within(
            &nodes.address_by(proxy.port, made.log()),
            Duration::from_secs(2),
        );
        let s = session("s");
        log.append(&s, Expected::Any, &[note(1)]).unwrap();
        proxy.cut(1, cut, u32::MAX);
        let doubt = log.append(&s, Expected::Any, &[note(2)]);
        assert!(
            matches!(doubt, Err(LogError::Unconfirmed { .. })),
            "{cut:?} {doubt:?}"
        );
        // Here it is known that nothing was sent.
        let refused = log.append(&s, Expected::Any, &[note(3)]);
        assert!(
            matches!(refused, Err(LogError::Unavailable { .. })),
            "{cut:?} {refused:?}"
        );
        let unread = log.read_all(1, &mut |_| std::ops::ControlFlow::Continue(()));
        assert!(
            matches!(unread, Err(LogError::Unavailable { .. })),
            "{cut:?} {unread:?}"
        );
        proxy.mend();
        let again = log.append(&s, Expected::Any, &[note(2)]).unwrap();
        assert_eq!((again.first_seq, again.version), (2, 2), "{cut:?}");
        assert_eq!(contents(&log).len(), 2, "{cut:?}");
    }
}

#[test]
fn a_log_that_is_locked_is_busy_and_nothing_was_written() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let mut log = open_within(&made, Duration::from_secs(2));
    let lock = format!(
        "BEGIN; SELECT FROM {}.head FOR UPDATE; SELECT pg_sleep(4)",
        made.log()
    );
    thread::scope(|scope| {
        scope.spawn(|| nodes.sql(&lock));
        let is_locked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        crate::nodes::until(|| nodes.sql(is_locked).trim() == "1");
        let refused = log.append(&session("s"), Expected::Any, &[note(1)]);
        assert!(matches!(refused, Err(LogError::Busy { .. })), "{refused:?}");
    });
    assert_eq!(contents(&log).len(), 0);
}

#[test]
fn who_does_not_answer_as_a_server_does_is_unavailable() {
    let Some(nodes) = shared() else { return };
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let garbage = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let nobody = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let ports = [&silent, &garbage, &nobody].map(|at| at.local_addr().unwrap().port());
    drop(nobody);
    thread::spawn(move || {
        for mut client in garbage.incoming().flatten() {
            let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    for port in ports {
        let deadline = Duration::from_secs(1);
        let options = Options {
            deadline,
            ..Options::default()
        };
        let refused = PgLog::open(&nodes.address_by(port, "team"), &options);
        assert!(
            matches!(refused, Err(LogError::Unavailable { .. })),
            "{refused:?}"
        );
    }
    // And those behind them are asked.
    let made = nodes.made();
    let hosts = ports.map(|port| format!("127.0.0.1:{port}")).join(",");
    let address = format!(
        "postgres://postgres@{hosts},127.0.0.1:{}/postgres?log={}",
        nodes.nodes[0].port,
        made.log()
    );
    open(&address.parse().unwrap());
}

#[test]
fn it_can_be_called_inside_of_an_async_runtime() {
    let Some(nodes) = shared() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut log = nodes.log();
        log.append(&session("s"), Expected::Any, slice::from_ref(&note(1)))
            .unwrap();
        assert_eq!(contents(&log).len(), 1);
    });
}
