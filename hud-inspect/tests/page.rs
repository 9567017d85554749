//! The page in a browser, as its reader uses it. Chromium is driven through a pipe.
//!
//! `HUD_CHROMIUM` names it; without that, nothing is tried, which is said. `HUD_AXE` names `axe.min.js`, and
//! `HUD_SCREENSHOTS` a folder for pictures.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on has failed, one that is not tried says so, and the helpers are shared"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::{NoteAdd, TaskSet};
use serde_json::{Value, json};

mod common;

use common::{Place, full_disk};

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    next: u64,
    /// What the page did that a reader does not see.
    events: Vec<Value>,
    _folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// None where there is none to be had.
    fn start() -> Option<Self> {
        let Some(program) = std::env::var_os("HUD_CHROMIUM") else {
            eprintln!("the page is not tried: HUD_CHROMIUM does not name a browser");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        // The browser reads at 3 and writes at 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
            ])
            .args([
                "--no-first-run",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let (tell, from) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while reader
                .read_until(0, &mut message)
                .is_ok_and(|length| length > 0)
            {
                message.pop();
                let _ = tell.send(serde_json::from_slice(&message).unwrap_or(Value::Null));
                message.clear();
            }
        });
        let mut browser = Self {
            child,
            to,
            from,
            session: None,
            next: 0,
            events: Vec::new(),
            _folder: folder,
        };
        let target = browser.order("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.order("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.order(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    fn order(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(b"\0").unwrap();
        loop {
            let answer = self.from.recv_timeout(PATIENCE).unwrap();
            if answer["id"] == json!(id) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn eval(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.order("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until something is so, and the page waits for no answer.
    fn until(&mut self, script: &str) {
        let script = &format!("({script}) && {SETTLED}");
        let begun = Instant::now();
        while self.eval(&format!("!!({script})")) != json!(true) {
            let page = self.eval("document.body.innerText.slice(0, 1500)");
            assert!(begun.elapsed() < PATIENCE, "{script} never came:\n{page}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn open(&mut self, url: &str) {
        self.order("Page.navigate", json!({ "url": "about:blank" }));
        self.order("Page.navigate", json!({ "url": url }));
        self.until("document.readyState === 'complete'");
    }

    fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowRight" => 39,
            _ => 0,
        };
        let text = if key == "Enter" { "\r" } else { text };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params =
                json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
            self.order("Input.dispatchKeyEvent", params);
        }
        self.until("true");
    }

    /// Clicks, and waits for what comes of it.
    fn click(&mut self, element: &str) {
        self.eval(&format!("{element}.click()"));
        self.until("true");
    }

    fn write(&mut self, text: &str) {
        self.order("Input.insertText", json!({ "text": text }));
    }

    fn size(&mut self, width: u32, height: u32, scheme: &str) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.order("Emulation.setDeviceMetricsOverride", size);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.order("Emulation.setEmulatedMedia", features);
    }

    /// Keeps a picture, where somebody wants to look at it.
    fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("HUD_SCREENSHOTS").map(PathBuf::from) else {
            return;
        };
        let answer = self.order("Page.captureScreenshot", json!({ "format": "png" }));
        std::fs::create_dir_all(&folder).unwrap();
        let bytes = decoded(answer["data"].as_str().unwrap());
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// What axe finds, if it is there.
    fn axe(&mut self, place: &str) {
        let Some(path) = std::env::var_os("HUD_AXE") else {
            return;
        };
        let script = std::fs::read_to_string(path).unwrap();
        // The page's policy refuses scripts that are texts; the browser itself may run them.
        self.eval(&format!("{script}; true"));
        let found = self.eval("axe.run().then(found => found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.any.map(any => any.message).join()).slice(0, 4).join(' | ')))");
        assert_eq!(found, json!([]), "{place}");
    }

    /// No console message, no refused text, no request that leaves the machine.
    fn was_quiet(&mut self, origin: &str) {
        self.eval("1");
        for event in &self.events {
            let method = event["method"].as_str().unwrap_or_default();
            let is_loud = [
                "Runtime.consoleAPICalled",
                "Runtime.exceptionThrown",
                "Log.entryAdded",
                "Page.javascriptDialogOpening",
            ];
            assert!(!is_loud.contains(&method), "{event}");
            if method == "Network.requestWillBeSent" {
                let url = event["params"]["request"]["url"].as_str().unwrap();
                assert!(
                    url.starts_with(origin)
                        || url.starts_with("about:")
                        || url.starts_with("file:"),
                    "{url}"
                );
            }
        }
    }
}

fn decoded(base64: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = base64.bytes().filter(|letter| *letter != b'=').collect();
    letters
        .chunks(4)
        .flat_map(|chunk| {
            let group = chunk.iter().fold(0_u32, |group, letter| {
                group << 6 | u32::from(value(*letter))
            });
            let group = group << (6 * (4 - chunk.len()));
            group.to_be_bytes()[1..chunk.len()].to_vec()
        })
        .collect()
}

fn origin(url: &str) -> String {
    url.split("/#").next().unwrap().to_owned()
}

/// The page asked for nothing that it has not shown yet.
const SETTLED: &str = "document.querySelector('#panes')?.getAttribute('aria-busy') !== 'true'";

const READY: &str = "document.querySelector('#view .text, #view .raw') && window.document.querySelector('#list tr')";

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
