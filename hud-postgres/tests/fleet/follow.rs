//! Followers hear of what others append at once where the server tells them, and in any case.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use hud_store::log::{Expected, Follow, Log};

use crate::given::{note, session};
use crate::nodes::{Nodes, open, shared};

/// How long a follower of a log is without each of so many events, which are appended while it waits. `between` is
/// called with the log's name between the connection of who appends and the follower's.
fn delays(nodes: &Nodes, count: u64, between: impl FnOnce(&str)) -> Vec<Duration> {
    let address = nodes.made();
    let mut log = open(&address);
    between(address.log());
    let follower = open(&address);
    let (mut next, mut seen, mut begun) = (1, 0, Instant::now());
    let mut took = Vec::new();
    let mut append = |begun: &mut Instant, next: &mut u64| {
        log.append(&session("s"), Expected::Any, &[note(*next)])
            .unwrap();
        *next += 1;
        *begun = Instant::now();
    };
    append(&mut begun, &mut next);
    let shared = std::cell::RefCell::new((&mut begun, &mut next, &mut seen));
    follower
        .follow_all(
            1,
            &mut |event| {
                let mut shared = shared.borrow_mut();
                took.push(shared.0.elapsed());
                *shared.2 += 1;
                assert_eq!(event.seq, *shared.2);
                match *shared.2 == count {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
            &mut || {
                let (begun, next, seen) = &mut *shared.borrow_mut();
                // The one before has come: this one comes while it waits.
                if **next == **seen + 1 {
                    append(begun, next);
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    took.split_off(1)
}

/// Who looks by itself does so no sooner than this.
const INTERVAL: Duration = Duration::from_millis(100);

#[test]
fn a_follower_hears_of_an_append_before_it_would_look() {
    let Some(nodes) = shared() else { return };
    let fastest = delays(&nodes, 20, |_| ()).into_iter().min().unwrap();
    assert!(fastest < INTERVAL / 2, "{fastest:?}");
}

#[test]
fn a_follower_that_is_told_of_nothing_finds_everything() {
    let Some(nodes) = shared() else { return };
    // Who appended before tells of it where nobody listens.
    let delays = delays(&nodes, 5, |log| {
        nodes.sql(&format!(
            "UPDATE {log}.head SET channel = 'hud_' || gen_random_uuid()"
        ));
    });
    assert_eq!(delays.len(), 4);
    assert!(
        delays.iter().all(|delay| *delay >= INTERVAL / 2),
        "{delays:?}"
    );
}
