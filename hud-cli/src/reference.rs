//! `hud reference`: reference pages that are generated from the code.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use hud_agent::settings::Settings;
use hud_agent::tool::NoLookup;
use hud_components::text::line;
use hud_layout::catalogue::plain;
use hud_layout::wrong::MISTAKES;
use hud_layout::{Source, Template};
use hud_store::event::HudEvent;
use serde_json::{Value, json};

use crate::app::App;
use crate::args::{Page, Reference};
use crate::layout;
use crate::manual;
use crate::output::{self, Failure, Output, count};
use crate::own;

/// The width of a command's help in characters.
const WIDTH: usize = 100;

/// The number of levels of an event's payload in the output. A state in a payload has many more.
const NESTED: usize = 2;

/// The maximum length of a description in a table, in characters.
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
            Self::Mistakes => "mistakes",
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
        Page::Mistakes => (
            "Mistakes in layouts",
            "What `hud layout check` says of a layout with a mistake: where it is, what it is, and what to write instead.",
            mistakes(app),
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
    let mut kinds: Vec<(&str, u32)> = HudEvent::kinds().collect();
    // The sort is stable, so the events of a family stay in the order of their declaration.
    kinds.sort_by_key(|(kind, _)| family(kind));
    let mut text = String::new();
    for kinds in kinds.chunk_by(|(one, _), (other, _)| family(one) == family(other)) {
        text.push_str(&format!("## {}\n\n", family(kinds[0].0)));
        for (kind, version) in kinds {
            let schema = HudEvent::schema(kind).unwrap_or_default().to_value();
            let about = schema["description"].as_str().unwrap_or_default();
            text.push_str(&format!(
                "### {kind}\n\nVersion {version}. {}\n\n",
                plain(about)
            ));
            let mut fields = Vec::new();
            add_fields(&mut fields, "", "", &schema, &schema, NESTED);
            if !fields.is_empty() {
                text.push_str("| field | type | |\n| --- | --- | --- |\n");
            }
            for field in fields {
                let (key, about) = (field.key, field.about);
                text.push_str(&format!("| `{key}` | {} | {about} |\n", field.kind));
            }
            text.push('\n');
        }
    }
    text
}

fn mistakes(app: &App) -> String {
    let mut text = String::new();
    for (about, layouts) in MISTAKES {
        text.push_str(&format!("## {about}\n\n"));
        for layout in *layouts {
            let source = Source::new("layout.mdx", *layout);
            if let Err(wrong) = Template::read(&source, &[], app.catalogue()) {
                text.push_str(&format!("````text\n{wrong}````\n\n"));
            }
        }
    }
    text
}

fn family(kind: &str) -> &str {
    kind.split('.').next().unwrap_or(kind)
}

/// Returns the operations as the `hud` tool describes them to an agent.
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
    let mut fields = Vec::new();
    add_fields(&mut fields, "", "", &schema, &schema, usize::MAX);
    let mut text = String::from("| key | type | default | |\n| --- | --- | --- | --- |\n");
    for field in fields {
        let default = match &field.default {
            Value::Null => String::new(),
            default => format!("`{}`", default.to_string().replace('|', "\\|")),
        };
        let (key, about) = (field.key, field.about);
        text.push_str(&format!(
            "| `{key}` | {} | {default} | {about} |\n",
            field.kind
        ));
    }
    text
}

/// A row of a table, which describes a value of a schema.
struct Field<'v> {
    /// The names that lead to the value, separated by dots. `*` matches any name.
    key: String,
    /// The type of the value.
    kind: String,
    default: &'v Value,
    about: String,
}

/// Adds the values inside a value, down to a number of levels. `all` is the complete schema, and `whole` is the
/// description of the value that contains this one.
fn add_fields<'v>(
    fields: &mut Vec<Field<'v>>,
    key: &str,
    whole: &str,
    schema: &'v Value,
    all: &'v Value,
    levels: usize,
) {
    let (own, given) = (&schema["description"], schema);
    let schema = resolved(present(schema), all);
    let own = own.as_str().or(schema["description"].as_str());
    let within = |name: &str| match key {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    };
    let inner = schema["properties"].as_object().filter(|_| levels > 0);
    for (name, schema) in inner.into_iter().flatten() {
        add_fields(fields, &within(name), "", schema, all, levels - 1);
    }
    let any = ["additionalProperties", "patternProperties"].map(|any| &schema[any]);
    let any = match any {
        [schema, _] if schema.is_object() => Some(schema),
        [_, patterns] => patterns
            .as_object()
            .and_then(|patterns| patterns.values().next()),
    };
    if let Some(schema) = any {
        add_fields(
            fields,
            &within("*"),
            own.unwrap_or(whole),
            schema,
            all,
            levels,
        );
    } else if inner.is_none() && !key.is_empty() {
        let about = own
            .unwrap_or(whole)
            .split("\n\n")
            .next()
            .unwrap_or_default();
        fields.push(Field {
            key: key.to_owned(),
            kind: kind(given, all),
            default: &schema["default"],
            about: line(&plain(about), LONG).replace('|', "\\|"),
        });
    }
}

/// Returns the schema of an optional value for the case that it is present.
fn present(schema: &Value) -> &Value {
    let null = |way: &Value| way["type"] == "null";
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, other]) if null(other) => one,
        _ => schema,
    }
}

/// Returns the schema that a schema refers to in `all`, or the schema itself.
fn resolved<'v>(schema: &'v Value, all: &'v Value) -> &'v Value {
    let way = schema["$ref"]
        .as_str()
        .and_then(|way| way.strip_prefix('#'));
    way.and_then(|way| all.pointer(way)).unwrap_or(schema)
}

/// Returns the type of a value as text.
fn kind(schema: &Value, all: &Value) -> String {
    let schema = resolved(schema, all);
    if let Some(only) = schema.get("const") {
        return format!("`{only}`");
    }
    let named = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(" or ");
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
            match kinds.is_empty() {
                true => "any".to_owned(),
                false => kinds.join(" or "),
            }
        }
    }
}
