//! The page for each reader: by keys alone, in writing from right to left, without motion, and left open for long.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test that cannot go on has failed, one that is not tried says so, and what tests share is public \
              and not used by each"
)]

use std::thread;
use std::time::Duration;

use hud_store::event::{NoteAdd, TaskSet};
use serde_json::json;

use crate::browser::{Browser, READY, origin};
use crate::common::Place;

fn note(id: &str, content: &str) -> hud_store::event::HudEvent {
    NoteAdd {
        id: id.to_owned(),
        content: content.to_owned(),
    }
    .into()
}

/// What the key Tab stops at: one of the tabs of a list, and nothing that is off or not seen.
const STOPS: &str = "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]\
    .filter(one => !one.disabled && one.tabIndex >= 0 && one.checkVisibility() && !one.closest('dialog:not([open])'))";

/// The number of stops of a page once no more of them are loaded.
fn loaded_stops(browser: &mut Browser) -> u64 {
    const PAUSE: Duration = Duration::from_millis(500);
    let mut before = 0;
    loop {
        let stops = browser.eval(&format!("{STOPS}.length")).as_u64().unwrap();
        if stops == before {
            return stops;
        }
        before = stops;
        thread::sleep(PAUSE);
    }
}

#[test]
fn all_of_the_page_is_reached_and_left_by_keys_and_what_has_the_focus_is_seen() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(true);
    browser.size(1440, 1000, "light");
    browser.open(&format!("{url}&s=rate-limiter&turn=50"));
    browser.until(READY);
    let stops = loaded_stops(&mut browser);
    assert!(stops > 40, "{stops}");
    browser.eval("window.reached = new Set(); window.unseen = []; document.body.focus()");
    for _ in 0..=stops {
        browser.press("Tab");
        browser.eval(
            "{ const one = document.activeElement; reached.add(one); \
               if (one !== document.body && !one.matches(':focus-visible')) unseen.push(one.outerHTML.slice(0, 80)); \
               const look = getComputedStyle(one); \
               if (one !== document.body && look.outlineStyle === 'none') unseen.push(one.outerHTML.slice(0, 80)); }",
        );
    }
    let missed = browser.eval(&format!(
        "{STOPS}.filter(one => !reached.has(one)).map(one => one.outerHTML.slice(0, 80))"
    ));
    assert_eq!(missed, json!([]));
    assert_eq!(browser.eval("unseen"), json!([]));

    // A dialog takes the focus, keeps it, and gives it back.
    for (key, dialog) in [("?", "help"), ("s", "sessions")] {
        browser.eval("document.getElementById('follow').focus()");
        browser.press(key);
        browser.until(&format!("document.getElementById('{dialog}').open"));
        for _ in 0..3 {
            browser.press("Tab");
            let within = format!(
                "document.getElementById('{dialog}').contains(document.activeElement) || document.activeElement === document.body"
            );
            assert_eq!(browser.eval(&within), json!(true), "{dialog}");
        }
        browser.press("Escape");
        browser.until(&format!("!document.getElementById('{dialog}').open"));
        assert_eq!(
            browser.eval("document.activeElement.id"),
            json!("follow"),
            "{dialog}"
        );
    }
}

