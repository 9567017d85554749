//! Failures: which ones count, what they say, and when they are over.

use hud_store::event::{ErrorEncountered, ErrorResolved, HudEvent, RequestEvent, TaskEvent};
use hud_store::state::{Attempted, ErrorRecord, HudState};

use super::alike::{Words, alike};
use super::check::{self, Check};
use super::command::{self, Run};
use super::output::{self, Found, Kind, Output};
use super::{Derived, prose, words};
use crate::action::Action;
use crate::tool::{Item, Numbering};

/// After so many turns a failure is no longer shown if files that it may be about were changed since.
const STALE_TURNS: u64 = 24;

/// What the result of a failed call says: the line that says most. Nothing, if it was a look at
/// something that is not there.
pub(super) fn message(action: &Action, content: &str) -> Option<String> {
    let content = content
        .trim()
        .trim_start_matches("<tool_use_error>")
        .trim_end_matches("</tool_use_error>")
        .trim();
    let missed = match action {
        Action::Run { command } => command::only_looks(command) || is_slip(content),
        Action::Read { .. } | Action::Look { .. } => says_missing(content),
        _ => false,
    };
    (!missed).then(|| salient(content))
}

/// Whether something that was looked for is not there.
fn says_missing(content: &str) -> bool {
    const WORDS: &[&str] = &[
        "does not exist",
        "doesn't exist",
        "no such file",
        "not found",
        "enoent",
        "cannot find",
        "no files found",
        "no matches",
        "is a directory",
        "eisdir",
    ];
    let lower = output::upto(content, 400).to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a shell did not understand the line that it was given, so that nothing ran.
pub(super) fn is_slip(content: &str) -> bool {
    const SLIPS: &[&str] = &[
        "parse error near",
        "syntax error near unexpected",
        "unexpected eof while looking",
        "unterminated quoted string",
        "no matches found:",
        "unknown file attribute",
        "bad substitution",
        "unmatched \"",
        "unmatched '",
    ];
    let lower = output::upto(content, 400).to_lowercase();
    let mut lines = lower.lines().filter(|line| !line.starts_with("exit code "));
    let first = lines.find(|line| !line.trim().is_empty()).unwrap_or("");
    let shell = ["(eval):", "bash:", "zsh:", "sh:", "/bin/", "fish:", "eval:"];
    shell.iter().any(|shell| first.starts_with(shell))
        && SLIPS.iter().any(|slip| first.contains(slip))
}

/// The line of an output that says most about what is wrong, with the exit code before it.
pub(super) fn salient(content: &str) -> String {
    let content = output::upto(content, 64 * 1024);
    let (exit, output) = match content.split_once('\n') {
        _ if !content.starts_with("Exit code ") => (None, content),
        Some((first, rest)) => (Some(first), rest),
        None => (Some(content), ""),
    };
    let lines: Vec<&str> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // The first of the best: `max_by_key` alone would take the last.
    let best = (0..lines.len())
        .rev()
        .max_by_key(|index| weight(lines[*index]));
    match (best, exit) {
        // The next line has what it says: `panicked at src/lib.rs:5:9:`.
        (Some(index), _) if lines[index].ends_with(':') && index + 1 < lines.len() => {
            clip(&format!("{} {}", lines[index], lines[index + 1]))
        }
        (Some(index), _) => clip(lines[index]),
        (None, Some(exit)) => exit.to_lowercase(),
        (None, None) => "failed without a message".to_owned(),
    }
}

/// How much a line of output says: which place is wrong, then that something is.
fn weight(line: &str) -> u8 {
    let lower = output::upto(line, 600).to_lowercase();
    const FINE: &[&str] = &[
        "--- pass", "pass ", "ok ", "ok\t", "✓", "✔", "warning", "note:", "=== run",
    ];
    if FINE.iter().any(|fine| lower.starts_with(fine)) || lower.ends_with("... ok") {
        return 0;
    }
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let wrong = says(&[
        "error",
        "panicked",
        "undefined",
        "cannot ",
        "mismatch",
        "exception",
        "expected",
        "undeclared",
        "not found",
    ]);
    let failed = says(&["fail", "fatal", "denied", "no such file", "unable"]);
    match (wrong, failed, has_place(line)) {
        // A runner's own words for what the lines below it say.
        _ if lower.ends_with("task failed") || lower.starts_with("your proposed edit") => 1,
        (true, _, true) => 5,
        (_, true, true) => 4,
        (true, ..) => 3,
        (_, true, _) => 2,
        (.., true) => 2,
        _ => 0,
    }
}

/// Whether a line names a place: `file.rs:12`.
fn has_place(line: &str) -> bool {
    line.match_indices(':').any(|(colon, _)| {
        let before = line[..colon].rsplit([' ', '\t', '(']).next().unwrap_or("");
        let after = line.as_bytes().get(colon + 1);
        before.contains('.') && after.is_some_and(u8::is_ascii_digit)
    })
}

/// At most 400 characters of a line: what is shown is shorter still.
fn clip(line: &str) -> String {
    match line.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The failures that are not over.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    open: Vec<Failure>,
}

#[derive(Clone, Debug)]
struct Failure {
    id: String,
    attempt: Attempt,
    message: String,
    turn: u64,
    /// Whether it was only in passing: a file that is not there, a slip in a shell line.
    passing: bool,
}

/// What was attempted, as far as a later success of the same can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Attempt {
    Read(String),
    /// To write, change, remove or rename a file.
    Edit(String),
    Check(Box<Check>),
    Run(Vec<Run>),
    Call {
        tool: String,
        target: Option<String>,
    },
    /// The user says that it fails, and not what was run.
    Reported,
}

