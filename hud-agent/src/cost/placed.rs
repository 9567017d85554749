//! The HUD in a request: [`Placed`].

use hud_core::fit::FitError;
use hud_core::part::Layer;
use hud_core::tokens::{Family, TokenCounter};
use hud_store::state::HudState;

use super::request::{Block, Role};
use crate::frame::{Frame, begun, frame};
use crate::layout::LayoutError;
use crate::placement::Placement;
use crate::setup::Setup;
use crate::tool::compact_definition;

/// The HUD of a call in a placement.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// After the client's system prompt.
    pub(super) system: Vec<Block>,
    /// After the conversation, for this call only.
    pub(super) tail: Vec<Block>,
    /// In the conversation, from this call on.
    pub(super) kept: Vec<Block>,
    pub(super) parts: Vec<Slot>,
}

/// A part of the HUD in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The part.
    pub block: Block,
    /// True if it comes before the conversation.
    pub is_before: bool,
}

/// Makes blocks of texts, with their tokens for a model.
pub(super) struct Writer<'s> {
    setup: &'s Setup,
    counter: &'s dyn TokenCounter,
    family: &'static Family,
}

impl<'s> Writer<'s> {
    pub(super) fn of(setup: &'s Setup, model: Option<&str>) -> Self {
        let family = Family::of(model.unwrap_or_default());
        Self {
            counter: setup.counters.of(family.encoding),
            setup,
            family,
        }
    }

    pub(super) fn block(
        &self,
        id: &'static str,
        role: Role,
        said: &str,
    ) -> Result<Block, LayoutError> {
        let count = self.counter.count(said).map_err(FitError::Count)?;
        Ok(Block::new(id, role, said, self.family.tokens(count.into())))
    }

    /// The definitions of the HUD's tools.
    pub(super) fn tools(&self) -> Result<Block, LayoutError> {
        let definitions = [self.setup.operations.definition(), compact_definition()];
        let tools: Vec<String> = definitions
            .iter()
            .map(|tool| format!("{} {} {}", tool.name, tool.description, tool.schema))
            .collect();
        self.block("hud tools", Role::Tools, &tools.join("\n"))
    }

    /// Returns the HUD of a state. `known` is the model's knowledge, in a placement that keeps its messages.
    pub(super) fn hud(
        &self,
        state: &HudState,
        known: Option<&HudState>,
        placement: Placement,
    ) -> Result<Placed, LayoutError> {
        let frame = frame(state, known, placement, self.setup)?;
        let shown = |id, text: &str| {
            let wrapped = match text.is_empty() {
                true => return Ok(None),
                false => format!("<hud>\n{text}</hud>\n"),
            };
            self.block(id, Role::Hud, &wrapped).map(Some)
        };
        let system = shown("hud", &frame.system)?.into_iter().collect();
        let message = shown("hud changes", &frame.message)?.into_iter().collect();
        if placement == Placement::Delta {
            return Ok(Placed {
                kept: message,
                ..Placed::default()
            });
        }
        Ok(Placed {
            parts: self.slots(state, &frame, placement)?,
            system,
            tail: message,
            kept: Vec::new(),
        })
    }

    /// Returns the parts of a frame, in its order.
    fn slots(
        &self,
        state: &HudState,
        frame: &Frame,
        placement: Placement,
    ) -> Result<Vec<Slot>, LayoutError> {
        let begun = begun(state, placement, self.setup);
        let texts = frame.texts(state, self.setup)?;
        let begun = begun.map(|begun| frame.texts(&begun, self.setup));
        let begun = begun.transpose()?;
        let mut slots = Vec::new();
        for (at, shown) in frame.parts.iter().enumerate() {
            let is_static = shown.part.layer == Layer::Static;
            let texts = begun.as_ref().filter(|_| is_static).unwrap_or(&texts);
            let said = texts.get(at).map_or("", String::as_str);
            slots.push(Slot {
                block: Block {
                    id: shown.part.name.clone(),
                    ..self.block("", Role::Hud, said)?
                },
                is_before: is_static || placement == Placement::SystemTail,
            });
        }
        Ok(slots)
    }
}
