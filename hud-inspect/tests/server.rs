//! Who is let in, and what they are answered: over sockets, with whatever bytes somebody may send.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on has failed; and what tests share is public"
)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hud_inspect::server::{Server, exported};
use hud_store::event::NoteAdd;
use serde_json::json;

use crate::common::{Place, full_disk};
use crate::http::{asked, call, get, parts, posted, send};

#[test]
fn only_the_page_itself_is_answered() {
    let place = Place::example();
    let url = place.serve(false);
    let (host, key) = parts(&url);
    let port = host.split_once(':').unwrap().1;
    let own = format!("Host: {host}");
    let named = format!("Host: localhost:{port}");
    let bearer = format!("Authorization: Bearer {key}");
    let wrong = format!("Authorization: Bearer {}", "0".repeat(64));
    let origin = format!("Origin: http://{host}");
    let cases: &[(u16, &str, &[&str])] = &[
        (200, "/", &[&own]),
        (200, "/", &[&named]),
        (200, "/app.js", &[&own, "Sec-Fetch-Site: same-origin"]),
        // Somebody else's name that leads here, or no name, or two.
        (421, "/", &["Host: evil.example"]),
        (421, "/", &["Host: 127.0.0.1"]),
        (421, "/", &["Host: 127.0.0.1:1"]),
        (421, "/", &["Host: 127.0.0.1.evil.example:80"]),
        (421, "/", &[&own, &own]),
        (421, "/", &[&own, "Host: evil.example"]),
        (421, "/api/sessions", &["Host: evil.example", &bearer]),
        (421, "http://evil.example/", &[&own]),
        // Another page.
        (403, "/", &[&own, "Origin: http://evil.example"]),
        (403, "/", &[&own, "Origin: null"]),
        (403, "/", &[&own, &origin, &origin]),
        (403, "/", &[&own, "Sec-Fetch-Site: cross-site"]),
        (403, "/", &[&own, "Sec-Fetch-Site: same-site"]),
        (
            403,
            "/",
            &[
                &own,
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: iframe",
            ],
        ),
        (
            403,
            "/app.js",
            &[
                &own,
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: document",
            ],
        ),
        (
            403,
            "/api/sessions",
            &[&own, &bearer, "Origin: http://localhost:1"],
        ),
        // A link to the page is no harm.
        (
            200,
            "/",
            &[
                &own,
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: document",
            ],
        ),
        // Without the key.
        (401, "/api/sessions", &[&own]),
        (401, "/api/sessions", &[&own, &wrong]),
        (401, "/api/sessions", &[&own, &bearer, &bearer]),
        (401, "/api/live", &[&own, "Cookie: key=x"]),
        (401, &format!("/api/sessions?key={key}"), &[&own]),
        (200, "/api/sessions", &[&own, &bearer]),
        (
            200,
            "/api/sessions",
            &[&own, &bearer, &origin, "Sec-Fetch-Site: same-origin"],
        ),
        (404, "/api/nothing", &[&own, &bearer]),
        (404, "/../Cargo.toml", &[&own]),
    ];
    for (status, path, headers) in cases {
        let (found, answer) = get(&url, path, headers);
        assert_eq!(found, *status, "{path} {headers:?}\n{answer}");
        let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "require-trusted-types-for 'script'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path}: no {header} in {head}");
        }
        assert!(!head.contains("access-control"), "{head}");
        assert!(!head.contains("set-cookie"), "{head}");
    }
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE", "PATCH"] {
        let request = format!(
            "{method} /api/sessions HTTP/1.1\r\nConnection: close\r\n{own}\r\n{bearer}\r\n\r\n"
        );
        assert_eq!(send(host, &request).0, 403, "{method}");
    }
}

#[test]
fn nonsense_is_answered_with_what_is_wrong_with_it() {
    let place = Place::example();
    let url = place.serve(false);
    let cases = [
        (200, "/api/s/rate-limiter/frame?turn=50"),
        (
            200,
            "/api/s/rate-limiter/frame?turn=50&density=compact&budget=200&tree=1",
        ),
        (200, "/api/s/rate-limiter/frame?budget=0"),
        (200, "/api/s/rate-limiter/frame?budget=18446744073709551615"),
        (404, "/api/s/rate-limiter/frame?turn=0"),
        (404, "/api/s/rate-limiter/frame?turn=18446744073709551615"),
        (400, "/api/s/rate-limiter/frame?turn=-1"),
        (400, "/api/s/rate-limiter/frame?turn=x"),
        (400, "/api/s/rate-limiter/frame?density=dense"),
        (400, "/api/s/rate-limiter/frame?placement=here"),
        (404, "/api/s/other/frame"),
        (404, "/api/s/..%2F..%2Fetc/timeline"),
        (400, "/api/s/%00/timeline"),
        (200, "/api/s/rate-limiter/events?skip=99999999"),
        (200, "/api/s/rate-limiter/events?limit=0"),
        (
            200,
            "/api/s/rate-limiter/events?kind=note&section=%F0%9F%91%BB",
        ),
        (404, "/api/s/rate-limiter/event/99999999"),
        (400, "/api/s/rate-limiter/diff?a=1"),
        (404, "/api/s/rate-limiter/diff?a=1&b=999999"),
        (200, "/api/s/rate-limiter/state?turn=3"),
        (200, "/api/search?q=%22%27%2A%28OR%20NEAR"),
        (200, "/api/search?q="),
        (400, "/api/search"),
    ];
    for (status, path) in cases {
        let (found, answer) = asked(&url, path);
        assert_eq!(found, status, "{path}: {answer}");
        let has_reason = answer["error"]
            .as_str()
            .is_some_and(|reason| reason.len() > 8);
        // What axum refuses by itself is a line of text.
        assert!(
            status == 200 || has_reason || answer.is_null(),
            "{path}: {answer}"
        );
    }
}

