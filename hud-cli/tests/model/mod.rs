//! A model on this machine, which answers as a test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

/// Lets a command know nothing of this machine but a directory, and reach no other one.
pub(crate) fn alone<'c>(command: &'c mut Command, directory: &Path) -> &'c mut Command {
    command
        .current_dir(directory)
        .env("XDG_CONFIG_HOME", directory.join("config"))
        .env("XDG_STATE_HOME", directory.join("state"));
    for variable in [
        "HUD_DB",
        "OPENAI_API_KEY",
        "CLICOLOR_FORCE",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ] {
        command.env_remove(variable);
    }
    command
}

/// How a model answers a request, by its number from 0.
type Answers = dyn Fn(usize, &mut TcpStream) + Send + Sync;

/// A model on this machine, until it is dropped.
pub(crate) struct Model {
    address: String,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Model {
    pub(crate) fn new(answers: impl Fn(usize, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (requests, is_over) = <(Arc<Mutex<_>>, Arc<AtomicBool>)>::default();
        let answers: Arc<Answers> = Arc::new(answers);
        let thread = thread::spawn({
            let (requests, is_over) = (Arc::clone(&requests), Arc::clone(&is_over));
            move || {
                for connection in listener.incoming() {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    let mut connection = connection.unwrap();
                    connection
                        .set_read_timeout(Some(Duration::from_secs(60)))
                        .unwrap();
                    let nth = {
                        let mut requests: std::sync::MutexGuard<'_, Vec<_>> =
                            requests.lock().unwrap();
                        requests.push(read_request(&connection));
                        requests.len() - 1
                    };
                    answers(nth, &mut connection);
                }
            }
        });
        Self {
            address,
            requests,
            is_over,
            thread: Some(thread),
        }
    }

    /// The heads and the bodies of the requests so far.
    pub(crate) fn requests(&self) -> Vec<(String, Value)> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(&self.address);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn read_request(connection: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(connection);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}

pub(crate) fn answer(out: &mut TcpStream, status: u16, head: &str, body: &str) {
    let length = body.len();
    // The client may have seen enough.
    let _ = write!(
        out,
        "HTTP/1.1 {status} X\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}

/// What an endpoint says where a model wrote that.
pub(crate) fn said(content: &str) -> String {
    json!({
        "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100 },
    })
    .to_string()
}
