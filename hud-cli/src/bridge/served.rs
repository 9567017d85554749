//! Answers requests within their deadline.
//!
//! Two threads take [turns](crate::turns). The thread that reads a request also answers it. To wake up another
//! thread would take longer than most requests do. The other thread is the watchdog. When a request is late,
//! the watchdog answers it with an error or keeps it in the outbox, and then reads the next requests.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use hud_agent::tool::Operations;
use hud_clients::lenient;
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Begin, Call, Observe, Refused, Request, error, kept, params, result};
use crate::deadline::{Late, Until};
use crate::hub::{Hub, kept_because};
use crate::location::Location;
use crate::outbox::{self, Background, Report, Stamp};
use crate::output;
use crate::turns::Turns;

/// The maximum length of a request in bytes. The output of a tool can be long.
pub(super) const LONGEST: u64 = 32 * 1024 * 1024;

/// The size of the read buffer in bytes. It is the pipe capacity of most systems.
const PIPE: usize = 64 * 1024;

/// The share of a request's time that is for the session pool, in percent. The rest is for a request that is
/// late.
const FOR_HUB: u32 = 85;

/// The session pool, with a deadline for each request.
struct Served {
    hub: Turns<Hub, Unanswered>,
    location: Location,
    background: Background,
    operations: Operations,
    time: Duration,
    input: Mutex<Input>,
    output: Mutex<Box<dyn Write + Send>>,
}

/// The input that requests are read from.
type Input = BufReader<Box<dyn Read + Send>>;

/// A request that has no answer yet.
struct Unanswered {
    line: Vec<u8>,
    id: Value,
    stamp: Stamp,
}

/// An answer in its serialized form.
#[derive(Serialize)]
struct Said<'s> {
    id: &'s Value,
    jsonrpc: &'static str,
    result: &'s Answer,
}

/// The reason why a thread stops reading.
enum Stop {
    /// There are no more requests.
    Over,
    /// The other thread has answered the request and reads the next ones.
    Overtaken,
}