impl Attempt {
    fn of(action: &Action) -> Self {
        Self::new(action.attempted(), action.tool(), action.target())
    }

    /// What an error was on; none where the log does not say it.
    fn failed(error: &ErrorRecord) -> Option<Self> {
        let tool = error.tool.as_deref().unwrap_or_default();
        Some(Self::new(error.attempted?, tool, error.target.as_deref()))
    }

    fn new(attempted: Attempted, tool: &str, target: Option<&str>) -> Self {
        let on = || target.unwrap_or_default().to_owned();
        match (attempted, target) {
            (Attempted::Read, _) => Self::Read(on()),
            (Attempted::Edit, _) => Self::Edit(on()),
            (Attempted::Run, None) => Self::Reported,
            (Attempted::Run, Some(command)) => match check::checks(command).pop() {
                Some((check, _)) if check.name == command => Self::Check(Box::new(check)),
                _ => Self::Run(command::runs(command)),
            },
            (Attempted::Call, _) => Self::Call {
                tool: tool.to_owned(),
                target: target.map(ToOwned::to_owned),
            },
        }
    }

    /// Whether a success on `self` means that a failure on `failed` is over.
    fn mends(&self, failed: &Self) -> bool {
        match (self, failed) {
            (Self::Run(runs), Self::Run(failed)) => runs
                .iter()
                .any(|run| failed.iter().any(|failed| run.covers(failed))),
            (Self::Edit(path), Self::Read(failed)) => path == failed,
            _ => self == failed,
        }
    }
}

impl Failure {
    /// The test or the place that the message names.
    fn name(&self) -> &str {
        let name = self.message.split(": ").next().unwrap_or_default();
        name.strip_suffix(" failed").unwrap_or(name)
    }

    /// The file that the message names first.
    fn path(&self) -> Option<&str> {
        let name = self.name();
        name.split_once(':')
            .map(|(path, _)| path)
            .filter(|path| path.contains('.') && !path.contains(' '))
    }

