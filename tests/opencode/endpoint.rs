//! A model's endpoint on loopback that says what a test wants, and keeps what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// What the model says to a request.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// Call a tool.
    Tool(&'static str, Value),
    /// Say something, with so many tokens in the context.
    Text(&'static str, u64),
}

/// What a request was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Turn,
    Title,
    Compaction,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) kind: Kind,
    pub(crate) body: Value,
}

impl Asked {
    /// The text of the system prompt.
    pub(crate) fn system(&self) -> &str {
        self.body["messages"][0]["content"].as_str().unwrap_or("")
    }

    /// The text of the last message.
    pub(crate) fn last(&self) -> &str {
        let messages = self.body["messages"].as_array().unwrap();
        messages.last().unwrap()["content"].as_str().unwrap_or("")
    }
}

/// The endpoint. It ends with the test's process.
pub(crate) struct Endpoint {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Endpoint {
    /// An endpoint that says this, turn by turn, and then `end`.
    pub(crate) fn start(script: Vec<Say>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, script) = (asked.clone(), Arc::new(script));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, script) = (kept.clone(), script.clone());
                // A client that goes away in the middle ends its own connection only.
                thread::spawn(move || serve(stream, &kept, &script));
            }
        });
        Self { port, asked }
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, kept: &Mutex<Vec<Asked>>, script: &[Say]) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut output = stream;
    loop {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let Ok(body) = serde_json::from_slice::<Value>(&body) else {
            output.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")?;
            continue;
        };
        let (say, turn) = keep(body, kept, script);
        let reply = stream_of(&say, turn);
        write!(
            output,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{reply}",
            reply.len()
        )?;
        output.flush()?;
    }
}

/// Keeps a request, and says what is answered and in which turn.
fn keep(body: Value, kept: &Mutex<Vec<Asked>>, script: &[Say]) -> (Say, usize) {
    let has_tools = body["tools"]
        .as_array()
        .is_some_and(|tools| !tools.is_empty());
    let system = body["messages"][0]["content"].to_string();
    let kind = if system.contains("You are a title generator") {
        Kind::Title
    } else if has_tools {
        Kind::Turn
    } else {
        Kind::Compaction
    };
    let mut kept = kept.lock().unwrap();
    let turn = kept.iter().filter(|asked| asked.kind == Kind::Turn).count();
    kept.push(Asked { kind, body });
    let say = match kind {
        Kind::Title => Say::Text("A title", 100),
        Kind::Compaction => Say::Text("SUMMARY: half of it is done.", 3000),
        Kind::Turn => script.get(turn).cloned().unwrap_or(Say::Text("end", 3000)),
    };
    (say, turn)
}

/// The answer as server-sent events.
fn stream_of(say: &Say, turn: usize) -> String {
    let (delta, finish, used) = match say {
        Say::Tool(name, arguments) => {
            let call = json!({
                "index": 0, "id": format!("call_{turn}"), "type": "function",
                "function": { "name": name, "arguments": arguments.to_string() },
            });
            let delta = json!({ "role": "assistant", "tool_calls": [call] });
            (delta, "tool_calls", 4000 + 500 * turn as u64)
        }
        Say::Text(text, used) => (
            json!({ "role": "assistant", "content": text }),
            "stop",
            *used,
        ),
    };
    let chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({
            "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": choices,
        });
        if !usage.is_null() {
            chunk["usage"] = usage;
        }
        format!("data: {chunk}\n\n")
    };
    let usage =
        json!({ "prompt_tokens": used, "completion_tokens": 10, "total_tokens": used + 10 });
    [
        chunk(
            json!([{ "index": 0, "delta": delta, "finish_reason": null }]),
            Value::Null,
        ),
        chunk(
            json!([{ "index": 0, "delta": {}, "finish_reason": finish }]),
            Value::Null,
        ),
        chunk(json!([]), usage),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat()
}
