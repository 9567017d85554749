//! Applies the rule to a running conversation.

use std::collections::HashMap;

use hud_components::Clearable;
use hud_store::state::{HudState, OutputClass, ToolOutput};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::CACHE_SECONDS;
use super::rule::{Aged, Pressure, RATIO, is_worth_it, tokens};
use hud_observe::action::Action;

use crate::cost::{Caching, Profile};
use crate::settings::Settings;

/// An output of a tool in a conversation, as a client lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Output {
    /// The client's id of the call.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The number of its characters.
    pub chars: u64,
    /// True if the client itself has already removed it.
    #[serde(default)]
    pub pruned: bool,
}

/// An output with its age, the number of requests since the first one that contained it.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'o> {
    /// The output.
    pub output: &'o Output,
    /// Its age.
    pub age: u64,
}

/// The turn and the time of a request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    /// The turn.
    pub turn: u64,
    /// The time, if it is known.
    pub at: Option<Timestamp>,
}

/// The maximum number of characters of any placeholder. It is used as the length of a placeholder before the
/// outline exists.
pub const PLACEHOLDER: u64 = 240;

/// Returns the outputs to remove before a request, oldest first. `outputs` are the remaining outputs of the
/// conversation, oldest first.
///
/// All [due](Aged::is_due) outputs are removed together, if [the gain suffices](Pressure::lets_go). If the
/// state does not know an output, its tool determines the class. If the context use is unknown, the pressure
/// is moderate.
pub fn leaving<'o>(
    outputs: &[Listed<'o>],
    state: &HudState,
    now: Now,
    settings: &Settings,
) -> Vec<&'o Output> {
    let prune = &settings.prune;
    if !prune.on {
        return Vec::new();
    }
    let known: HashMap<&str, &ToolOutput> = (state.outputs.seen.iter())
        .map(|output| (output.call.as_str(), output))
        .collect();
    let pressure = Pressure::of(state.context.as_ref(), &settings.bands);
    let ratio = state.outputs.ratio().unwrap_or(RATIO);
    let limit = pressure.age(prune);
    let mut newest = 0_u64;
    let mut leaving = Vec::new();
    let mut gained = 0_u64;
    for listed in outputs.iter().rev() {
        let Listed { output, age } = *listed;
        newest = newest.saturating_add(tokens(output.chars, ratio));
        let known = known.get(output.call.as_str()).copied();
        let stays = output.pruned
            || newest <= prune.protect
            || prune.protects(&output.tool)
            || known.is_some_and(|known| known.protected || prune.protects(&known.tool))
            || !is_worth_it(output.chars, PLACEHOLDER)
            || !aged(output, known, age, now.turn).is_due(limit);
        if !stays {
            gained = gained.saturating_add(output.chars.saturating_sub(PLACEHOLDER));
            leaving.push(output);
        }
    }
    leaving.reverse();
    let gained = tokens(gained, ratio);
    let avoids = avoids(state, gained, settings);
    match pressure.lets_go(gained, is_cold(state, now, settings), avoids, prune) {
        true => leaving,
        false => Vec::new(),
    }
}

/// True if the removal of so many tokens avoids the client's compaction. If the client's limit is unknown, the
/// context must fall below the critical band.
fn avoids(state: &HudState, gained: u64, settings: &Settings) -> bool {
    let Some(context) = &state.context else {
        return true;
    };
    let left = context.used.saturating_sub(gained);
    let is_calm = context
        .percentage_of(left)
        .is_none_or(|percentage| percentage <= settings.bands.critical_above);
    is_calm && context.usable.is_none_or(|usable| left < usable)
}

/// Returns the outputs that may be cleared, for clients that do not remove outputs automatically. While the
/// context is red, these are the [due](Aged::is_due) outputs, if together they reach the minimum gain. Other
/// clients have already removed them by then.
pub fn clearable(state: &HudState, settings: &Settings) -> Clearable {
    let prune = &settings.prune;
    let pressure = Pressure::of(state.context.as_ref(), &settings.bands);
    if !prune.on || pressure < Pressure::High {
        return Clearable::default();
    }
    let limit = pressure.age(prune);
    let mut due: Vec<&ToolOutput> = (state.outputs.seen.iter())
        .filter(|output| {
            let age = state.turn.saturating_sub(output.turn);
            let aged = Aged {
                class: output.class,
                age,
                untouched: age.min(state.turn.saturating_sub(output.touched)),
                edited: output.edited,
                superseded: output.superseded,
            };
            !output.protected
                && !prune.protects(&output.tool)
                && is_worth_it(output.chars, PLACEHOLDER)
                && aged.is_due(limit)
        })
        .collect();
    let ratio = state.outputs.ratio().unwrap_or(RATIO);
    let chars = due.iter().map(|output| output.chars);
    let tokens = tokens(chars.fold(0, u64::saturating_add), ratio);
    if tokens < prune.minimum_red {
        return Clearable::default();
    }
    due.sort_by_key(|output| std::cmp::Reverse(output.chars));
    let named = |output: &&ToolOutput| match &output.target {
        Some(target) => format!("{} {target}", output.tool),
        None => output.tool.clone(),
    };
    Clearable {
        outputs: due.iter().map(named).collect(),
        tokens,
    }
}

