//! A `hud` with a section and a layout of its own: what may go wrong.

use std::process::ExitCode;

use hud_agent::tool::{Draft, Operations, ToolError, Write};
use hud_agent::{section::AgentSection, setup::SetupError};
use hud_components::{Hud, text::line};
use hud_core::node::{Item, List, Section};
use hud_core::{Element, component, rsx};
use hud_store::{section, state::HudState};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

hud_store::events! {
    /// What happens to risks.
    pub enum RiskEvent {
        /// the agent sees a risk.
        "risk.add" 1 Add(
            /// Adds a risk.
            #[derive(schemars::JsonSchema)]
            RiskAdd { /** What may go wrong, and when. */ risk: String }
        ) item risk words [risk],
    }
}

/// The section: every risk that the agent saw, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Risks(Vec<String>);

impl section::Section for Risks {
    const NAME: &'static str = "risks";
    type Event = RiskEvent;

    fn apply(&mut self, RiskEvent::Add(add): &RiskEvent, _: &section::Happened<'_>) {
        self.0.push(add.risk.clone());
    }

    fn items(&self) -> Vec<section::Item> {
        self.0.iter().map(|r| section::Item::new(r, r)).collect()
    }
}

/// The operation of the `hud` tool with which the agent adds a risk.
impl Write for RiskAdd {
    const NAME: &'static str = "risks.add";
    const DOES: &'static str = "something may go wrong";
    const EXAMPLE: &'static str = r#"{"risk":"The cache is cold after a deploy"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        draft.record(self);
        Ok(json!("noted"))
    }
}

impl AgentSection for Risks {
    fn operations(operations: Operations) -> Operations {
        operations.write::<RiskAdd>()
    }
}

/// How the section looks; of the parts of the HUD few are worth more.
#[component(worth = 8, part = "risks")]
fn RisksList<'a>(risks: &'a [String]) -> Element<'a> {
    let lines = risks.iter().map(|risk| line(risk, 200));
    rsx! { <Section title="Risks"><List>for text in lines { <Item>{text}</Item> }</List></Section> }
}

/// The layout: what may go wrong, and then the built-in one.
fn layout(state: &HudState) -> Element<'_> {
    let risks = state.section::<Risks>().map_or(&[][..], |risks| &risks.0);
    rsx! {
        if !risks.is_empty() { <RisksList risks /> }
        <Hud state />
    }
}

fn main() -> Result<ExitCode, SetupError> {
    let app = hud_cli::App::new().section::<Risks>()?;
    Ok(app.layout(layout).run())
}

#[cfg(test)]
mod tests {
    use hud_agent::{assert_cost_ratio, assert_fits, setup::Setup};

    use super::*;

    #[test]
    fn the_layout_fits_and_costs_next_to_nothing() -> Result<(), SetupError> {
        let setup = Setup::default().with::<Risks>()?;
        let setup = setup.with_layout(hud_agent::layout::Layout::new(layout));
        let states = vec![setup.sections.empty_state(); 10];
        assert_fits!(setup, states[0], 60);
        assert_cost_ratio!(setup, states, < 1.05);
        Ok(())
    }
}
