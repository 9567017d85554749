//! `hud reference`: what there is of everything, from the code itself.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use hud_agent::settings::Settings;
use hud_agent::tool::NoLookup;
use hud_components::text::line;
use hud_layout::catalogue::plain;
use hud_store::event::HudEvent;
use serde_json::{Value, json};

use crate::app::App;
use crate::args::{Page, Reference};
use crate::layout;
use crate::manual;
use crate::output::{self, Failure, Output, count};
use crate::own;

/// How wide the help of a command is written, in characters.
const WIDTH: usize = 100;

/// How long a description in a table may be, in characters.
const LONG: usize = 400;

pub(crate) fn run(args: &Reference, app: &App) -> Result<(), Failure> {
    let Some(folder) = &args.dir else {
        let mut output = Output::new();
        if let Some(page) = args.page {
            output.raw().write_all(text(page, app)?.as_bytes())?;
        }
        return Ok(output.flush()?);
    };
    let failed = |path: &Path, error| {
        Failure::Other(format!("{} can't be written: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for page in Page::value_variants() {
        let file = folder.join(format!("{}.md", page.name()));
        fs::write(&file, text(*page, app)?).map_err(|error| failed(&file, error))?;
    }
    let pages = Page::value_variants().len() as u64;
    output::note(format_args!(
        "{} written to {}",
        count(pages, "page"),
        folder.display()
    ));
    Ok(())
}

impl Page {
    fn name(self) -> &'static str {
        match self {
            Self::Commands => "commands",
            Self::Events => "events",
            Self::Operations => "operations",
            Self::Settings => "settings",
            Self::Components => "components",
        }
    }
}

fn text(page: Page, app: &App) -> Result<String, Failure> {
    let (title, about, body) = match page {
        Page::Commands => (
            "Commands",
            "Each command, as its `--help` has it.",
            commands(),
        ),
        Page::Events => (
            "Events",
            "A session is a list of events. Each has a kind and a payload; the version is that of the payload, and is \
             raised when its fields change. Older payloads are read, and a kind that a program does not know is kept.",
            events(),
        ),
        Page::Operations => (
            "Operations of the `hud` tool",
            "What an agent can do with its HUD. Each has its arguments as a JSON Schema, and an example of a call.",
            operations(app)?,
        ),
        Page::Settings => (
            "Settings",
            "What can be set in `~/.config/agent-hud/config.toml` and, for one project, in `.hud/config.toml`. `*` is \
             any name.",
            settings(),
        ),
        Page::Components => (
            "Components",
            "The tags of layouts, with a picture of each density of those that the built-in HUD is made of.",
            layout::catalogue_text(app, layout::Docs::Summary)?,
        ),
    };
    let command = own::command(format_args!("reference {}", page.name()));
    Ok(format!(
        "# {title}\n\n{about} `{command}` writes this page.\n\n{}\n",
        body.trim_end()
    ))
}

fn commands() -> String {
    let mut text = String::new();
    add_commands(&mut text, &manual::command().term_width(WIDTH));
    text
}

fn add_commands(text: &mut String, command: &clap::Command) {
    for inner in command.get_subcommands() {
        if inner.is_hide_set() || inner.get_name() == "help" {
            continue;
        }
        let mut inner = inner.clone().term_width(WIDTH);
        let name = inner
            .get_bin_name()
            .unwrap_or_else(|| inner.get_name())
            .to_owned();
        let help = inner.render_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        text.push_str(&format!(
            "## {name}\n\n```text\n{}\n```\n\n",
            help.join("\n").trim_end()
        ));
        add_commands(text, &inner);
    }
}

fn events() -> String {
    let kinds: Vec<(&str, u32)> = HudEvent::kinds().collect();
    let mut families: Vec<&str> = kinds.iter().map(|(kind, _)| family(kind)).collect();
    families.sort_unstable();
    families.dedup();
    let mut text = String::new();
    for name in families {
        text.push_str(&format!("## {name}\n\n| kind | version |\n| --- | --- |\n"));
        for (kind, version) in kinds.iter().filter(|(kind, _)| family(kind) == name) {
            text.push_str(&format!("| `{kind}` | {version} |\n"));
        }
        text.push('\n');
    }
    text
}

fn family(kind: &str) -> &str {
    kind.split('.').next().unwrap_or(kind)
}

/// The operations, as their description for an agent lists them.
fn operations(app: &App) -> Result<String, Failure> {
    let setup = app.built_in();
    let state = setup.sections.empty_state();
    let ask = |call: Value| {
        let other = |error: hud_agent::tool::ToolError| Failure::Other(error.to_string());
        let call = setup.operations.call(&call).map_err(other)?;
        call.read(&state, &NoLookup).map_err(other)
    };
    let all = ask(json!({ "tool": "help" }))?;
    let mut text = String::new();
    for name in all.as_object().into_iter().flat_map(|all| all.keys()) {
        let told = ask(json!({ "tool": "help", "args": { "for": name } }))?;
        let does = told["does"].as_str().unwrap_or_default();
        text.push_str(&format!(
            "## {name}\n\n{does}\n\n```json\n{}\n```\n\n",
            told["example"]
        ));
        let schema = format!("{:#}", told["args"]);
        if schema.contains("\"properties\"") {
            text.push_str(&format!("```json\n{schema}\n```\n\n"));
        }
    }
    Ok(text)
}

fn settings() -> String {
    let schema = Settings::schema().to_value();
    let mut rows = Vec::new();
    add_settings(&mut rows, "", "", &schema, &schema);
    let mut text = String::from("| key | type | default | |\n| --- | --- | --- | --- |\n");
    for row in rows {
        text.push_str(&row);
        text.push('\n');
    }
    text
}

/// Adds a row for each setting below one, by the schema of all of them.
/// `whole` is what the setting that it is within says of itself.
fn add_settings(rows: &mut Vec<String>, key: &str, whole: &str, schema: &Value, all: &Value) {
    let own = &schema["description"];
    let schema = resolved(schema, all);
    let own = own.as_str().or(schema["description"].as_str());
    let within = |name: &str| match key {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    };
    let inner = schema["properties"].as_object();
    for (name, schema) in inner.into_iter().flatten() {
        add_settings(rows, &within(name), "", schema, all);
    }
    let any = ["additionalProperties", "patternProperties"].map(|any| &schema[any]);
    let any = match any {
        [schema, _] if schema.is_object() => Some(schema),
        [_, patterns] => patterns
            .as_object()
            .and_then(|patterns| patterns.values().next()),
    };
    if let Some(schema) = any {
        add_settings(rows, &within("*"), own.unwrap_or(whole), schema, all);
    } else if inner.is_none() && !key.is_empty() {
        let about = own
            .unwrap_or(whole)
            .split("\n\n")
            .next()
            .unwrap_or_default();
        let about = line(&plain(about), LONG).replace('|', "\\|");
        let default = match &schema["default"] {
            Value::Null => String::new(),
            default => format!("`{}`", default.to_string().replace('|', "\\|")),
        };
        rows.push(format!(
            "| `{key}` | {} | {default} | {about} |",
            kind(schema, all)
        ));
    }
}

/// What a schema refers to, if it refers to another part of the whole.
fn resolved<'v>(schema: &'v Value, all: &'v Value) -> &'v Value {
    let way = schema["$ref"]
        .as_str()
        .and_then(|way| way.strip_prefix('#'));
    way.and_then(|way| all.pointer(way)).unwrap_or(schema)
}

/// What a setting takes, in a word.
fn kind(schema: &Value, all: &Value) -> String {
    let schema = resolved(schema, all);
    let named = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names
            .iter()
            .filter_map(named)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => {
            let ways = ["anyOf", "oneOf"]
                .into_iter()
                .filter_map(|any| schema[any].as_array());
            let mut kinds: Vec<String> = ways.flatten().map(|way| kind(way, all)).collect();
            kinds.dedup();
            kinds.join(" or ")
        }
    }
}
