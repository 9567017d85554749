//! Simulates the costs of recorded sessions with and without the HUD.

use std::collections::BTreeMap;
use std::path::Path;

use hud_agent::cost::{Break, Churn, Profile, Recorded, Report, Spent};
use hud_agent::placement::Placement;
use hud_agent::setup::Setup;
use hud_components::text::line;
use hud_observe::observation::Usage;
use serde::Serialize;

use super::percent;
use crate::app::App;
use crate::args;
use crate::output::{Failure, Output, count};
use crate::passed_over;
use crate::progress::waiting;

/// The number of cells in a bar for the cost of the session without a cache.
const CELLS: f64 = 24.0;

/// The largest ratio that a bar shows.
const MOST: f64 = 1.25;

/// The maximum number of characters of a name in the output.
const NAME: usize = 300;

/// The maximum number of parts in the output.
const PARTS: usize = 6;

pub(super) fn run(args: &args::Cost, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let profiles = profiles(&setup, &args.profiles)?;
    let mut output = Output::new();
    let mut all: Vec<Session> = Vec::new();
    for file in &args.files {
        let what = file.display().to_string();
        let session = waiting(&what, || Session::of(file, &setup, &profiles))?;
        match args.json {
            true => output.json(&session)?,
            false => session.show(&mut output)?,
        }
        output.flush()?;
        all.push(session);
    }
    let outcome = Summary::of(&all, &setup, &profiles);
    if !args.json && all.len() > 1 {
        outcome.show(&mut output)?;
    }
    output.flush()?;
    outcome.check(args)
}

/// Returns the named profiles with their names, or all profiles if none is named.
fn profiles<'s>(
    setup: &'s Setup,
    names: &[String],
) -> Result<Vec<(&'s str, &'s Profile)>, Failure> {
    let known = &setup.settings.profiles;
    if names.is_empty() {
        let all = known.iter();
        return Ok(all
            .map(|(name, profile)| (name.as_str(), profile))
            .collect());
    }
    let named = names.iter().map(|name| {
        let found = known.get_key_value(name);
        let found = found.map(|(name, profile)| (name.as_str(), profile));
        found.ok_or_else(|| {
            let known: Vec<&str> = known.keys().map(String::as_str).collect();
            let known = known.join(", ");
            Failure::Other(format!("there is no profile `{name}`: there are {known}"))
        })
    });
    named.collect()
}

/// A recorded session and its costs.
#[derive(Serialize)]
struct Session {
    file: String,
    model: Option<String>,
    /// The profile of its model.
    profile: Option<String>,
    calls: usize,
    /// The average number of tokens in a request without the HUD.
    tokens: u64,
    /// True if the provider counted the tokens.
    is_counted: bool,
    /// The share of the input that the provider read from its cache, from 0 to 1, by its own count.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_read_share: Option<f64>,
    costs: Vec<Cost>,
}

/// The cost of a session with a placement and a provider's profile.
#[derive(Serialize)]
struct Cost {
    profile: String,
    placement: &'static str,
    /// The ratio to the cost without the HUD.
    ratio: f64,
    /// The ratio to the cost without the HUD and without a cache.
    uncached_ratio: f64,
    /// The share of the input that is read from the cache, from 0 to 1.
    read_share: f64,
    /// The same share without the HUD.
    read_share_without: f64,
    /// The cost in uncached input tokens.
    cost: f64,
    cost_without: f64,
    /// The cost in dollars, if the price of the model is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars_without: Option<f64>,
    breaks: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_break: Option<JsonBreak>,
    parts: Vec<JsonPart>,
}

/// A call for which the HUD broke the prompt cache of the conversation.
#[derive(Serialize)]
struct JsonBreak {
    call: usize,
    block: usize,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    tokens_behind: u64,
}

/// A part of the HUD with the number of its changes.
#[derive(Serialize)]
struct JsonPart {
    name: String,
    changed: usize,
    calls: usize,
    tokens_behind: f64,
    /// The probability of a change times the number of tokens after the part.
    tokens_anew: f64,
    broke: usize,
}

impl From<&Break> for JsonBreak {
    fn from(found: &Break) -> Self {
        Self {
            call: found.call,
            block: found.block,
            id: found.id.to_string(),
            part: found.part.as_ref().map(ToString::to_string),
            tokens_behind: found.behind,
        }
    }
}

impl From<&Churn> for JsonPart {
    fn from(churn: &Churn) -> Self {
        Self {
            name: churn.part.to_string(),
            changed: churn.changed,
            calls: churn.calls,
            tokens_behind: churn.behind,
            tokens_anew: churn.cost(),
            broke: churn.broke,
        }
    }
}