    fn is_same(&self, found: &Found) -> bool {
        let message = found.message();
        let rest = |message: &str| message.split_once(": ").map(|(_, rest)| rest.to_owned());
        self.message == clip(&message)
            || (found.kind == Kind::Test && self.name() == found.name)
            // An edit above it moves it.
            || (found.kind == Kind::Place
                && self.path().is_some_and(|path| found.name.starts_with(path))
                && rest(&self.message) == rest(&message))
    }

    /// Whether a file was changed since that it may be about.
    fn is_worked_on(&self, state: &HudState) -> bool {
        let failed = state.errors.iter().find(|error| error.id == self.id);
        let Some(since) = failed.map(|error| (error.turn, error.encountered_at)) else {
            return false;
        };
        state.active_files.iter().any(|file| {
            let path = &*file.path;
            let is_about = self.path().is_none_or(|place| {
                path.ends_with(place.trim_start_matches("./")) || place.ends_with(path)
            });
            file.status.is_change() && (file.turn, file.last_accessed) > since && is_about
        })
    }

    /// Whether the user said it in plain words.
    fn is_complaint(&self) -> bool {
        let words = self.message.split_whitespace().count();
        self.attempt == Attempt::Reported
            && self.path().is_none()
            && !self.message.contains(": ")
            && !(self.message.ends_with(" failed") && words == 2)
    }

    /// Whether a check is what the user said does not work.
    fn is_about(&self, check: &Check) -> bool {
        let lower = self.message.to_lowercase();
        let kinds: &[&str] = match check.kind {
            check::Kind::Test => &["test", "spec"],
            check::Kind::Lint => &["lint"],
            check::Kind::Types => &["type", "compile"],
            check::Kind::Build => &["build", "compile"],
            check::Kind::Format => &["format"],
        };
        lower.contains(&check.name.to_lowercase()) || kinds.iter().any(|kind| lower.contains(kind))
    }

    /// Whether a run of a check that passed shows that this is over.
    fn is_mended_by(&self, check: &Check) -> bool {
        match &self.attempt {
            Attempt::Reported if self.is_complaint() => self.is_about(check),
            Attempt::Check(failed) if check.covers(failed) => true,
            Attempt::Check(failed) if failed.kind == check.kind => match check.kind {
                check::Kind::Test => self.path().is_none() && check.names_test(self.name()),
                _ => false,
            },
            Attempt::Reported => match (check.kind, self.path()) {
                (check::Kind::Test, None) => check.runs_test(self.name()),
                (check::Kind::Format, _) | (_, None) => false,
                (check::Kind::Lint, Some(path)) => check.looks_at(path),
                // What a linter says of a file, a compiler does not.
                (_, Some(path)) => !self.message.ends_with(')') && check.looks_at(path),
            },
            _ => false,
        }
    }
}

/// Whether a sentence says that something works again, and not that it shall.
fn says_mended(lower: &str) -> bool {
    const MENDED: &[&str] = &[
        "resolved",
        "fixed",
        "corrected",
        "mended",
        "no longer",
        "works now",
        "now works",
        "works again",
        "behoben",
        "repariert",
        "gelöst",
        "funktioniert jetzt",
        "funktioniert wieder",
        "läuft wieder",
        "corrigé",
        "résolu",
        "réparé",
        "fonctionne maintenant",
        "fonctionne à nouveau",
        "ne plante plus",
        "corregid",
        "arreglad",
        "solucionad",
        "resuelt",
        "ya funciona",
        "ya no falla",
        "vuelve a funcionar",
        "funciona de nuevo",
        "corrigid",
        "resolvid",
        "risolt",
        "исправ",
        "починил",
        "устранен",
        "устранён",
        "теперь работает",
        "снова работает",
        "修复",
        "已解决",
        "解决了",
        "恢复正常",
        "修好",
        "修正しました",
        "直しました",
        "解決しました",
        "تم إصلاح",
        "أصلحت",
        "تم حل",
        "يعمل الآن",
        "수정했",
        "고쳤",
        "해결했",
    ];
    const NOT_YET: &[&str] = &[
        "should",
        "will",
        "would",
        "to be ",
        "if ",
        "ensure",
        "verify",
        "confirm whether",
        "not ",
        "n't ",
        "once",
        "until",
        "need",
        "?",
        "sollte",
        "muss ",
        "wenn ",
        "falls ",
        "devrait",
        "il faut",
        "debería",
        "hay que",
        "если",
        "нужно",
        "надо",
        "должн",
        "исправлю",
        "исправить",
        "需要",
        "应该",
        "如果",
        "还没",
        "必要",
        "はず",
        "まだ",
        "سوف",
        "يجب",
    ];
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    says(MENDED) && !says(NOT_YET)
}

