//! A browser, driven through a pipe.
//!
//! `HUD_CHROMIUM` names it; without that, nothing is tried, which is said. `HUD_AXE` names `axe.min.js`, and
//! `HUD_SCREENSHOTS` a folder for pictures.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Where a page comes from.
pub fn origin(url: &str) -> String {
    url.split("/#").next().unwrap().to_owned()
}

/// The page asked for nothing that it has not shown yet.
const SETTLED: &str = "document.querySelector('#panes')?.getAttribute('aria-busy') !== 'true'";

/// The page shows a turn and its events.
pub const READY: &str = "document.querySelector('#view .text, #view .raw') && window.document.querySelector('#list tr')";

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A tab of a browser.
pub struct Tab {
    target: String,
    session: String,
}

/// A browser, of which one tab is driven.
pub struct Browser {
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
    pub fn start() -> Option<Self> {
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
        browser.tab();
        Some(browser)
    }

    /// Opens a tab, which is driven from now on, as one may be [again](Self::turn_to).
    pub fn tab(&mut self) -> Tab {
        self.session = None;
        let target = self.order("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.order("Target.attachToTarget", attach);
        let [target, session] =
            [&target["targetId"], &attached["sessionId"]].map(|id| id.as_str().unwrap().to_owned());
        self.session = Some(session.clone());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.order(&format!("{domain}.enable"), json!({}));
        }
        Tab { target, session }
    }

    pub fn turn_to(&mut self, tab: &Tab) {
        self.session = Some(tab.session.clone());
    }

    /// Closes a tab that is not the one that is driven.
    pub fn close(&mut self, tab: Tab) {
        self.order("Target.closeTarget", json!({ "targetId": tab.target }));
    }

    pub fn order(&mut self, method: &str, params: Value) -> Value {
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

    pub fn eval(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.order("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until something is so, and the page waits for no answer.
    pub fn until(&mut self, script: &str) {
        let script = &format!("({script}) && {SETTLED}");
        let begun = Instant::now();
        while self.eval(&format!("!!({script})")) != json!(true) {
            assert!(
                begun.elapsed() < PATIENCE,
                "{script} never came:\n{}",
                self.eval("document.body?.innerText.slice(0, 1500)")
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn open(&mut self, url: &str) {
        self.order("Page.navigate", json!({ "url": "about:blank" }));
        self.order("Page.navigate", json!({ "url": url }));
        self.until("document.readyState === 'complete'");
    }

    pub fn press(&mut self, key: &str) {
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
    pub fn click(&mut self, element: &str) {
        self.eval(&format!("{element}.click()"));
        self.until("true");
    }

    pub fn write(&mut self, text: &str) {
        self.order("Input.insertText", json!({ "text": text }));
    }

    pub fn size(&mut self, width: u32, height: u32, scheme: &str) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.order("Emulation.setDeviceMetricsOverride", size);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.order("Emulation.setEmulatedMedia", features);
    }

    /// Keeps a picture, where somebody wants to look at it.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("HUD_SCREENSHOTS").map(PathBuf::from) else {
            return;
        };
        let answer = self.order("Page.captureScreenshot", json!({ "format": "png" }));
        std::fs::create_dir_all(&folder).unwrap();
        let bytes = decoded(answer["data"].as_str().unwrap());
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// What axe finds, if it is there.
    pub fn axe(&mut self, place: &str) {
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
    pub fn was_quiet(&mut self, origin: &str) {
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