fn aged(output: &Output, known: Option<&ToolOutput>, age: u64, turn: u64) -> Aged {
    let Some(known) = known else {
        return Aged {
            class: class_of(&output.tool),
            age,
            untouched: age,
            edited: false,
            superseded: false,
        };
    };
    let untouched = match known.touched > known.turn {
        // A resumed session counts its turns from the start again.
        true => turn.saturating_sub(known.touched),
        false => age,
    };
    Aged {
        class: known.class,
        age,
        untouched,
        edited: known.edited,
        superseded: known.superseded,
    }
}

/// Returns the class of an output of which only the tool is known. An output that may be a file counts as one.
pub(crate) fn class_of(tool: &str) -> OutputClass {
    match &hud_clients::actions(tool, &Value::Null)[..] {
        _ if hud_clients::is_hud(tool) => OutputClass::Kept,
        [Action::Look { .. }] => OutputClass::Look,
        [Action::Delegate { .. }] => OutputClass::Report,
        [Action::Ask { .. }] => OutputClass::Kept,
        _ => OutputClass::Read,
    }
}

/// True if the provider has no cache of the conversation: its cache has expired, the model has changed, or the
/// provider caches nothing. False if the clock was set back.
fn is_cold(state: &HudState, now: Now, settings: &Settings) -> bool {
    let context = state.context.as_ref();
    let sent = state.outputs.sent.as_ref();
    let model = context.and_then(|context| context.model.as_deref());
    let sent_to = sent.and_then(|sent| sent.model.as_deref());
    if let (Some(model), Some(sent_to)) = (model, sent_to)
        && model != sent_to
    {
        return true;
    }
    let provider = sent.and_then(|sent| sent.provider.as_deref());
    let lifetime = match lifetime(provider, model, settings) {
        Lifetime::Seconds(0) => return false,
        Lifetime::Seconds(seconds) => seconds,
        Lifetime::None => return true,
    };
    let last = sent
        .map(|sent| sent.at)
        .or(context.map(|context| context.at));
    let (Some(last), Some(at)) = (last, now.at) else {
        return false;
    };
    let seconds = u64::try_from(at.duration_since(last).as_secs()).unwrap_or(0);
    seconds > lifetime
}

/// The lifetime of a provider's cache.
enum Lifetime {
    /// The number of seconds; 0 if the expiry is never assumed.
    Seconds(u64),
    /// The provider caches nothing.
    None,
}

/// Returns the lifetime of the settings, or else of the provider's profile.
fn lifetime(provider: Option<&str>, model: Option<&str>, settings: &Settings) -> Lifetime {
    if let Some(seconds) = settings.prune.cache_seconds {
        return Lifetime::Seconds(seconds);
    }
    let profile = Profile::of(&settings.profiles, provider, model.unwrap_or_default());
    match profile {
        None => Lifetime::Seconds(CACHE_SECONDS),
        Some((_, profile)) if profile.caching == Caching::None => Lifetime::None,
        Some((_, profile)) => Lifetime::Seconds(profile.lifetime.into()),
    }
}

#[cfg(test)]
mod tests {
    use hud_store::section::Sent;
    use hud_store::state::ContextUsage;

    use super::*;
    use crate::settings::Prune;

    fn output(call: &str, chars: u64) -> Output {
        Output {
            call: call.to_owned(),
            tool: "read".to_owned(),
            chars,
            pruned: false,
        }
    }

    fn seen(call: &str, class: OutputClass) -> ToolOutput {
        ToolOutput {
            call: call.to_owned(),
            tool: "Read".to_owned(),
            class,
            target: Some("a.rs".to_owned()),
            lines: None,
            rows: 100,
            chars: 0,
            turn: 1,
            touched: 1,
            edited: false,
            error: false,
            superseded: false,
            protected: false,
            kept: Vec::new(),
            recalls: None,
        }
    }

    fn used(percentage: u64, at: Timestamp) -> HudState {
        let context = ContextUsage {
            used: percentage,
            limit: Some(100),
            assumed: false,
            usable: None,
            model: None,
            at,
            readings: vec![percentage],
        };
        HudState {
            context: Some(context),
            ..HudState::default()
        }
    }

