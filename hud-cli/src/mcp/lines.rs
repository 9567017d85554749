//! Messages as JSON Lines. A line that is not a message is answered with a JSON-RPC error, so that nobody waits
//! for an answer that never comes. Then the next line is read.

use std::io;
use std::sync::Arc;

use hud_clients::lenient;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, InitializeRequestParams, ReadResourceRequestParams, RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::output;

/// The largest size of a message, in bytes.
const LONGEST: usize = 32 * 1024 * 1024;

/// The number of bytes that are kept of a longer message, to find its id.
const HEAD: usize = 64 * 1024;

/// The codes of JSON-RPC 2.0, section 5.1.
const NO_JSON: i32 = -32700;
const NO_REQUEST: i32 = -32600;
const WRONG_PARAMS: i32 = -32602;

/// A transport that reads and writes one message on each line.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    /// The part of the line that was read.
    line: Vec<u8>,
    /// True if the line is too long. Then only its beginning is kept.
    is_too_long: bool,
    is_over: bool,
    /// The task that sends the answer to a line that is not a message.
    refusing: Option<JoinHandle<io::Result<()>>>,
}

/// The reason why a line is not a message.
#[derive(Debug)]
struct Refusal {
    id: Value,
    code: i32,
    message: String,
}

impl Refusal {
    fn new(id: &Value, code: i32, message: impl Into<String>) -> Self {
        // Anything else is not an id, and the sender could not match the answer to it.
        let is_id = id.is_string() || id.is_i64() || id.is_u64();
        let id = if is_id { id.clone() } else { Value::Null };
        let message = message.into();
        Self { id, code, message }
    }

    /// The refusal of a line that can't be parsed.
    fn unread(line: &[u8], code: i32, message: impl Into<String>) -> Self {
        let id = lenient::field(line, "id").unwrap_or_default();
        Self::new(&id, code, message)
    }

