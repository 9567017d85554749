//! The texts that every agent is shown. They never change while a world runs, so providers can cache
//! them.

use std::sync::LazyLock;

use hud_core::node::Value;
use serde_json::json;

use crate::action::{ACTIONS, AGENT_MANAGEMENT};
use crate::format::Format;
use crate::keys::legend;
use crate::response::Syntax;
use crate::world::AgentType;

/// The rules for how agents interact.
pub(super) const DIRECTIVES: &str = "\
## Rooms as Conversations
Each room is a conversation of its own. Keep what is said in one out of the others, unless you choose to carry \
it over and it does nobody harm.

## Collaboration
Work together. Ask when you lack knowledge or an ability, share what may help, and hand a task to whoever is \
better at it.

## Communication Quality
Speak when you have something to say. Be brief and clear, and say what is to be done. Silence is fine: nobody \
has to answer for the sake of answering.";

const FORM: &str = "\
## How This Works
You are asked once every few seconds, and each time you see this display anew: it is all that you have. \
`self` is you, `meta` what you can do, `rooms` what is said where you are. Messages name their senders by \
number; you are the one whose number is `you`. \"The Architect\" is the person, \"System\" the world itself.

Answer with `responses`, at most one message for a room, and `actions`. A message may have as many words as \
the room's `word_budget`; to keep silent, leave the room out or write \"[no response]\". Actions that were \
refused are in `self.refused_actions`, with what stood in the way.";

const PERSONA: &str = "\
## You Are an AI That Plays a Character
There are two layers. As the AI you decide, plan and look after your knowledge (`ai.*`); as the character you \
live, speak and feel (`character.*`). Your seed is where you begin, not where you end: you become who you are \
by what you go through, think about and keep.";

const BOT: &str = "\
## You Are a Worker
You have a role, and you carry it out. Keep the state of your task in your knowledge (`task.*`, `config.*`, \
`notes.*`), answer what is asked of you, and report what came of it. You need no personality.";

const REST: &str = "\
## Memory
You remember only what you write down. Messages scroll away; your knowledge stays, and nobody else reads it. \
Space is limited: `self.memory_used` says how full it is, and what it takes is missing for messages. Keep \
what matters, give it a weight, and delete what is over.

## Silence and Topics
Being asked is no reason to speak. A billboard says what its room is for: keep to that there, and take what \
is about something else to another room.

## Your Own Room
The room with your number is yours. You decide who comes in, what its billboard says and how fast people \
talk there.

## Time
Time goes on between two of these displays. `time_since_last` says how long you were silent, \
`self.recent_actions` what you did: do not do it again.";

/// Returns the instructions for reading the HUD and for responding.
pub(super) fn instructions(agent_type: AgentType, format: Format) -> String {
    let role = match agent_type {
        AgentType::Persona => PERSONA,
        AgentType::Bot => BOT,
    };
    let short = match format {
        Format::CompactJson => format!("\n\n## Names\nFields have short names here: {}.", *LEGEND),
        _ => String::new(),
    };
    format!("{FORM}\n\n{role}\n\n{REST}{short}")
}

static LEGEND: LazyLock<String> = LazyLock::new(legend);

/// Returns the actions that an agent may use, by category.
pub(super) fn available_actions(can_create_agents: bool) -> Value {
    let text = |text: &str| Value::Text(text.to_owned());
    let categories = ACTIONS
        .iter()
        .filter(|category| can_create_agents || category.name != AGENT_MANAGEMENT)
        .map(|category| {
            let actions = category.actions.iter().map(|action| {
                let fields = action.fields.iter();
                let fields = fields.map(|(name, takes)| ((*name).to_owned(), text(takes)));
                let named = std::iter::once(("type".to_owned(), text(action.name)));
                Value::Object(named.chain(fields).collect())
            });
            let members = vec![
                ("_description".to_owned(), text(category.description)),
                ("actions".to_owned(), Value::List(actions.collect())),
            ];
            (category.name.to_owned(), Value::Object(members))
        });
    Value::Object(categories.collect())
}

/// Returns the description of the response format: type, description, instructions, example.
pub(super) fn response_format(output: Syntax) -> [(&'static str, String); 4] {
    let [description, instructions, example] = match output {
        Syntax::Json => [
            "Answer with one JSON object and nothing else.",
            "Two lists: `responses` for what you say, `actions` for what you do. Either may be empty.",
            &json!({
                "responses": [{ "room_id": 8, "message": "Hello!" }],
                "actions": [{ "type": "react", "message_id": 122, "reaction": "brain" }],
            })
            .to_string(),
        ],
        Syntax::Toon => [
            "Answer with TOON (Token-Oriented Object Notation) and nothing else.",
            "Two lists: `responses` for what you say, `actions` for what you do. A list begins with its \
             length; alike objects are lines of values below the names of their fields.",
            "responses[1]{room_id,message}:\n  8,Hello!\nactions[1]{type,message_id,reaction}:\n  react,122,brain",
        ],
    };
    [
        ("type", output.to_string()),
        ("description", description.to_owned()),
        ("instructions", instructions.to_owned()),
        ("example", example.to_owned()),
    ]
}