/// Serves requests until there are no more.
pub(super) fn serve(
    hub: Hub,
    time: Duration,
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    let served = Arc::new(Served {
        location: hub.location().clone(),
        background: hub.background().clone(),
        operations: hub.operations().clone(),
        hub: Turns::new(hub),
        time,
        input: Mutex::new(BufReader::with_capacity(PIPE, input)),
        output: Mutex::new(output),
    });
    let (over, ended) = mpsc::channel();
    for reads in [true, false] {
        let (served, over) = (Arc::clone(&served), over.clone());
        thread::spawn(move || served.take_turns(reads, &over));
    }
    drop(over);
    let outcome = (ended.recv()).unwrap_or_else(|_| Err(io::Error::other("it panicked")));
    // Each thread holds a sender while it works. This does not wait for a thread that hangs.
    let _ = ended.recv_timeout(time);
    outcome
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Served {
    /// Reads and answers requests, or watches the other thread do so, until there are no more requests.
    fn take_turns(&self, mut reads: bool, over: &Sender<io::Result<()>>) {
        loop {
            let read = match reads {
                true => self.read_on(),
                false => match self.hub.watch() {
                    Some(late) => self.late(&late).and_then(|()| self.read_on()),
                    None => return,
                },
            };
            let outcome = match read {
                Ok(Stop::Overtaken) => {
                    reads = false;
                    continue;
                }
                Ok(Stop::Over) => Ok(()),
                Err(error) => Err(error),
            };
            self.hub.end();
            let _ = over.send(outcome);
            if let Ok(mut hub) = self.hub.hold(Until::after(self.time)) {
                hub.sweep();
                hub.close();
                outbox::finish(&self.location, self.time);
            }
            return;
        }
    }

    /// Reads and answers requests.
    fn read_on(&self) -> io::Result<Stop> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let is_whole = {
                let mut input = lock(&self.input);
                if (&mut *input).take(LONGEST).read_until(b'\n', &mut line)? == 0 {
                    return Ok(Stop::Over);
                }
                let is_whole = (line.len() as u64) < LONGEST || line.last() == Some(&b'\n');
                if !is_whole {
                    skip_line(&mut *input)?;
                }
                is_whole
            };
            if !is_whole {
                let reason = format!("a request has at most {LONGEST} bytes");
                self.write(&error(&id_of(&line), -32600, &reason))?;
            } else if !line.iter().all(u8::is_ascii_whitespace) {
                match self.answer(line)? {
                    Some(read) => line = read,
                    None => return Ok(Stop::Overtaken),
                }
            }
        }
    }

    /// Carries out a request, answers it if it has an id, and returns its line. Returns `None` if the other
    /// thread has answered it.
    fn answer(&self, line: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        let request: Request = match lenient::from_slice(&line) {
            Ok((request, repairs)) => {
                if !repairs.is_none() {
                    output::note(format_args!("a request is damaged: {repairs}"));
                }
                request
            }
            Err(fault) => {
                let code = if fault.is_data() { -32600 } else { -32700 };
                self.write(&error(&id_of(&line), code, &fault.to_string()))?;
                return Ok(Some(line));
            }
        };
        let Request {
            id,
            method,
            params,
            at,
        } = request;
        let (is_awaited, stamp) = (!id.is_null(), Stamp::now().said_at(at));
        let request = Unanswered { line, id, stamp };
        let until = Until::after(self.time * FOR_HUB / 100);
        let Ok(mut hub) = self.hub.hold(until) else {
            self.late(&request)?;
            return Ok(Some(request.line));
        };
        let begun = hub.begin(request, until);
        let outcome = result(&mut hub, &method, params, stamp, is_awaited);
        let is_work_left = hub.is_work_left();
        let Some(request) = hub.done(&begun) else {
            return Ok(None);
        };
        drop(hub);
        self.say(&request, outcome)?;
        // This work is done while the client reads the answer, unless the next request is already there.
        if is_work_left && lock(&self.input).buffer().is_empty() {
            self.hub.later(Hub::work_ahead);
        }
        Ok(Some(request.line))
    }

    /// Keeps a late request in the outbox, or answers it with an error.
    fn late(&self, request: &Unanswered) -> io::Result<()> {
        let outcome = self.kept(request).unwrap_or_else(|| {
            let message = Late.to_string();
            Err(Refused {
                code: -32000,
                message,
            })
        });
        self.say(request, outcome)
    }

    /// Keeps a request in the outbox if it changes the session. It is carried out only once, even if the
    /// session pool still completes it.
    fn kept(&self, request: &Unanswered) -> Option<Result<Answer, Refused>> {
        let stamp = request.stamp;
        // The line is parsed again here, because otherwise every request would be copied for these few.
        let (request, _) = lenient::from_slice::<Request>(&request.line).ok()?;
        let given = request.params;
        let reports = match &*request.method {
            "observe" => {
                let Observe { session, reports } = params(given).ok()?;
                Report::observed(stamp, &session, reports.read)
            }
            "call" => {
                let Call { session, input } = params(given).ok()?;
                if self.operations.only_reads(&input) {
                    return None;
                }
                Report::called(stamp, &session, &input, None)
            }
            "begin" => {
                let Begin { session, origin } = params(given).ok()?;
                vec![Report::begins(stamp, &session, &origin)]
            }
            _ => return None,
        };
        let until = Until::after(self.time / 10);
        let kept_now = outbox::keep(&self.location, &reports, until);
        self.background.wake();
        Some(match kept_now {
            Ok(()) => {
                let answer = kept(&request.method, None, &kept_because(&Late));
                Ok(Answer::Other(answer))
            }
            Err(error) => Err(Refused {
                code: -32000,
                message: error.to_string(),
            }),
        })
    }

    /// Writes the outcome of a request to the client.
    fn say(&self, request: &Unanswered, outcome: Result<Answer, Refused>) -> io::Result<()> {
        let id = &request.id;
        match outcome {
            // Without an id there is no answer, so the error is reported on standard error.
            Err(Refused { message, .. }) if id.is_null() => output::problem(message),
            Ok(_) if id.is_null() => {}
            Ok(result) => self.write(&Said {
                id,
                jsonrpc: "2.0",
                result: &result,
            })?,
            Err(Refused { code, message }) => self.write(&error(id, code, &message))?,
        }
        Ok(())
    }

    fn write(&self, answer: &impl Serialize) -> io::Result<()> {
        // The answer is written in one piece, because the output searches each write for the end of a line.
        let mut answer = serde_json::to_vec(answer)?;
        answer.push(b'\n');
        let mut output = lock(&self.output);
        output.write_all(&answer)?;
        output.flush()
    }
}

/// Returns the id of a request that is invalid, or null if the id cannot be read either.
fn id_of(line: &[u8]) -> Value {
    lenient::field(line, "id").unwrap_or_default()
}

/// Skips the rest of a line.
fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let (used, is_over) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), false),
        };
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}
