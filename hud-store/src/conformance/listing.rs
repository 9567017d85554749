//! Tests of the selection and order of listed sessions.

use super::{Make, at, note, nth, session};
use crate::event::{SessionDelete, SessionStart};
use crate::log::{Expected, Listing, Log, Order, SessionInfo};

fn names(sessions: &[SessionInfo]) -> Vec<&str> {
    sessions.iter().map(|info| info.id.as_str()).collect()
}

/// All sessions of a listing, read page by page.
fn paged(log: &dyn Log, listing: Listing) -> Vec<SessionInfo> {
    let mut listing = Listing {
        limit: 2,
        ..listing
    };
    let mut all = Vec::new();
    loop {
        let page = log.list(&listing).unwrap();
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { return all };
        listing.after = Some(last.clone());
        all.extend(page);
    }
}

pub(super) fn sessions_come_in_pages_in_either_order(make: Make<'_>) {
    let mut log = make();
    // "c" and "a" end at the same time, and "c" began later.
    for (n, name, time) in [
        (1, "d", 9),
        (2, "a", 5),
        (3, "c", 5),
        (4, "b", 7),
        (5, "e", 1),
    ] {
        let mut event = note(n);
        event.at = at(time);
        log.append(&session(name), Expected::Any, &[event]).unwrap();
    }
    for (order, expected) in [
        (Order::Begun, ["d", "a", "c", "b", "e"]),
        (Order::Newest, ["d", "b", "c", "a", "e"]),
    ] {
        let all = paged(
            &*log,
            Listing {
                order,
                ..Listing::default()
            },
        );
        assert_eq!(names(&all), expected);
    }
    assert_eq!(names(&log.newest(2).unwrap()), ["d", "b"]);
    let unknown = SessionInfo {
        id: session("nobody"),
        ..log.session(&session("d")).unwrap().unwrap()
    };
    for order in [Order::Begun, Order::Newest] {
        let after = Some(unknown.clone());
        let listing = Listing {
            order,
            after,
            ..Listing::default()
        };
        assert_eq!(log.list(&listing).unwrap(), []);
    }
}

pub(super) fn a_session_is_found_by_its_name_and_by_who_made_it(make: Make<'_>) {
    let mut log = make();
    let start = |parent: Option<&str>| SessionStart {
        resumes: None,
        parent: parent.map(session),
        project: None,
    };
    let made = [("main", None), ("one", Some("main")), ("other", None)];
    let made = made
        .into_iter()
        .chain([("two", Some("main")), ("one.one", Some("one"))]);
    for (n, (name, parent)) in (1..).zip(made) {
        log.append(&session(name), Expected::Any, &[nth(n, start(parent))])
            .unwrap();
    }
    let children = log.children(&session("main")).unwrap();
    assert_eq!(names(&children), ["one", "two"]);
    assert_eq!(log.children(&session("other")).unwrap(), []);
    let newest = Listing {
        parent: Some(session("main")),
        order: Order::Newest,
        ..Listing::default()
    };
    assert_eq!(names(&paged(&*log, newest)), ["two", "one"]);
    assert_eq!(
        log.session(&session("one")).unwrap().as_ref(),
        children.first()
    );
    assert_eq!(log.session(&session("on")).unwrap(), None);

    // A deleted session is not listed until another event is appended to it.
    let delete = SessionDelete { events: 1 };
    log.append(&session("one"), Expected::Any, &[nth(9, delete)])
        .unwrap();
    assert_eq!(names(&log.children(&session("main")).unwrap()), ["two"]);
    assert_eq!(log.session(&session("one")).unwrap(), None);
    log.append(&session("one"), Expected::Any, &[note(10)])
        .unwrap();
    assert!(log.session(&session("one")).unwrap().is_some());
}