#[test]
fn what_is_asked_is_what_the_session_has() {
    let place = Place::example();
    let url = place.serve(false);
    let (_, timeline) = asked(&url, "/api/s/rate-limiter/timeline");
    assert_eq!(timeline["read"], json!(true));
    let next = timeline["next"].as_u64().unwrap();
    let (_, frame) = asked(&url, "/api/s/rate-limiter/frame?turn=50&tree=1");
    assert_eq!(frame["turn"], json!(50));
    let system = frame["shown"]["layers"][0]["markdown"].as_str().unwrap();
    assert!(system.starts_with("# Task\n"), "{system}");
    assert!(frame["shown"]["calls"].as_array().unwrap().len() > 10);
    let (_, newest) = asked(&url, "/api/s/rate-limiter/frame");
    assert_eq!(newest["turn"], json!(next));
    let (_, diff) = asked(&url, "/api/s/rate-limiter/diff?a=1&b=50");
    assert!(diff["changes"].as_array().unwrap().len() > 3);
    let (_, hits) = asked(&url, "/api/search?q=bucket&session=rate-limiter");
    assert!(!hits["hits"].as_array().unwrap().is_empty());
}

#[test]
fn a_person_changes_what_they_saw_and_nothing_else() {
    let place = Place::example();
    place.append("rate-limiter", 70, [full_disk("e99")]);
    let url = place.serve(true);
    let version = || {
        let (_, timeline) = asked(&url, "/api/s/rate-limiter/timeline");
        timeline["version"].as_u64().unwrap()
    };
    let before = version();
    let resolve = |version: u64| {
        let deed = json!({ "tool": "errors.resolve", "args": { "id": "e99" }, "version": version });
        call(&url, "rate-limiter", &deed.to_string())
    };
    let (status, answer) = resolve(before - 1);
    assert_eq!(status, 409, "{answer}");
    assert_eq!(version(), before);
    let (status, answer) = resolve(before);
    assert_eq!(status, 200, "{answer}");
    assert!(version() > before);
    let (_, frame) = asked(&url, "/api/s/rate-limiter/frame");
    assert!(
        !frame["errors"].to_string().contains("e99"),
        "{}",
        frame["errors"]
    );
    for (status, body) in [
        (
            403,
            json!({ "tool": "sessions.resume", "args": {}, "version": version() }),
        ),
        (
            403,
            json!({ "tool": "redact", "args": {}, "version": version() }),
        ),
        (
            400,
            json!({ "tool": "notes.add", "args": {}, "version": version() }),
        ),
        (
            400,
            json!({ "tool": "notes.add", "args": {}, "version": version(), "more": 1 }),
        ),
        (400, json!([])),
    ] {
        let (found, answer) = call(&url, "rate-limiter", &body.to_string());
        assert_eq!(found, status, "{body}: {answer}");
    }
    let long =
        json!({ "tool": "notes.add", "args": { "content": "x".repeat(70_000) }, "version": 1 });
    assert_eq!(call(&url, "rate-limiter", &long.to_string()).0, 413);
    let missing = json!({ "tool": "notes.add", "args": { "content": "x" }, "version": 0 });
    assert_eq!(call(&url, "other", &missing.to_string()).0, 404);
}

#[test]
fn of_two_browsers_that_saw_the_same_one_is_refused_and_what_was_done_can_be_undone() {
    let place = Place::example();
    let url = place.serve(true);
    let (_, timeline) = asked(&url, "/api/s/rate-limiter/timeline");
    let seen = timeline["version"].as_u64().unwrap();
    let add = |text: &str| {
        let args = json!({ "content": text });
        let deed = json!({ "tool": "notes.add", "args": args, "version": seen });
        call(&url, "rate-limiter", &deed.to_string())
    };
    let answers = std::thread::scope(|scope| {
        let one = scope.spawn(|| add("of one browser"));
        let other = scope.spawn(|| add("of another one"));
        [one.join().unwrap(), other.join().unwrap()]
    });
    let mut statuses = answers.each_ref().map(|(status, _)| *status);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{answers:?}");
    let (_, done) = answers.iter().find(|(status, _)| *status == 200).unwrap();
    let mut undo = done["undo"].clone();
    assert_eq!(undo["tool"], json!("notes.remove"));
    let (_, timeline) = asked(&url, "/api/s/rate-limiter/timeline");
    undo["version"] = timeline["version"].clone();
    assert_eq!(call(&url, "rate-limiter", &undo.to_string()).0, 200);
    let (_, frame) = asked(&url, "/api/s/rate-limiter/frame");
    assert!(!frame["shown"].to_string().contains("of one browser"));
    assert!(!frame["shown"].to_string().contains("of another one"));
}

