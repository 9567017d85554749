//! Reports the prompt cache use of a log's sessions, as counted by their providers.

use std::ops::ControlFlow;

use hud_agent::cost::Profile;
use hud_components::text::line;
use hud_store::event::{CallTokens, ContextEvent, HudEvent, SessionId};
use hud_store::log::Log;
use jiff::Timestamp;
use serde::Serialize;

use super::percent;
use crate::app::App;
use crate::args;
use crate::log::time;
use crate::opened::Opened;
use crate::output::{Failure, Output, count};

/// The maximum number of cells of a session's chart.
const CELLS: usize = 32;

/// The maximum number of characters of a name in the output.
const NAME: usize = 300;

/// The characters of a chart's cells, by the share that was read from the cache.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

pub(super) fn run(db: &args::Db, args: &args::Cost, app: &App) -> Result<(), Failure> {
    let setup = app.setup(std::path::Path::new("."))?;
    let Opened { log, place } = db.open(app)?;
    let found = match &args.session {
        Some(wanted) => log.session(wanted)?.into_iter().collect(),
        None => log.sessions()?,
    };
    if let (Some(wanted), true) = (&args.session, found.is_empty()) {
        return Err(Failure::Other(format!(
            "{place} has no session {wanted}: `hud sessions` lists them"
        )));
    }
    let mut output = Output::new();
    let mut is_empty = true;
    for info in found {
        let session = Session::of(&*log, info.id, &setup.settings.profiles)?;
        if session.calls.is_empty() {
            continue;
        }
        is_empty = false;
        match args.json {
            true => output.json(&session)?,
            false => session.show(&mut output, args.session.is_some())?,
        }
    }
    output.flush()?;
    if is_empty {
        return Err(Failure::Other(format!(
            "{place} has no call of a model of which the provider's count is recorded: clients report \
             it from this version on"
        )));
    }
    Ok(())
}

/// A session and the tokens of its model calls.
#[derive(Serialize)]
struct Session {
    session: SessionId,
    model: Option<String>,
    provider: Option<String>,
    /// The profile of its model.
    profile: Option<String>,
    /// The share of the input that was read from the cache, from 0 to 1.
    read_share: f64,
    all: CallTokens,
    /// The cost in uncached input tokens, at the prices of the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    /// The cost in dollars, if the price of the model is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    calls: Vec<Call>,
}

/// A model call.
#[derive(Serialize)]
struct Call {
    turn: u64,
    at: Timestamp,
    #[serde(flatten)]
    tokens: CallTokens,
}

/// Returns the sum of the tokens of calls.
fn sum<'c>(calls: impl IntoIterator<Item = &'c Call>) -> CallTokens {
    let calls = calls.into_iter().map(|call| call.tokens);
    calls.fold(CallTokens::default(), |all, call| CallTokens {
        input: all.input.saturating_add(call.input),
        cache_write: all.cache_write.saturating_add(call.cache_write),
        cache_write_hour: all.cache_write_hour.saturating_add(call.cache_write_hour),
        cache_read: all.cache_read.saturating_add(call.cache_read),
        output: all.output.saturating_add(call.output),
    })
}

/// Returns the share of the input that was read from the cache, from 0 to 1.
fn read_share(tokens: CallTokens) -> f64 {
    let read = tokens.cache_read as f64;
    let sent = tokens.input as f64 + tokens.cache_write as f64 + read;
    if sent > 0.0 { read / sent } else { 0.0 }
}

impl Session {
    fn of(
        log: &dyn Log,
        session: SessionId,
        profiles: &std::collections::BTreeMap<String, Profile>,
    ) -> Result<Self, Failure> {
        let mut calls = Vec::new();
        let (mut model, mut provider) = (None, None);
        log.read(&session, 1, &mut |event| {
            if let HudEvent::Context(ContextEvent::Snapshot(reading)) = event.event {
                model = reading.model.or(model.take());
                provider = reading.provider.or(provider.take());
                calls.extend(reading.call.map(|call| Call {
                    turn: event.turn,
                    at: event.at,
                    tokens: call,
                }));
            }
            ControlFlow::Continue(())
        })?;
        let name = model.as_deref().unwrap_or_default();
        let profile = Profile::of(profiles, provider.as_deref(), name);
        let all = sum(&calls);
        let cost = profile.map(|(_, profile)| profile.for_model(name).charged(&all));
        let price = profile.and_then(|(_, profile)| profile.price(name));
        Ok(Self {
            session,
            profile: profile.map(|(name, _)| name.to_owned()),
            read_share: read_share(all),
            all,
            cost,
            dollars: cost.zip(price).map(|(cost, price)| cost * price / 1e6),
            calls,
            model,
            provider,
        })
    }

    fn show(&self, output: &mut Output, is_alone: bool) -> Result<(), Failure> {
        let calls = count(u64::try_from(self.calls.len()).unwrap_or(u64::MAX), "call");
        let model = self.model.as_deref().unwrap_or("an unknown model");
        output.heading(&format!(
            "{}: {calls} of {}, {} read from the cache",
            line(self.session.as_str(), NAME),
            line(model, NAME),
            percent(self.read_share),
        ))?;
        let CallTokens {
            input,
            cache_write,
            cache_write_hour,
            cache_read,
            ..
        } = self.all;
        let hour = match cache_write_hour {
            0 => String::new(),
            hour => format!(" ({hour} for an hour)"),
        };
        let uncached = input as f64 + cache_write as f64 + cache_read as f64;
        let cost = match self.cost.filter(|_| uncached > 0.0) {
            Some(cost) => format!("; {:.3} × what it costs without a cache", cost / uncached),
            None => String::new(),
        };
        let dollars = match self.dollars {
            Some(dollars) => format!(", ${dollars:.2}"),
            None => String::new(),
        };
        output.text(&format!(
            "  {}  {cache_read} tokens read, {cache_write} written{hour}, {input} neither{cost}{dollars}",
            self.chart(),
        ))?;
        for call in self.calls.iter().filter(|_| is_alone) {
            let CallTokens {
                input,
                cache_write,
                cache_read,
                ..
            } = call.tokens;
            output.text(&format!(
                "  turn {:<5} {:<19}  {:>7}  {cache_read:>8} read  {cache_write:>8} written  {input:>8} neither",
                call.turn,
                time(call.at),
                percent(read_share(call.tokens)),
            ))?;
        }
        Ok(())
    }

    /// Returns a chart of the cache reads over time. Each cell shows one or more calls.
    fn chart(&self) -> String {
        let each = self.calls.len().div_ceil(CELLS).max(1);
        let cell = |calls: &[Call]| {
            let level = read_share(sum(calls)) * (LEVELS.len() - 1) as f64;
            LEVELS.get(level.round() as usize).copied().unwrap_or(' ')
        };
        self.calls.chunks(each).map(cell).collect()
    }
}
