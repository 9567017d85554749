//! `hud distill`: asks a model which statements of the user and the agent matter, and records those that they
//! did make.
//!
//! Nothing calls it automatically. It is a separate process, which holds no lock on the log while it waits for
//! the model.

mod ask;
mod given;
mod kept;
mod reports;

use std::ops::ControlFlow;
use std::path::Path;

use hud_agent::distill::{
    Batch, Budget, Conversation, OverBudget, Past, Proposal, Recorded, Refused, Reply, Tokens,
    events, question, verify,
};
use hud_agent::settings;
use hud_clients::transcript::Transcript;
use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{Log as _, LogError, append_with, state_of};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use serde_json::Value;

use self::ask::Asking;
use self::given::{endpoint, prices, settings_of};
use self::kept::Kept;
use crate::app::App;
use crate::args::Distill;
use crate::endpoint::{Endpoint, Transport as _};
use crate::location::Location;
use crate::log::summary;
use crate::output::{self, Failure, Output, count};
use crate::own;
use crate::passed_over;

pub(crate) fn run(args: &Distill, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let settings = settings_of(args, &setup.settings.distill)?;
    let endpoint = endpoint(args, &settings)?;
    let session = match &args.session {
        Some(session) => session.clone(),
        None => SessionId::new(Transcript::session_name(&args.file)?).map_err(|error| {
            Failure::Other(format!(
                "the name of the session in {} {error}: say with --session which one it is in the log",
                args.file.display()
            ))
        })?,
    };
    let mut conversation = Conversation::new();
    match args.reports {
        true => reports::read(&args.file, &mut |entry| conversation.take(entry))?,
        false => {
            let read = Transcript::open(&args.file)?.read(&mut |entry| {
                conversation.take(&entry);
                Ok::<(), Failure>(())
            })?;
            passed_over::note(&args.file, &read);
        }
    }
    let location = args.db.location(app)?;
    let mut run = Run {
        kept: Kept::of(&location),
        location,
        session,
        conversation: &conversation,
        derive: &setup.settings.derive,
        settings: &settings,
        endpoint: &endpoint,
        budget: Budget {
            tokens: settings.max_tokens,
            money: prices(&settings)
                .filter(|_| settings.budget > 0.0)
                .map(|prices| (settings.budget, prices)),
            spent: Tokens::default(),
        },
        output: Output::new(),
        figures: Figures::default(),
    };
    let outcome = match args.dry_run {
        true => run.show(args.all),
        false => run.ask_all(args.all),
    };
    run.output.flush()?;
    outcome
}

/// The figures of a run.
#[derive(Default)]
struct Figures {
    asked: u64,
    known: u64,
    events: u64,
    refused: u64,
    /// True if the endpoint did not report the tokens of at least one answer.
    is_guess: bool,
}

/// A run of the command.
struct Run<'r> {
    location: Location,
    kept: Kept,
    session: SessionId,
    conversation: &'r Conversation,
    derive: &'r settings::Derive,
    settings: &'r settings::Distill,
    endpoint: &'r Endpoint,
    budget: Budget,
    output: Output,
    figures: Figures,
}

impl<'r> Run<'r> {
    /// The batches to ask about, and the index of the first message in them.
    fn batches(&self, all: bool) -> (usize, Vec<Batch<'r>>) {
        let from = match all {
            true => 0,
            false => self.kept.read(&self.session, self.conversation),
        };
        let (most, model) = (self.settings.batch, &self.settings.model);
        (from, self.conversation.batches(from, most, model))
    }

    /// The largest number of tokens that a request may use.
    fn most(&self, question: &str) -> Tokens {
        Tokens {
            input: Tokens::estimated(question, &self.settings.model),
            output: self.settings.max_answer,
        }
    }

    /// The price of tokens for people, after a word on its certainty; empty if the price is not known.
    fn priced(&self, word: &str, tokens: Tokens) -> String {
        match prices(self.settings) {
            Some(prices) => format!(", {word}${:.4}", prices.cost(tokens)),
            None => String::new(),
        }
    }