/// The words of a text, and of each name the words that it is put together of: `SyntaxError` is a syntax
/// error.
fn parts_of_words(text: &str) -> Words {
    let mut parted = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in output::upto(text, 2_000).chars() {
        if c.is_uppercase() && before.is_lowercase() {
            parted.push(' ');
        }
        parted.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    Words::of(&parted)
}

/// How many failures of one run become errors of their own: the check says how many there are.
const NAMED: usize = 3;

impl Failures {
    /// The failures that are open in a state, as far as it says what was attempted.
    pub(super) fn of(state: &HudState) -> Self {
        let open = state.errors.iter().filter(|error| !error.is_resolved());
        Self {
            open: open
                .filter_map(|error| {
                    let attempt = Attempt::failed(error)?;
                    Some(Failure {
                        id: error.id.clone(),
                        passing: is_passing(&attempt, &error.message),
                        attempt,
                        message: error.message.clone(),
                        turn: error.turn,
                    })
                })
                .collect(),
        }
    }

    /// A call failed. A failure of the same thing again keeps its id.
    pub(super) fn failed(
        &mut self,
        action: &Action,
        message: String,
        turn: u64,
        numbering: &mut Numbering,
    ) -> HudEvent {
        let attempt = Attempt::of(action);
        let known = self
            .open
            .iter()
            .position(|failure| failure.attempt == attempt);
        let id = known.map(|index| self.open.remove(index).id);
        let tool = Some(action.tool().to_owned());
        let target = action.target().map(ToOwned::to_owned);
        let event = ErrorEncountered {
            id: id.unwrap_or_else(|| numbering.next(Item::Error)),
            message,
            tool,
            target,
            attempted: Some(action.attempted()),
        };
        self.open(attempt, turn, event)
    }

    fn open(&mut self, attempt: Attempt, turn: u64, event: ErrorEncountered) -> HudEvent {
        self.open.push(Failure {
            id: event.id.clone(),
            passing: is_passing(&attempt, &event.message),
            attempt,
            message: event.message.clone(),
            turn,
        });
        event.into()
    }

    /// A check failed: what failed before and does not any more is over, and what fails is open. Where
    /// the output may be only a part of what was printed, nothing is over.
    pub(super) fn check_failed(
        &mut self,
        check: &Check,
        tool: &str,
        run: &FailedRun<'_>,
        turn: u64,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let mut found = run.output.found.clone();
        // A run that was stopped by a compiler says nothing of the tests.
        let has_tests = found.iter().any(|one| one.kind == Kind::Test);
        let says = |failure: &Failure| {
            run.is_whole && !found.is_empty() && (has_tests || failure.path().is_some())
        };
        let known = self.known(check, &found);
        let is_over = |failure: &Failure| {
            matches!(&failure.attempt, Attempt::Check(failed) if check.covers(failed))
                && says(failure)
                && !known.contains(&Some(failure.id.clone()))
        };
        let mut events = self.close(is_over, "it is not among what fails now");
        if found.is_empty() {
            found.push(Found {
                kind: Kind::Stop,
                name: String::new(),
                detail: salient(run.content),
            });
        }
        let attempt = Attempt::Check(Box::new(check.clone()));
        for (index, one) in found.iter().enumerate() {
            let id = known.get(index).cloned().flatten();
            if id.is_none() && index >= NAMED {
                continue;
            }
            // What stopped the whole run is one failure, whatever it says.
            let is_it = |failure: &Failure| match &id {
                Some(id) => failure.id == *id,
                None => one.kind == Kind::Stop && failure.attempt == attempt,
            };
            let before = self.open.iter().position(is_it);
            let id = before.map(|index| self.open.remove(index).id);
            let event = ErrorEncountered {
                id: id.unwrap_or_else(|| numbering.next(Item::Error)),
                message: clip(&one.message()),
                tool: Some(tool.to_owned()),
                target: Some(check.name.clone()),
                attempted: Some(Attempted::Run),
            };
            events.push(self.open(attempt.clone(), turn, event));
        }
        events
    }

    /// Of what a run of a check found, which failures are open already: those of the same name, then
    /// those that only moved.
    fn known(&self, check: &Check, found: &[Found]) -> Vec<Option<String>> {
        let mut known: Vec<Option<String>> = vec![None; found.len()];
        let is_of = |failure: &Failure| match &failure.attempt {
            Attempt::Check(failed) => check.kind == failed.kind,
            attempt => *attempt == Attempt::Reported,
        };
        for is_exact in [true, false] {
            for (index, one) in found.iter().enumerate() {
                let is_it = |failure: &&Failure| {
                    is_of(failure)
                        && failure.is_same(one)
                        && (!is_exact || failure.name() == one.name)
                        && !known.contains(&Some(failure.id.clone()))
                };
                if known[index].is_none() {
                    known[index] = self.open.iter().find(is_it).map(|one| one.id.clone());
                }
            }
        }
        known
    }

    /// A check passed: what failed in it is over.
    pub(super) fn check_passed(&mut self, check: &Check) -> Vec<HudEvent> {
        self.close(|failure| failure.is_mended_by(check), "it passes now")
    }

    /// A run named tests that passed, whichever command it was.
    pub(super) fn tests_passed(&mut self, output: &Output) -> Vec<HudEvent> {
        if output.passed.is_empty() {
            return Vec::new();
        }
        let is_over = |failure: &Failure| {
            let is_of_test = match &failure.attempt {
                Attempt::Check(check) => check.kind == check::Kind::Test,
                attempt => *attempt == Attempt::Reported,
            };
            let fails = |one: &Found| one.name == failure.name();
            is_of_test && output.passed.contains(failure.name()) && !output.found.iter().any(fails)
        };
        self.close(is_over, "it passes now")
    }

    /// The user pasted what a run printed.
    pub(super) fn reported(
        &mut self,
        output: &Output,
        turn: u64,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let mut events = Vec::new();
        for one in output.found.iter().take(NAMED) {
            if self.open.iter().any(|failure| failure.is_same(one)) {
                continue;
            }
            let event = ErrorEncountered {
                id: numbering.next(Item::Error),
                message: clip(&one.message()),
                tool: None,
                target: None,
                attempted: Some(Attempted::Run),
            };
            events.push(self.open(Attempt::Reported, turn, event));
        }
        events
    }

    /// The user says in plain words that something does not work.
    pub(super) fn complained(
        &mut self,
        said: String,
        turn: u64,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let words = Words::of(&said);
        let is_known = |failure: &Failure| alike(&Words::of(&failure.message), &words);
        if self.open.iter().any(is_known) {
            return Vec::new();
        }
        let event = ErrorEncountered {
            id: numbering.next(Item::Error),
            message: clip(&said),
            tool: None,
            target: None,
            attempted: Some(Attempted::Run),
        };
        vec![self.open(Attempt::Reported, turn, event)]
    }

    /// What the user said does not work is over with the request that said it.
    pub(super) fn closed_with(&mut self, events: &[Derived], state: &HudState) -> Vec<HudEvent> {
        let closed = |derived: &Derived| match &derived.event {
            HudEvent::Request(RequestEvent::Close(e)) => {
                let mut requests = state.requests.iter();
                requests.find(|request| request.id == e.id)
            }
            _ => None,
        };
        let turns: Vec<u64> = events
            .iter()
            .filter_map(closed)
            .map(|request| request.turn)
            .collect();
        // With another task all that was said of the one before is.
        let is_other = |derived: &Derived| {
            matches!(derived.event, HudEvent::Task(TaskEvent::Set(_))) && state.task.is_some()
        };
        let has_other = events.iter().any(is_other);
        self.close(
            |failure| failure.is_complaint() && (has_other || turns.contains(&failure.turn)),
            "the request that reported it is over",
        )
    }

    /// The agent says that what the user reported is mended, and worked on it since: it changed files, or for
    /// what was said in plain words did anything.
    pub(super) fn said_over(&mut self, text: &str, turn: u64, state: &HudState) -> Vec<HudEvent> {
        let is_reported = |failure: &&Failure| {
            failure.attempt == Attempt::Reported
                && (failure.is_worked_on(state)
                    || (failure.is_complaint() && failure.turn.saturating_add(1) < turn))
        };
        if !self.open.iter().any(|failure| is_reported(&failure)) {
            return Vec::new();
        }
        let said: Vec<_> = prose::read(text)
            .into_iter()
            .flat_map(prose::blocks)
            .filter(|block| !matches!(block.kind, prose::Kind::Code | prose::Kind::Quote))
            .flat_map(|block| prose::sentences(block.text))
            .filter(|sentence| says_mended(&sentence.to_lowercase()))
            .map(parts_of_words)
            .collect();
        // What the user asked for is done, files were changed for it, and no check says otherwise.
        let is_done = words::says_done(text) && state.checks.iter().all(|check| check.passed);
        let is_over = |failure: &Failure| {
            if is_done && failure.is_complaint() && failure.is_worked_on(state) {
                return true;
            }
            let named = parts_of_words(&failure.message);
            let is_named = |said: &Words| {
                let common = said.common(&named);
                match failure.is_complaint() {
                    // It says besides that it fails, and since when.
                    true => common >= named.len().clamp(2, 3) - 1 && common * 3 >= named.len(),
                    false => common >= 2 && common * 2 >= named.len(),
                }
            };
            is_reported(&failure) && said.iter().any(is_named)
        };
        self.close(is_over, "the agent says that it is mended")
    }

    /// A call worked: what failed on the same is over.
    pub(super) fn succeeded(&mut self, action: &Action) -> Vec<HudEvent> {
        let attempt = match action {
            Action::Run { command } => Attempt::Run(command::worked(command)),
            _ => Attempt::of(action),
        };
        self.close(|failure| attempt.mends(&failure.attempt), "it works now")
    }

    /// A turn begins: what failed in passing so many turns ago is over, and so is what was worked on and
    /// was not seen again for long.
    pub(super) fn forget(
        &mut self,
        turn: u64,
        passing_turns: u64,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let passing = |failure: &Failure| {
            failure.passing && failure.turn.saturating_add(passing_turns) <= turn
        };
        let mut events = self.close(passing, "it did not matter any more");
        let is_stale = |failure: &Failure| {
            failure.turn.saturating_add(STALE_TURNS) <= turn && failure.is_worked_on(state)
        };
        events.extend(self.close(is_stale, "files were changed, and it was not seen again"));
        events
    }

    fn close(&mut self, over: impl Fn(&Failure) -> bool, resolution: &str) -> Vec<HudEvent> {
        self.open
            .extract_if(.., |failure| over(failure))
            .map(|failure| {
                HudEvent::from(ErrorResolved {
                    id: failure.id,
                    resolution: Some(resolution.to_owned()),
                })
            })
            .collect()
    }
}

/// A run of a check that failed.
pub(super) struct FailedRun<'r> {
    pub output: &'r Output,
    pub content: &'r str,
    /// Whether nothing of the output was left out.
    pub is_whole: bool,
}