#[test]
fn each_state_of_the_page_is_for_everyone_in_both_schemes() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (place, empty) = (Place::example(), Place::new());
    let (url, without_session) = (place.serve(true), empty.serve(false));
    for scheme in ["light", "dark"] {
        // A tab that has been given no key yet.
        browser.tab();
        browser.size(1280, 900, scheme);
        browser.open(&origin(&without_session));
        browser.until("document.getElementById('notice').textContent.includes('needs its key')");
        browser.axe(&format!("without the key, {scheme}"));
        browser.open(&without_session);
        browser.until("document.getElementById('notice').textContent.includes('No session yet')");
        browser.axe(&format!("without a session, {scheme}"));
        browser.picture(&format!("empty-{scheme}"));
        // An address that names nothing is an error.
        browser.open(&format!("{url}&s=nothing"));
        browser.until("document.body.innerText.includes('nothing')");
        browser.axe(&format!("a session that is not there, {scheme}"));
        browser.picture(&format!("error-{scheme}"));
        browser.open(&format!("{url}&s=rate-limiter&turn=50"));
        browser.until(READY);
        for (key, shown) in [("?", "help"), ("s", "sessions")] {
            browser.press(key);
            browser.until(&format!("document.getElementById('{shown}').open"));
            browser.axe(&format!("{shown}, {scheme}"));
            browser.picture(&format!("{shown}-{scheme}"));
            browser.press("Escape");
            browser.until(&format!("!document.getElementById('{shown}').open"));
        }
        browser.click("document.querySelector('#list td button[aria-expanded]')");
        browser.until("document.querySelector('#list tr.more')");
        browser.axe(&format!("an event that is unfolded, {scheme}"));
        browser.press("/");
        browser.write("bucket");
        browser.until("document.querySelector('#list mark')");
        browser.axe(&format!("what was found, {scheme}"));
        browser.press("Escape");
    }
    // Nothing moves for a reader who wants no motion.
    let features = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.order("Emulation.setEmulatedMedia", features);
    let moving = browser.eval(
        "[...document.querySelectorAll('*')].filter(one => { const look = getComputedStyle(one); \
         return look.animationName !== 'none' || look.transitionDuration !== '0s' }).map(one => one.id)",
    );
    assert_eq!(moving, json!([]));
}

#[test]
fn writing_from_right_to_left_begins_at_the_right_in_each_view() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::new();
    let task = TaskSet {
        description: "להוסיף הגבלת קצב לשער".into(),
    };
    place.append(
        "rtl",
        1,
        [task.into(), note("n1", "الاختبارات تحتاج إلى Redis 7")],
    );
    let url = place.serve(true);
    browser.size(1280, 900, "light");
    browser.open(&format!("{url}&s=rtl"));
    browser.until(READY);
    for (tab, words) in [
        ("rendered", "להוסיף"),
        ("raw", "להוסיף"),
        ("rendered", "الاختبارات"),
        ("raw", "الاختبارات"),
    ] {
        browser.click(&format!("document.getElementById('tab-{tab}')"));
        browser.until(&format!(
            "document.getElementById('view').textContent.includes('{words}')"
        ));
        browser.picture(&format!("rtl-{tab}"));
        let places = browser.eval(&format!(
            "(() => {{ const walk = document.createTreeWalker(document.getElementById('view'), NodeFilter.SHOW_TEXT); \
               for (let text; (text = walk.nextNode());) {{ \
                 const at = text.data.indexOf('{words}'); if (at < 0) continue; \
                 const place = (from) => {{ const range = document.createRange(); range.setStart(text, from); \
                   range.setEnd(text, from + 1); return range.getBoundingClientRect(); }}; \
                 return [place(at).left, place(at + 4).left]; }} }})()"
        ));
        let [first, later] = [0, 1].map(|at| places[at].as_f64().unwrap());
        assert!(first > later, "{tab}: {places}");
    }
    let wide =
        browser.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(wide, json!(0));
    browser.axe("from right to left");
    browser.was_quiet(&origin(&url));
}

#[test]
fn a_page_that_is_left_open_while_the_agent_works_on_takes_no_more_room() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(true);
    browser.size(1280, 900, "light");
    browser.open(&url);
    browser.until(READY);
    browser.until("document.getElementById('connection').className === 'live'");
    let work = |turns: std::ops::Range<u64>| {
        for turn in turns {
            place.append(
                "rate-limiter",
                turn,
                [note(&format!("n{turn}"), &format!("said in turn {turn}"))],
            );
        }
    };
    let shows = |turn: u64| {
        format!("document.getElementById('view').textContent.includes('said in turn {turn}')")
    };
    let size = |browser: &mut Browser| {
        browser.order("HeapProfiler.collectGarbage", json!({}));
        browser.order("Memory.getDOMCounters", json!({}))["nodes"]
            .as_u64()
            .unwrap()
    };
    work(100..220);
    browser.until(&shows(219));
    let before = size(&mut browser);
    work(220..600);
    browser.until(&shows(599));
    let after = size(&mut browser);
    assert!(
        after < before + before / 2,
        "{before} nodes, and {after} later"
    );
}
