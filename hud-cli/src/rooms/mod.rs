//! `hud rooms`: agents that talk in rooms. Each agent has its own HUD.

pub(crate) mod args;
mod chat;
mod masked;
mod person;
mod run;

use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::Path;

use hud_agent::settings::Secrets;
use hud_rooms::log::FileLog;
use hud_rooms::world::{AgentId, MessageSend, Sender, WorldEvent};
use hud_rooms::{NewAgent, Rooms};
use hud_store::event::{SessionId, StoredEvent};
use hud_store::log::{Follow as _, Log as _};
use hud_store::sqlite::Durability;
use serde::{Deserialize, Serialize};

use self::args::{Add, Command, Formats, Hud, In, New, Respond, Say, Watch};
use self::masked::MaskedLog;
use crate::app::App;
use crate::location::Location;
use crate::output::{self, Failure, Output, count};

/// The maximum size of a world's file or of an answer, in bytes.
const LONGEST: u64 = 1024 * 1024;

pub(crate) fn run(args: &args::Rooms, app: &App) -> Result<(), Failure> {
    match &args.command {
        Command::New(args) => new(args, app),
        Command::Add(args) => add(args, app),
        Command::Say(args) => say(args, app),
        Command::Hud(args) => hud(args, app),
        Command::Respond(args) => respond(args, app),
        Command::Watch(args) => watch(args, app),
        Command::Formats(args) => formats(args, app),
        Command::Run(args) => run::run(args, app),
    }
}

/// Opens the log of a world for writing.
fn log(location: &Location, app: &App) -> Result<MaskedLog, Failure> {
    let log = FileLog::new(location.write(Durability::Full)?, location.read()?);
    let settings = app.config(Path::new(".")).settings;
    Ok(MaskedLog::new(
        log,
        settings.derive.secrets == Secrets::Mask,
    ))
}

fn open(place: &In, app: &App) -> Result<Rooms<MaskedLog>, Failure> {
    let location = place.db.location(app)?;
    // Opening the log for reading fails if there is none, so that no log without a world is created.
    drop(location.read()?);
    Ok(Rooms::open(log(&location, app)?, &place.world)?)
}

/// The world in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    agents: Vec<NewAgent>,
}

fn new(args: &New, app: &App) -> Result<(), Failure> {
    let named =
        |error: &dyn std::fmt::Display| Failure::Other(format!("{}: {error}", args.file.display()));
    let file = std::fs::File::open(&args.file).map_err(|error| named(&error))?;
    let mut text = String::new();
    file.take(LONGEST)
        .read_to_string(&mut text)
        .map_err(|error| named(&error))?;
    let plan: Plan = toml::from_str(&text).map_err(|error| named(&error))?;
    let location = args.place.db.location(app)?;
    let rooms = Rooms::begin(
        log(&location, app)?,
        &args.place.world,
        &plan.agents,
        args.place.now(),
    )?;
    let mut output = Output::new();
    for agent in rooms.world().agents() {
        let name = &agent.name;
        output.text(&format!(
            "agent {}, room {}: {name}, a {} on {}",
            agent.id, agent.id, agent.agent_type, agent.model
        ))?;
    }
    Ok(output.flush()?)
}

fn add(args: &Add, app: &App) -> Result<(), Failure> {
    let mut rooms = open(&args.place, app)?;
    let new = NewAgent {
        name: args.name.clone(),
        agent_type: args.agent_type,
        model: args.model.clone(),
        prompt: args.prompt.clone(),
        can_create_agents: args.can_create_agents,
        input: args.input,
        output: args.output,
        rooms: args.rooms.clone(),
    };
    let id = rooms.add(&new, args.place.now())?;
    said(&format!("agent {id}, room {id}"))
}

fn say(args: &Say, app: &App) -> Result<(), Failure> {
    let mut rooms = open(&args.place, app)?;
    let id = rooms.say(args.room, &args.text.join(" "), args.place.now())?;
    said(&format!("message {id}"))
}

fn hud(args: &Hud, app: &App) -> Result<(), Failure> {
    let mut rooms = open(&args.place, app)?.with_hud_tokens(args.size.hud_tokens);
    let hud = rooms.hud(args.agent, args.format, args.place.now())?;
    said(&hud.text)?;
    let shown: usize = hud.messages.iter().map(|(_, messages)| messages).sum();
    output::note(format_args!(
        "{} tokens as {}, {} of them system, meta and self; {}",
        hud.tokens,
        hud.format,
        hud.static_tokens,
        count(shown as u64, "message")
    ));
    Ok(())
}