    fn answer(&self) -> Value {
        json!({
            "jsonrpc": "2.0",
            "id": self.id,
            "error": { "code": self.code, "message": self.message },
        })
    }
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            is_too_long: false,
            is_over: false,
            refusing: None,
        }
    }

    /// Reads to the end of the line. Returns false if there are no more lines. The future may be dropped while
    /// it waits, and is then created again. The part that was read is kept in `line`.
    async fn read_line(&mut self) -> io::Result<bool> {
        while !self.is_over {
            let read = self.input.fill_buf().await?;
            if read.is_empty() {
                self.is_over = true;
                return Ok(!self.line.is_empty());
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let text = read.get(..end.unwrap_or(read.len())).unwrap_or_default();
            if self.line.len() + text.len() > LONGEST {
                self.is_too_long = true;
                self.line.truncate(HEAD);
            }
            if !self.is_too_long {
                self.line.extend_from_slice(text);
            }
            let used = end.map_or(read.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &message).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // While a client does not read its answers, no more of its messages are read.
            if let Some(refusing) = &mut self.refusing {
                let refused = refusing.await;
                self.refusing = None;
                if !matches!(refused, Ok(Ok(()))) {
                    return None;
                }
            }
            match self.read_line().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    output::problem(format_args!("the client's messages can't be read: {error}"));
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            let read = match std::mem::take(&mut self.is_too_long) {
                true => Err(Refusal::unread(
                    &line,
                    NO_REQUEST,
                    format!("a message has at most {LONGEST} bytes"),
                )),
                false => message(&line),
            };
            match read {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => {
                    output::problem(format_args!(
                        "a line of the client's is no message: {}",
                        refusal.message
                    ));
                    let output = Arc::clone(&self.output);
                    self.refusing = Some(tokio::spawn(async move {
                        write(&output, &refusal.answer()).await
                    }));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<W>,
    message: &impl serde::Serialize,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// The message on a line; `None` for an empty line and for an unknown notification, which are skipped.
fn message(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Refusal> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let (value, repairs) = lenient::from_slice::<Value>(line)
        .map_err(|error| Refusal::unread(line, NO_JSON, format!("the line is no JSON: {error}")))?;
    let Value::Object(mut message) = value else {
        let message = "a message is a JSON object, one on each line";
        return Err(Refusal::new(&Value::Null, NO_REQUEST, message));
    };
    let id = message.get("id").cloned();
    let is_call = message.contains_key("method");
    let refused = |code, message: String| {
        let id = id.clone().unwrap_or_default();
        Refusal::new(&id, code, message)
    };
    if repairs.depth {
        // A call is carried out unchanged or not at all.
        let most = lenient::DEEPEST;
        let message = format!("the message is nested more than {most} deep");
        return Err(refused(NO_REQUEST, message));
    }
    if !repairs.is_none() {
        output::note(format_args!(
            "a message of the client's is damaged: {repairs}"
        ));
    }
    if is_call && id.is_some() {
        check(&mut message).map_err(|(code, message)| refused(code, message))?;
    }
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) => Ok(Some(message)),
        // A notification gets no answer.
        Err(_) if is_call && id.is_none() => Ok(None),
        Err(error) => {
            let message = format!("the message is no request: {error}");
            Err(refused(NO_REQUEST, message))
        }
    }
}

/// Checks the required fields of a request, so that the error names the wrong one.
fn check(message: &mut Map<String, Value>) -> Result<(), (i32, String)> {
    let wrong = |what: &str| Err((NO_REQUEST, what.to_owned()));
    if !message.get("id").is_some_and(is_id) {
        return wrong("`id` of a request is a string or an integer");
    }
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return wrong("`jsonrpc` of a message is \"2.0\"");
    }
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        return wrong("`method` of a request is a string");
    };
    let check = match method {
        "initialize" => fits::<InitializeRequestParams>,
        "tools/call" => fits::<CallToolRequestParams>,
        "resources/read" => fits::<ReadResourceRequestParams>,
        _ => return Ok(()),
    };
    let method = method.to_owned();
    let params = message.entry("params").or_insert_with(|| json!({}));
    // If a schema makes all arguments required, models write an empty string for the ones that they omit.
    if let Some(arguments) = params.get_mut("arguments")
        && arguments
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    {
        *arguments = json!({});
    }
    check(params).map_err(|error| {
        let message = format!("`params` of `{method}`: {error}");
        (WRONG_PARAMS, message)
    })
}

fn is_id(id: &Value) -> bool {
    serde_json::from_value::<RequestId>(id.clone()).is_ok()
}

fn fits<T: DeserializeOwned>(params: &Value) -> serde_json::Result<()> {
    serde_json::from_value::<T>(params.clone()).map(drop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use rmcp::model::JsonRpcMessage;

    use super::*;

    fn refused(line: &[u8]) -> (Value, i32, String) {
        let Refusal { id, code, message } = message(line).unwrap_err();
        (id, code, message)
    }

    #[test]
    fn a_line_that_is_no_message_is_refused_with_its_id_where_it_has_one() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(200), "]".repeat(200));
        let deep_call = format!(
            r#"{{"jsonrpc":"2.0","params":{},"id":5,"method":"ping"}}"#,
            deep("1")
        );
        let deep_list = deep("");
        for (line, id, code) in [
            (&b"what?"[..], json!(null), NO_JSON),
            (b"{", json!(null), NO_JSON),
            (
                br#"{"jsonrpc":"2.0","id":"x","method":"ping""#,
                json!("x"),
                NO_JSON,
            ),
            (b"[]", json!(null), NO_REQUEST),
            (b"7", json!(null), NO_REQUEST),
            (b"{}", json!(null), NO_REQUEST),
            (deep_list.as_bytes(), json!(null), NO_REQUEST),
            (deep_call.as_bytes(), json!(5), NO_REQUEST),
            (br#"{"id":3,"method":"ping"}"#, json!(3), NO_REQUEST),
            (
                br#"{"jsonrpc":"2.0","id":3,"method":7}"#,
                json!(3),
                NO_REQUEST,
            ),
            (
                br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                json!(null),
                NO_REQUEST,
            ),
            (
                br#"{"jsonrpc":"2.0","id":[3],"method":"ping"}"#,
                json!(null),
                NO_REQUEST,
            ),
            (
                br#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#,
                json!(3),
                WRONG_PARAMS,
            ),
        ] {
            let (said, found, _) = refused(line);
            let line = String::from_utf8_lossy(line);
            assert_eq!((said, found), (id, code), "{line:.200}");
        }
    }

    #[test]
    fn a_field_that_is_missing_is_named() {
        let (id, code, message) = refused(
            br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
        );
        assert_eq!((id, code), (json!(1), WRONG_PARAMS));
        assert_eq!(
            message,
            "`params` of `initialize`: missing field `clientInfo`"
        );
    }

    #[test]
    fn what_can_be_read_is_read() {
        for line in [
            &br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hud","arguments":{"a":"\ud83d"}}}"#[..],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hud\",\"arguments\":{\"a\":\"\xFF\0\"}}}",
            b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hud\",\"arguments\":\"\"}}\r",
        ] {
            let read = message(line).unwrap().unwrap();
            assert!(matches!(read, JsonRpcMessage::Request(_)), "{line:?}");
        }
        assert!(message(b"  \r").unwrap().is_none());
        let unknown = br#"{"jsonrpc":"2.0","method":"$/setTrace","params":[1]}"#;
        assert!(message(unknown).is_ok());
    }
}
