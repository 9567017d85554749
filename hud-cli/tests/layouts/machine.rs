//! A machine on which somebody works, and what clients start there.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A user's machine with one project.
pub(crate) struct Machine(TempDir);

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(machine.project().join(".hud")).unwrap();
        machine
    }

    /// One whose project has a layout, which may change and is shown without being asked for again.
    pub(crate) fn trusting(layout: &str) -> Self {
        let machine = Self::new();
        machine.layout(layout);
        let trusted = machine.hud(&["layout", "trust", "--always"]);
        assert!(trusted.status.success());
        machine
    }

    /// What is around the project.
    pub(crate) fn home(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    pub(crate) fn layout(&self, text: &str) {
        fs::write(self.project().join(".hud/layout.mdx"), text).unwrap();
    }

    pub(crate) fn settings(&self, text: &str) {
        let directory = self.0.path().join("config/agent-hud");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("config.toml"), text).unwrap();
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
        command
            .current_dir(self.project())
            .env("XDG_CONFIG_HOME", self.0.path().join("config"))
            .env("XDG_STATE_HOME", self.0.path().join("state"))
            .env_remove("HUD_DB");
        command
    }

    pub(crate) fn hud(&self, words: &[&str]) -> Output {
        self.command().args(words).output().unwrap()
    }

    /// What a command answers to lines that it is given, of which nothing follows.
    pub(crate) fn answer(&self, words: &[&str], lines: &str) -> String {
        let mut child = self
            .command()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{words:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn bridge(&self) -> Bridge {
        let mut child = self
            .command()
            .args(["bridge", "--fast", "--deadline", "60000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Bridge {
            input: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }
}

/// A client's plugin, seen from the other side.
pub(crate) struct Bridge {
    child: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Bridge {
    pub(crate) fn ask(&mut self, method: &str, more: &Value) -> Value {
        let mut params = json!({ "session": "s" });
        let more = more.as_object().unwrap().clone();
        params.as_object_mut().unwrap().extend(more);
        let request = json!({ "id": 1, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        serde_json::from_str(&self.answers.next().unwrap().unwrap()).unwrap()
    }

    pub(crate) fn call(&mut self, tool: &str, args: &Value) -> Value {
        let answer = self.ask("call", &json!({ "input": { "tool": tool, "args": args } }));
        assert!(answer["error"].is_null(), "{tool}: {answer}");
        answer["result"]["answer"].clone()
    }

    /// All that the model is shown.
    pub(crate) fn frame(&mut self) -> String {
        let answer = self.ask("frame", &json!({ "placement": "system-tail" }));
        answer["result"]["system"].as_str().unwrap().to_owned()
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