fn respond(args: &Respond, app: &App) -> Result<(), Failure> {
    let mut rooms = open(&args.place, app)?;
    let mut text = Vec::new();
    std::io::stdin()
        .lock()
        .take(LONGEST)
        .read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let answer = rooms.respond(args.agent, &text, None, args.place.now())?;
    let mut output = Output::new();
    output.json(&answer)?;
    output.flush()?;
    for refused in &answer.refused {
        output::note(format_args!(
            "refused: {} ({}): {}",
            refused.action, refused.gate, refused.said
        ));
    }
    Ok(())
}

fn said(text: &str) -> Result<(), Failure> {
    let mut output = Output::new();
    output.text(text)?;
    Ok(output.flush()?)
}

fn watch(args: &Watch, app: &App) -> Result<(), Failure> {
    let location = args.place.db.location(app)?;
    let log = location.read()?;
    let session = SessionId::new(args.place.world.clone())
        .map_err(|error| Failure::Other(format!("--world {error}")))?;
    let mut output = Output::new();
    let mut outcome = Ok(());
    let mut each = |event: StoredEvent| {
        let said = event.event.read::<WorldEvent>();
        if let Ok(Some(WorldEvent::MessageSend(message))) = said
            && args.room.is_none_or(|room| room == message.room)
        {
            let MessageSend {
                room, id, sender, ..
            } = message;
            // The output is flushed because the user is waiting for it.
            outcome =
                line(&mut output, room, id, sender, &message.content).and_then(|()| output.flush());
        }
        match outcome.is_ok() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    match args.once {
        true => log.read(&session, 1, &mut each)?,
        false => log.follow(&session, 1, &mut each, &mut || ControlFlow::Continue(()))?,
    }
    outcome?;
    Ok(output.flush()?)
}

/// Writes a message on a line.
fn line(
    output: &mut Output,
    room: AgentId,
    id: u64,
    sender: Sender,
    content: &str,
) -> std::io::Result<()> {
    let content = content.replace('\n', " ");
    output.text(&format!(
        "room {room} · {id} · {}: {content}",
        sender.shown()
    ))
}

/// The token counts of an agent's HUD.
#[derive(Serialize)]
struct Figures {
    agent: u64,
    format: hud_rooms::format::Format,
    /// The counts of the HUD that the agent would see now.
    now: hud_rooms::format::Tokens,
    /// The counts of the HUDs that the agent saw in its model calls.
    kept: hud_rooms::own::Shown,
}

fn formats(args: &Formats, app: &App) -> Result<(), Failure> {
    let mut rooms = open(&args.place, app)?.with_hud_tokens(args.size.hud_tokens);
    let ids: Vec<u64> = rooms
        .world()
        .agents()
        .filter(|agent| !agent.is_retired)
        .map(|agent| agent.id)
        .collect();
    let mut output = Output::new();
    for agent in ids {
        let hud = rooms.hud(agent, None, args.place.now())?;
        let kept = rooms.own(agent)?.section::<hud_rooms::own::Own>();
        let kept = kept.map(hud_rooms::own::Own::shown).unwrap_or_default();
        let figures = Figures {
            agent,
            format: hud.format,
            now: hud.by_format,
            kept,
        };
        if args.json {
            output.json(&figures)?;
            continue;
        }
        let row = |tokens: hud_rooms::format::Tokens, huds: u64| {
            let each = hud_rooms::format::Format::ALL.map(|format| {
                let tokens = tokens.of(format) / huds.max(1);
                format!("{format} {tokens}")
            });
            each.join(" · ")
        };
        output.text(&format!(
            "agent {agent} ({}): {}",
            hud.format,
            row(figures.now, 1)
        ))?;
        if kept.huds > 0 {
            output.text(&format!(
                "  {} shown, on average {}; {} % of each began as the one before",
                count(kept.huds, "HUD"),
                row(kept.tokens, kept.huds),
                kept.prefix * 100 / kept.own.max(1)
            ))?;
        }
    }
    Ok(output.flush()?)
}
