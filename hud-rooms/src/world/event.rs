//! The events of a world.

use hud_store::event::Clip;
use jiff::Timestamp;

use super::{AgentId, AgentType, Reaction, Sender};
use crate::format::Format;
use crate::response::Syntax;

impl Clip for AgentType {}
impl Clip for Reaction {}
impl Clip for Sender {}
impl Clip for Format {}
impl Clip for Syntax {}

hud_store::events! {
    /// What happens in a world of rooms, seen by whoever is there.
    pub enum WorldEvent {
        /// an agent comes into being, with a room of its own.
        "rooms.agent.create" 1 AgentCreate(
            /// Makes an agent.
            AgentCreate {
                /// Its number, and that of its room.
                id: AgentId,
                /// What it is called.
                name: String,
                /// What it is.
                agent_type: AgentType,
                /// The model that speaks for it.
                model: String,
                /// The seed of a persona, the role of a bot.
                prompt: String,
                /// Whether it may make, alter and retire agents.
                can_create_agents: bool,
                /// How its HUD is written.
                input: Format,
                /// How it is asked to answer.
                output: Syntax,
            }
        ) words [name, prompt],
        /// an agent becomes another one in part.
        "rooms.agent.alter" 1 AgentAlter(
            /// Changes what is given.
            AgentAlter {
                /// Which agent.
                id: AgentId,
                /// What it is called from now on.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                name: Option<String>,
                /// The model that speaks for it from now on.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                model: Option<String>,
                /// Its seed or its role from now on.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                prompt: Option<String>,
            }
        ) words [name, prompt],
        /// an agent is no more; its room closes.
        "rooms.agent.retire" 1 AgentRetire(
            /// Retires an agent.
            AgentRetire {
                /// Which agent.
                id: AgentId,
            }
        ),
        /// an agent was asked and its answer is in.
        "rooms.agent.beat" 1 AgentBeat(
            /// Ends a heartbeat.
            AgentBeat {
                /// Whose.
                id: AgentId,
            }
        ),
        /// an agent sleeps.
        "rooms.agent.sleep" 1 AgentSleep(
            /// Begins a sleep.
            AgentSleep {
                /// Who sleeps.
                id: AgentId,
                /// Until when.
                until: Timestamp,
            }
        ),
        /// an agent is woken.
        "rooms.agent.wake" 1 AgentWake(
            /// Ends a sleep.
            AgentWake {
                /// Who is woken.
                id: AgentId,
                /// By whom.
                by: AgentId,
            }
        ),
        /// an agent comes into a room.
        "rooms.room.join" 1 RoomJoin(
            /// Makes an agent a member.
            RoomJoin {
                /// Of which room.
                room: AgentId,
                /// Who.
                agent: AgentId,
            }
        ),
        /// an agent leaves a room.
        "rooms.room.leave" 1 RoomLeave(
            /// Ends a membership.
            RoomLeave {
                /// Of which room.
                room: AgentId,
                /// Whose.
                agent: AgentId,
            }
        ),
        /// the billboard of a room is written or taken down.
        "rooms.room.billboard" 1 RoomBillboard(
            /// Writes a billboard.
            RoomBillboard {
                /// Of which room.
                room: AgentId,
                /// What it says; nothing where it is taken down.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                text: Option<String>,
            }
        ) words [text],
        /// a room has another pace.
        "rooms.room.pace" 1 RoomPace(
            /// Sets how many words a minute are said in a room.
            RoomPace {
                /// Of which room.
                room: AgentId,
                /// How many.
                wpm: u32,
            }
        ),
        /// a room has another key.
        "rooms.key.create" 1 KeyCreate(
            /// Makes a key.
            KeyCreate {
                /// Of which room.
                room: AgentId,
                /// The key.
                key: String,
            }
        ),
        /// a key opens no door any more.
        "rooms.key.revoke" 1 KeyRevoke(
            /// Takes a key back.
            KeyRevoke {
                /// Of which room.
                room: AgentId,
                /// The key.
                key: String,
            }
        ),
        /// an agent asks to be let in.
        "rooms.access.request" 1 AccessRequest(
            /// Asks for access.
            AccessRequest {
                /// The request's number.
                id: u64,
                /// To which room.
                room: AgentId,
                /// Who asks.
                agent: AgentId,
                /// The key that it showed.
                key: String,
            }
        ),
        /// a request is granted or denied.
        "rooms.access.answer" 1 AccessAnswer(
            /// Answers a request.
            AccessAnswer {
                /// The request's number.
                id: u64,
                /// To which room it is.
                room: AgentId,
                /// Whether the agent comes in.
                granted: bool,
            }
        ),
        /// something is said in a room.
        "rooms.message.send" 1 MessageSend(
            /// Says something.
            MessageSend {
                /// The message's number.
                id: u64,
                /// In which room.
                room: AgentId,
                /// Who says it.
                sender: Sender,
                /// What is said.
                content: String,
                /// From when on others see it: until then it is being typed.
                due: Timestamp,
                /// The message that it replies to.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                reply_to: Option<u64>,
            }
        ) words [content],
        /// somebody reacts to a message.
        "rooms.message.react" 1 MessageReact(
            /// Reacts to a message.
            MessageReact {
                /// Which message.
                message: u64,
                /// In which room it is.
                room: AgentId,
                /// Who reacts.
                agent: AgentId,
                /// How.
                reaction: Reaction,
            }
        ),
    }
}