    /// Shows the requests that would be sent, and the events that would be recorded for the known answers.
    fn show(&mut self, all: bool) -> Result<(), Failure> {
        let (state, past) = self.known()?;
        let (_, batches) = self.batches(all);
        let number = batches.len();
        let mut proposals = Vec::new();
        for (nth, batch) in (1..).zip(batches) {
            let question = question(batch);
            let most = self.most(&question);
            let about = format!("request {nth} of {number}: {}", turns(batch));
            if let Some(answer) = self.kept.answer(&self.settings.model, &question) {
                let (proposed, refused) = read(answer, batch);
                proposals.extend(proposed);
                self.output.divider(&format!("{about}: answered before"))?;
                self.refuse(refused);
                continue;
            }
            self.output.divider(&format!(
                "{about}, about {} tokens and at most {} back{}, to {} at {}",
                most.input,
                most.output,
                self.priced("at most ", most),
                self.settings.model,
                self.endpoint.place()
            ))?;
            self.output.text(&question)?;
        }
        let recorded = self.recordable(&proposals, &state, &past);
        self.output.divider(&format!(
            "of the answers that are known, {} would be recorded",
            count(recorded.len() as u64, "event")
        ))?;
        for recorded in &recorded {
            self.output.text(&said(recorded)?)?;
        }
        output::note("nothing was sent, and nothing was recorded");
        Ok(())
    }

    /// Asks about the conversation, and records the events that follow.
    fn ask_all(&mut self, all: bool) -> Result<(), Failure> {
        // A missing session and a log that can't be written are detected before anything is paid for.
        self.known()?;
        drop(self.location.write(Durability::Full)?);
        let (from, batches) = self.batches(all);
        if batches.is_empty() {
            output::note("nothing was said since the last time");
            return Ok(());
        }
        self.announce(&batches);
        let endpoint = self.endpoint;
        let mut asking = Asking::new(endpoint, &self.settings.model, self.settings.max_answer);
        let mut read = from;
        let mut outcome = Ok(());
        for batch in batches {
            if let Err(failure) = self.take(batch, &mut asking) {
                outcome = Err(failure);
                break;
            }
            read += batch.messages.len();
            self.kept.set_read(&self.session, self.conversation, read);
            self.save();
        }
        self.report();
        let left = self.conversation.messages().len() - read;
        match outcome {
            // The batches up to here are recorded, and the rest is for the next run.
            Err(Stop::Over(over)) if self.figures.asked > 0 => {
                output::note(format_args!(
                    "{over}: {} left for the next run",
                    match left {
                        1 => "1 message is".to_owned(),
                        left => format!("{left} messages are"),
                    }
                ));
                Ok(())
            }
            Err(Stop::Over(over)) => Err(Failure::Other(format!("nothing was sent: {over}"))),
            Err(Stop::Failure(failure)) => Err(failure),
            Ok(()) => Ok(()),
        }
    }

