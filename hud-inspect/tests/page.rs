//! The page in a browser, as its reader uses it.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on has failed, one that is not tried says so, and what tests share is public"
)]

use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::{NoteAdd, TaskSet};
use serde_json::json;

use crate::browser::{Browser, READY, Tab, origin};
use crate::common::{Place, full_disk};

#[test]
fn a_reader_follows_a_session_through_the_page() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    place.append("rate-limiter", 60, [full_disk("e99")]);
    let url = place.serve(true);
    browser.size(1440, 1000, "light");
    let begun = Instant::now();
    browser.open(&url);
    browser.until(READY);
    println!("the HUD was there after {:?}", begun.elapsed());
    assert_eq!(browser.eval("location.hash.includes('key')"), json!(false));
    browser.picture("1-newest-light");

    // To turn 50, by the number, and on by keys.
    browser
        .eval("document.getElementById('turn').focus(); document.getElementById('turn').select()");
    browser.write("49");
    browser.press("Enter");
    browser.until("document.getElementById('said').textContent.startsWith('Turn 49')");
    browser.eval("document.getElementById('turn').blur()");
    browser.press("]");
    browser.until("document.getElementById('said').textContent.startsWith('Turn 50')");
    assert_eq!(browser.eval("document.getElementById('slider').getAttribute('aria-valuetext').startsWith('turn 50 of')"), json!(true));
    browser.picture("2-turn-50-light");

    // What it would be when compact, and with a budget; and why something is not there.
    browser.press("d");
    browser.press("d");
    browser.until("document.getElementById('said').textContent.includes('compact density')");
    browser.until("document.querySelector('#absent summary')");
    browser.click("document.querySelector('#absent summary')");
    let why = browser.eval("document.querySelector('#absent details').innerText");
    assert!(why.as_str().unwrap().contains("Why: "), "{why}");
    browser.picture("3-compact-why");
    browser.press("d");
    browser.press("d");
    browser.until("document.getElementById('density').value === 'auto'");

    // A line is explained, down to its event.
    browser.press("2");
    browser.until("document.querySelector('#view .raw')");
    browser.click("[...document.querySelectorAll('#view .raw button')].find(line => line.textContent.includes('Evict idle'))");
    let line = browser.eval("document.getElementById('line').innerText");
    assert!(
        line.as_str().unwrap().contains("next_steps") && line.as_str().unwrap().contains("event 2"),
        "{line}"
    );
    browser.picture("4-raw-line");
    browser.click("document.querySelector('#line .go')");
    browser.until("document.querySelector('#list tr.here')");

    // Two turns side by side, the tree, the state, the parts.
    for (key, wanted, name) in [
        ("3", "#view .diff .added", "5-changes"),
        ("4", "#view .tree .component", "6-tree"),
        ("5", "#view table", "7-state"),
        ("6", "#view table", "8-parts"),
    ] {
        browser.eval("document.activeElement.blur()");
        browser.press(key);
        browser.until(&format!("document.querySelector('{wanted}')"));
        browser.picture(name);
    }
    browser.press("1");

    // Search, and from a hit to its turn.
    browser.eval("document.activeElement.blur()");
    browser.press("/");
    browser.write("bucket");
    browser.until("document.querySelector('#list mark')");
    browser.picture("9-search");
    browser.click("document.querySelector('#list .go')");
    browser.until(
        "!document.getElementById('query').value && document.querySelector('#list tr.here')",
    );

    // An error is resolved by the person.
    browser.eval("document.activeElement.blur()");
    browser.press("End");
    browser.until("document.querySelector('#acts [aria-label=\"Resolve e99\"]')");
    browser.click("document.querySelector('#acts [aria-label=\"Resolve e99\"]')");
    browser.until("document.getElementById('said').textContent.startsWith('Done') && !document.querySelector('#acts [aria-label=\"Resolve e99\"]')");

    // A turn comes in while somebody follows, and the place of one who reads stays.
    browser.press("f");
    browser.until("document.getElementById('follow').getAttribute('aria-pressed') === 'true' && document.getElementById('connection').textContent.startsWith('live')");
    browser.eval("document.getElementById('tab-raw').focus()");
    let begun = Instant::now();
    place.append(
        "rate-limiter",
        95,
        [NoteAdd {
            id: "n77".into(),
            content: "said just now".into(),
        }
        .into()],
    );
    browser.until("document.getElementById('view').textContent.includes('said just now')");
    println!(
        "what was appended was in the page after {:?}, with the append",
        begun.elapsed()
    );
    assert_eq!(browser.eval("document.activeElement.id"), json!("tab-raw"));
    browser.press("[");
    browser.until("document.getElementById('follow').getAttribute('aria-pressed') === 'false'");
    let turn = browser.eval("document.getElementById('turn').value");
    place.append(
        "rate-limiter",
        97,
        [NoteAdd {
            id: "n78".into(),
            content: "later still".into(),
        }
        .into()],
    );
    browser.until("document.getElementById('connection').textContent.includes('98 turns')");
    assert_eq!(browser.eval("document.getElementById('turn').value"), turn);
    let elements = browser
        .eval("document.querySelectorAll('*').length")
        .as_u64()
        .unwrap();
    assert!(elements <= 2_000, "{elements}");
    browser.was_quiet(&origin(&url));
}

