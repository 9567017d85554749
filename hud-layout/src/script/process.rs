//! The parent's side of the process that runs functions.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::{MAX_LINE, Script};
use crate::expr::{Functions, Value};

/// The maximum time for the start of a process and all calls of its functions together.
pub const DEADLINE: Duration = Duration::from_millis(100);

/// The functions of a layout, which run in a separate process. The first call starts it. It is killed if its time is
/// over, if an error occurs, or when this is dropped.
#[derive(Debug)]
pub struct Process {
    script: Script,
    program: PathBuf,
    args: Vec<OsString>,
    deadline: Duration,
    state: RefCell<State>,
}

#[derive(Debug)]
enum State {
    /// No function was called yet.
    Waiting,
    Running(Running),
    /// The reason why there are no more answers.
    Ended(String),
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// The lines to the process. A thread writes them, because the process may block it.
    lines: Sender<String>,
    answers: Receiver<io::Result<String>>,
    /// The time that all calls together have taken.
    taken: Duration,
}

impl Process {
    /// Returns the functions of this script. `program` runs them: it must call [`run`](super::run) when it is
    /// started with `args`.
    #[must_use]
    pub fn new(script: Script, program: PathBuf, args: Vec<OsString>) -> Self {
        Self {
            script,
            program,
            args,
            deadline: DEADLINE,
            state: RefCell::new(State::Waiting),
        }
    }

    /// Returns the functions of this script without a program that runs them, because the user did not allow them.
    #[must_use]
    pub fn refused(script: Script) -> Self {
        let process = Self::new(script, PathBuf::new(), Vec::new());
        let why = "functions run only in a layout that is in use: `hud layout trust` allows one";
        *process.state.borrow_mut() = State::Ended(why.to_owned());
        process
    }

    /// Sets the maximum time for the start of the process and all calls together. The default is [`DEADLINE`].
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The ID of the process, if it runs.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        match &*self.state.borrow() {
            State::Running(running) => Some(running.child.id()),
            State::Waiting | State::Ended(_) => None,
        }
    }

    fn started(&self) -> Result<Running, String> {
        let began = Instant::now();
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("its process does not start: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            end(&mut child);
            return Err("its process has no input or output".to_owned());
        };
        let (lines, to_send) = channel();
        let (answer, answers) = channel();
        thread::spawn(move || exchange(input, output, &to_send, &answer));
        let mut running = Running {
            child,
            lines,
            answers,
            taken: began.elapsed(),
        };
        let milliseconds = u64::try_from(self.deadline.as_millis()).unwrap_or(u64::MAX);
        let source = json!({"source": self.script.source(), "milliseconds": milliseconds});
        match running.ask(&source, self.deadline) {
            Ok(_) => Ok(running),
            Err(message) => {
                end(&mut running.child);
                Err(message)
            }
        }
    }

    fn ask(&self, state: &mut State, question: &Json) -> Result<Json, String> {
        if matches!(state, State::Waiting) {
            *state = State::Running(self.started()?);
        }
        match state {
            State::Running(running) => running.ask(question, self.deadline),
            State::Waiting => Err("its process was not started".to_owned()),
            State::Ended(message) => Err(message.clone()),
        }
    }
}

impl Functions for Process {
    fn has(&self, name: &str) -> bool {
        self.script.has(name)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        // A function cannot evaluate an expression, so the state is not borrowed elsewhere.
        let mut state = self.state.borrow_mut();
        let args: Json = args.iter().map(Value::to_json).collect();
        match self.ask(&mut state, &json!({"call": name, "args": args})) {
            Ok(answer) => Ok(answer.get("value").map_or(Value::Undefined, Value::from)),
            Err(message) => {
                // After an error, the variables of the script are in an unknown state.
                if let State::Running(running) = &mut *state {
                    end(&mut running.child);
                }
                *state = State::Ended(message.clone());
                Err(message)
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let State::Running(running) = self.state.get_mut() {
            end(&mut running.child);
        }
    }
}

impl Running {
    fn ask(&mut self, question: &Json, deadline: Duration) -> Result<Json, String> {
        let line = question.to_string();
        if line.len() > MAX_LINE {
            return Err(format!(
                "it is given {} bytes, and at most {MAX_LINE} are allowed",
                line.len()
            ));
        }
        let gone = || "its process ended".to_owned();
        let began = Instant::now();
        self.lines.send(line).map_err(|_| gone())?;
        let left = deadline.saturating_sub(self.taken);
        let answer = self.answers.recv_timeout(left);
        self.taken += began.elapsed();
        let answer = match answer {
            Ok(answer) => answer.map_err(|_| gone())?,
            Err(_) if self.taken >= deadline => {
                let milliseconds = deadline.as_millis();
                return Err(format!("it takes more than {milliseconds} ms"));
            }
            Err(_) => return Err(gone()),
        };
        let answer: Json = serde_json::from_str(&answer).map_err(|_| gone())?;
        match answer.get("error").and_then(Json::as_str) {
            Some(message) => Err(message.to_owned()),
            None => Ok(answer),
        }
    }
}

/// Kills the process and waits for it, so that no zombie process is left.
fn end(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Writes each line and reads its answer, until one side is closed.
fn exchange(
    mut input: ChildStdin,
    output: ChildStdout,
    lines: &Receiver<String>,
    answers: &Sender<io::Result<String>>,
) {
    let mut output = BufReader::new(output);
    while let Ok(line) = lines.recv() {
        let answer = writeln!(input, "{line}").and_then(|()| answer(&mut output));
        let is_over = answer.is_err();
        if answers.send(answer).is_err() || is_over {
            return;
        }
    }
}

/// Reads a line of at most [`MAX_LINE`] bytes.
fn answer(output: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX);
    output.take(most).read_line(&mut line)?;
    if line.ends_with('\n') {
        Ok(line)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}
