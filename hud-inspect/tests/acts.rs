//! What a person does on the page, in a browser, and what the page says of it.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test that cannot go on has failed, one that is not tried says so, and what tests share is public \
              and not used by each"
)]

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::sent::sent;
use hud_agent::setup::Setup;
use hud_store::event::{
    Actor, ConstraintAdd, DecisionRecord, FindingRecord, HudEvent, NewEvent, NoteAdd, SessionId,
    TaskSet,
};
use hud_store::log::{Expected, Log as _, state_of};
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

use crate::browser::{Browser, READY, origin};
use crate::common::Place;

const SESSION: &str = "harbor";

/// A session in which a client's hooks understood some things by themselves.
fn understood() -> Place {
    let place = Place::new();
    let task = TaskSet {
        description: "Move the harbor to the new quay".into(),
    };
    place.append_by(&Actor::User, SESSION, 1, [task.into()]);
    let decision = DecisionRecord {
        id: "d1".into(),
        summary: "Keep the old quay open".into(),
        details: None,
        weight: None,
    };
    let finding = FindingRecord {
        id: "f1".into(),
        text: "The crane lifts nine tons".into(),
        weight: None,
    };
    let rule = ConstraintAdd {
        id: "c1".into(),
        text: "Never close both quays".into(),
    };
    let events: [HudEvent; 3] = [decision.into(), finding.into(), rule.into()];
    place.append_by(&Actor::Derived, SESSION, 2, events);
    place
}

/// Records what a client was handed of the state as it is.
fn hand_out(place: &Place) {
    let session = SessionId::new(SESSION).unwrap();
    let mut log = SqliteLog::open(&place.log).unwrap();
    let (state, setup) = (state_of(&log, &session).unwrap(), Setup::default());
    let placement = Placement::default();
    let shown = frame(&state, None, placement, &setup).unwrap();
    let kept = sent(&shown, state.version, None, placement, &setup.settings);
    let event = NewEvent::now(
        state.turn + 1,
        Actor::Derived,
        HudEvent::Context(kept.into()),
    );
    log.append(&session, Expected::Any, &[event]).unwrap();
}

/// The text of the state, as JSON.
fn state(place: &Place) -> Value {
    let log = SqliteLog::open_read_only(&place.log).unwrap();
    let state = state_of(&log, &SessionId::new(SESSION).unwrap()).unwrap();
    serde_json::to_value(state).unwrap()
}

/// Picks the line of the HUD that says something.
fn pick(browser: &mut Browser, said: &str) {
    browser.until(&format!(
        "[...document.querySelectorAll('#view .raw button')].some(line => line.textContent.includes('{said}'))"
    ));
    browser.click(&format!(
        "[...document.querySelectorAll('#view .raw button')].find(line => line.textContent.includes('{said}'))"
    ));
}

/// Presses a button, and waits until the page says that it is done.
fn press(browser: &mut Browser, button: &str) {
    let button = format!(
        "[...document.querySelectorAll('#acts button')].find(button => (button.getAttribute('aria-label') ?? button.textContent) === '{button}')"
    );
    browser.until(&button);
    browser.eval("document.getElementById('said').textContent = ''");
    browser.click(&button);
    browser.until("document.getElementById('said').textContent.startsWith('Done')");
}

fn write(browser: &mut Browser, field: &str, text: &str) {
    browser.eval(&format!(
        "document.querySelector('#acts [aria-label=\"{field}\"]').focus()"
    ));
    browser.write(text);
    browser.eval("document.getElementById('said').textContent = ''");
    browser.press("Enter");
    browser.until("document.getElementById('said').textContent.startsWith('Done')");
}

