//! `hud rooms run`: heartbeat by heartbeat, until somebody or something says stop.
//!
//! One thread decides and writes; others wait for models. What an agent answered is in the log before it is
//! asked again, so a run that ends, however it does, goes on with the next one where it was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use hud_agent::distill::{Budget, Prices, Tokens};
use hud_rooms::log::FileLog;
use hud_rooms::own::HudFigures;
use hud_rooms::{Rooms, schedule};
use jiff::Timestamp;

use super::args::Run;
use super::chat::{self, Chat, Question};
use crate::app::App;
use crate::endpoint::{AskError, Endpoint, EndpointError, Key};
use crate::output::{self, Failure, count};

/// How long nothing is looked at while there is nothing to do.
const PAUSE: Duration = Duration::from_millis(50);

/// After so many failures one after the other, the endpoint is taken to be of no use.
const FAILURES: u32 = 5;

/// An agent that a model is asked for.
struct Asked {
    agent: u64,
    figures: HudFigures,
    most: Tokens,
}

/// What became of it.
struct Answered {
    asked: Asked,
    outcome: Result<Chat, AskError>,
}

pub(super) fn run(args: &Run, app: &App) -> Result<(), Failure> {
    let variable = args.key_env.as_deref().unwrap_or("OPENAI_API_KEY");
    let endpoint = Key::read(variable, args.key_env.is_some()).and_then(|key| {
        Endpoint::new(
            &args.endpoint,
            key,
            Duration::from_secs(args.timeout),
            args.insecure,
        )
    });
    let endpoint = endpoint.map_err(|error| Failure::Other(error.to_string()))?;
    let rooms = super::open(&args.place, app)?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || stopped.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::Other(format!("can't listen for Ctrl-C: {error}")))?;
    let prices = args.price_in.zip(args.price_out);
    let prices = prices.map(|(input, output)| Prices { input, output });
    let (sender, receiver) = mpsc::channel();
    let running = Running {
        args,
        endpoint: &endpoint,
        budget: Budget {
            tokens: args.max_tokens,
            money: args.budget.zip(prices),
            spent: Tokens::default(),
        },
        reserved: Tokens::default(),
        rooms,
        last: BTreeMap::new(),
        waiting: BTreeSet::new(),
        begun: 0,
        figures: Figures::default(),
        now: args.place.now(),
        clock: args.place.now.map(|at| (at, Instant::now())),
        failures: 0,
        sender,
        receiver,
        stop: &stop,
    };
    std::thread::scope(|scope| running.all(scope))
}

/// What a run did.
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
    /// What those may use that are being asked.
    reserved: Tokens,
    rooms: Rooms<FileLog>,
    /// The last HUD of each agent.
    last: BTreeMap<u64, String>,
    waiting: BTreeSet<u64>,
    begun: u64,
    figures: Figures,
    /// The time of the world, if that is not the clock's.
    now: Timestamp,
    /// The time that was given, and since when it goes on.
    clock: Option<(Timestamp, Instant)>,
    failures: u32,
    sender: Sender<Answered>,
    receiver: Receiver<Answered>,
    stop: &'r AtomicBool,
}

impl<'r> Running<'r> {
    fn all<'s>(mut self, scope: &'s std::thread::Scope<'s, 'r>) -> Result<(), Failure>
    where
        'r: 's,
    {
        let began = Instant::now();
        let limit = self
            .args
            .minutes
            .map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
        let mut why = None;
        let mut outcome = Ok(());
        loop {
            if why.is_none() && self.stop.load(Ordering::Relaxed) {
                why = Some("stopped".to_owned());
            }
            if why.is_none() && limit.is_some_and(|limit| began.elapsed() >= limit) {
                why = Some("the time is over".to_owned());
            }
            if why.is_none() {
                match self.ask(scope) {
                    Ok(None) => {}
                    Ok(Some(end)) => why = Some(end),
                    Err(failure) => {
                        outcome = Err(failure);
                        why = Some("failed".to_owned());
                    }
                }
            }
            // Whoever was asked is heard, even at the end.
            if why.is_some() && self.waiting.is_empty() {
                break;
            }
            match self.receiver.recv_timeout(PAUSE) {
                Ok(answered) => {
                    if let Err(failure) = self.take(answered) {
                        outcome = Err(failure);
                        why = Some("failed".to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.report(&why.unwrap_or_default());
        outcome
    }

    /// Asks for the agents whose heartbeats are due. Gives why no more are to be asked for, if so.
    fn ask<'s>(&mut self, scope: &'s std::thread::Scope<'s, 'r>) -> Result<Option<String>, Failure>
    where
        'r: 's,
    {
        self.rooms.refresh()?;
        if self.rooms.next().is_none() {
            return Ok(Some("there are no agents".to_owned()));
        }
        if let Some((at, since)) = self.clock.filter(|_| !self.args.virtual_time) {
            self.now = at.checked_add(since.elapsed()).unwrap_or(at);
        } else if !self.args.virtual_time {
            self.now = Timestamp::now();
        } else if let Some(beat) = self.rooms.next().filter(|_| self.waiting.is_empty()) {
            self.now = self.now.max(beat.at);
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
                // Where nobody listens any more, nobody misses it.
                let _ = sender.send(Answered { asked, outcome });
            });
        }
        Ok(None)
    }

    /// Takes in what a model answered.
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
        if !self.args.virtual_time && self.clock.is_none() {
            self.now = Timestamp::now();
        }
        self.figures.heartbeats += 1;
        // Somebody retired it while the model wrote.
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
                // It may have written something that costs.
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

/// What two texts begin with.
fn common<'t>(one: &str, other: &'t str) -> &'t str {
    let mut end = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    while !other.is_char_boundary(end) {
        end -= 1;
    }
    other.get(..end).unwrap_or_default()
}