impl Cost {
    fn of(profile: &str, price: Option<f64>, placement: Placement, report: &Report) -> Self {
        let dollars = |spent: &Spent| price.map(|price| spent.charge.cost * price / 1e6);
        Self {
            profile: profile.to_owned(),
            placement: placement.name(),
            ratio: report.ratio(),
            uncached_ratio: report.uncached_ratio(),
            read_share: report.with.read_share(),
            read_share_without: report.without.read_share(),
            cost: report.with.charge.cost,
            cost_without: report.without.charge.cost,
            dollars: dollars(&report.with),
            dollars_without: dollars(&report.without),
            breaks: report.breaks,
            first_break: report.first_break.as_ref().map(JsonBreak::from),
            parts: report.parts.iter().map(JsonPart::from).collect(),
        }
    }
}

impl Session {
    fn of(file: &Path, setup: &Setup, profiles: &[(&str, &Profile)]) -> Result<Self, Failure> {
        let said = |error| Failure::Cost {
            file: file.display().to_string(),
            source: error,
        };
        let session = Recorded::read(file, setup).map_err(said)?;
        passed_over::note(file, &session.summary);
        let model = session.model.as_deref().unwrap_or_default();
        let own = match is_for_hours(session.usage()) {
            true => Profile::of_hours(&setup.settings.profiles, None, model),
            false => Profile::of(&setup.settings.profiles, None, model),
        };
        let placements: Vec<_> = Placement::ALL
            .iter()
            .map(|placement| (*placement, session.requests(Some(*placement))))
            .collect();
        let without = session.requests(None);
        let mut costs = Vec::new();
        for (name, profile) in profiles {
            let profile = profile.for_model(model);
            let price = profile.price(model);
            let without = Spent::of(&without, &profile);
            for (placement, requests) in &placements {
                let parts: Vec<_> = session.parts(*placement).collect();
                let report = Report::between(requests, without, &parts, &profile);
                costs.push(Cost::of(name, price, *placement, &report));
            }
        }
        let calls = session.calls();
        let tokens = without.iter().map(|request| request.tokens());
        let tokens = tokens.fold(0_u64, u64::saturating_add);
        Ok(Self {
            file: file.display().to_string(),
            profile: own.map(|(name, _)| name.to_owned()),
            calls,
            tokens: tokens / u64::try_from(calls.max(1)).unwrap_or(u64::MAX),
            is_counted: session.is_counted,
            counted_read_share: read_share(session.usage()),
            costs,
            model: session.model,
        })
    }

    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        let model = self.model.as_deref().unwrap_or("an unknown model");
        let (file, model) = (line(&self.file, NAME), line(model, NAME));
        let counted = match (self.counted_read_share, self.is_counted) {
            (Some(share), _) => format!("{} read from its cache", percent(share)),
            (None, true) => "nothing of its cache counted".to_owned(),
            (None, false) => "tokens counted here, as the recording has none".to_owned(),
        };
        output.heading(&format!(
            "{file}: {} of {model}, {} tokens each on average; {counted}",
            count(u64::try_from(self.calls).unwrap_or(u64::MAX), "call"),
            self.tokens,
        ))?;
        let width = self.costs.iter().map(|cost| cost.profile.chars().count());
        let width = width.max().unwrap_or(0).max("profile".len());
        output.text(&format!(
            "{:width$}  {:12}  {:>9}  {:>9}  {:>7}  {:bars$}  broken by the HUD",
            "profile",
            "placement",
            "× without",
            "× uncached",
            "read",
            "",
            bars = (CELLS * MOST) as usize,
        ))?;
        let mut last = "";
        for cost in &self.costs {
            let name = if cost.profile == last {
                ""
            } else {
                &cost.profile
            };
            last = &cost.profile;
            output.text(&format!(
                "{name:width$}  {:12}  {:>9.3}  {:>9.3}  {:>7}  {}  {}",
                cost.placement,
                cost.ratio,
                cost.uncached_ratio,
                percent(cost.read_share),
                bar(cost.uncached_ratio),
                cost.breaks(self.calls),
            ))?;
        }
        self.show_parts(output)
    }

    /// Lists the parts that change, with the tokens that miss the cache if the HUD precedes the conversation.
    fn show_parts(&self, output: &mut Output) -> Result<(), Failure> {
        let system = Placement::SystemTail.name();
        let Some(cost) = self.costs.iter().find(|cost| cost.placement == system) else {
            return Ok(());
        };
        let parts: Vec<&JsonPart> = cost.parts.iter().filter(|part| part.changed > 0).collect();
        if parts.is_empty() {
            return Ok(output.text("")?);
        }
        output.text("")?;
        output.text(&format!(
            "In {system}: how often each part changed, and the tokens behind it that were read anew"
        ))?;
        for part in parts.iter().take(PARTS) {
            output.text(&format!(
                "  {:16}  {:>4} of {:<4}  {:>9.0} tokens a call; broke the cache {}",
                line(&part.name, NAME),
                part.changed,
                part.calls,
                part.tokens_anew,
                count(u64::try_from(part.broke).unwrap_or(u64::MAX), "time"),
            ))?;
        }
        Ok(output.text("")?)
    }
}