    /// Returns the removed calls, for outputs with their ages.
    fn calls(
        outputs: &[(Output, u64)],
        state: &HudState,
        now: Now,
        settings: &Settings,
    ) -> Vec<String> {
        let listed: Vec<Listed<'_>> = (outputs.iter())
            .map(|(output, age)| Listed { output, age: *age })
            .collect();
        let leaving = leaving(&listed, state, now, settings);
        leaving.iter().map(|output| output.call.clone()).collect()
    }

    #[test]
    fn old_files_leave_when_the_context_fills_and_nothing_that_was_not_read() {
        let settings = Settings::default();
        let outputs = [
            (output("old", 90_000), 20),
            (output("young", 90_000), 2),
            (output("unread", 900_000), 0),
        ];
        let now = Now::default();
        let at = |percentage| {
            let state = used(percentage, Timestamp::UNIX_EPOCH);
            calls(&outputs, &state, now, &settings)
        };
        assert_eq!(at(50), [""; 0]);
        assert_eq!(at(75), ["old"]);
        assert_eq!(at(99), ["old"]);
        assert_eq!(
            calls(&outputs, &HudState::default(), now, &settings),
            ["old"]
        );
    }

    #[test]
    fn what_left_earlier_does_not_hold_up_what_is_older() {
        let settings = Settings::default();
        let mut gone = output("gone", 90_000);
        gone.pruned = true;
        let outputs = [
            (output("older", 90_000), 30),
            (gone, 20),
            (output("new", 10), 1),
        ];
        let left = calls(&outputs, &HudState::default(), Now::default(), &settings);
        assert_eq!(left, ["older"]);
    }

    #[test]
    fn the_class_of_an_output_counts_and_what_is_protected_stays() {
        let settings = Settings::default();
        let mut state = used(90, Timestamp::UNIX_EPOCH);
        state.outputs.seen = vec![
            seen("look", OutputClass::Look),
            seen("kept", OutputClass::Kept),
            ToolOutput {
                protected: true,
                ..seen("protected", OutputClass::Look)
            },
            ToolOutput {
                superseded: true,
                ..seen("superseded", OutputClass::Read)
            },
            ToolOutput {
                touched: 10,
                ..seen("touched", OutputClass::Read)
            },
            ToolOutput {
                tool: "Skill".into(),
                ..seen("skill", OutputClass::Look)
            },
        ];
        let names = [
            "look",
            "kept",
            "protected",
            "superseded",
            "touched",
            "skill",
        ];
        let outputs = names.map(|name| (output(name, 30_000), 12));
        let now = Now { turn: 14, at: None };
        assert_eq!(
            calls(&outputs, &state, now, &settings),
            ["look", "superseded"]
        );
    }

    #[test]
    fn a_resumed_session_whose_turns_begin_again_loses_nothing_that_is_young() {
        let settings = Settings::default();
        let mut state = used(90, Timestamp::UNIX_EPOCH);
        state.outputs.seen = vec![ToolOutput {
            turn: 500,
            touched: 501,
            ..seen("a", OutputClass::Read)
        }];
        let outputs = [(output("a", 90_000), 3)];
        let now = Now { turn: 2, at: None };
        assert_eq!(calls(&outputs, &state, now, &settings), [""; 0]);
    }

    #[test]
    fn where_nothing_was_sent_for_long_outputs_leave_while_there_is_room() {
        let settings = Settings::default();
        let then: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let outputs = [(output("a", 90_000), 20)];
        let state = used(20, then);
        let left = |at: &str| {
            let now = Now {
                turn: 30,
                at: Some(at.parse().unwrap()),
            };
            calls(&outputs, &state, now, &settings)
        };
        assert_eq!(left("2026-01-01T12:04:00Z"), [""; 0]);
        assert_eq!(left("2026-01-01T12:06:00Z"), ["a"]);
        assert_eq!(
            left("2025-01-01T12:00:00Z"),
            [""; 0],
            "the clock was set back"
        );
    }

    #[test]
    fn how_long_a_conversation_is_kept_is_what_its_provider_keeps_it() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let sent = |model: &str, provider: &str| {
            let mut state = used(20, at("2026-01-01T12:00:00Z"));
            state.outputs.sent = Some(Sent {
                at: at("2026-01-01T12:00:00Z"),
                model: Some(model.to_owned()),
                provider: Some(provider.to_owned()),
            });
            if let Some(context) = &mut state.context {
                context.model = Some(model.to_owned());
            }
            state
        };
        let cold = |state: &HudState, minutes: i64, settings: &Settings| {
            let start = at("2026-01-01T12:00:00Z").as_second();
            let now = Now {
                turn: 1,
                at: Timestamp::from_second(start + 60 * minutes).ok(),
            };
            is_cold(state, now, settings)
        };
        let mut settings = Settings::default();
        let claude = sent("claude-opus-5", "anthropic");
        assert!(!cold(&claude, 4, &settings) && cold(&claude, 6, &settings));
        for profile in settings.profiles.values_mut() {
            profile.lifetime = 3600;
        }
        assert!(!cold(&claude, 59, &settings) && cold(&claude, 61, &settings));
        settings.prune.cache_seconds = Some(60);
        assert!(cold(&claude, 2, &settings), "the setting counts");
        settings.prune.cache_seconds = Some(0);
        assert!(!cold(&claude, 600, &settings), "it is never known");

