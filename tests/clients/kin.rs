//! The real clients that any story can be played in: what their model says, and how they are started.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::endpoint::{Endpoint, Kind};
use super::place::Place;
use super::{chat, events, finish, messages, opencode, start};

/// What an agent does next.
pub(crate) enum Step {
    /// It makes a note on its HUD.
    Note(String),
    /// It runs a command.
    Run(String),
    /// It adds a step to the plan on its HUD.
    Add(String),
    /// It has a plan of so many steps, of which so many are done, in its client's own tool for that.
    Plan(usize, usize),
    /// It has done all.
    Done,
}

/// A client that agents run in.
pub(crate) struct Kin {
    pub(crate) variable: &'static str,
    pub(crate) name: &'static str,
    /// With what it is installed.
    pub(crate) flags: &'static [&'static str],
    /// What each result of a tool has in a request.
    pub(crate) result: &'static str,
    /// Whether its own tool for plans is seen on the HUD. Else agents plan with the `hud` tool.
    pub(crate) has_plans: bool,
    /// Where the conversation is in a request.
    pub(crate) conversation: &'static str,
    /// What the model says.
    pub(crate) says: fn(Step, usize) -> String,
    /// Has the client ask the endpoint.
    pub(crate) asks: fn(&Place, u16),
    /// An agent with that task.
    pub(crate) runs: fn(&Place, u16, &str) -> Command,
}

impl Kin {
    /// An endpoint where the model takes these steps, by how many results of tools a request has.
    pub(crate) fn endpoint(
        &self,
        step: impl Fn(&Value, usize) -> Step + Send + Sync + 'static,
    ) -> Endpoint {
        let (result, says) = (self.result, self.says);
        Endpoint::start(move |body, turn| {
            let is_turn = body["tools"]
                .as_array()
                .is_some_and(|tools| !tools.is_empty());
            match is_turn {
                true => {
                    let done = body.to_string().matches(result).count();
                    (Kind::Turn, says(step(body, done), turn))
                }
                // A client asks small questions of its own besides.
                false => (Kind::Title, says(Step::Done, turn)),
            }
        })
    }
}

fn note(content: &str) -> Value {
    json!({ "tool": "notes.add", "args": { "content": content } })
}

fn step(description: &str) -> Value {
    json!({ "tool": "steps.add", "args": { "description": description } })
}

/// The steps of a plan, each with what it is and how far it is.
fn plan(all: usize, done: usize, text: &str) -> Vec<Value> {
    let step = |n: usize| {
        let status = match n {
            n if n < done => "completed",
            n if n == done => "in_progress",
            _ => "pending",
        };
        let what = format!("do part {n} of the work, and test it");
        json!({ text: what, "activeForm": what, "status": status })
    };
    (0..all).map(step).collect()
}

pub(crate) fn opencode() -> Kin {
    Kin {
        variable: "OPENCODE",
        name: "opencode",
        flags: &[],
        result: r#""role":"tool""#,
        has_plans: true,
        conversation: "messages",
        says: |step, all| {
            let call = |name: &str, arguments: Value| chat::call(all, name, &arguments, 100);
            match step {
                Step::Note(content) => call("hud", note(&content)),
                Step::Add(content) => call("hud", self::step(&content)),
                Step::Run(command) => {
                    call("bash", json!({ "command": command, "description": "wait" }))
                }
                Step::Plan(all_steps, done) => {
                    let mut todos = plan(all_steps, done, "content");
                    for todo in &mut todos {
                        todo["priority"] = "high".into();
                    }
                    call("todowrite", json!({ "todos": todos }))
                }
                Step::Done => chat::text("done", 100),
            }
        },
        asks: |place, port| {
            let file = place.path("project/opencode.json");
            let installed = fs::read(&file).unwrap_or_default();
            let mut config = opencode::config(port);
            if let Ok(Value::Object(installed)) = serde_json::from_slice(&installed) {
                config.as_object_mut().unwrap().extend(installed);
            }
            fs::write(file, config.to_string()).unwrap();
        },
        runs: |place, _, task| {
            let home = tempfile::tempdir_in(place.path("home")).unwrap().keep();
            let mut command = place.command(place.client.clone());
            command.args(["run", task, "-m", "mock/wide"]);
            opencode::in_home(&mut command, &home);
            command
        },
    }
}

pub(crate) fn claude() -> Kin {
    Kin {
        variable: "CLAUDE",
        name: "claude",
        flags: &[],
        result: r#""type":"tool_result""#,
        has_plans: true,
        conversation: "messages",
        says: |step, all| match step {
            Step::Note(content) => messages::call(all, "mcp__hud__hud", &note(&content), 100),
            Step::Add(content) => messages::call(all, "mcp__hud__hud", &self::step(&content), 100),
            Step::Run(command) => {
                let input = json!({ "command": command, "description": "wait" });
                messages::call(all, "Bash", &input, 100)
            }
            Step::Plan(all_steps, done) => {
                let todos = json!({ "todos": plan(all_steps, done, "content") });
                messages::call(all, "TodoWrite", &todos, 100)
            }
            Step::Done => messages::text(all, "done", 100),
        },
        asks: |_, _| {},
        runs: |place, port, task| {
            let mut claude = place.command(place.client.clone());
            claude
                .args(["-p", task, "--allowedTools", "Bash"])
                .env("ANTHROPIC_API_KEY", "dummy")
                .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{port}"))
                .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            claude
        },
    }
}

