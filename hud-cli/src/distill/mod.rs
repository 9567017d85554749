//! `hud distill`: a model is asked what user and agent said that matters, and what they did say is recorded.
//!
//! Nothing calls it by itself. It is a process of its own, which holds no lock on the log while it waits
//! for the model.

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

/// What a run did.
#[derive(Default)]
struct Figures {
    asked: u64,
    known: u64,
    events: u64,
    refused: u64,
    /// Whether what was used was not counted by the endpoint at least once.
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
    /// What is to be asked about, and the message that it begins with.
    fn batches(&self, all: bool) -> (usize, Vec<Batch<'r>>) {
        let from = match all {
            true => 0,
            false => self.kept.read(&self.session, self.conversation),
        };
        let (most, model) = (self.settings.batch, &self.settings.model);
        (from, self.conversation.batches(from, most, model))
    }

    /// What a request may use at most.
    fn most(&self, question: &str) -> Tokens {
        Tokens {
            input: Tokens::estimated(question, &self.settings.model),
            output: self.settings.max_answer,
        }
    }

    /// What tokens cost, for people, if that is known: behind a word for how sure that is.
    fn priced(&self, word: &str, tokens: Tokens) -> String {
        match prices(self.settings) {
            Some(prices) => format!(", {word}${:.4}", prices.cost(tokens)),
            None => String::new(),
        }
    }

    /// Shows what would be sent, and what would be recorded of the answers that are known.
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

    /// Asks about what was said, and records what follows.
    fn ask_all(&mut self, all: bool) -> Result<(), Failure> {
        // A session that is not there, and a log that can't be written, are found out before anything is
        // paid for.
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
            // What was asked about by now is recorded, and the rest is for the next run.
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

    /// Says what is about to be sent.
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

    /// Asks about one batch, unless the answer is known, and records what follows.
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

    /// Keeps what was answered and how far was read. Where that does not work, what was paid for is
    /// recorded all the same.
    fn save(&mut self) {
        if let Err(error) = self.kept.save(&self.location) {
            output::warning(format_args!("what the model answered is not kept: {error}"));
        }
    }

    /// Appends what follows from proposals, decided anew where others were quicker.
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
        // The model may take its time for the next ones.
        Ok(self.output.flush()?)
    }

    /// What follows from proposals and may be recorded.
    fn recordable(&self, proposals: &[Proposal], state: &HudState, past: &Past) -> Vec<Recorded> {
        let mut recorded = events(proposals, &self.session, state, past);
        recorded.retain(|recorded| self.derive.records(&recorded.event));
        recorded
    }

    /// The session as it is, and its past.
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

    /// Reports what is not believed.
    fn refuse(&mut self, refused: Vec<Refused>) {
        for Refused { item, why } in refused {
            self.figures.refused += 1;
            output::warning(format_args!("not recorded: {item}: {why}"));
        }
    }

    /// Says what was done, and what it cost.
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

/// Why a run ends early.
enum Stop {
    Over(OverBudget),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// The items of an answer that were said, and those that were not.
fn read(answer: &str, batch: Batch<'_>) -> (Vec<Proposal>, Vec<Refused>) {
    let reply = Reply {
        content: answer.to_owned(),
        is_cut: false,
        usage: None,
    };
    // An answer is kept only if it has items.
    verify(reply.items().unwrap_or_default(), batch)
}

/// What the events of a session say of its past.
fn past(log: &SqliteLog, session: &SessionId) -> Result<Past, LogError> {
    let mut past = Past::new();
    log.read(session, 1, &mut |event| {
        past.take(&event);
        ControlFlow::Continue(())
    })?;
    Ok(past)
}

/// The turns that a batch is of, for people.
fn turns(batch: Batch<'_>) -> String {
    let messages = count(batch.messages.len() as u64, "message");
    match (batch.messages.first(), batch.messages.last()) {
        (Some(first), Some(last)) => format!("{messages}, turns {} to {}", first.turn, last.turn),
        _ => messages,
    }
}

/// An event on a line.
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
