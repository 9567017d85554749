//! What tools said, as far as it is in the conversation.

use serde::{Deserialize, Serialize};

use crate::event::Clip;

/// What kind of output a tool's is, by which it ages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputClass {
    /// What a file holds.
    Read,
    /// What a search, a listing or a command found.
    Look,
    /// What another agent, or a page of the web, says.
    Report,
    /// That something was done: an edit, a plan.
    Ack,
    /// What is never taken out: what the user answered, the HUD's own tool.
    Kept,
}

impl Clip for OutputClass {}