pub(crate) fn codex() -> Kin {
    Kin {
        variable: "CODEX",
        name: "codex",
        flags: &["--user"],
        result: r#""type":"function_call_output""#,
        has_plans: false,
        conversation: "input",
        says: |step, all| {
            let call = |name: &str, arguments: Value| {
                let id = format!("call_{all}");
                json!({ "type": "function_call", "id": id, "call_id": id, "name": name,
                        "arguments": arguments.to_string() })
            };
            let hud = |arguments: Value| {
                let mut hud = call("hud", arguments);
                hud["namespace"] = "mcp__hud".into();
                hud
            };
            let item = match step {
                Step::Note(content) => hud(note(&content)),
                Step::Add(content) => hud(self::step(&content)),
                Step::Run(command) => call(
                    "exec_command",
                    json!({ "cmd": command, "yield_time_ms": 60_000 }),
                ),
                Step::Plan(all_steps, done) => {
                    let mut steps = plan(all_steps, done, "step");
                    for step in &mut steps {
                        step.as_object_mut().unwrap().remove("activeForm");
                    }
                    call("update_plan", json!({ "plan": steps }))
                }
                Step::Done => {
                    let said = json!([{ "type": "output_text", "text": "done" }]);
                    json!({ "type": "message", "id": "m", "role": "assistant", "content": said })
                }
            };
            let usage = json!({ "input_tokens": 100, "output_tokens": 5, "total_tokens": 105 });
            events(&[
                json!({ "type": "response.created", "response": { "id": "r" } }),
                json!({ "type": "response.output_item.done", "item": item }),
                json!({ "type": "response.completed", "response": { "id": "r", "usage": usage } }),
            ])
        },
        asks: |place, port| {
            let config = format!(
                "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\napproval_policy = \"never\"\n\
                 sandbox_mode = \"danger-full-access\"\n[model_providers.mock]\nname = \"mock\"\n\
                 base_url = \"http://127.0.0.1:{port}/v1\"\nwire_api = \"responses\"\n"
            );
            // In front of the server that was installed.
            let file = place.path("home/.codex/config.toml");
            let installed = fs::read_to_string(&file).unwrap_or_default();
            fs::create_dir_all(place.path("home/.codex")).unwrap();
            fs::write(&file, config + &installed).unwrap();
        },
        runs: |place, _, task| {
            let mut codex = place.command(place.client.clone());
            codex.args(["exec", "--json", "--skip-git-repo-check", task]);
            codex
        },
    }
}

pub(crate) fn gemini() -> Kin {
    Kin {
        variable: "GEMINI",
        name: "gemini",
        flags: &["--user"],
        result: r#""functionResponse""#,
        has_plans: false,
        conversation: "contents",
        says: |step, _| {
            let call =
                |name: &str, args: Value| json!({ "functionCall": { "name": name, "args": args } });
            let part = match step {
                Step::Note(content) => call("mcp_hud_hud", note(&content)),
                Step::Add(content) => call("mcp_hud_hud", self::step(&content)),
                Step::Run(command) => call("run_shell_command", json!({ "command": command })),
                Step::Plan(_, done) => {
                    let command = format!("echo part {done}");
                    call("run_shell_command", json!({ "command": command }))
                }
                Step::Done => json!({ "text": "done" }),
            };
            let usage = json!({ "promptTokenCount": 100, "candidatesTokenCount": 5, "totalTokenCount": 105 });
            let content = json!({ "role": "model", "parts": [part] });
            let chunk = json!({
                "candidates": [{ "index": 0, "finishReason": "STOP", "content": content }],
                "usageMetadata": usage,
            });
            format!("data: {chunk}\n\n")
        },
        asks: |_, _| {},
        runs: |place, port, task| {
            let mut gemini = place.command(place.client.clone());
            gemini
                .args(["-m", "gemini-2.5-pro", "--approval-mode", "auto_edit"])
                .args(["--allowed-tools", "run_shell_command", "-p", task])
                .env("GEMINI_API_KEY", "dummy")
                .env("GOOGLE_GEMINI_BASE_URL", format!("http://127.0.0.1:{port}"))
                .env("GEMINI_TELEMETRY_ENABLED", "false");
            gemini
        },
    }
}

pub(crate) fn cline() -> Kin {
    Kin {
        variable: "CLINE",
        name: "cline",
        flags: &["--user"],
        result: r#""role":"tool""#,
        has_plans: false,
        conversation: "messages",
        says: |step, all| match step {
            Step::Note(content) => chat::call(all, "hud__hud", &note(&content), 100),
            Step::Add(content) => chat::call(all, "hud__hud", &self::step(&content), 100),
            Step::Run(command) => {
                chat::call(all, "run_commands", &json!({ "commands": [command] }), 100)
            }
            Step::Plan(_, done) => {
                let commands = json!({ "commands": [format!("echo part {done}")] });
                chat::call(all, "run_commands", &commands, 100)
            }
            Step::Done => chat::text("done", 100),
        },
        asks: |place, port| {
            let url = format!("http://127.0.0.1:{port}/v1");
            let mut auth = place.command(place.client.clone());
            auth.args([
                "auth",
                "-p",
                "openai-compatible",
                "-k",
                "dummy",
                "-m",
                "mock",
            ]);
            finish(start(auth.args(["-b", &url]).stderr(Stdio::null())));
        },
        runs: |place, _, task| {
            let mut cline = place.command(place.client.clone());
            cline.args(["-P", "openai-compatible", "--json", task]);
            cline
        },
    }
}
