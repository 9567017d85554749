//! rust-analyzer as a child process that speaks the language server protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long all may take. The first run builds the macros.
const ALL: Duration = Duration::from_secs(600);
/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(60);
/// The error of an answer that the next change of the text overtook.
const CONTENT_MODIFIED: i64 = -32801;

/// A running server. It is killed when it is dropped.
pub(crate) struct Server {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last_request: u64,
    /// When it must be done with everything.
    end: Instant,
}

impl Server {
    /// Starts the server on a project and waits until it has loaded it.
    pub(crate) fn start(binary: &Path, project: &Path, target: &Path) -> Self {
        let mut process = Command::new(binary)
            .current_dir(project)
            .env("CARGO_TARGET_DIR", target)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
        let input = process.stdin.take().unwrap();
        let output = process.stdout.take().unwrap();
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut server = Self {
            process,
            input,
            messages,
            last_request: 0,
            end: Instant::now() + ALL,
        };
        server.initialize(project);
        server
    }

    fn initialize(&mut self, project: &Path) {
        self.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": uri(project),
                "capabilities": {
                    "general": { "positionEncodings": ["utf-8"] },
                    "textDocument": {
                        "diagnostic": {},
                        "completion": { "completionItem": { "snippetSupport": true } },
                        "hover": { "contentFormat": ["markdown"] },
                    },
                    "experimental": { "serverStatusNotification": true },
                },
                "initializationOptions": {
                    "cachePriming": { "enable": false },
                    "checkOnSave": false,
                    "diagnostics": { "experimental": { "enable": true } },
                },
            }),
        )
        .unwrap_or_else(|error| panic!("{error}"));
        self.notify("initialized", json!({}));
        loop {
            let message = self.message(self.end);
            if message["method"] == "experimental/serverStatus"
                && message["params"]["quiescent"] == true
            {
                assert_eq!(message["params"]["health"], "ok", "{message}");
                break;
            }
        }
    }

    /// Sends a request and gives its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let deadline = self.end.min(Instant::now() + ANSWER);
        loop {
            self.last_request += 1;
            let id = self.last_request;
            self.send(&json!({
                "jsonrpc": "2.0", "id": id, "method": method, "params": params,
            }));
            let mut answer = loop {
                let message = self.message(deadline);
                if message["id"] == id && message.get("method").is_none() {
                    break message;
                }
            };
            match answer.get("error") {
                None => return Ok(answer["result"].take()),
                Some(error) if error["code"] == CONTENT_MODIFIED => {}
                Some(error) => return Err(error["message"].as_str().unwrap_or_default().into()),
            }
        }
    }

    /// Sends what has no answer.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message. Requests of the server are answered with nothing.
    fn message(&mut self, deadline: Instant) -> Value {
        let left = deadline.saturating_duration_since(Instant::now());
        let message = match self.messages.recv_timeout(left) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => panic!("rust-analyzer did not answer in time"),
            Err(RecvTimeoutError::Disconnected) => panic!("rust-analyzer ended"),
        };
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
        }
        message
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| self.input.flush())
            .unwrap_or_else(|error| panic!("rust-analyzer takes no messages: {error}"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has no data to lose, and one that hangs would not end by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A path as the protocol writes it.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Reads one message: headers, an empty line, and as many bytes as the headers say.
fn read(output: &mut BufReader<ChildStdout>) -> io::Result<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().map_err(io::Error::other)?;
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