impl Cost {
    /// Returns the text about the calls for which the HUD broke the prompt cache.
    fn breaks(&self, calls: usize) -> String {
        let Some(first) = &self.first_break else {
            return "never".to_owned();
        };
        let part = match &first.part {
            Some(part) => format!(", by {}", line(part, NAME)),
            None => String::new(),
        };
        format!(
            "{} of {calls}, first in call {} at block {} ({}){part}",
            self.breaks, first.call, first.block, first.id
        )
    }
}

/// Draws a bar for a ratio. A ratio of 1 has [`CELLS`] cells.
fn bar(number: f64) -> String {
    let width = (CELLS * MOST) as usize;
    let cells = (number.clamp(0.0, MOST) * CELLS).round() as usize;
    format!("{}{}", "█".repeat(cells), "·".repeat(width - cells))
}

/// Returns the share of the input that was read from a cache, or `None` if the provider counted no cache use.
fn read_share(usage: impl Iterator<Item = Usage>) -> Option<f64> {
    let (mut read, mut all) = (0.0, 0.0);
    let mut has_cache = false;
    for usage in usage {
        has_cache |= usage.cache_read > 0 || usage.cache_write > 0;
        read += usage.cache_read as f64;
        all += usage.input as f64 + usage.cache_write as f64 + usage.cache_read as f64;
    }
    (has_cache && all > 0.0).then(|| read / all)
}

/// True if most of the tokens that were written to the cache are kept for an hour.
fn is_for_hours(usage: impl Iterator<Item = Usage>) -> bool {
    let (mut all, mut hour) = (0_u64, 0_u64);
    for usage in usage {
        all = all.saturating_add(usage.cache_write);
        hour = hour.saturating_add(usage.cache_write_hour);
    }
    hour > all / 2
}

/// The costs of several sessions, each with the profile of its model.
struct Summary {
    /// The ratios by placement, sorted.
    ratios: BTreeMap<&'static str, Vec<f64>>,
    placement: Placement,
}

impl Summary {
    fn of(sessions: &[Session], setup: &Setup, profiles: &[(&str, &Profile)]) -> Self {
        let mut ratios: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
        for session in sessions {
            let own = session.profile.as_deref();
            let own = own.filter(|own| profiles.iter().any(|(name, _)| name == own));
            let own = own.or(profiles.first().map(|(name, _)| *name));
            let costs = session.costs.iter();
            for cost in costs.filter(|cost| Some(cost.profile.as_str()) == own) {
                ratios.entry(cost.placement).or_default().push(cost.ratio);
            }
        }
        for ratios in ratios.values_mut() {
            ratios.sort_by(f64::total_cmp);
        }
        let own = sessions
            .first()
            .and_then(|session| session.profile.as_deref());
        let own = own.and_then(|own| setup.settings.profiles.get(own));
        let placement = setup.settings.placement.at(own);
        Self { ratios, placement }
    }

    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        let sessions = self.ratios.values().next().map_or(0, Vec::len);
        let sessions = count(u64::try_from(sessions).unwrap_or(u64::MAX), "session");
        output.heading(&format!(
            "{sessions}, each at the profile of its model: × without the HUD"
        ))?;
        output.text(&format!(
            "{:12}  {:>9}  {:>9}",
            "placement", "median", "worst"
        ))?;
        for placement in Placement::ALL {
            let Some(ratios) = self.ratios.get(placement.name()) else {
                continue;
            };
            let own = match placement == self.placement {
                true => "  as the settings have it",
                false => "",
            };
            output.text(&format!(
                "{:12}  {:>9.3}  {:>9.3}{own}",
                placement.name(),
                median(ratios),
                worst(ratios)
            ))?;
        }
        Ok(())
    }

    /// Checks the limits from the command line.
    fn check(&self, args: &args::Cost) -> Result<(), Failure> {
        let Some(ratios) = self.ratios.get(self.placement.name()) else {
            return Ok(());
        };
        let checked = [
            ("median", median(ratios), args.median),
            ("worst", worst(ratios), args.worst),
        ];
        for (which, is, most) in checked {
            if let Some(most) = most.filter(|most| is > *most) {
                let placement = self.placement;
                return Err(Failure::Other(format!(
                    "{placement} costs {is:.3} times what the sessions cost without the HUD \
                     ({which}), more than the {most} that are allowed: the parts listed above \
                     change most"
                )));
            }
        }
        Ok(())
    }
}

/// Returns the median of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    match sorted.len() % 2 {
        0 => (at(middle.saturating_sub(1)) + at(middle)) / 2.0,
        _ => at(middle),
    }
}

fn worst(sorted: &[f64]) -> f64 {
    sorted.last().copied().unwrap_or(0.0)
}