#[test]
fn what_was_understood_is_confirmed_dropped_and_reworded_and_all_of_it_is_undone() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = understood();
    let url = place.serve(true);
    browser.size(1440, 1200, "light");
    browser.open(&format!("{url}&tab=raw"));
    browser.until(READY);

    pick(&mut browser, "Keep the old quay open");
    browser.picture("act-1-picked");
    press(&mut browser, "Confirm d1");
    assert_ne!(state(&place)["decisions"][0]["by"], json!("derived"));

    pick(&mut browser, "The crane lifts nine tons");
    write(
        &mut browser,
        "Other words for f1",
        "The crane lifts ten tons",
    );
    let text = |place: &Place| state(place)["findings"][0]["text"].clone();
    assert_eq!(text(&place), json!("The crane lifts ten tons"));
    browser.until("document.getElementById('view').textContent.includes('lifts ten tons')");

    pick(&mut browser, "Never close both quays");
    press(&mut browser, "Drop c1");
    assert_eq!(
        state(&place)["constraints"].as_array().map_or(0, Vec::len),
        0
    );
    browser.picture("act-2-dropped");
    press(&mut browser, "Undo");
    assert_eq!(
        state(&place)["constraints"][0]["text"],
        json!("Never close both quays")
    );

    press(&mut browser, "Pin the task");
    assert_eq!(state(&place)["task"]["pinned"], json!(true));
    browser.until("document.getElementById('acts').textContent.includes('The task is pinned')");
    press(&mut browser, "Undo");
    assert_ne!(state(&place)["task"]["pinned"], json!(true));

    write(&mut browser, "A note", "ask the harbor master");
    assert!(state(&place).to_string().contains("ask the harbor master"));
    press(&mut browser, "Undo");
    assert_eq!(state(&place)["notes"].as_array().map_or(0, Vec::len), 0);
    browser.was_quiet(&origin(&url));
}

/// Records something else while the page is open.
fn note_the_tide(place: &Place) {
    let note = NoteAdd {
        id: "n1".into(),
        content: "the tide is high at nine".into(),
    };
    place.append(SESSION, 4, [note.into()]);
}

#[test]
fn the_page_says_whether_what_it_shows_is_what_was_sent() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = understood();
    let url = place.serve(true);
    browser.size(1440, 1000, "dark");
    browser.open(&format!("{url}&s={SESSION}"));
    browser.until(READY);
    let sent = |browser: &mut Browser| {
        let text = browser.eval("document.getElementById('sent').innerText");
        text.as_str().unwrap().to_owned()
    };
    assert!(sent(&mut browser).starts_with("The log does not say what was sent"));
    hand_out(&place);
    browser.until("document.getElementById('sent').innerText.startsWith('This is what was sent, byte by byte')");
    assert!(sent(&mut browser).contains("as sent"), "each layer, too");
    browser.picture("sent-dark");
    // What it would be was not sent.
    browser.press("d");
    browser.until("document.getElementById('sent').innerText === ''");
    browser.press("d");
    browser.press("d");
    browser.press("d");
    browser.until("document.getElementById('sent').innerText.startsWith('This is what was sent')");
    // Something was recorded since: what is shown has it, and was not handed out.
    note_the_tide(&place);
    browser
        .until("document.getElementById('view').textContent.includes('the tide is high at nine')");
    assert!(!sent(&mut browser).starts_with("This is what was sent"));
    browser.was_quiet(&origin(&url));
}

#[test]
fn what_an_event_said_is_taken_out_once_a_person_is_sure() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = understood();
    let url = place.serve(true);
    browser.size(1440, 1000, "light");
    browser.open(&format!("{url}&s={SESSION}"));
    browser.until(READY);
    let ask = |browser: &mut Browser, answer: &str| {
        let button = "[...document.querySelectorAll('#list .more button')].find(button => button.textContent === 'Redact…')";
        browser.until(button);
        browser.click(button);
        browser.until("document.getElementById('redact').open");
        browser.picture("redact");
        browser.axe("redact");
        browser.click(&format!(
            "document.querySelector('#redact button[value={answer}]')"
        ));
        browser.until("!document.getElementById('redact').open");
    };
    browser.click("document.querySelector('#list tr[data-version=\"3\"] button')");
    ask(&mut browser, "no");
    assert!(state(&place).to_string().contains("nine tons"));
    ask(&mut browser, "yes");
    browser.until("document.getElementById('said').textContent.includes('is redacted')");
    assert!(!state(&place).to_string().contains("nine tons"));
    browser.until("!document.body.textContent.includes('nine tons')");
    browser.was_quiet(&origin(&url));
}

#[test]
fn an_event_that_is_unfolded_stays_so_when_more_is_recorded() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = understood();
    let url = place.serve(true);
    browser.open(&format!("{url}&s={SESSION}"));
    browser.until(READY);
    browser.click("document.querySelector('#list tr[data-version=\"3\"] button')");
    let unfolded = "document.querySelector('#list tr[data-version=\"3\"] + .more')?.textContent.includes('seq')";
    browser.until(unfolded);
    note_the_tide(&place);
    let listed = "document.getElementById('list').textContent.includes('the tide is high at nine')";
    browser.until(&format!("{listed} && {unfolded}"));
}

