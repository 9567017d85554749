//! A recorded session as a trace: the requests to the model, and its answers.

use std::path::Path;

use hud_store::state::{Lines, OutputClass};
use jiff::Timestamp;

use hud_clients::transcript::{Entry, Transcript, TranscriptError};
use hud_derive::class::Seen;
use hud_observe::action::Action;
use hud_observe::observation::Observation;

/// The requests of a session.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The requests to the model, in their order.
    pub requests: Vec<Request>,
    /// The tool outputs, in their order.
    pub outputs: Vec<Recorded>,
}

/// A request to the model, and its answer.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The time at which its last entry was recorded, if it is known.
    pub at: Option<Timestamp>,
    /// The tokens that were sent, if the client reports them.
    pub sent: Option<u64>,
    /// The tokens that the model wrote, if the client reports them.
    pub written: Option<u64>,
    /// True if the conversation begins again with it, or returns to an earlier point.
    pub is_anew: bool,
    /// The user's messages since the previous request.
    pub asked: Vec<String>,
    /// The texts of the model's answer, including the arguments of calls.
    pub said: Vec<String>,
    /// The same texts without the arguments.
    pub spoken: Vec<String>,
    /// The calls in its answer: the actions of each, with its arguments.
    pub calls: Vec<(Vec<Action>, Vec<String>)>,
}

/// A tool output.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The client's id of the call.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The class of the output.
    pub class: OutputClass,
    /// The target of the call.
    pub target: Option<String>,
    /// The lines of the target, if the output has only a part.
    pub lines: Option<Lines>,
    /// True if the tool failed.
    pub error: bool,
    /// True if the tool runs commands.
    pub is_run: bool,
    /// The text.
    pub text: String,
    /// The index of the request whose answer contains the call.
    pub called: usize,
    /// The index of the first request that sends it.
    pub read: usize,
    /// The index of the first request without it, after a compaction or a rewind.
    pub gone: Option<usize>,
}

impl Recorded {
    /// Returns its length in characters.
    pub fn chars(&self) -> u64 {
        self.text.chars().count() as u64
    }

    /// True if a request sends it without pruning.
    pub(crate) fn is_sent(&self, request: usize) -> bool {
        self.read <= request && self.gone.is_none_or(|gone| request < gone)
    }
}

impl Trace {
    /// Reads a recorded session.
    ///
    /// # Errors
    ///
    /// As [`Transcript::open`] and [`Transcript::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TranscriptError> {
        let mut reader = Reader::default();
        Transcript::open(path)?.read(&mut |entry| {
            reader.entry(entry);
            Ok::<_, TranscriptError>(())
        })?;
        Ok(reader.end())
    }

    /// Returns the trace of entries in their order.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut reader = Reader::default();
        entries.into_iter().for_each(|entry| reader.entry(entry));
        reader.end()
    }
}

/// A trace while it is read.
#[derive(Default)]
struct Reader {
    trace: Trace,
    /// The latest time.
    at: Option<Timestamp>,
    /// The user's messages since the last request.
    asked: Vec<String>,
    is_anew: bool,
    arguments: Vec<String>,
    /// The calls without a result.
    waiting: Vec<(String, Vec<Action>, usize)>,
    /// The number of outputs before each user message, by its key.
    before: Vec<(String, usize)>,
}

impl Reader {
    fn entry(&mut self, entry: Entry) {
        let next = self.trace.requests.len();
        match entry.observation {
            Observation::User { text } => {
                self.before.push((entry.key, self.trace.outputs.len()));
                self.asked.push(text);
            }
            Observation::Rewind { key } => {
                if let Some((_, outputs)) = self.before.iter().rfind(|(known, _)| *known == key) {
                    self.leave(*outputs, next);
                }
            }
            Observation::CompactionEnds { summary, .. } => {
                self.leave(0, next);
                self.asked.extend(summary);
            }
            Observation::ModelCall => {
                self.trace.requests.push(Request {
                    at: self.at.or(entry.at),
                    is_anew: std::mem::take(&mut self.is_anew),
                    asked: std::mem::take(&mut self.asked),
                    ..Request::default()
                });
            }
            Observation::Agent { text } => {
                if let Some(request) = self.trace.requests.last_mut() {
                    request.said.push(text.clone());
                    request.spoken.push(text);
                }
            }
            Observation::Arguments { texts } => self.arguments = texts,
            Observation::ToolCall { call, actions } => {
                let texts = std::mem::take(&mut self.arguments);
                let actions: Vec<Action> = actions.iter().cloned().collect();
                if let Some(request) = self.trace.requests.last_mut() {
                    request.said.extend(texts.iter().cloned());
                    request.calls.push((actions.clone(), texts));
                }
                self.waiting.push((call, actions, next.saturating_sub(1)));
            }
            Observation::ToolResult {
                call,
                content,
                is_error,
                ..
            } => {
                if let Some(at) = self.waiting.iter().rposition(|(known, ..)| *known == call) {
                    let (call, actions, called) = self.waiting.swap_remove(at);
                    let seen = Seen::of(&actions);
                    self.trace.outputs.push(Recorded {
                        call,
                        is_run: matches!(actions[..], [Action::Run { .. }, ..]),
                        tool: seen.tool,
                        class: seen.class,
                        target: seen.target,
                        lines: seen.lines,
                        error: is_error,
                        text: content,
                        called,
                        read: next,
                        gone: None,
                    });
                }
            }
            Observation::Usage { usage, .. } => {
                if let Some(request) = self.trace.requests.last_mut() {
                    let sent = usage.total().saturating_sub(usage.output);
                    request.sent = Some(sent).filter(|sent| *sent > 0);
                    request.written = Some(usage.output);
                }
            }
            _ => {}
        }
        self.at = entry.at.or(self.at);
    }

    /// Marks the outputs from an index on as gone from the conversation.
    fn leave(&mut self, from: usize, next: usize) {
        self.is_anew = true;
        for output in self.trace.outputs.iter_mut().skip(from) {
            output.gone.get_or_insert(next.max(output.read));
        }
    }

    /// Finishes the trace. Drops the outputs that were never sent.
    fn end(self) -> Trace {
        let mut trace = self.trace;
        let requests = trace.requests.len();
        trace.outputs.retain(|output| output.read < requests);
        trace
    }
}
