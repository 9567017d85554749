//! A recorded session as a trace: what each request to the model sent, and what the model made of it.

use std::path::Path;

use hud_store::state::{Lines, OutputClass};
use jiff::Timestamp;

use hud_clients::transcript::{Entry, Summary, Transcript, TranscriptError};
use hud_derive::class::Seen;
use hud_observe::action::Action;
use hud_observe::observation::Observation;

/// A session, request by request.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The session's name.
    pub name: String,
    /// The requests to the model, in their order.
    pub requests: Vec<Request>,
    /// What tools said, in its order.
    pub outputs: Vec<Recorded>,
    /// The entries that were read, and those that were passed over.
    pub summary: Summary,
}

/// A request to the model, and its answer.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// When it was sent, if that is known: when the last of what it sends was there.
    pub at: Option<Timestamp>,
    /// Tokens that were sent, if the client says so.
    pub sent: Option<u64>,
    /// Tokens that the model wrote, if the client says so.
    pub written: Option<u64>,
    /// Whether the conversation begins anew with it, or goes on from an earlier place.
    pub is_anew: bool,
    /// What the user said before it, since the request before.
    pub asked: Vec<String>,
    /// What the model said in its answer, the arguments of calls among it.
    pub said: Vec<String>,
    /// The same without the arguments.
    pub spoken: Vec<String>,
    /// The calls in its answer: what each does, with its arguments.
    pub calls: Vec<(Vec<Action>, Vec<String>)>,
}

/// What a tool said.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The call, as the client names it.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// What kind of output it is.
    pub class: OutputClass,
    /// What it is of.
    pub target: Option<String>,
    /// Which lines of the target, where it is not all of it.
    pub lines: Option<Lines>,
    /// Whether the tool failed.
    pub error: bool,
    /// Whether the tool runs commands.
    pub is_run: bool,
    /// What it said.
    pub text: String,
    /// The request with whose answer it was called for.
    pub called: usize,
    /// The first request that sends it.
    pub read: usize,
    /// The first request that no longer does, because the conversation was compacted or taken back.
    pub gone: Option<usize>,
}

impl Recorded {
    /// Its length in characters.
    pub fn chars(&self) -> u64 {
        self.text.chars().count() as u64
    }

    /// Whether a request sends it, if nothing is taken out.
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
        let path = path.as_ref();
        let mut reader = Reader::default();
        reader.trace.name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        reader.trace.summary = Transcript::open(path)?.read(&mut |entry| {
            reader.entry(entry);
            Ok::<_, TranscriptError>(())
        })?;
        Ok(reader.end())
    }

    /// Of entries, in their order.
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
    /// The newest time.
    at: Option<Timestamp>,
    /// What was said since the last request.
    asked: Vec<String>,
    is_anew: bool,
    arguments: Vec<String>,
    /// Calls that wait for their results.
    waiting: Vec<(String, Vec<Action>, usize)>,
    /// How many outputs there were before what the user said, by its key.
    before: Vec<(String, usize)>,
}

impl Reader {
    fn entry(&mut self, entry: Entry) {
        let next = self.trace.requests.len();
        match entry.observation {
            Observation::Session { name } => self.trace.name = name,
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

    /// The outputs from a place on are in the conversation no more.
    fn leave(&mut self, from: usize, next: usize) {
        self.is_anew = true;
        for output in self.trace.outputs.iter_mut().skip(from) {
            output.gone.get_or_insert(next.max(output.read));
        }
    }

    /// What was never sent is of no matter.
    fn end(self) -> Trace {
        let mut trace = self.trace;
        let requests = trace.requests.len();
        trace.outputs.retain(|output| output.read < requests);
        trace
    }
}
