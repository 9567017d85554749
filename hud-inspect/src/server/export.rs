//! A page that contains a session and needs no server.

use data_encoding::BASE64;
use hud_secret::mask;
use hud_store::event::SessionId;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::answer::Refused;
use super::{Desk, ServerError, Source};
use crate::model::{EventQuery, View};
use crate::page;

/// The maximum number of turns in the page. If a session has more, evenly spaced ones are taken.
const TURNS: u64 = 400;

/// The maximum number of events in the page. The latest are taken.
const EVENTS: u64 = 5_000;

/// Returns a page that shows a session of a log, or the one with the latest event. It is one file that
/// loads nothing. Keys and passwords are masked in it.
///
/// # Errors
/// The log cannot be read, or has no such session.
pub fn exported(source: Source, session: Option<&SessionId>) -> Result<String, ServerError> {
    let desk = Desk::new(source.open.into(), source.which.into(), source.setup);
    let mut desk = desk.map_err(ServerError::Log)?;
    let mut data = collect(&mut desk, session, &source.name)
        .map_err(|refused| ServerError::Log(refused.to_string()))?;
    mask_all(&mut data);
    // A text must not end the element that contains it.
    let data = data.to_string().replace('<', "\\u003c");
    Ok(assembled(&data))
}

fn collect(desk: &mut Desk, session: Option<&SessionId>, name: &str) -> Result<Value, Refused> {
    let session = match session {
        Some(session) => session.clone(),
        None => desk.latest()?,
    };
    let timeline = loop {
        let timeline = desk.timeline(&session)?;
        if timeline.get("read") == Some(&Value::Bool(true)) {
            break timeline;
        }
    };
    let next = timeline.get("next").and_then(Value::as_u64).unwrap_or(1);
    let version = timeline.get("version").and_then(Value::as_u64);
    let step = next.div_ceil(TURNS).max(1);
    let mut frames = serde_json::Map::new();
    let turns = (1..=next)
        .rev()
        .step_by(usize::try_from(step).unwrap_or(usize::MAX));
    for turn in turns {
        let frame = desk.frame(&session, Some(turn), &View::default(), true)?;
        frames.insert(turn.to_string(), frame);
    }
    let mut events = Vec::new();
    let mut from = version.unwrap_or(0).saturating_sub(EVENTS) + 1;
    loop {
        let limit = 1_000;
        let query = EventQuery {
            from,
            limit,
            ..EventQuery::default()
        };
        let page = desk.events(&session, &query)?;
        let is_last = page.events.len() < limit;
        from = from.saturating_add(1_000);
        events.extend(page.events);
        if is_last {
            break;
        }
    }
    Ok(json!({
        "about": { "name": name, "acts": false, "allowed": [], "version": env!("CARGO_PKG_VERSION") },
        "sessions": desk.only(&session)?,
        "timeline": timeline,
        "frames": frames,
        "events": events,
    }))
}

/// Masks keys and passwords in all strings of a value.
fn mask_all(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(masked) = mask(text) {
                *text = masked;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask_all),
        Value::Object(fields) => fields.values_mut().for_each(mask_all),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the page with its style, script and data. Its policy has the hashes of the style and the
/// script; nothing else may run or be loaded.
fn assembled(data: &str) -> String {
    let script = page::script();
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        BASE64.encode(&Sha256::digest(&script)),
        BASE64.encode(&Sha256::digest(page::CSS)),
    );
    let head = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let style = format!("<style>{}</style>", page::CSS);
    let scripts = format!(
        "<script type=\"application/json\" id=\"recorded\">{data}</script>\n\
         <script type=\"module\">{script}</script>\n</body>"
    );
    // The data is inserted last, so that its text is not searched for placeholders.
    page::HTML
        .replace("<link rel=\"icon\" href=\"/icon.svg\">", &head)
        .replace("<link rel=\"stylesheet\" href=\"/app.css\">", &style)
        .replace("<script type=\"module\" src=\"/app.js\"></script>\n", "")
        .replace("</body>", &scripts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in cases {
            assert_eq!(BASE64.encode(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn no_text_ends_its_element_and_no_key_is_in_the_page() {
        let mut data = json!({ "a": ["</script><script>alert(1)</script>", { "b":
            "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }] });
        mask_all(&mut data);
        let page = assembled(&data.to_string().replace('<', "\\u003c"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("wJalrXUtnFEMI"), "{data}");
        assert!(page.contains("script-src 'sha256-"));
    }
}