#[test]
fn without_leave_nothing_is_changed() {
    let place = Place::example();
    let url = place.serve(false);
    let (_, about) = asked(&url, "/api/about");
    assert_eq!(about["acts"], json!(false));
    let deed = json!({ "tool": "notes.add", "args": { "content": "x" }, "version": 1 });
    assert_eq!(call(&url, "rate-limiter", &deed.to_string()).0, 403);
    let (status, answer) = posted(&url, "/api/s/rate-limiter/redact", r#"{"event":1}"#);
    assert_eq!(status, 403, "{answer}");
    let url = place.serve(true);
    for (status, event) in [
        (404, "99999"),
        (400, "-1"),
        (400, r#"1,"more":1"#),
        (200, "2"),
    ] {
        let body = format!(r#"{{"event":{event}}}"#);
        let (found, answer) = posted(&url, "/api/s/rate-limiter/redact", &body);
        assert_eq!(found, status, "{body}: {answer}");
    }
    assert_eq!(asked(&url, "/api/s/rate-limiter/messages?turn=1").0, 404);
}

#[test]
fn what_others_append_is_told_at_once_and_read() {
    let place = Place::example();
    let url = place.serve(false);
    let (host, key) = parts(&url);
    let mut stream = TcpStream::connect(host).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        stream,
        "GET /api/live HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n"
    )
    .unwrap();
    let mut heard = String::new();
    let mut buffer = [0; 4096];
    let mut hear = |wanted: &str| {
        while !heard.contains(wanted) {
            let length = stream.read(&mut buffer).unwrap();
            assert!(length > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
    };
    hear("text/event-stream");
    let note = NoteAdd {
        id: "n77".into(),
        content: "said just now".into(),
    };
    let begun = Instant::now();
    place.append("rate-limiter", 90, [note.into()]);
    hear("\"turn\":90");
    println!("told after {:?}, with the append", begun.elapsed());
    let (_, frame) = asked(&url, "/api/s/rate-limiter/frame");
    assert_eq!(frame["turn"], json!(91));
    assert!(
        frame["shown"]["lines"]
            .to_string()
            .contains("said just now")
    );
}

#[test]
fn a_log_that_is_replaced_is_read_anew_and_one_that_is_gone_is_said_to_be() {
    let place = Place::example();
    let url = place.serve(false);
    assert_eq!(asked(&url, "/api/s/rate-limiter/frame").0, 200);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", place.log.display()));
    }
    let other = NoteAdd {
        id: "n1".into(),
        content: "another log".into(),
    };
    place.append("another", 1, [other.into()]);
    let begun = Instant::now();
    let found = loop {
        let (status, sessions) = asked(&url, "/api/sessions");
        if status == 200 && sessions.to_string().contains("another") {
            break true;
        }
        if begun.elapsed() > Duration::from_secs(10) {
            break false;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(found, "{:?}", asked(&url, "/api/sessions"));
}

#[test]
fn a_taken_port_and_a_log_that_is_not_there_are_said_to_be() {
    let place = Place::example();
    let first = Server::bind(0, place.source(false)).unwrap();
    let port = first.address().port();
    let error = Server::bind(port, place.source(false))
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.starts_with(&format!("can't listen on 127.0.0.1:{port}")),
        "{error}"
    );
    assert!(
        error.ends_with("leave --port out to take any that is free"),
        "{error}"
    );
    let none = place.source(false);
    drop(place);
    assert!(Server::bind(0, none).is_err());
}

#[test]
fn a_page_to_hand_on_has_the_session_in_it_and_no_key() {
    let place = Place::new();
    let secret = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    let hostile = "</script><img src=http://x/ onerror=alert(1)>";
    let note = |id: &str, content: &str| {
        NoteAdd {
            id: id.into(),
            content: content.into(),
        }
        .into()
    };
    place.append(
        "s",
        1,
        [
            note("n1", secret),
            note("n2", hostile),
            note("n3", "tests need redis"),
        ],
    );
    let page = exported(place.source(false), None).unwrap();
    assert!(page.contains("tests need redis") && !page.contains("wJalrXUtnFEMI"));
    assert!(!page.contains("<img") && page.matches("</script>").count() == 2);
    assert!(
        !page.contains("src=\"/") && !page.contains("href=\"/"),
        "nothing is loaded"
    );
    assert!(
        exported(Place::new().source(false), None).is_err(),
        "nothing to show"
    );
}
