//! The command line of `hud rooms`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Subcommand};
use hud_rooms::format::Format;
use hud_rooms::limits::{HUD_TOKENS, LEAST_HUD_TOKENS, MOST_HUD_TOKENS};
use hud_rooms::response::Syntax;
use hud_rooms::world::{AgentId, AgentType};
use jiff::Timestamp;

use crate::args::{Db, Terms};

#[derive(Debug, ClapArgs)]
pub(crate) struct Rooms {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Begin a world with the agents of a file
    New(New),
    /// Add an agent, with a room of its own
    Add(Add),
    /// Say something in a room, as The Architect
    Say(Say),
    /// Show an agent's HUD
    Hud(Hud),
    /// Take in what an agent answers, from standard input
    Respond(Respond),
    /// Show what is said, as it is said
    Watch(Watch),
    /// Show what each agent's HUD takes in each format
    Formats(Formats),
    /// Ask a model for all agents, heartbeat by heartbeat
    Run(Run),
}

/// Which world of which log, and when.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct In {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The world: the name of its session in the log
    #[arg(long, value_name = "NAME", default_value = "rooms")]
    pub(crate) world: String,
    /// The time of the world, instead of the clock's: 2026-03-02T09:00:00Z. It never goes back
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<Timestamp>,
}

impl In {
    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }
}

/// How much a HUD may take.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Size {
    /// How many tokens a HUD has at most, half of them for rooms in any case
    #[arg(long, value_name = "N", default_value_t = HUD_TOKENS,
          value_parser = clap::value_parser!(u64).range(LEAST_HUD_TOKENS..=MOST_HUD_TOKENS))]
    pub(crate) hud_tokens: u64,
}

/// A time that a run may take.
fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().map(|minutes: f64| minutes * 60.0);
    let time = minutes.map(Duration::try_from_secs_f64);
    match time {
        Ok(Ok(time)) => Ok(time),
        _ => Err("write a number of minutes such as 90 or 0.5".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct New {
    #[command(flatten)]
    pub(crate) place: In,
    /// A TOML file with a table [[agents]] for each agent, as examples/rooms/world.toml has
    pub(crate) file: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Add {
    #[command(flatten)]
    pub(crate) place: In,
    /// What it is called; a bot may go without
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// persona or bot
    #[arg(long = "type", default_value_t, value_name = "TYPE")]
    pub(crate) agent_type: AgentType,
    /// The model that speaks for it
    #[arg(long)]
    pub(crate) model: String,
    /// The seed of a persona, the role of a bot
    #[arg(long, visible_aliases = ["seed", "role"])]
    pub(crate) prompt: String,
    /// Let it make, change and retire agents
    #[arg(long)]
    pub(crate) can_create_agents: bool,
    /// How its HUD is written: json, compact_json, toon or markdown
    #[arg(long, default_value_t)]
    pub(crate) input: Format,
    /// How it is asked to answer: json or toon
    #[arg(long, default_value_t)]
    pub(crate) output: Syntax,
    /// A room that it begins in, besides its own; may be repeated
    #[arg(long = "room", value_name = "ID")]
    pub(crate) rooms: Vec<AgentId>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Say {
    #[command(flatten)]
    pub(crate) place: In,
    /// The room
    #[arg(long, value_name = "ID")]
    pub(crate) room: AgentId,
    /// What is said
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Hud {
    #[command(flatten)]
    pub(crate) place: In,
    /// The agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent: AgentId,
    /// json, compact_json, toon or markdown; by default as the agent has it
    #[arg(long)]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) size: Size,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Respond {
    #[command(flatten)]
    pub(crate) place: In,
    /// The agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent: AgentId,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) place: In,
    /// Only this room
    #[arg(long, value_name = "ID")]
    pub(crate) room: Option<AgentId>,
    /// End behind what was said until now
    #[arg(long)]
    pub(crate) once: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Formats {
    #[command(flatten)]
    pub(crate) place: In,
    /// Write a JSON object on a line for each agent
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) size: Size,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) place: In,
    /// Where chat completions are: an address such as https://api.openai.com/v1
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: String,
    #[command(flatten)]
    pub(crate) terms: Terms,
    /// A room to be in, as The Architect: each line of standard input is said there, and what is said there is
    /// shown; `/room 2` goes to another one. The end of the input ends the run, if nothing else does
    #[arg(long, value_name = "ID")]
    pub(crate) room: Option<AgentId>,
    /// End after so many heartbeats
    #[arg(long, value_name = "N")]
    pub(crate) heartbeats: Option<u64>,
    /// End after so many minutes: 90, or 0.5
    #[arg(long, value_name = "N", value_parser = minutes)]
    pub(crate) minutes: Option<Duration>,
    #[command(flatten)]
    pub(crate) size: Size,
    /// Let the world's time jump to the next heartbeat instead of waiting for it
    #[arg(long)]
    pub(crate) virtual_time: bool,
    /// How many agents are asked at the same time
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) parallel: u16,
    /// How many tokens this run may use, sent and written together
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_tokens: u64,
    /// How many tokens of them an answer may have
    #[arg(long, value_name = "N", default_value_t = 1_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_answer: u64,
}
