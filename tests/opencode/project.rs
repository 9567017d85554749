//! A project on which the real opencode works, with a model that says what a test wants.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hud_store::log::{Log, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clients::endpoint::{Asked, Endpoint, Kind};
use crate::clients::{Client, chat, finish, hud, log_of, messages, opencode, start};

/// The plugin.
pub(crate) const PLUGIN: &str = "../integrations/opencode/hud.js";

/// What the model says to a request.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// Call a tool.
    Tool(&'static str, Value),
    /// Call a tool, with so many tokens in the context.
    Full(&'static str, Value, u64),
    /// Call the `hud` tool as the first placeholder in the request says, with 24,000 tokens in the context.
    Recall,
    /// Say something, with so many tokens in the context.
    Text(&'static str, u64),
}

/// The model, saying this, turn by turn, and then `end`.
pub(crate) fn model(script: Vec<Say>) -> impl Fn(&Value, usize) -> (Kind, String) {
    move |body, turn| {
        let has_tools = body["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        let system = body["messages"][0]["content"].to_string();
        let (kind, say) = if system.contains("You are a title generator") {
            (Kind::Title, Say::Text("A title", 100))
        } else if has_tools {
            let say = match script.get(turn) {
                Some(Say::Recall) => Say::Full("hud", placeholder(body), 24_000),
                Some(say) => say.clone(),
                None => Say::Text("end", 3000),
            };
            (Kind::Turn, say)
        } else {
            (
                Kind::Compaction,
                Say::Text("SUMMARY: half of it is done.", 3000),
            )
        };
        (kind, stream(&say, turn))
    }
}

/// Files of some length in a project, `big0.txt` and so on.
pub(crate) fn big_files(project: &Project, count: usize) {
    for file in 0..count {
        let line = |line| format!("line {line:4} of big{file}, and more words in it\n");
        let text: String = (0..900).map(line).collect();
        fs::write(project.path(&format!("project/big{file}.txt")), text).unwrap();
    }
}

/// A read of a big file, with so many tokens in the context.
pub(crate) fn reads(file: usize, used: u64) -> Say {
    let path = format!("big{file}.txt");
    Say::Full("read", json!({ "filePath": path }), used)
}

/// A command that says little, with so many tokens in the context.
pub(crate) fn works(used: u64) -> Say {
    let command = json!({ "command": "true", "description": "works" });
    Say::Full("bash", command, used)
}

/// The call that brings back what a tool said, as the request has it in its place.
pub(crate) fn placeholder(body: &Value) -> Value {
    let messages = body["messages"].as_array().unwrap();
    let texts = messages
        .iter()
        .filter_map(|message| message["content"].as_str());
    let mut calls = texts.filter_map(|text| text.split_once("The hud tool has them: "));
    let (_, call) = calls.next().unwrap();
    // What stays of the output may follow.
    let mut values = serde_json::Deserializer::from_str(call).into_iter();
    values.next().unwrap().unwrap()
}

/// An answer as server-sent events.
pub(crate) fn stream(say: &Say, turn: usize) -> String {
    let of_turn = 4000 + 500 * turn as u64;
    match say {
        Say::Recall => unreachable!("it was made a call"),
        Say::Tool(name, arguments) => chat::call(turn, name, arguments, of_turn),
        Say::Full(name, arguments, used) => chat::call(turn, name, arguments, *used),
        Say::Text(text, used) => chat::text(text, *used),
    }
}

/// How many characters of the messages of these turns the provider has to read anew, of how many.
pub(crate) fn uncached(turns: &[Asked]) -> (usize, usize) {
    let texts: Vec<String> = turns
        .iter()
        .map(|asked| asked.body["messages"].to_string())
        .collect();
    let mut before = "";
    let (mut uncached, mut all) = (0, 0);
    for text in &texts {
        let shared = before
            .bytes()
            .zip(text.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        uncached += text.len() - shared;
        all += text.len();
        before = text;
    }
    (uncached, all)
}

/// The text of a request's system prompt.
pub(crate) fn system(asked: &Asked) -> &str {
    asked.body["messages"][0]["content"].as_str().unwrap_or("")
}

/// The text of a request's last message.
pub(crate) fn last(asked: &Asked) -> &str {
    let messages = asked.body["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].as_str().unwrap_or("")
}

/// Where a file beside the tests is, as a plugin's address.
pub(crate) fn address(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    format!("file://{}", path.canonicalize().unwrap().display())
}

/// A project with the plugin in it, and a home for opencode.
pub(crate) struct Project {
    directory: TempDir,
    pub(crate) endpoint: Endpoint,
    opencode: PathBuf,
}

impl Project {
    /// A project; none where there is no opencode.
    pub(crate) fn new(script: Vec<Say>, options: Value) -> Option<Self> {
        Self::with_plugin(script, Some(PLUGIN), options)
    }

    /// A project with another plugin, or none.
    pub(crate) fn with_plugin(
        script: Vec<Say>,
        plugin: Option<&str>,
        options: Value,
    ) -> Option<Self> {
        let endpoint = || Endpoint::start(model(script));
        Self::made(endpoint, opencode::config, plugin, options)
    }

    /// A project whose model, which works once and says that it is done, is at Anthropic's endpoint.
    pub(crate) fn at_anthropic(options: Value) -> Option<Self> {
        let answer = |body: &Value, turn: usize| {
            let is_title = body["system"]
                .to_string()
                .contains("You are a title generator");
            let command = json!({ "command": "true", "description": "works" });
            match turn {
                _ if is_title => (Kind::Title, messages::text(99, "A title", 100)),
                0 => (Kind::Turn, messages::call(turn, "bash", &command, 4000)),
                _ => (Kind::Turn, messages::text(turn, "done", 5000)),
            }
        };
        let endpoint = || Endpoint::start(answer);
        Self::made(
            endpoint,
            opencode::config_of_anthropic,
            Some(PLUGIN),
            options,
        )
    }

    fn made(
        endpoint: impl FnOnce() -> Endpoint,
        config: impl FnOnce(u16) -> Value,
        plugin: Option<&str>,
        options: Value,
    ) -> Option<Self> {
        let Some(opencode) = std::env::var_os("OPENCODE") else {
            println!("skipped: OPENCODE is not set");
            return None;
        };
        let directory = tempfile::tempdir().unwrap();
        let endpoint = endpoint();
        let mut config = config(endpoint.port);
        config["command"] =
            json!({ "look": { "template": "Look at this:\n!`echo said by a command`" } });
        if let Some(plugin) = plugin {
            // A package has its name alone.
            let plugin = match plugin.contains('/') {
                true => address(plugin),
                false => plugin.to_owned(),
            };
            config["plugin"] = json!([[plugin, options]]);
        }
        let project = Self {
            directory,
            endpoint,
            opencode: opencode.into(),
        };
        fs::create_dir(project.path("project")).unwrap();
        fs::write(project.path("project/a.txt"), "hello\n").unwrap();
        fs::write(project.path("project/opencode.json"), config.to_string()).unwrap();
        Some(project)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn db(&self) -> PathBuf {
        let mut hud = Command::new(hud());
        hud.current_dir(self.path("project"))
            .env("XDG_STATE_HOME", self.path("state"));
        log_of(&mut hud)
    }

    /// Starts a client. Two that start at once have each a home: their own database is not made for
    /// that.
    pub(crate) fn start(&self, hud: &Path, home: &str) -> Client {
        self.start_with(&["run", "do the things", "-m", "mock/model"], hud, home)
    }

    /// Starts a client so.
    pub(crate) fn start_with(&self, arguments: &[&str], hud: &Path, home: &str) -> Client {
        let home = self.path(home);
        // Its user may have set something there before.
        fs::create_dir_all(&home).unwrap();
        let mut command = Command::new(&self.opencode);
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HUD_BIN", hud)
            .env("XDG_STATE_HOME", self.path("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        opencode::in_home(&mut command, &home);
        start(&mut command)
    }

    /// Runs a session, and gives what it said.
    pub(crate) fn run(&self, hud: &Path) -> String {
        finish(self.start(hud, "home"))
    }

    /// What the client of a home has in its log.
    pub(crate) fn said_in_log(&self, home: &str) -> String {
        let folder = self.path(home).join("data/opencode/log");
        let files = fs::read_dir(folder).unwrap();
        let read = |file: std::io::Result<fs::DirEntry>| fs::read_to_string(file.unwrap().path());
        files.map(|file| read(file).unwrap()).collect()
    }

    /// The state of the only session.
    pub(crate) fn state(&self) -> HudState {
        let log = SqliteLog::open_read_only(self.db()).unwrap();
        let sessions = log.sessions().unwrap();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        state_of(&log, &sessions[0].id).unwrap()
    }

    pub(crate) fn turns(&self) -> Vec<Asked> {
        let mut asked = self.endpoint.asked();
        asked.retain(|asked| asked.kind == Kind::Turn);
        asked
    }
}
