//! A sub-agent on another machine than its parent, both served as their clients have them served.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::machine::{Machine, made, status};
use crate::nodes::{shared, until};
use crate::silent;

/// A bridge that serves a client.
struct Bridge {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bridge {
    fn begin(machine: &Machine) -> Self {
        let mut process = machine
            .command(&["bridge"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let request = json!({ "id": 1, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer.get("error"), None, "{answer}");
        answer["result"].clone()
    }

    fn call(&mut self, session: &str, tool: &str, args: &Value) -> Value {
        let input = json!({ "tool": tool, "args": args });
        self.ask("call", &json!({ "session": session, "input": input }))
    }

    fn frame(&mut self, session: &str) -> String {
        self.ask("frame", &json!({ "session": session }))
            .to_string()
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn what_a_sub_agent_records_on_one_machine_is_in_the_hud_of_its_parent_on_another() {
    let Some(nodes) = shared() else { return };
    let (here, there) = (Machine::new(), Machine::new());
    let url = made(&nodes, &here);
    here.note("other", 1);
    there.note("others", 1);
    for machine in [&here, &there] {
        machine.ok(&["push", "--to", &url]);
        let settings = format!("[fleet]\nurl = \"{url}\"\npush = \"background\"\n");
        machine.set(&settings);
    }
    let mut parent = Bridge::begin(&here);
    parent.call("main", "task.set", &json!({ "description": "Limit rates" }));
    parent.call(
        "main",
        "decisions.record",
        &json!({ "summary": "A token bucket for each key" }),
    );
    until(|| status(&here)["waiting"] == 0);

    let (_, said) = there.ok(&["begin", "--session", "tester", "--parent", "main"]);
    assert!(said.contains("session tester has"), "{said}");
    let mut child = Bridge::begin(&there);
    let shown = child.frame("tester");
    assert!(
        shown.contains("Limit rates") && shown.contains("token bucket"),
        "{shown}"
    );
    child.call(
        "tester",
        "decisions.record",
        &json!({ "summary": "Test against redis 7" }),
    );
    until(|| parent.frame("main").contains("Test against redis 7"));
    // The copy there is only read.
    let copy = there.ok(&["render", "--session", "main"]).0;
    assert!(!copy.contains("redis 7"), "{copy}");
    parent.end();
    child.end();
    let (listed, _) = here.ok(&["sessions"]);
    assert!(listed.contains("sub-agent of main"), "{listed}");
}

#[test]
fn sub_agents_on_the_same_machine_come_up_without_a_fleet() {
    let machine = Machine::new();
    machine.note("main", 1);
    machine.ok(&["begin", "--session", "tester", "--parent", "main"]);
    let mut bridge = Bridge::begin(&machine);
    bridge.call(
        "tester",
        "notes.add",
        &json!({ "content": "redis runs on 6380" }),
    );
    let shown = bridge.frame("main");
    assert!(shown.contains("redis runs on 6380"), "{shown}");
    bridge.end();
}

#[test]
fn a_sub_agent_begins_without_its_parent_where_the_fleet_does_not_answer() {
    let machine = Machine::new();
    machine.note("other", 1);
    let said = machine.refused(&["begin", "--session", "tester", "--parent", "main"]);
    assert!(said.contains("no session main"), "{said}");
    let (port, _) = silent();
    let hanging = format!("postgres://127.0.0.1:{port}/x?log=hangs");
    machine.answered_once(&hanging);
    machine.set(&format!("[fleet]\nurl = \"{hanging}\"\n"));
    let (_, said) = machine.ok(&["begin", "--session", "tester", "--parent", "main"]);
    assert!(
        said.contains("nothing is taken over from main") && said.contains("did not answer within"),
        "{said}"
    );
    let (listed, _) = machine.ok(&["sessions"]);
    assert!(listed.contains("sub-agent of main"), "{listed}");
    // Nothing of it becomes a session that is not here.
    let mut bridge = Bridge::begin(&machine);
    bridge.call("tester", "notes.add", &json!({ "content": "alone" }));
    bridge.end();
    assert_eq!(machine.ids("main").len(), 0);
}
