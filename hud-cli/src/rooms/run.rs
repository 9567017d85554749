//! `hud rooms run`: runs the heartbeats of agents until a person or a limit stops the run.
//!
//! One thread decides and writes, and other threads wait for models. The answer of an agent is in the log
//! before the agent is asked again. The next run therefore continues from there, however this run ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

use hud_agent::distill::{Budget, Prices, Tokens};
use hud_rooms::own::HudFigures;
use hud_rooms::{Rooms, RoomsError, schedule};
use hud_store::text::beginning;
use jiff::Timestamp;

use super::args::Run;
use super::chat::{self, Chat, Question};
use super::masked::MaskedLog;
use super::person::{self, Order, Person, Typed};
use crate::app::App;
use crate::args::Terms;
use crate::endpoint::{AskError, Endpoint, EndpointError, Key};
use crate::output::{self, Failure, Output, count};

/// The time to wait if there is nothing to do.
const PAUSE: Duration = Duration::from_millis(50);

/// The number of consecutive failures after which the endpoint counts as unusable.
const FAILURES: u32 = 5;

/// An agent whose model is asked.
struct Asked {
    agent: u64,
    figures: HudFigures,
    most: Tokens,
}

/// The outcome for an agent.
struct Answered {
    asked: Asked,
    outcome: Result<Chat, AskError>,
}

/// A message to a run.
enum Heard {
    Answered(Answered),
    Typed(Typed),
}

/// The number of messages to a run that can wait to be read.
const KEPT: usize = 64;

pub(super) fn run(args: &Run, app: &App) -> Result<(), Failure> {
    let Terms {
        key_env,
        budget,
        price_in,
        price_out,
        ..
    } = &args.terms;
    let variable = key_env.as_deref().unwrap_or("OPENAI_API_KEY");
    let key = Key::read(variable, key_env.is_some());
    let endpoint = Endpoint::on(&args.terms, &args.endpoint, key)?;
    let prices = price_in.zip(*price_out);
    let prices = prices.map(|(input, output)| Prices { input, output });
    if budget.is_some() && prices.is_none() {
        return Err(Failure::Other(
            "--budget needs --price-in and --price-out, in dollars for a million tokens".to_owned(),
        ));
    }
    let rooms = super::open(&args.place, app)?.with_hud_tokens(args.size.hud_tokens);
    let given = args.place.now();
    let now = rooms.world().at(given);
    if now > given {
        output::note(format_args!(
            "the world's time is {now}, later than the clock's: it goes on from there"
        ));
    }
    let person = match args.room {
        None => None,
        Some(room) => {
            let room = rooms.world().known_room(room).map_err(RoomsError::from)?;
            Some(Person::in_room(room.id, rooms.world(), now))
        }
    };
    let (sender, receiver) = mpsc::sync_channel(KEPT);
    if person.is_some() {
        let sender = sender.clone();
        // The thread blocks until a line is typed, so it is never joined.
        std::thread::spawn(move || {
            person::listen(std::io::stdin().lock(), |typed| {
                sender.send(Heard::Typed(typed)).is_ok()
            });
        });
    }
    let stop = stopped_by_signals()?;
    let running = Running {
        args,
        endpoint: &endpoint,
        budget: Budget {
            tokens: args.max_tokens,
            money: budget.zip(prices),
            spent: Tokens::default(),
        },
        reserved: Tokens::default(),
        rooms,
        last: BTreeMap::new(),
        waiting: BTreeSet::new(),
        begun: 0,
        figures: Figures::default(),
        began: Instant::now(),
        start: now,
        now,
        failures: 0,
        person,
        output: Output::new(),
        sender,
        receiver,
        stop: &stop,
    };
    std::thread::scope(|scope| running.all(scope))
}

