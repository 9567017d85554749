//! What becomes of a call when the connection does not hold.

use std::io::Write;
use std::net::TcpListener;
use std::slice;
use std::thread;
use std::time::Duration;

use hud_postgres::{Options, PgLog};
use hud_store::log::{Expected, Log, LogError};

use crate::given::{contents, note, session};
use crate::nodes::{open, open_within, shared};
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
fn a_connection_that_is_cut_once_is_not_noticed() {
    let Some(nodes) = shared() else { return };
    for (cut, duplicates) in [(Cut::Request, 0), (Cut::Answer, 1)] {
        let made = nodes.made();
        let proxy = Proxy::before(nodes.nodes[0].port);
        let mut log = open(&nodes.address_by(proxy.port, made.log()));
        let s = session("s");
        log.append(&s, Expected::Any, &[note(1)]).unwrap();
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
