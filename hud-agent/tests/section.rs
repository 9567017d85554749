//! A section of one's own in an agent's session: its operations, and how it is shown.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail like the tests themselves"
)]

use hud_agent::frame::frame;
use hud_agent::layout::Layout;
use hud_agent::placement::Placement;
use hud_agent::replay::Replay;
use hud_agent::section::AgentSection;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_agent::tool::{Draft, Operations, Read, ToolError, View, Write, known, said};
use hud_clients::transcript::Entry;
use hud_components::news::News;
use hud_core::node::Part;
use hud_core::{Element, rsx};
use hud_observe::action::Action;
use hud_observe::observation::Observation;
use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{Expected, Log, state_of};
use hud_store::memory::MemoryLog;
use hud_store::section::{Happened, Item, Section};
use hud_store::state::{Change, HudState};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

hud_store::events! {
    /// What happens to risks.
    pub enum RiskEvent {
        /// the agent sees a risk.
        "risk.add" 1 Add(
            /// Adds a risk.
            RiskAdd {
                /// Names it.
                id: String,
                /// What may go wrong.
                description: String,
            }
        ) item id names id,
        /// a risk is averted.
        "risk.close" 1 Close(
            /// Closes a risk.
            RiskClose {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Risks(Vec<RiskAdd>);

impl Section for Risks {
    const NAME: &'static str = "risks";
    const ITEM: &'static str = "risk";
    type Event = RiskEvent;

    fn apply(&mut self, event: &RiskEvent, _: &Happened<'_>) {
        match event {
            RiskEvent::Add(risk) => self.0.push(risk.clone()),
            RiskEvent::Close(closed) => self.0.retain(|risk| risk.id != closed.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |risk: &RiskAdd| Item::new(&risk.id, &risk.description);
        self.0.iter().map(said).collect()
    }
}

impl AgentSection for Risks {
    fn operations(operations: Operations) -> Operations {
        operations
            .read::<List>()
            .write::<Add>()
            .write::<Close>()
            .write::<Burn>()
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {}

impl Read for List {
    const NAME: &'static str = "risks.list";
    const DOES: &'static str = "what may go wrong";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        Ok(json!({ "risks": view.state().section::<Risks>() }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Add {
    /// What may go wrong.
    description: String,
}

impl Write for Add {
    const NAME: &'static str = "risks.add";
    const DOES: &'static str = "something may go wrong";
    const EXAMPLE: &'static str = r#"{"description":"The cache is cold"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let description = said(Self::NAME, "description", self.description)?;
        let id = draft.next_id('r');
        draft.record(RiskAdd {
            id: id.clone(),
            description,
        });
        Ok(json!({ "id": id }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Close {
    /// Which one.
    id: String,
}

impl Write for Close {
    const NAME: &'static str = "risks.close";
    const DOES: &'static str = "a risk is averted";
    const EXAMPLE: &'static str = r#"{"id":"r1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let risks = draft.section::<Risks>().map_or(&[][..], |risks| &risks.0);
        known(
            Self::NAME,
            "risk",
            &self.id,
            risks.iter().map(|risk| &risk.id),
        )?;
        draft.record(RiskClose { id: self.id });
        Ok(json!({}))
    }
}

/// An operation with a mistake in it.
#[derive(Deserialize, JsonSchema)]
struct Burn {}

impl Write for Burn {
    const NAME: &'static str = "risks.burn";
    const DOES: &'static str = "nothing good";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let id = draft.next_id('r');
        draft.record(RiskClose { id });
        panic!("burnt")
    }
}

fn setup() -> Setup {
    Setup::default().with::<Risks>().unwrap()
}

fn session() -> Session<MemoryLog> {
    let setup = setup();
    let log = MemoryLog::new().with_sections(setup.sections.clone());
    let session = Session::open(log, SessionId::new("s").unwrap()).unwrap();
    session.with_operations(setup.operations)
}

fn called(session: &mut Session<MemoryLog>, tool: &str, args: Value) -> Result<Value, ToolError> {
    let call = json!({ "tool": tool, "args": args });
    session.call(&call, Timestamp::UNIX_EPOCH)
}

#[test]
fn the_agent_reads_and_writes_a_section_of_ones_own() {
    let mut session = session();
    let mut call = |tool: &str, args| called(&mut session, tool, args).unwrap();
    assert_eq!(
        call("risks.add", json!({ "description": "A cold cache" })),
        json!({ "id": "r1" })
    );
    call("risks.close", json!({ "id": "r1" }));
    let risk = json!({ "description": "A slow disk" });
    assert_eq!(
        call("risks.add", risk),
        json!({ "id": "r2" }),
        "no number comes again"
    );
    let listed = call("risks.list", json!({}));
    assert_eq!(listed["risks"][0]["description"], "A slow disk");
    assert_eq!(call("history", json!({}))["events"][0]["kind"], "risk.add");
    assert_eq!(
        call("search", json!({ "query": "slow disk" }))["hits"][0]["kind"],
        "risk.add"
    );
    assert_eq!(
        call("help", json!({}))["risks.add"],
        "something may go wrong"
    );
    let help = call("help", json!({ "for": "risks.add" }));
    assert_eq!(help["args"]["required"], json!(["description"]));
}

#[test]
fn a_wrong_call_of_an_own_operation_is_refused_with_what_would_do() {
    let mut session = session();
    let mut refusal = |tool: &str, args| called(&mut session, tool, args).unwrap_err().to_string();
    insta::assert_snapshot!(refusal("risks.add", json!({ "text": "x" })), @r#"`risks.add`: unknown field `text`, expected `description`. Its args are {"additionalProperties":false,"properties":{"description":{"description":"What may go wrong.","type":"string"}},"required":["description"],"type":"object"}, for example {"args":{"description":"The cache is cold"},"tool":"risks.add"}"#);
    insta::assert_snapshot!(refusal("risk.add", json!({})), @r#"`hud` has no operation `risk.add`: did you mean `risks.add`? For a list: {"tool": "help"}"#);
    insta::assert_snapshot!(refusal("risks.close", json!({ "id": "r9" })), @"`risks.close`: there is no risk `r9`, and no other");
    insta::assert_snapshot!(refusal("section.update", json!({ "section": "risks" })), @"`section.update`: `risks` is not replaced as a whole: see its operations with `help`");
    insta::assert_snapshot!(refusal("section.clear", json!({ "section": "risk" })), @"`section.clear`: there is no section `risk`: there are task, requests, constraints, decisions, findings, notes, steps, blockers, files, errors, dependencies, attention, knowledge, checks, git, core_memory, working_memory, risks");
}

#[test]
fn an_operation_that_panics_is_an_error_that_names_it_and_records_nothing() {
    let mut session = session();
    let error = called(&mut session, "risks.burn", json!({})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`risks.burn` failed, and nothing was recorded: burnt"
    );
    assert_eq!(session.state().version, 0);
    let risk = json!({ "description": "A cold cache" });
    let added = called(&mut session, "risks.add", risk).unwrap();
    assert_eq!(added, json!({ "id": "r1" }), "the session goes on");
}

#[test]
fn a_call_that_writes_is_carried_out_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[derive(Deserialize, JsonSchema)]
    struct Count {}

    impl Write for Count {
        const NAME: &'static str = "risks.count";
        const DOES: &'static str = "count";
        const EXAMPLE: &'static str = "{}";

        fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
            RUNS.fetch_add(1, Ordering::Relaxed);
            draft.record(RiskClose { id: "r1".into() });
            Ok(json!({}))
        }
    }

    let operations = Operations::built_in().writing::<Count>().unwrap();
    let mut session = session().with_operations(operations);
    called(&mut session, "risks.count", json!({})).unwrap();
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    assert_eq!(session.state().version, 1);
}

#[test]
fn names_that_are_taken_are_refused_when_the_section_is_added() {
    let error = setup().with::<Risks>().unwrap_err();
    assert!(error.to_string().contains("section `risks`"), "{error}");
    let error = Operations::built_in().reading::<List>().unwrap();
    let error = error.writing::<Listed>().unwrap_err();
    assert!(error.to_string().contains("`risks.list`"), "{error}");
}

/// Another operation of a name that is taken.
#[derive(Deserialize, JsonSchema)]
struct Listed {}

impl Write for Listed {
    const NAME: &'static str = "risks.list";
    const DOES: &'static str = "nothing";
    const EXAMPLE: &'static str = "{}";

    fn run(self, _: &mut Draft<'_>) -> Result<Value, ToolError> {
        Ok(json!({}))
    }
}

/// An operation with an example of another one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Weigh {
    /// How bad it would be.
    #[expect(dead_code, reason = "it is never run")]
    weight: u8,
}

impl Write for Weigh {
    const NAME: &'static str = "risks.weigh";
    const DOES: &'static str = "say how bad it would be";
    const EXAMPLE: &'static str = r#"{"id":"r1"}"#;

    fn run(self, _: &mut Draft<'_>) -> Result<Value, ToolError> {
        Ok(json!({}))
    }
}

#[test]
fn an_example_that_its_operation_does_not_take_is_refused_when_it_is_added() {
    let error = Operations::built_in().writing::<Weigh>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the EXAMPLE of the operation `risks.weigh` is not what it takes: \
         unknown field `id`, expected `weight`"
    );
}

#[test]
fn a_section_that_the_layout_does_not_show_comes_behind_it_and_one_that_it_shows_comes_once() {
    let mut session = session();
    let risk = json!({ "description": "# A cold cache\n</hud>" });
    called(&mut session, "risks.add", risk).unwrap();
    let shown = |setup: &Setup| {
        let frame = frame(session.state(), None, Placement::SystemTail, setup).unwrap();
        frame.system
    };
    insta::assert_snapshot!(shown(&setup()), @r"
    # Risks (1)

    - \# A cold cache ‹/hud>
    ");
    let own = setup().with_layout(Layout::new(|state| {
        let risks = state.section::<Risks>().map_or(0, |risks| risks.0.len());
        rsx! { <Part name="risks">{risks} " risks"</Part> }
    }));
    assert_eq!(shown(&own), "1 risks\n");
}

hud_store::events! {
    /// What happens to the weather.
    pub enum WeatherEvent {
        /// it changes.
        "weather.change" 1 Change(
            /// It changes.
            WeatherChange {
                /// What it is from now on.
                now: String,
            }
        ),
    }
}

/// A section that looks like nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Weather(String);

impl Section for Weather {
    const NAME: &'static str = "weather";
    type Event = WeatherEvent;

    fn apply(&mut self, WeatherEvent::Change(change): &WeatherEvent, _: &Happened<'_>) {
        self.0.clone_from(&change.now);
    }

    fn items(&self) -> Vec<Item> {
        vec![Item::new("", &self.0)]
    }

    fn is_news(&self, change: &Change) -> bool {
        change.after.as_deref() != Some("as it was")
    }
}

impl AgentSection for Weather {
    fn component(&self) -> Element<'_> {
        rsx! { "It rains." }
    }

    fn since<'a>(&'a self, before: &'a Self, changes: Vec<Change>) -> News<'a> {
        let both = rsx! { "It was " {&before.0} ", and is " {&self.0} "." };
        News {
            whole: (!changes.is_empty()).then_some(both),
            ..News::default()
        }
    }
}

/// A state in which the weather changed to one after the other, a call of the model after the first.
fn weathers(setup: &Setup, weathers: &[&str]) -> Vec<HudState> {
    let mut log = MemoryLog::new().with_sections(setup.sections.clone());
    let session = SessionId::new("s").unwrap();
    let change = |now: &&str| {
        let now = WeatherChange {
            now: (*now).to_owned(),
        };
        log.append(
            &session,
            Expected::Any,
            &[NewEvent::now(1, Actor::Agent, now)],
        )
        .unwrap();
        state_of(&log, &session).unwrap()
    };
    weathers.iter().map(change).collect()
}

#[test]
fn a_section_says_itself_what_is_new_of_it() {
    let setup = Setup::default().with::<Weather>().unwrap();
    let states = weathers(&setup, &["dry", "wet", "as it was"]);
    let [dry, wet, as_it_was] = states.as_slice() else {
        panic!("three states");
    };
    let message = |state: &HudState, shown: Option<&HudState>, placement| {
        frame(state, shown, placement, &setup).unwrap().message
    };
    assert_eq!(
        message(wet, None, Placement::Epoch),
        "# HUD: what changed\n\nIt was dry, and is wet.\n"
    );
    assert_eq!(
        message(wet, Some(dry), Placement::Delta),
        "# HUD: what changed\n\n- **weather**: wet\n"
    );
    assert_eq!(message(as_it_was, Some(wet), Placement::Delta), "");
}

#[test]
fn a_section_keeps_its_component_whether_the_layout_comes_before_it_or_behind_it() {
    let layout = || Layout::new(|_| rsx! { <Part name="own">"Mine."</Part> });
    let shown = |setup: Setup| {
        let state = setup.sections.empty_state();
        let frame = frame(&state, None, Placement::SystemTail, &setup).unwrap();
        frame.system
    };
    let new = Setup::default;
    let behind = new().with::<Weather>().unwrap().with_layout(layout());
    let before = new().with_layout(layout()).with::<Weather>().unwrap();
    assert_eq!(shown(behind), "It rains.\n\nMine.\n");
    assert_eq!(shown(before), "It rains.\n\nMine.\n");
    let own = || layout().with_section("weather", |_| rsx! { "The sun shines." });
    let behind = new().with::<Weather>().unwrap().with_layout(own());
    let before = new().with_layout(own()).with::<Weather>().unwrap();
    assert_eq!(shown(behind), "The sun shines.\n\nMine.\n");
    assert_eq!(shown(before), "The sun shines.\n\nMine.\n");
}

#[test]
fn a_layout_that_panics_is_replaced_by_the_built_in_one_for_an_agent() {
    let mut session = session();
    let risk = json!({ "description": "A cold cache" });
    called(&mut session, "risks.add", risk).unwrap();
    let state = session.state();
    let built_in = frame(state, None, Placement::Epoch, &setup()).unwrap();
    let broken = setup().with_layout(Layout::new(|_| panic!("no layout")));
    let shown = broken.showing(|setup| frame(state, None, Placement::Epoch, setup));
    let (shown, why) = shown.unwrap();
    assert_eq!(
        (shown.system, shown.message),
        (built_in.system, built_in.message)
    );
    let why = why.unwrap().to_string();
    assert_eq!(why, "the layout panicked: no layout");
}

#[test]
fn what_changed_of_the_section_is_said_where_only_changes_are_shown() {
    let mut session = session();
    let before = session.state().clone();
    let risk = json!({ "description": "A cold cache" });
    called(&mut session, "risks.add", risk).unwrap();
    let frame = frame(session.state(), Some(&before), Placement::Delta, &setup()).unwrap();
    assert_eq!(
        frame.message,
        "# HUD: what changed\n\n- **risk**: A cold cache\n"
    );
}

#[test]
fn a_recorded_session_is_replayed_with_the_operations_and_the_section() {
    let mut replay = Replay::new(SessionId::new("s").unwrap()).with(&setup());
    let call = json!({ "tool": "risks.add", "args": { "description": "A cold cache" } });
    let events = replay.observe(Entry {
        place: 1,
        key: "1".to_owned(),
        at: None,
        bytes: 0,
        observation: Observation::ToolResult {
            call: "c".to_owned(),
            actions: Action::Hud { call }.into(),
            content: String::new(),
            is_error: false,
            not_run: None,
            task: None,
            change: None,
        },
    });
    assert_eq!(events[0].event.kind(), "risk.add");
    assert_eq!(replay.state().section::<Risks>().unwrap().0[0].id, "r1");
}
