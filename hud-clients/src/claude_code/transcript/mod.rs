//! Claude Code's log: a JSON object on each line, ordered by time.
//!
//! A message of the model is split over several lines with the same `message.id`. The results of its
//! tools may be in between. Each line repeats the message's usage, with more output tokens each time.

mod branch;
mod line;
mod marks;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{BufRead, ErrorKind, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use foldhash::fast::RandomState;
use hud_observe::action::Action;
use hud_observe::marked;
use hud_observe::observation::{Actions, Observation, Usage};
use jiff::Timestamp;
use memchr::memchr;
use serde::de::IgnoredAny;
use serde_json::Value;

use self::branch::{Branch, Link};
use self::line::{Attachment, Line, Other, Parsed, TokenUsage};
use super::response::Response;
use super::{ClaudeCode, patch, summary_of, task_number};
use crate::Client;
use crate::lenient;
use crate::transcript::content::{Block, Content, Text};
use crate::transcript::{BYTE_ORDER_MARK, Entry, LONGEST, Summary, TranscriptError, whole};

/// The types of blocks of which nothing is reported.
const SILENT_BLOCKS: &[&str] = &["text", "thinking", "redacted_thinking", "image", "document"];

pub(super) fn read(
    path: &Path,
    mut file: &mut dyn BufRead,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<Summary, TranscriptError> {
    let mut reader = Reader::default();
    let mut parted = Vec::new();
    loop {
        let failed = |source| TranscriptError::Read {
            path: path.to_owned(),
            source,
        };
        // Most lines are complete in the buffer and need no copy.
        let line = match file.fill_buf() {
            Ok(buffer) => memchr(b'\n', buffer).and_then(|end| buffer.get(..=end)),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error)),
        };
        let is_parted = line.is_none();
        let line = match line {
            Some(line) => line,
            None => {
                parted.clear();
                read_line(&mut file, &mut parted).map_err(failed)?;
                parted.as_slice()
            }
        };
        let read = line.len();
        if read == 0 {
            break;
        }
        reader.bytes += read as u64;
        reader.summary.lines += 1;
        let is_whole = line.ends_with(b"\n");
        reader.line(path, line.trim_ascii_end(), is_whole)?;
        if !is_parted {
            file.consume(read);
        }
        if reader.give(sink).is_break() {
            return Ok(reader.summary);
        }
    }
    if !reader.is_session {
        return Err(foreign(path));
    }
    reader.end_of_message();
    reader.let_go();
    // No entries follow that a `Break` could stop.
    let _ = reader.give(sink);
    Ok(reader.summary)
}

/// Returns the entries of the complete lines after a byte offset. Lines that cannot be read are passed
/// over.
pub(super) fn end(mut file: impl BufRead + Seek, from: u64) -> std::io::Result<Vec<Entry>> {
    let mut reader = Reader {
        bytes: from,
        ..Reader::default()
    };
    file.seek(SeekFrom::Start(from))?;
    let mut line = Vec::new();
    let mut is_whole = from == 0;
    loop {
        line.clear();
        let read = read_line(&mut file, &mut line)?;
        if !line.ends_with(b"\n") {
            return Ok(reader.entries);
        }
        reader.bytes += read as u64;
        reader.summary.lines += 1;
        if std::mem::replace(&mut is_whole, true) {
            // A damaged line yields nothing, and its error would have named the file.
            let _ = reader.line(Path::new(""), line.trim_ascii_end(), true);
        }
    }
}

fn foreign(path: &Path) -> TranscriptError {
    TranscriptError::Foreign {
        path: path.to_owned(),
        found: "JSON of another kind",
    }
}

/// Reads a line with its ending, up to one byte more than the longest allowed line.
fn read_line(file: &mut (impl BufRead + ?Sized), line: &mut Vec<u8>) -> std::io::Result<usize> {
    let most = usize::try_from(LONGEST).map_or(usize::MAX, |longest| longest.saturating_add(1));
    let mut read = 0;
    loop {
        let buffer = match file.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let buffer = buffer.get(..most - read).unwrap_or(buffer);
        let end = memchr(b'\n', buffer).map(|at| at + 1);
        let taken = end.unwrap_or(buffer.len());
        line.extend_from_slice(&buffer[..taken]);
        file.consume(taken);
        read += taken;
        if end.is_some() || taken == 0 {
            return Ok(read);
        }
    }
}

