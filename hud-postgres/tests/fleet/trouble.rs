//! A server without room, and clocks that differ.

use hud_postgres::{SyncError, pull, push, take};
use hud_store::event::NewEvent;
use hud_store::log::{Expected, Listing, Log, LogError, Order, state_of};
use hud_store::sqlite::{Remote, SqliteLog};
use jiff::{SignedDuration, Timestamp};

use crate::given::{contents, note, session};
use crate::nodes::{open, shared};
use crate::push::noted;

#[test]
fn a_server_without_room_says_so_and_takes_everything_once_it_has_some() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let schema = address.log();
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=10);
    let mut to = open(&address);
    push(&log, &mut to, "test").unwrap();
    // What the server says when its disk is full. It comes in the middle of a batch.
    nodes.sql(&format!(
        "CREATE FUNCTION {schema}.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; \
         END $$; \
         CREATE TRIGGER no_room BEFORE INSERT ON {schema}.event FOR EACH ROW WHEN (NEW.ver % 15 = 0) \
             EXECUTE FUNCTION {schema}.no_room()"
    ));
    noted(&mut log, "a", 11..=20);
    let full = push(&log, &mut to, "test");
    assert!(
        matches!(full, Err(SyncError::Log(LogError::Full { .. }))),
        "{full:?}"
    );
    let events: Vec<_> = (101..=120).map(note).collect();
    let full = to.append(&session("direct"), Expected::Any, &events);
    assert!(matches!(full, Err(LogError::Full { .. })), "{full:?}");
    assert_eq!(
        contents(&to).len(),
        10,
        "all of a batch is there, or nothing"
    );
    let remote = log.remote(&to.place().to_string()).unwrap();
    assert_eq!((remote.seq, remote.tried), (10, 20));
    assert!(remote.trouble.unwrap().contains("free some"));
    noted(&mut log, "b", 21..=25);
    nodes.sql(&format!("DROP TRIGGER no_room ON {schema}.event"));
    push(&log, &mut to, "test").unwrap();
    to.append(&session("direct"), Expected::NoStream, &events)
        .unwrap();
    assert_eq!(contents(&to)[..25], contents(&log)[..]);
    assert_eq!(contents(&to).len(), 45);
}

/// Notes of a machine whose clock is wrong by so much.
fn at(numbers: std::ops::RangeInclusive<u64>, wrong: SignedDuration) -> Vec<NewEvent> {
    let event = |n| NewEvent {
        at: Timestamp::now().checked_add(wrong).unwrap(),
        ..note(n)
    };
    numbers.map(event).collect()
}

#[test]
fn clocks_that_are_an_hour_apart_move_no_event_and_hide_no_session() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (hour, right) = (SignedDuration::from_hours(1), SignedDuration::ZERO);
    let (mut ahead, mut other) = (
        SqliteLog::open_in_memory().unwrap(),
        SqliteLog::open_in_memory().unwrap(),
    );
    let s = session("s");
    let mut to = open(&address);
    ahead.append(&s, Expected::Any, &at(1..=5, hour)).unwrap();
    ahead
        .append(&session("of-a"), Expected::Any, &at(6..=6, hour))
        .unwrap();
    push(&ahead, &mut to, "ahead").unwrap();
    take(&mut other, &mut to, &s).unwrap();
    other
        .append(&s, Expected::Exact(5), &at(7..=9, right))
        .unwrap();
    other
        .append(&session("of-b"), Expected::Any, &at(10..=10, right))
        .unwrap();
    push(&other, &mut to, "other").unwrap();
    pull(&mut ahead, &to, &s).unwrap();
    for log in [&ahead as &dyn Log, &other, &to] {
        let state = state_of(log, &s).unwrap();
        let notes: Vec<_> = state.notes.iter().map(|note| note.id.as_str()).collect();
        assert_eq!(notes, ["n1", "n2", "n3", "n4", "n5", "n7", "n8", "n9"]);
    }
    // Each is on one page, though the newest event of the session is not the one that came last.
    let mut listing = Listing {
        order: Order::Newest,
        limit: 1,
        ..Listing::default()
    };
    let mut listed = Vec::new();
    while let [info] = &to.list(&listing).unwrap()[..] {
        listed.push(info.id.to_string());
        listing.after = Some(info.clone());
    }
    listed.sort();
    assert_eq!(listed, ["of-a", "of-b", "s"]);
}

#[test]
fn a_machine_whose_clock_was_put_back_is_heard_of_all_the_same() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", [1]);
    let mut to = open(&address);
    push(&log, &mut to, "test").unwrap();
    let url = to.place().to_string();
    let known = log.remote(&url).unwrap();
    let ahead = Timestamp::now().checked_add(SignedDuration::from_hours(1));
    log.set_remote(
        &url,
        &Remote {
            at: Some(ahead.unwrap()),
            ..known
        },
    )
    .unwrap();
    let seen = format!("SELECT seen FROM {}.home", address.log());
    let before = nodes.sql(&seen);
    push(&log, &mut to, "test").unwrap();
    assert_ne!(nodes.sql(&seen), before);
}
