//! A model's endpoint on loopback that says what a test wants, and keeps what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use serde_json::Value;

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
    /// When it came.
    pub(crate) at: Instant,
}

/// The endpoint. It ends with the test's process.
pub(crate) struct Endpoint {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What an endpoint answers: what a request is for and the text of the stream, by the request and by
/// how many turns there were before.
pub(crate) type Answer = dyn Fn(&Value, usize) -> (Kind, String) + Send + Sync;

impl Endpoint {
    /// An endpoint that answers so.
    pub(crate) fn start(
        answer: impl Fn(&Value, usize) -> (Kind, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer): (_, Arc<Answer>) = (asked.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answer) = (kept.clone(), answer.clone());
                // A client that goes away in the middle ends its own connection only.
                thread::spawn(move || serve(stream, &kept, &*answer));
            }
        });
        Self { port, asked }
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, kept: &Mutex<Vec<Asked>>, answer: &Answer) -> std::io::Result<()> {
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
        let reply = {
            let mut kept = kept.lock().unwrap();
            let turns = kept.iter().filter(|asked| asked.kind == Kind::Turn);
            let (kind, reply) = answer(&body, turns.count());
            let at = Instant::now();
            kept.push(Asked { kind, body, at });
            reply
        };
        write!(
            output,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{reply}",
            reply.len()
        )?;
        output.flush()?;
    }
}