#[test]
fn two_turns_are_side_by_side_in_columns() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(false);
    browser.size(1440, 1000, "light");
    browser.open(&format!("{url}&s=rate-limiter&turn=50&tab=diff&with=20"));
    browser.until("document.querySelector('#view .diff .added')");
    browser.click("document.getElementById('columns')");
    browser.until("document.querySelector('#view .diff.columns .pair .added')");
    let heads = browser.eval(
        "[...document.querySelectorAll('#view [role=columnheader]')].map(head => head.textContent)",
    );
    assert_eq!(heads, json!(["turn 20", "turn 50"]));
    // What was taken out is on the left of what was put in its place, at the same height.
    let beside = browser.eval("[...document.querySelectorAll('#view .pair')].filter(pair => pair.querySelector('.removed') && pair.querySelector('.added')).map(pair => { const [left, right] = [...pair.children].map(cell => cell.getBoundingClientRect()); return left.top === right.top && left.right <= right.left && pair.children[0].className === 'removed'; })");
    let beside = beside.as_array().unwrap();
    assert!(
        !beside.is_empty() && beside.iter().all(|is| *is == json!(true)),
        "{beside:?}"
    );
    browser.axe("side by side");
    browser.picture("side-by-side");
    assert_eq!(
        browser.eval("location.hash.includes('columns')"),
        json!(true)
    );
    browser.size(320, 900, "dark");
    let wide =
        browser.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(wide, json!(0));
    browser.was_quiet(&origin(&url));
}

#[test]
fn a_long_session_is_a_page_of_at_most_2000_elements_on_each_tab() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::new();
    place.repeat_example(30);
    let notes = (0..200).map(|n| {
        let (id, content) = (
            format!("x{n}"),
            format!("Fact number {n} is about a file of its own"),
        );
        HudEvent::from(FindingRecord {
            id,
            text: content,
            weight: None,
        })
    });
    place.append("rate-limiter", 1_900, notes);
    let url = place.serve(true);
    browser.size(1440, 1000, "light");
    let mut most = 0;
    for place in ["turn=50", "turn=900", "density=full", "with=1&columns=1"] {
        browser.open(&format!("{url}&s=rate-limiter&{place}"));
        browser.until(READY);
        for tab in ["rendered", "raw", "diff", "tree", "state", "json"] {
            browser.click(&format!("document.getElementById('tab-{tab}')"));
            browser.until(&format!("document.getElementById('tab-{tab}').getAttribute('aria-selected') === 'true' && document.getElementById('view').childElementCount && !document.querySelector('#view.waits')"));
            let elements = browser.eval("document.querySelectorAll('*').length");
            let elements = elements.as_u64().unwrap();
            assert!(elements <= 2_000, "{elements} on {tab}, {place}");
            most = most.max(elements);
        }
    }
    println!("at most {most} elements");
    browser.was_quiet(&origin(&url));
}

#[test]
fn an_address_with_nonsense_is_a_page_that_says_so() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(true);
    browser.size(1200, 900, "light");
    for nonsense in [
        "turn=-5&tab=zzz&density=dense&budget=NaN&with=1e99&columns=%00",
        "s=rate-limiter&turn=99999999999999999999&budget=-1&tab=diff",
        "s=rate-limiter&turn=1e3&with=0x10&density=%F0%9F%91%BB&%%%=&&&=",
        "s=rate-limiter&turn=2.5&tab=__proto__",
    ] {
        browser.open(&format!("{url}&{nonsense}"));
        browser.until(READY.split(" && ").nth(1).unwrap());
        let session = browser.eval("document.getElementById('picked').textContent");
        assert_eq!(session, json!("rate-limiter"), "{nonsense}");
        let turn = browser.eval("Number(document.getElementById('turn').value)");
        let turn = turn.as_f64().unwrap();
        assert!(
            (1.0..=61.0).contains(&turn) && turn.fract() == 0.0,
            "{nonsense}: {turn}"
        );
    }
    browser.open(&format!("{url}&s=..%2F..%2Fetc%2Fpasswd"));
    browser.until("!document.getElementById('notice').hidden");
    let said = browser.eval("document.getElementById('notice').innerText");
    assert!(
        said.as_str()
            .unwrap()
            .contains("no session ../../etc/passwd"),
        "{said}"
    );
    browser.picture("no-such-session");
}