/// A browser opens no more than six connections to a server.
#[test]
fn eight_tabs_hear_of_what_happens_also_when_the_one_that_listens_is_closed() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(false);
    let mut tabs: Vec<_> = (0..8).map(|_| browser.tab()).collect();
    for tab in &tabs {
        browser.turn_to(tab);
        browser.open(&url);
        browser.until(READY);
    }
    let say = |browser: &mut Browser, tabs: &[Tab], turn: u64, content: &str| {
        let shown = format!("document.getElementById('view').textContent.includes('{content}')");
        let (id, content) = (format!("n{turn}"), content.to_owned());
        place.append("rate-limiter", turn, [NoteAdd { id, content }.into()]);
        for tab in tabs {
            browser.turn_to(tab);
            browser.until(&shown);
        }
    };
    say(&mut browser, &tabs, 96, "all of them hear it");
    browser.close(tabs.remove(0));
    say(&mut browser, &tabs, 98, "so do those that stay");
    browser.was_quiet(&origin(&url));
}

#[test]
fn each_view_is_for_everyone_in_both_schemes_and_from_320_pixels() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(true);
    let tabs = ["rendered", "raw", "diff", "tree", "state", "json"];
    for (scheme, width) in [
        ("light", 1440),
        ("dark", 1440),
        ("dark", 320),
        ("light", 3840),
    ] {
        browser.size(width, 1000, scheme);
        browser.open(&format!("{url}&s=rate-limiter&turn=50"));
        browser.until(READY);
        for tab in tabs {
            browser.click(&format!("document.getElementById('tab-{tab}')"));
            browser.until(&format!("document.getElementById('tab-{tab}').getAttribute('aria-selected') === 'true' && document.getElementById('view').childElementCount && !document.querySelector('#view.waits')"));
            thread::sleep(Duration::from_millis(150));
            let wide = browser.eval(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            );
            assert_eq!(wide, json!(0), "{tab} at {width}");
            if width != 3840 {
                browser.axe(&format!("{tab}, {scheme}, {width}"));
            }
        }
        browser.click("document.getElementById('tab-rendered')");
        browser.picture(&format!("view-{scheme}-{width}"));
    }
    browser.size(1440, 1000, "light");
    browser.press("s");
    browser.until("document.querySelector('#rows .session')");
    browser.axe("sessions");
    browser.picture("sessions");
    browser.was_quiet(&origin(&url));
}

#[test]
fn what_agents_wrote_never_becomes_a_page_of_theirs() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::new();
    let texts = [
        "<img src=http://evil.example/x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        "[click](javascript:alert(1)) ![x](http://evil.example/y.png)",
        "\u{202e}gnp.exe \u{200b}\u{1b}[31mred\u{0}",
        "<style>*{display:none}</style><iframe src=//evil.example>",
        "# forged\n\n- [ ] item",
    ];
    let task = TaskSet {
        description: texts[0].into(),
    };
    place.append("<img src=x onerror=alert(1)>", 1, [task.into()]);
    for (at, text) in texts.iter().enumerate() {
        let note = NoteAdd {
            id: format!("<b>{at}"),
            content: (*text).into(),
        };
        place.append("<img src=x onerror=alert(1)>", 2, [note.into()]);
    }
    let long = NoteAdd {
        id: "long".into(),
        content: "x".repeat(5_000_000),
    };
    place.append("<img src=x onerror=alert(1)>", 3, [long.into()]);
    let url = place.serve(true);
    browser.size(1200, 900, "light");
    browser.open(&url);
    browser.until(READY);
    for tab in ["rendered", "raw", "diff", "tree", "state", "json"] {
        browser.click(&format!("document.getElementById('tab-{tab}')"));
        thread::sleep(Duration::from_millis(200));
        let forged = browser.eval(
            "document.querySelectorAll('a:not(.skip), img, iframe, style, body script').length",
        );
        assert_eq!(forged, json!(0), "{tab}");
    }
    browser.click("document.getElementById('tab-raw')");
    browser.until("document.querySelector('#list .ghost')");
    browser.press("s");
    browser.until("document.querySelector('#rows .session')");
    browser.was_quiet(&origin(&url));
    let refused = browser
        .eval("try { document.body.innerHTML = '<b>x</b>'; 'taken' } catch (error) { error.name }");
    assert_eq!(refused, json!("TypeError"), "Trusted Types refuse markup");
}

#[test]
fn a_page_without_its_key_or_without_a_session_says_what_to_do() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.size(1200, 800, "light");
    let empty = Place::new();
    let url = empty.serve(false);
    browser.open(&origin(&url));
    browser.until("document.getElementById('notice').textContent.includes('needs its key')");
    browser.picture("without-key");
    browser.open(&url);
    browser.until("document.getElementById('notice').textContent.includes('No session yet')");
    browser.picture("without-session");
    empty.append(
        "first",
        1,
        [TaskSet {
            description: "Begin".into(),
        }
        .into()],
    );
    browser.until("document.getElementById('view').textContent.includes('Begin')");
}

#[test]
fn a_page_to_hand_on_shows_the_session_and_loads_nothing() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let page = hud_inspect::server::exported(place.source(false), None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.html");
    std::fs::write(&path, page).unwrap();
    browser.size(1440, 1000, "dark");
    browser.open(&format!("file://{}", path.display()));
    browser.until(READY);
    browser.press("Home");
    browser.until("document.getElementById('said').textContent.startsWith('Turn 1,') || document.getElementById('said').textContent.startsWith('Turn 1:')");
    browser.press("4");
    browser.until("document.querySelector('#view .tree .component')");
    browser.picture("exported");
    browser.was_quiet("file:");
}