    /// Reports what is about to be sent.
    fn announce(&self, batches: &[Batch<'_>]) {
        let mut most = Tokens::default();
        let mut number = 0;
        for batch in batches {
            let question = question(*batch);
            if self.kept.answer(&self.settings.model, &question).is_none() {
                most = most.and(self.most(&question));
                number += 1;
            }
        }
        if number > 0 {
            output::note(format_args!(
                "asking {} at {}: {}, about {} tokens and at most {} back{}",
                self.settings.model,
                self.endpoint.place(),
                count(number, "request"),
                most.input,
                most.output,
                self.priced("at most ", most)
            ));
        }
    }

    /// Asks about one batch, unless the answer is known, and records the events that follow.
    fn take(&mut self, batch: Batch<'_>, asking: &mut Asking<'_>) -> Result<(), Stop> {
        let question = question(batch);
        let answer = match self.kept.answer(&self.settings.model, &question) {
            Some(answer) => {
                self.figures.known += 1;
                answer.to_owned()
            }
            None => {
                let most = self.most(&question);
                self.budget.allows(most).map_err(Stop::Over)?;
                self.figures.asked += 1;
                let (budget, figures) = (&mut self.budget, &mut self.figures);
                let mut spend = |counted: Option<Tokens>| {
                    budget.spent = budget.spent.and(counted.unwrap_or(most));
                    figures.is_guess |= counted.is_none();
                };
                let answer = asking
                    .ask(&question, &mut spend)
                    .map_err(|error| Stop::Failure(Failure::Other(error.to_string())))?;
                self.kept.keep(&self.settings.model, &question, &answer);
                self.save();
                answer
            }
        };
        let (proposals, refused) = read(&answer, batch);
        self.refuse(refused);
        Ok(self.record(&proposals)?)
    }

    /// Saves the answers and the number of messages that were read. If that fails, the events are recorded all
    /// the same.
    fn save(&mut self) {
        if let Err(error) = self.kept.save(&self.location) {
            output::warning(format_args!("what the model answered is not kept: {error}"));
        }
    }

    /// Appends the events that follow from proposals. They are determined again if another process appended
    /// events first.
    fn record(&mut self, proposals: &[Proposal]) -> Result<(), Failure> {
        let mut log = self.location.write(Durability::Full)?;
        let past = past(&log, &self.session)?;
        let mut recorded = Vec::new();
        append_with(&mut log, &self.session, |state| {
            recorded = self.recordable(proposals, state, &past);
            let events = recorded.iter().map(|recorded| {
                NewEvent::now(recorded.turn, Actor::Distilled, recorded.event.clone())
            });
            Ok::<_, LogError>(events.collect())
        })?;
        for recorded in &recorded {
            self.output.text(&said(recorded)?)?;
        }
        self.figures.events += recorded.len() as u64;
        // The model may take a while for the next batches.
        Ok(self.output.flush()?)
    }

    /// The events that follow from proposals and that the settings allow to record.
    fn recordable(&self, proposals: &[Proposal], state: &HudState, past: &Past) -> Vec<Recorded> {
        let mut recorded = events(proposals, &self.session, state, past);
        recorded.retain(|recorded| self.derive.records(&recorded.event));
        recorded
    }

    /// The state of the session, and its past.
    fn known(&self) -> Result<(HudState, Past), Failure> {
        let log = self.location.read()?;
        let state = state_of(&log, &self.session)?;
        if state.version == 0 {
            return Err(Failure::Other(format!(
                "{} has no session {}: name the one that it is with --session (see `{}`), or replay the \
                 recording first with `{}`",
                self.location.log().display(),
                self.session,
                own::command("sessions"),
                own::command("replay FILE --db LOG"),
            )));
        }
        let past = past(&log, &self.session)?;
        Ok((state, past))
    }

    /// Reports the items that were refused.
    fn refuse(&mut self, refused: Vec<Refused>) {
        for Refused { item, why } in refused {
            self.figures.refused += 1;
            output::warning(format_args!("not recorded: {item}: {why}"));
        }
    }

    /// Reports the figures and the cost of the run.
    fn report(&self) {
        let Figures {
            asked,
            known,
            events,
            refused,
            is_guess,
        } = self.figures;
        let spent = self.budget.spent;
        let mut said = format!(
            "{} recorded, {} refused; {} sent, {} answered before",
            count(events, "event"),
            count(refused, "item"),
            count(asked, "request"),
            known
        );
        if spent.total() > 0 {
            let word = if is_guess { "at most " } else { "" };
            said += &format!(
                "; {word}{} tokens in, {} out{}",
                spent.input,
                spent.output,
                self.priced(word, spent)
            );
        }
        output::note(said);
    }
}

/// The reason why a run ends early.
enum Stop {
    Over(OverBudget),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// The items of an answer that the batch confirms, and the refused items.
fn read(answer: &str, batch: Batch<'_>) -> (Vec<Proposal>, Vec<Refused>) {
    let reply = Reply {
        content: answer.to_owned(),
        is_cut: false,
        usage: None,
    };
    // An answer is kept only if its items can be parsed.
    verify(reply.items().unwrap_or_default(), batch)
}

/// The past of a session, from its events.
fn past(log: &SqliteLog, session: &SessionId) -> Result<Past, LogError> {
    let mut past = Past::new();
    log.read(session, 1, &mut |event| {
        past.take(&event);
        ControlFlow::Continue(())
    })?;
    Ok(past)
}

/// The messages and turns of a batch, for people.
fn turns(batch: Batch<'_>) -> String {
    let messages = count(batch.messages.len() as u64, "message");
    match (batch.messages.first(), batch.messages.last()) {
        (Some(first), Some(last)) => format!("{messages}, turns {} to {}", first.turn, last.turn),
        _ => messages,
    }
}

/// An event on one line.
fn said(recorded: &Recorded) -> Result<String, Failure> {
    let encoded = recorded
        .event
        .encode()
        .map_err(|error| Failure::Other(error.to_string()))?;
    let payload: Value = serde_json::from_str(&encoded.payload).map_err(std::io::Error::from)?;
    Ok(format!(
        "turn {:<4} {:<18} {}",
        recorded.turn,
        encoded.kind,
        summary(&payload)
    ))
}