#[derive(Default)]
struct Reader {
    summary: Summary,
    /// The number of bytes that were read of the file.
    bytes: u64,
    /// True if a line was read that only a session has.
    is_session: bool,
    has_name: bool,
    /// The ids of the messages so far, so that each counts as one model call.
    messages: HashSet<String, RandomState>,
    /// The current message.
    message: Option<Ongoing>,
    /// The calls that wait for their results.
    calls: HashMap<String, Called, RandomState>,
    branch: Branch,
    /// The directory that the agent works in.
    directory: String,
    /// The calls of the current message that wait for their results.
    waiting: HashSet<String, RandomState>,
    /// The calls of the message before that still waited for results when the current message began. The
    /// model had the results when it was called, so they are reported before the current message, even
    /// if the client wrote them later.
    late: HashSet<String, RandomState>,
    /// The entries that follow the late results.
    held: Vec<Entry>,
    /// The texts that the user typed while the agent worked, and that the model does not have yet.
    queued: VecDeque<String>,
    /// The queued text that was reported last.
    taken: Option<String>,
    at: Option<Timestamp>,
    key: String,
    entries: Vec<Entry>,
}

/// A call that waits for its result.
struct Called {
    tool: String,
    /// True if its arguments name something that is new in a file.
    named: bool,
}

/// A message of the model that may have more lines, with the usage of its latest line.
struct Ongoing {
    id: String,
    usage: TokenUsage,
    model: String,
}

impl Reader {
    /// Handles a line without its ending.
    fn line(&mut self, path: &Path, text: &[u8], is_whole: bool) -> Result<(), TranscriptError> {
        let number = self.summary.lines;
        if text.len() as u64 > LONGEST {
            return Err(TranscriptError::Line {
                path: path.to_owned(),
                line: number,
                column: 1,
                reason: format!(
                    "the line is longer than {LONGEST} bytes, and no session has such lines: remove \
                     it, then read again"
                ),
            });
        }
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        if text.is_empty() || self.record(text) {
            return Ok(());
        }
        let (records, mut is_damaged) = whole::records(text, line::BEGINNINGS);
        for record in &records {
            if self.record(record) {
                continue;
            }
            let (repaired, repairs) = lenient::repaired(record);
            let is_read = !repairs.is_none() && self.record(&repaired);
            self.summary.mended += u64::from(is_read);
            is_damaged |= !is_read;
        }
        // The last line of an active session may not be complete yet.
        match is_whole || !self.is_session || !records.is_empty() {
            true if is_damaged => self.summary.damage(number),
            false => self.summary.truncated = Some(number),
            true => {}
        }
        Ok(())
    }

    /// Reads a record. Returns true if it can be read.
    fn record(&mut self, text: &[u8]) -> bool {
        // Serde also accepts a list for the fields of a struct.
        if !text.trim_ascii_start().starts_with(b"{") {
            return false;
        }
        let fitted;
        let parsed = match line::parse(text) {
            Err(error) if error.is_data() => match line::fitted(text) {
                Some(line) => {
                    fitted = line;
                    line::parse(&fitted)
                }
                None => return false,
            },
            parsed => parsed,
        };
        match parsed {
            Ok(Parsed::Line(line)) => {
                let is_read = self.parsed(*line).is_ok();
                self.is_session |= is_read;
                is_read
            }
            Ok(Parsed::Other(Other { unknown, link })) => {
                if let Some(link) = link {
                    self.branch.see(link);
                }
                match unknown {
                    Some(kind) => self.unknown(kind),
                    None => self.is_session = true,
                }
                true
            }
            Err(_) => false,
        }
    }

    fn parsed(&mut self, line: Line<'_>) -> Result<(), Lacks> {
        if line.is_sidechain == Some(true) {
            self.summary.sidechain += 1;
            return Ok(());
        }
        let link = Link::of(&line).or_else(|| line.uuid.as_deref().map(Link::named));
        if link.is_some_and(|link| !self.branch.see(link)) {
            // If a session was pasted twice into its file, its second copy is not counted.
            self.summary.repeated += 1;
            return Ok(());
        }
        self.key = match &line.uuid {
            Some(uuid) => uuid.to_string(),
            None => format!("line {}", self.summary.lines),
        };
        // A line without a time has the time of the line before.
        let at = line.timestamp.as_deref().and_then(|at| at.parse().ok());
        self.at = at.or(self.at);
        if let Some(id) = line.session_id.as_deref().filter(|_| !self.has_name) {
            self.has_name = true;
            let name = id.to_owned();
            self.push(Observation::Session { name });
        }
        if let Some(path) = line.cwd.as_deref().filter(|path| *path != self.directory) {
            self.directory = path.to_owned();
            self.push(Observation::Directory {
                path: path.to_owned(),
            });
        }
        match &*line.kind {
            "user" => self.user(line),
            "assistant" => self.assistant(line),
            "attachment" => {
                self.attachment(&line);
                Ok(())
            }
            "queue-operation" => {
                self.queue(&line);
                Ok(())
            }
            _ => {
                self.system(line);
                Ok(())
            }
        }
    }

