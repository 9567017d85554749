//! The HUD as components. Content that never changes comes first, and the newest comes last.

use hud_core::node::Value;
use hud_core::{Element, component, rsx};

use super::nodes::{Entry, Object, Prose, Record, Records};
use super::texts;
use super::view::{RoomView, SelfView, fields, since};
use crate::decide::clock;
use crate::format::Format;
use crate::own::{Refused, Taken};
use crate::world::{Agent, AgentType, Message};

fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

fn number(number: impl Into<i128>) -> Value {
    Value::Integer(number.into())
}

/// The rules that hold for all.
#[component]
pub fn System<'a>() -> Element<'a> {
    rsx! { <Object name="system"><Prose name="directives" text={texts::DIRECTIVES} /></Object> }
}

/// How to read the HUD, what can be done, and how to answer.
#[component]
pub fn Meta<'a>(
    /// Whom it is for.
    agent: &'a Agent,
    /// How the HUD is written.
    format: Format,
) -> Element<'a> {
    let instructions = texts::instructions(agent.agent_type, format);
    let actions = texts::available_actions(agent.can_create_agents);
    let response = texts::response_format(agent.output);
    rsx! {
        <Object name="meta">
            <Prose name="instructions" text={instructions} />
            <Entry name="available_actions" value={actions} />
            <Object name="response_format">
                for (name, said) in response { <Entry name={name} value={text(said)} /> }
            </Object>
        </Object>
    }
}

/// Who the agent is, what it knows and what it did.
#[component]
pub fn SelfPart<'a>(
    /// What of it is shown.
    view: &'a SelfView<'a>,
) -> Element<'a> {
    rsx! {
        <Object name="self">
            <Identity agent={view.agent} />
            <Entry name="knowledge" value={view.knowledge.clone()} />
            <Entry name="memory_used" value={text(format!("{}%", view.memory_used))} />
            if !view.knowledge_not_shown.is_empty() {
                <Entry name="knowledge_not_shown" value={strings(&view.knowledge_not_shown)} />
            }
            if !view.rooms_not_shown.is_empty() {
                <Entry name="rooms_not_shown" value={strings(&view.rooms_not_shown)} />
            }
            if !view.refused.is_empty() {
                <Records name="refused_actions">
                    for refused in view.refused { <RefusedAction refused /> }
                </Records>
            }
            <Records name="recent_actions">
                for taken in view.recent { <RecentAction taken /> }
            </Records>
        </Object>
    }
}

fn strings(texts: &[String]) -> Value {
    Value::List(texts.iter().map(text).collect())
}

/// What the agent can't choose.
#[component]
fn Identity<'a>(agent: &'a Agent) -> Element<'a> {
    let prompt = match agent.agent_type {
        AgentType::Persona => "seed",
        AgentType::Bot => "role",
    };
    rsx! {
        <Object name="identity">
            <Entry name="id" value={number(agent.id)} />
            <Entry name="name" value={text(&agent.name)} />
            <Entry name="model" value={text(&agent.model)} />
            <Entry name={prompt} value={text(&agent.prompt)} />
        </Object>
    }
}

/// An action that was taken.
#[component]
fn RecentAction<'a>(taken: &'a Taken) -> Element<'a> {
    let (action, others) = fields(&taken.action);
    rsx! {
        <Record>
            <Entry name="type" value={action} />
            <Entry name="timestamp" value={text(clock(taken.at))} />
            for (name, value) in others { <Entry name={name} value /> }
        </Record>
    }
}

/// An action that was not.
#[component]
fn RefusedAction<'a>(refused: &'a Refused) -> Element<'a> {
    rsx! {
        <Record>
            <Entry name="type" value={text(&refused.action)} />
            <Entry name="gate" value={text(refused.gate.name())} />
            <Entry name="reason" value={text(&refused.said)} />
        </Record>
    }
}

/// The rooms, each with its messages.
#[component]
pub fn Rooms<'a>(
    /// What of them is shown.
    rooms: &'a [RoomView<'a>],
) -> Element<'a> {
    rsx! { <Records name="rooms" sections=true>for view in rooms { <RoomPart view /> }</Records> }
}

/// A room. What changes with each heartbeat is behind what is only added to.
#[component]
pub fn RoomPart<'a>(
    /// What of it is shown.
    view: &'a RoomView<'a>,
) -> Element<'a> {
    let room = view.room;
    let is_self = room.id == view.you;
    let shown = room.members.keys().take(crate::limits::MEMBERS_SHOWN);
    let members = shown.map(|id| text(id.to_string())).collect();
    let more = room
        .members
        .len()
        .saturating_sub(crate::limits::MEMBERS_SHOWN);
    let keys = strings(&room.keys);
    rsx! {
        <Record title={format!("room {}", room.id)}>
            <Entry name="id" value={number(room.id)} />
            <Entry name="you" value={number(view.you)} />
            <Entry name="is_self_room" value={Value::Bool(is_self)} />
            <Entry name="members" value={Value::List(members)} />
            if more > 0 { <Entry name="more_members" value={number(more as u64)} /> }
            <Entry name="attention_pct" value={Value::Float(view.attention_pct)} />
            if let Some(billboard) = &room.billboard {
                <Entry name="billboard" value={text(billboard)} />
            }
            if is_self {
                <Entry name="my_keys" value={keys} />
                <Records name="pending_access_requests">
                    for request in &room.requests {
                        <Record>
                            <Entry name="id" value={number(request.id)} />
                            <Entry name="requester_id" value={number(request.agent)} />
                            <Entry name="key_used" value={text(&request.key)} />
                        </Record>
                    }
                </Records>
            }
            <Records name="messages">
                for message in &view.messages { <MessageLine message={message} /> }
            </Records>
            <Entry name="time_since_last" value={text(since(view.said_at, view.now))} />
            <Entry name="word_budget" value={number(view.word_budget)} />
        </Record>
    }
}

/// A message.
#[component]
pub fn MessageLine<'a>(
    /// Which one.
    message: &'a Message,
) -> Element<'a> {
    let is_system = message.sender == crate::world::Sender::System;
    let reactions = message.reactions.iter();
    let reactions =
        reactions.map(|(reaction, by)| (reaction.name().to_owned(), number(by.len() as u64)));
    let reactions: Vec<_> = reactions.collect();
    rsx! {
        <Record>
            <Entry name="id" value={number(message.id)} />
            <Entry name="timestamp" value={text(clock(message.due))} />
            <Entry name="sender" value={text(message.sender.shown())} />
            <Entry name="content" value={text(&message.content)} />
            <Entry name="type" value={text(if is_system { "system" } else { "text" })} />
            if let Some(id) = message.reply_to { <Entry name="reply_to" value={number(id)} /> }
            if !reactions.is_empty() {
                <Entry name="reactions" value={Value::Object(reactions.clone())} />
            }
        </Record>
    }
}