        let settings = Settings::default();
        let unknown = sent("qwen3", "ollama");
        assert!(!cold(&unknown, 4, &settings) && cold(&unknown, 6, &settings));
        let mut other = claude.clone();
        if let Some(context) = &mut other.context {
            context.model = Some("claude-haiku-4-5".to_owned());
        }
        assert!(cold(&other, 0, &settings), "another model goes on");
        assert!(!cold(&claude, -600, &settings), "the clock was set back");
    }

    #[test]
    fn before_a_compaction_outputs_leave_only_if_that_avoids_it() {
        let settings = Settings::default();
        let mut state = used(96_000, Timestamp::UNIX_EPOCH);
        if let Some(context) = &mut state.context {
            context.used = 97_000;
            (context.limit, context.usable) = (Some(100_000), Some(90_000));
        }
        let left = |state: &HudState, chars| {
            calls(
                &[(output("a", chars), 20)],
                state,
                Now::default(),
                &settings,
            )
        };
        assert_eq!(left(&state, 90_000), ["a"], "62,000 tokens are left");
        assert_eq!(left(&state, 9_000), [""; 0], "it comes anyhow");
        if let Some(context) = &mut state.context {
            context.usable = None;
        }
        assert_eq!(
            left(&state, 9_000),
            [""; 0],
            "the context is critical still"
        );
        assert_eq!(left(&state, 30_000), ["a"]);
    }

    #[test]
    fn what_may_be_cleared_is_said_only_while_the_context_is_red() {
        let settings = Settings::default();
        let mut state = used(90, Timestamp::UNIX_EPOCH);
        state.turn = 30;
        let seen = |call: &str, turn, chars| ToolOutput {
            turn,
            touched: turn,
            chars,
            target: Some(format!("src/{call}.rs")),
            ..seen(call, OutputClass::Read)
        };
        state.outputs.seen = vec![
            seen("a", 2, 9_000),
            seen("b", 3, 40_000),
            seen("c", 29, 90_000),
        ];
        let said = clearable(&state, &settings).said();
        assert_eq!(
            said.as_deref(),
            Some("May be cleared (18,846 tokens): Read src/b.rs, Read src/a.rs.")
        );
        state.outputs.seen.remove(1);
        assert_eq!(
            clearable(&state, &settings).said(),
            None,
            "it is too little"
        );
        state.outputs.seen[0].chars = 90_000;
        assert!(clearable(&state, &settings).said().is_some());
        state.context = used(75, Timestamp::UNIX_EPOCH).context;
        assert_eq!(clearable(&state, &settings).said(), None);
        // A resumed session counts its turns from the start again.
        state.context = used(90, Timestamp::UNIX_EPOCH).context;
        state.turn = 1;
        assert_eq!(clearable(&state, &settings).said(), None);
    }

    #[test]
    fn what_a_user_sets_counts() {
        let outputs = [(output("a", 90_000), 20), (output("b", 60_000), 15)];
        let left = |change: fn(&mut Prune)| {
            let mut settings = Settings::default();
            change(&mut settings.prune);
            calls(&outputs, &HudState::default(), Now::default(), &settings)
        };
        assert_eq!(left(|_| {}), ["a", "b"]);
        assert_eq!(left(|prune| prune.on = false), [""; 0]);
        assert_eq!(left(|prune| prune.age = 16), ["a"]);
        assert_eq!(left(|prune| prune.protect = 40_000), ["a"]);
        assert_eq!(left(|prune| prune.minimum = 1_000_000), [""; 0]);
        assert_eq!(
            left(|prune| prune.protected_tools = vec!["READ".into()]),
            [""; 0]
        );
    }

    #[test]
    fn absurd_sizes_do_no_harm() {
        let huge = output("a", u64::MAX);
        let outputs = [(huge.clone(), u64::MAX), (huge, u64::MAX)];
        let left = calls(
            &outputs,
            &HudState::default(),
            Now::default(),
            &Settings::default(),
        );
        assert_eq!(left.len(), 2);
    }
}