    fn system(&mut self, line: Line<'_>) {
        if line.subtype.as_deref() != Some("compact_boundary") {
            return;
        }
        self.end_of_message();
        self.branch.compact();
        let metadata = line.compact_metadata.unwrap_or_default();
        self.push(Observation::CompactionBegins {
            trigger: metadata.trigger,
            tokens_before: metadata.pre_tokens,
        });
    }

    fn user(&mut self, line: Line<'_>) -> Result<(), Lacks> {
        let mut line = line;
        let message = line.message.take().ok_or(Lacks)?;
        let content = message.content.ok_or(Lacks)?;
        let is_summary = line.is_compact_summary == Some(true);
        let mut text = String::new();
        for block in content.0 {
            match (&*block.kind, &block.text) {
                ("tool_result", _) => {
                    let call = block.tool_use_id.ok_or(Lacks)?;
                    let is_late = self.late.remove(&*call);
                    self.waiting.remove(&*call);
                    let called = self.calls.remove(&*call);
                    let named = called.as_ref().is_some_and(|called| called.named);
                    let tool = called.map(|called| called.tool);
                    let is_error = block.is_error.unwrap_or(false);
                    let content = block.content.map(Content::into_text).unwrap_or_default();
                    let not_run = is_error
                        .then(|| marks::not_run(&line, tool.as_deref(), &content))
                        .flatten();
                    let structured = line.tool_use_result.as_ref();
                    let task = structured.and_then(|result| result.task.clone());
                    let change = structured.and_then(|result| {
                        let path = result.path.as_deref().unwrap_or_default();
                        patch::change(path, result.patch.as_ref()?, result.kind.as_deref(), named)
                    });
                    let task = task.or_else(|| match tool.as_deref() {
                        Some("TaskCreate") => task_number(&content),
                        _ => None,
                    });
                    let name = tool.as_deref().unwrap_or_default();
                    let response = Response::of_record(name, content, is_error, structured);
                    let result = self.entry(Observation::ToolResult {
                        call: call.into_owned(),
                        actions: Actions::default(),
                        task,
                        content: response.text,
                        is_error: response.is_error,
                        not_run: response.not_run.or(not_run),
                        change,
                    });
                    match is_late {
                        true => self.entries.push(result),
                        false => self.put(result),
                    }
                    if self.late.is_empty() {
                        self.let_go();
                    }
                }
                ("text", Some(part)) => {
                    let said = match is_summary {
                        true => Cow::Borrowed(&**part),
                        false => marks::said(&line, part),
                    };
                    if !said.is_empty() && !text.is_empty() {
                        text.push('\n');
                    }
                    text.push_str(&said);
                }
                _ => self.passed_over(&block),
            }
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        self.let_go();
        if is_summary {
            self.push(Observation::CompactionEnds {
                summary: Some(summary_of(&text).to_owned()),
                boundary: None,
            });
            return Ok(());
        }
        if let Some(link) = Link::of(&line)
            && let Some(key) = self.branch.prompt(link, &self.key)
        {
            self.push(Observation::Rewind { key });
        }
        self.push(Observation::User { text });
        Ok(())
    }

    /// Handles an attachment. Only the text that the user typed while the agent worked is used.
    fn attachment(&mut self, line: &Line<'_>) {
        let Some(queued) = line.attachment.as_ref().and_then(Attachment::queued) else {
            return;
        };
        self.queued.retain(|text| *text != queued);
        self.takes(queued);
    }

    /// Handles the queue of the texts that the user typed while the agent worked. Versions that have no
    /// attachments for these write it. A text that is removed without a reason was given to the model.
    fn queue(&mut self, line: &Line<'_>) {
        let text = |value: &Option<Value>| value.as_ref()?.as_str().map(str::to_owned);
        match text(&line.operation).as_deref() {
            Some("enqueue") => self.queued.extend(text(&line.content)),
            Some("dequeue") => {
                // It follows as a user message.
                self.queued.pop_front();
            }
            Some("remove") => {
                let said = self.queued.pop_front();
                if let Some(said) = said.filter(|_| text(&line.reason).is_none()) {
                    self.takes(said);
                }
            }
            _ => self.queued.clear(),
        }
    }

    /// Reports a queued text once, though several lines may contain it. The client also queues its own
    /// texts, such as JSON notices of background tasks that ended.
    fn takes(&mut self, said: String) {
        let is_data = || {
            let is_object = said.trim_start().starts_with(['{', '[']);
            is_object && serde_json::from_str::<IgnoredAny>(&said).is_ok()
        };
        let said = marked::typed(&said).to_owned();
        let is_said = said.trim().is_empty()
            || said.starts_with('/')
            || self.taken.as_ref() == Some(&said)
            || is_data();
        if !is_said {
            self.push(Observation::User { text: said.clone() });
            self.taken = Some(said);
        }
    }

    fn assistant(&mut self, line: Line<'_>) -> Result<(), Lacks> {
        let message = line.message.ok_or(Lacks)?;
        let content = message.content.ok_or(Lacks)?;
        let id = message
            .id
            .map_or_else(|| self.key.clone(), Text::into_owned);
        // A late line of a message that has ended neither ends nor begins a message.
        if !self.messages.contains(&id) {
            self.end_of_message();
            self.messages.insert(id.clone());
            // The client writes some messages automatically under this name, without a model call.
            if let Some(model) = message.model.filter(|model| &**model != "<synthetic>") {
                self.let_go();
                self.late = std::mem::take(&mut self.waiting);
                self.push(Observation::ModelCall);
                self.message = Some(Ongoing {
                    id: id.clone(),
                    usage: TokenUsage::default(),
                    model: model.into_owned(),
                });
            }
        }
        if let (Some(ongoing), Some(usage)) = (&mut self.message, message.usage)
            && ongoing.id == id
        {
            ongoing.usage = usage;
        }
        for block in content.0 {
            match (&*block.kind, &block.text) {
                ("tool_use", _) => {}
                ("text", Some(text)) if self.message.is_some() => {
                    if let Some(said) = Observation::said(text) {
                        self.push(said);
                    }
                    continue;
                }
                _ => {
                    self.passed_over(&block);
                    continue;
                }
            }
            let id = block.id.ok_or(Lacks)?;
            let name = block.name.ok_or(Lacks)?;
            let input = block.input.unwrap_or_default();
            let actions = ClaudeCode.actions(&name, &input);
            let names = |action: &Action| match action {
                Action::Edit { change, .. } | Action::Write { change, .. } => {
                    !change.names.is_empty()
                }
                _ => false,
            };
            let called = Called {
                named: actions.iter().any(names),
                tool: name.into_owned(),
            };
            self.calls.insert(id.to_string(), called);
            self.waiting.insert(id.to_string());
            if let Some(arguments) = Observation::arguments(input) {
                self.push(arguments);
            }
            self.push(Observation::ToolCall {
                actions: actions.into(),
                call: id.into_owned(),
            });
        }
        Ok(())
    }

    /// Ends the current message. Its usage is final.
    fn end_of_message(&mut self) {
        let Some(Ongoing { id, usage, model }) = self.message.take() else {
            return;
        };
        let usage = Usage::from(usage);
        if usage == Usage::default() {
            return;
        }
        let line = std::mem::replace(&mut self.key, id);
        let model = Some(model);
        self.push(Observation::Usage {
            usage,
            model,
            window: None,
            provider: None,
        });
        self.key = line;
    }

    fn passed_over(&mut self, block: &Block<'_>) {
        if !SILENT_BLOCKS.contains(&&*block.kind) {
            self.unknown(format!("content block {}", block.kind));
        }
    }

    fn unknown(&mut self, kind: String) {
        *self.summary.unknown.entry(kind).or_default() += 1;
    }

    fn entry(&self, observation: Observation) -> Entry {
        Entry {
            place: self.summary.lines,
            key: self.key.clone(),
            at: self.at,
            bytes: self.bytes,
            observation,
        }
    }

    fn push(&mut self, observation: Observation) {
        let entry = self.entry(observation);
        self.put(entry);
    }

    fn put(&mut self, entry: Entry) {
        match self.late.is_empty() {
            true => self.entries.push(entry),
            false => self.held.push(entry),
        }
    }

    /// Stops waiting for late results.
    fn let_go(&mut self) {
        self.late.clear();
        self.entries.append(&mut self.held);
    }

    /// Passes the entries of a line to the sink.
    fn give(&mut self, sink: &mut dyn FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        for entry in self.entries.drain(..) {
            self.summary.entries += 1;
            sink(entry)?;
        }
        ControlFlow::Continue(())
    }
}

impl From<TokenUsage> for Usage {
    fn from(usage: TokenUsage) -> Self {
        Self {
            input: usage.input_tokens.unwrap_or(0),
            cache_write: usage.cache_creation_input_tokens.unwrap_or(0),
            cache_write_hour: usage
                .cache_creation
                .and_then(|created| created.ephemeral_1h_input_tokens)
                .unwrap_or(0),
            cache_read: usage.cache_read_input_tokens.unwrap_or(0),
            output: usage.output_tokens.unwrap_or(0),
        }
    }
}

/// The error for a line that lacks a field that its type needs.
struct Lacks;