/// Words of a shell about the line that it was given, not about the work.
const SLIPS: &[&str] = &[
    "parse error",
    "syntax error near",
    "command not found",
    "no such file or directory",
    "unexpected eof",
    "exit code 1",
];

fn is_passing(attempt: &Attempt, message: &str) -> bool {
    let message = message.to_lowercase();
    match attempt {
        Attempt::Read(_) | Attempt::Call { .. } => true,
        Attempt::Edit(_) | Attempt::Check(_) | Attempt::Reported => false,
        Attempt::Run(_) => SLIPS.iter().any(|slip| message.contains(slip)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_store::event::{Actor, EventId, SessionId, StoredEvent};
    use hud_store::fold::fold;
    use jiff::Timestamp;

    use super::*;

    fn stored(event: HudEvent) -> StoredEvent {
        StoredEvent {
            seq: 1,
            session: SessionId::new("s").unwrap(),
            version: 1,
            id: EventId::now_v7(),
            turn: 1,
            at: Timestamp::UNIX_EPOCH,
            actor: Actor::Derived,
            cause: None,
            event,
        }
    }

    fn run(command: &str) -> Action {
        Action::Run {
            command: command.to_owned(),
        }
    }

    fn message(content: &str) -> String {
        super::message(&run("make"), content).unwrap()
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure() {
        assert_eq!(
            super::message(&run("grep -rn redis ."), "Exit code 1"),
            None
        );
    }

    #[test]
    fn what_failed_in_passing_is_over_after_as_many_turns_as_are_set() {
        let mut failures = Failures::default();
        let read = Action::read("a");
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(2, 2, &HudState::default()).len(), 0);
        assert_eq!(
            failures
                .forget(u64::MAX, u64::MAX, &HudState::default())
                .len(),
            1
        );
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(3, 2, &HudState::default()).len(), 1);
    }

    #[test]
    fn what_failed_is_mended_after_a_restart_whatever_the_tool_is_called() {
        let read = |path: &str| Action::read(path);
        let look = |target: Option<&str>| Action::Look {
            tool: "Bash".into(),
            target: target.map(Into::into),
        };
        let edit = Action::Delete { path: "a".into() };
        for action in [
            read("a"),
            edit,
            run("deploy"),
            look(Some("make")),
            look(None),
        ] {
            let event =
                Failures::default().failed(&action, "no".into(), 1, &mut Numbering::default());
            let mut failures = Failures::of(&fold(HudState::default(), &stored(event)));
            for other in [read("b"), run("ls"), look(Some("ls"))] {
                assert!(failures.succeeded(&other).is_empty(), "{action:?}");
            }
            assert_eq!(failures.succeeded(&action).len(), 1, "{action:?}");
        }
    }

    #[test]
    fn the_line_that_names_the_place_is_the_message() {
        let go = "Exit code 1\n[test] $ go test ./...\n[test] ERROR task failed\n\n\
                  # pkg\ncmd/setup_test.go:50:21: env.run undefined\nFAIL\tpkg [build failed]";
        assert_eq!(message(go), "cmd/setup_test.go:50:21: env.run undefined");
        let rust = "running 1 test\nthread 'a' panicked at src/a.rs:1:2:\nno redis\nnote: run";
        assert_eq!(
            message(rust),
            "thread 'a' panicked at src/a.rs:1:2: no redis"
        );
        assert_eq!(message("Exit code 1"), "exit code 1");
        assert_eq!(
            message("<tool_use_error>File does not exist.</tool_use_error>"),
            "File does not exist."
        );
        assert_eq!(message(""), "failed without a message");
    }
}