/// Returns a flag that a signal sets to end the run. A second signal ends the process without waiting for answers.
fn stopped_by_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if stopped.swap(true, Ordering::Relaxed) {
            // Each decision is completely in the log or not at all, and missing answers are requested again.
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::Other(format!("can't listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// The numbers of a run.
#[derive(Default)]
struct Figures {
    heartbeats: u64,
    messages: u64,
    actions: u64,
    refused: u64,
    failed: u64,
}

struct Running<'r> {
    args: &'r Run,
    endpoint: &'r Endpoint,
    budget: Budget,
    /// The maximum tokens of the questions that have no answer yet.
    reserved: Tokens,
    rooms: Rooms<MaskedLog>,
    /// The last HUD of each agent.
    last: BTreeMap<u64, String>,
    waiting: BTreeSet<u64>,
    begun: u64,
    figures: Figures,
    /// The time at which the run began.
    began: Instant,
    /// The time of the world at that moment.
    start: Timestamp,
    /// The time of the world.
    now: Timestamp,
    failures: u32,
    person: Option<Person>,
    output: Output,
    sender: SyncSender<Heard>,
    receiver: Receiver<Heard>,
    stop: &'r AtomicBool,
}

impl<'r> Running<'r> {
    fn all<'s>(mut self, scope: &'s std::thread::Scope<'s, 'r>) -> Result<(), Failure>
    where
        'r: 's,
    {
        let mut why: Option<String> = None;
        let mut outcome = Ok(());
        // Answers to earlier questions are still awaited at the end.
        while why.is_none() || !self.waiting.is_empty() {
            match self.turn(scope, why.is_some()) {
                Ok(None) => {}
                Ok(end) => why = end,
                Err(failure) => {
                    outcome = Err(failure);
                    why = Some("failed".to_owned());
                }
            }
        }
        self.report(&why.unwrap_or_default());
        outcome
    }

    /// Asks the agents that are due, and waits a moment for a message. Returns the reason if the run ends now.
    fn turn<'s>(
        &mut self,
        scope: &'s std::thread::Scope<'s, 'r>,
        is_over: bool,
    ) -> Result<Option<String>, Failure>
    where
        'r: 's,
    {
        if !is_over {
            self.tick();
            let end = match self.over() {
                None => self.ask(scope)?,
                end => end,
            };
            if end.is_some() {
                return Ok(end);
            }
        }
        let end = match self.receiver.recv_timeout(PAUSE) {
            Ok(Heard::Answered(answered)) => {
                self.take(answered)?;
                None
            }
            // Lines that are typed after the end are ignored.
            Ok(Heard::Typed(typed)) if !is_over => self.typed(typed)?,
            Ok(Heard::Typed(_)) | Err(_) => None,
        };
        self.look()?;
        Ok(end)
    }

    /// Advances the time of the world with the clock, or to the next heartbeat.
    fn tick(&mut self) {
        let next = match self.args.virtual_time {
            true => self
                .rooms
                .next()
                .filter(|_| self.waiting.is_empty())
                .map(|beat| beat.at),
            false => {
                let since = self.start.checked_add(self.began.elapsed()).ok();
                // The system clock also counts the time in which the machine slept.
                let clock = self.args.place.now.is_none().then(Timestamp::now);
                since.max(clock)
            }
        };
        self.now = next.map_or(self.now, |next| self.now.max(next));
    }

    /// Returns the reason for the end of the run, if it has ended.
    fn over(&self) -> Option<String> {
        if self.stop.load(Ordering::Relaxed) {
            if !self.waiting.is_empty() {
                let asked = count(self.waiting.len() as u64, "agent");
                output::note(format_args!(
                    "{asked} still to answer; Ctrl-C again ends without them"
                ));
            }
            return Some("stopped".to_owned());
        }
        let limit = self.args.minutes?;
        (self.began.elapsed() >= limit).then(|| "the time is over".to_owned())
    }

    /// Carries out the input of a person. Returns the reason if the run ends.
    fn typed(&mut self, typed: Typed) -> Result<Option<String>, Failure> {
        let Some(person) = &mut self.person else {
            return Ok(None);
        };
        let line = match typed {
            Typed::Line(line) => line,
            Typed::TooLong => {
                output::warning("that line is too long and was not said: make it shorter");
                return Ok(None);
            }
            // Another limit may end the run later, for example if the lines come from a file.
            Typed::End => {
                let has_end = self.args.heartbeats.is_some() || self.args.minutes.is_some();
                return Ok((!has_end).then(|| "the input has ended".to_owned()));
            }
        };
        match person::order(&line) {
            Order::Say(text) => match self.rooms.say(person.room(), text, self.now) {
                Err(RoomsError::Refused(refusal)) => {
                    output::warning(format_args!("not said: {}", refusal.said));
                }
                said => drop(said?),
            },
            Order::Room(room) => {
                let world = self.rooms.refresh()?;
                match world.known_room(room) {
                    Ok(room) => *person = Person::in_room(room.id, world, self.now),
                    Err(refusal) => output::warning(refusal.said),
                }
            }
            Order::Unknown(line) => output::warning(format_args!(
                "`{line}` is no order: write `/room 2` to go to room 2, or a space before it to say it"
            )),
        }
        Ok(None)
    }

    /// Shows the new messages to the person.
    fn look(&mut self) -> Result<(), Failure> {
        if let Some(person) = &mut self.person {
            person.look(self.rooms.world(), self.now, &mut self.output)?;
        }
        Ok(())
    }

    /// Asks the agents whose heartbeats are due. Returns the reason if no more agents are asked.
    fn ask<'s>(&mut self, scope: &'s std::thread::Scope<'s, 'r>) -> Result<Option<String>, Failure>
    where
        'r: 's,
    {
        self.rooms.refresh()?;
        if self.rooms.next().is_none() {
            return Ok(Some("there are no agents".to_owned()));
        }
        for beat in schedule::due(self.rooms.world(), self.now) {
            if self.args.heartbeats.is_some_and(|most| self.begun >= most) {
                return Ok(Some(format!("{} are over", count(self.begun, "heartbeat"))));
            }
            if self.waiting.len() >= usize::from(self.args.parallel) {
                break;
            }
            if self.waiting.contains(&beat.agent) {
                continue;
            }
            let hud = self.rooms.hud(beat.agent, None, self.now)?;
            let most = Tokens {
                input: hud.tokens,
                output: self.args.max_answer,
            };
            if let Err(over) = self.budget.allows(self.reserved.and(most)) {
                return Ok(Some(over.to_string()));
            }
            let before = self.last.get(&beat.agent).map_or("", String::as_str);
            let same = common(before, &hud.text);
            let figures = HudFigures {
                format: hud.format,
                tokens: hud.by_format,
                prefix: u64::from(self.rooms.counter().tokens(same)),
            };
            let model = self
                .rooms
                .world()
                .agent(beat.agent)
                .map(|agent| agent.model.clone());
            let question = Question {
                model: model.unwrap_or_default(),
                hud: hud.text.clone(),
                most: self.args.max_answer,
            };
            self.last.insert(beat.agent, hud.text);
            self.waiting.insert(beat.agent);
            self.reserved = self.reserved.and(most);
            self.begun += 1;
            let asked = Asked {
                agent: beat.agent,
                figures,
                most,
            };
            let (sender, endpoint) = (self.sender.clone(), self.endpoint);
            scope.spawn(move || {
                let outcome = chat::ask(endpoint, &question);
                // If the receiver was dropped, the answer is not needed.
                let _ = sender.send(Heard::Answered(Answered { asked, outcome }));
            });
        }
        Ok(None)
    }

    /// Records the answer of a model.
    fn take(&mut self, answered: Answered) -> Result<(), Failure> {
        let Answered { asked, outcome } = answered;
        let Asked {
            agent,
            figures,
            most,
        } = asked;
        self.waiting.remove(&agent);
        self.reserved = Tokens {
            input: self.reserved.input.saturating_sub(most.input),
            output: self.reserved.output.saturating_sub(most.output),
        };
        if !self.args.virtual_time {
            self.tick();
        }
        self.figures.heartbeats += 1;
        // The agent may have been retired while the model wrote.
        self.rooms.refresh()?;
        let is_there = self.rooms.world().agent(agent).is_some();
        match outcome {
            Ok(Chat { content, usage }) => {
                self.failures = 0;
                self.budget.spent = self.budget.spent.and(usage.unwrap_or(most));
                if is_there {
                    let answer = self
                        .rooms
                        .respond(agent, &content, Some(figures), self.now)?;
                    self.figures.messages += answer.sent.len() as u64;
                    self.figures.actions += answer.accepted.len() as u64;
                    self.figures.refused += answer.refused.len() as u64;
                }
                Ok(())
            }
            Err(error) => {
                // The model may have written tokens that cost money.
                if matches!(
                    error,
                    AskError::Endpoint(EndpointError::Late { .. } | EndpointError::Huge { .. })
                ) {
                    self.budget.spent = self.budget.spent.and(most);
                }
                self.figures.failed += 1;
                self.failures += 1;
                output::warning(format_args!("agent {agent} got no answer: {error}"));
                if is_there {
                    self.rooms.skip(agent, self.now)?;
                }
                let is_final = matches!(error, AskError::Key { .. } | AskError::Redirect { .. });
                match is_final || self.failures >= FAILURES {
                    true => Err(Failure::Other(format!(
                        "the endpoint is of no use: {error}"
                    ))),
                    false => Ok(()),
                }
            }
        }
    }

    fn report(&self, why: &str) {
        let Figures {
            heartbeats,
            messages,
            actions,
            refused,
            failed,
        } = self.figures;
        let spent = self.budget.spent;
        output::note(format_args!(
            "{why}: {}, {}, {}, {refused} refused, {failed} without an answer; {} tokens in, {} out",
            count(heartbeats, "heartbeat"),
            count(messages, "message"),
            count(actions, "action"),
            spent.input,
            spent.output
        ));
    }
}

/// Returns the common beginning of two texts.
fn common<'t>(one: &str, other: &'t str) -> &'t str {
    let same = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other);
    beginning(other, same.count())
}
