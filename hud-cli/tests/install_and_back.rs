//! What `hud uninstall` leaves of a configuration that `hud install` changed: all of it, byte for byte.
//!
//! The table is printed by
//! `cargo test -p hud-cli --features slow-tests install_and_back:: -- --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and the figures are shown"
)]

use std::path::Path;
use std::thread;

use crate::place::Place;
use proptest::prelude::*;

/// A file's text before the installation; none where there is no file.
type Before = Option<String>;

/// The texts that a configuration in JSON is tried with.
fn json() -> Vec<Before> {
    let long: String = (0..2_000)
        .map(|i| format!("    \"key {i}\": \"value {i}\",\n"))
        .collect();
    let long = format!("{{\n  \"env\": {{\n{long}    \"last\": 1\n  }}\n}}\n");
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(300), "]".repeat(300));
    let pretty = "{\n  \"model\": \"x\",\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n";
    let texts = [
        "",
        "\n",
        "  \n\n",
        "\u{feff}",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\n\n}",
        "\t{}\r\n",
        "\u{feff}{}\n",
        "{\"model\":\"x\"}",
        "{\"model\": \"x\"}",
        "{ \"model\" : \"x\" }\n",
        "{\"model\":\"x\",\"env\":{\"A\":\"1\"}}\n",
        pretty,
        &pretty.replace("  ", "    "),
        &pretty.replace("  ", "\t"),
        &pretty.replace('\n', "\r\n"),
        pretty.trim_end(),
        &format!("\u{feff}{}", pretty.replace('\n', "\r\n")),
        &pretty.replacen('\n', "\r\n", 2),
        "{\n  // mine\n  \"model\": \"x\" // the best\n}\n",
        "{\n  \"model\": \"x\", /* why */\n  \"a\": [] /* not */ // yet\n  // more\n}\n",
        "// first\n{\"model\": \"x\"}\n// last",
        "// nothing yet\n",
        "/* nothing */",
        "{ // here\n}\n",
        "{ /* here */ }",
        "{\n  \"model\": \"x\",\n}\n",
        "{\"model\": \"x\",}",
        "{\r\n  \"model\": \"x\", // mine\r\n}\r\n",
        "{\n    \"a\": 1\n  , \"b\": 2\n}\n",
        "{\n\n  \"a\": 1,\n\n\n  \"b\": 2\n\n}\n\n",
        "{\"hooks\":{}}",
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\n  \"hooks\": { /* none */ }\n}\n",
        "{\"hooks\":{\"PostToolUse\":[],\"BeforeModel\":[ ]}}",
        "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      { \"matcher\": \"Edit\", \"hooks\": [{ \"type\": \"command\", \"command\": \"cargo fmt\" }] } // mine\n    ],\n    \"AfterTool\": [\n    ]\n  }\n}\n",
        "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"date\"}]},]}}",
        "{\"a\": 1, \"hooks\": {\"Stop\": [{\"hooks\": []}]}, \"hooks\": {\"Stop\": []}, \"b\": 2}",
        "{\"mcpServers\":{}}",
        "{\"mcpServers\":{\"db\":{\"command\":\"db\",\"args\":[\"mcp\"]}}}",
        "{\n\t\"mcpServers\": {\n\t\t\"db\": {\n\t\t\t\"url\": \"http://db\"\n\t\t}\n\t},\n\t\"z\": null\n}",
        "{\"permissions\":{\"allow\":[\"mcp__hud\"],\"deny\":[]},\"enabledMcpjsonServers\":[\"hud\",\"db\"]}",
        "{\n  \"permissions\": { \"allow\": [], \"ask\": [\"Bash\"] },\n  \"enabledMcpjsonServers\": []\n}\n",
        "{\"plugin\":[]}",
        "{\n  \"plugin\": [\n    \"own\", // mine\n    [\"file:///x.js\", { \"a\": 1 }],\n  ],\n}\n",
        "{\"emoji\":\"\u{1f600} \\u0041 \\\" // no /* comment */\",\"ä\":[{}]}",
        &deep,
        &long,
    ];
    let texts = texts.iter().map(|text| Some((*text).to_owned()));
    std::iter::once(None).chain(texts).collect()
}

/// The texts that a configuration in TOML is tried with.
fn toml() -> Vec<Before> {
    let own = "# mine\nmodel = \"x\"\n\n[mcp_servers.db]\ncommand = \"db\" # it\n\n[a]\nb = 1\n";
    let texts = [
        "",
        "\n",
        " \n\n\n",
        "# nothing yet",
        "# nothing yet\n",
        "\u{feff}",
        "model = \"x\"",
        "model = \"x\"\n",
        "model = \"x\"\r\n",
        "model = \"x\"\r\n\r\n[a]\r\nb = 1",
        "\u{feff}model = \"x\"\n",
        "model = \"x\" # why\n\n\n",
        own,
        own.trim_end(),
        &own.replace('\n', "\r\n"),
        &own.replacen('\n', "\r\n", 3),
        &format!("\u{feff}{}", own.replace('\n', "\r\n")),
        "[mcp_servers]\n",
        "[mcp_servers]\n# none\n\n[a]\nb = [1,\n 2]\n",
        "[mcp_servers.db]\ncommand = \"db\"\n\n[mcp_servers.db.env]\nA = \"1\"",
        "mcp_servers.db.command = \"db\"\nmodel = \"x\"\n",
        "mcp_servers = {}\n",
        "mcp_servers = { }\nmodel = \"x\"\n",
        "mcp_servers = { db = { command = \"db\" } } # all\n[a]\n",
        "mcp_servers = {db={command=\"db\"},web={url=\"http://web\"}}",
        "[[a]]\nb = 1\n\n[[a]]\nb = 2\n",
        "[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ntype = \"command\"\ncommand = \"date\"\n",
        "[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n",
        "[hooks]\nstate = { \"/x\" = { enabled = false } }\n",
        "[hooks.state]\n\n[projects.\"/x y\"]\ntrust_level = \"trusted\"\n",
        "text = '''\r\n[mcp_servers.hud]\r\n'''\nwhen = 2026-01-01T00:00:00Z\n",
        "\"mcp_servers\".\"d b\" = { command = \"db\" }\n\n\n# the end\n",
    ];
    let texts = texts.iter().map(|text| Some((*text).to_owned()));
    std::iter::once(None).chain(texts).collect()
}

/// What the scripts of Cline may be beside.
fn scripts() -> Vec<Vec<(&'static str, &'static str)>> {
    vec![
        vec![],
        vec![("PreCompact", "#!/bin/sh\n")],
        vec![("notes.md", "")],
    ]
}

/// The files of a client, in a project and for all of them.
const FILES: [(&str, [&[&str]; 2]); 6] = [
    (
        "opencode",
        [&["opencode.json"], &[".config/opencode/opencode.json"]],
    ),
    (
        "claude",
        [
            &[".claude/settings.json", ".mcp.json"],
            &[".claude/settings.json"],
        ],
    ),
    (
        "codex",
        [
            &[".codex/hooks.json", ".codex/config.toml"],
            &[".codex/hooks.json", ".codex/config.toml"],
        ],
    ),
    (
        "gemini",
        [&[".gemini/settings.json"], &[".gemini/settings.json"]],
    ),
    (
        "cline",
        [&[], &[".cline/data/settings/cline_mcp_settings.json"]],
    ),
    (
        "goose",
        [
            &[".agents/plugins/agent-hud/hooks/hooks.json"],
            &[".agents/plugins/agent-hud/hooks/hooks.json"],
        ],
    ),
];

/// Installs into a configuration, twice, and takes it out again.
fn there_and_back(client: &str, user: bool, before: &[(String, Before)]) -> Result<(), String> {
    let place = Place::new();
    for (file, text) in before {
        if let Some(text) = text {
            place.write(file, text);
        }
    }
    let start = place.everything();
    let run = |command: &str| {
        let mut arguments = vec![command, client, "--yes"];
        if user {
            arguments.push("--user");
        }
        let output = place.hud(&arguments);
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stderr).into_owned()),
            false => Err(format!(
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    };
    if let Err(refused) = run("install") {
        // Clients drop a file with what they can't read in it, as comments: it is left as it is.
        let is_dropped = client != "opencode" && refused.contains("takes nothing of such a file");
        return match is_dropped && place.everything() == start {
            true => Ok(()),
            false => Err(refused),
        };
    }
    let installed = place.everything();
    if installed == start {
        return Err("nothing was installed".to_owned());
    }
    run("install")?;
    if place.everything() != installed {
        return Err("the second installation is another than the first".to_owned());
    }
    run("uninstall")?;
    let end = place.everything();
    if end == start {
        return Ok(());
    }
    let text =
        |bytes: Option<&Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let odd = start
        .keys()
        .chain(end.keys())
        .find(|name| start.get(*name) != end.get(*name))
        .unwrap();
    Err(format!(
        "{}: {:?} instead of {:?}; it was {:?}",
        odd.display(),
        text(end.get(odd)),
        text(start.get(odd)),
        text(installed.get(odd)),
    ))
}

/// The starting configurations of a client.
fn configurations(client: &str, user: bool) -> Vec<Vec<(String, Before)>> {
    let folder = if user { "home" } else { "project" };
    let (_, files) = FILES.iter().find(|(name, _)| *name == client).unwrap();
    let files = files[usize::from(user)];
    let (json, toml, scripts) = (json(), toml(), scripts());
    let hooks = if user {
        ".cline/hooks"
    } else {
        ".clinerules/hooks"
    };
    let count = json.len().max(toml.len());
    let configuration = |index: usize| {
        let mut files: Vec<(String, Before)> = files
            .iter()
            .map(|file| {
                let is_toml = Path::new(file).extension() == Some("toml".as_ref());
                let texts = if is_toml { &toml } else { &json };
                (
                    format!("{folder}/{file}"),
                    texts[index % texts.len()].clone(),
                )
            })
            .collect();
        if client == "cline" {
            let others = scripts[index % scripts.len()].iter();
            files.extend(others.map(|(name, text)| {
                (format!("{folder}/{hooks}/{name}"), Some((*text).to_owned()))
            }));
        }
        files
    };
    (0..count).map(configuration).collect()
}

/// Tries all configurations of a client, and says what did not come back.
fn all_there_and_back(client: &str, user: bool) -> Vec<String> {
    let all = configurations(client, user);
    let outcomes = all
        .iter()
        .map(|before| (before, there_and_back(client, user, before)));
    let failed: Vec<String> = outcomes
        .filter_map(|(before, outcome)| Some(format!("{before:.300?}: {}", outcome.err()?)))
        .collect();
    let scope = if user { "user" } else { "project" };
    let back = all.len() - failed.len();
    println!("{client:<9} {scope:<8} {back} of {}", all.len());
    assert!(all.len() >= 44, "{client}");
    failed
}

#[test]
fn what_was_there_before_comes_back_byte_for_byte() {
    println!("client    scope    back byte for byte");
    let scopes = FILES
        .iter()
        .flat_map(|(client, _)| [(*client, false), (*client, true)]);
    let failures: Vec<String> = thread::scope(|threads| {
        let threads: Vec<_> = scopes
            .map(|(client, user)| threads.spawn(move || all_there_and_back(client, user)))
            .collect();
        let outcomes = threads.into_iter().map(|thread| thread.join().unwrap());
        outcomes.flatten().collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whitespace and comments between the parts of a text.
fn gap() -> impl Strategy<Value = String> {
    let gaps = [
        "", "", "", " ", "\n", "\r\n", "\t", "\n  ", " // c\n", "/* c */", "\n\n    ",
    ];
    prop::sample::select(gaps.to_vec()).prop_map(str::to_owned)
}

/// Any value, in any layout.
fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "null",
        "\"x\"",
        "\"\\\"{[,]}//\"",
        "true",
        "{}",
        "[]",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(3, 12, 4, |inner| {
            let names = vec!["a", "hooks", "mcpServers", "PostToolUse", "plugin"];
            let entry = (prop::sample::select(names), gap(), inner.clone());
            let entries = prop::collection::vec(entry, 0..4).prop_map(|entries| {
                let entries = entries.into_iter();
                entries
                    .map(|(name, gap, value)| format!("\"{name}\"{gap}:{value}"))
                    .collect()
            });
            let elements = prop::collection::vec(inner, 0..4);
            let joined =
                |parts: Vec<String>,
                 (first, last, between, comma): (String, String, String, bool)| {
                    let comma = if comma && !parts.is_empty() { "," } else { "" };
                    let parts = parts.join(&format!(",{between}"));
                    format!("{first}{parts}{comma}{last}")
                };
            let gaps = || (gap(), gap(), gap(), any::<bool>());
            prop_oneof![
                (entries, gaps())
                    .prop_map(move |(parts, gaps)| format!("{{{}}}", joined(parts, gaps))),
                (elements, gaps())
                    .prop_map(move |(parts, gaps)| format!("[{}]", joined(parts, gaps))),
            ]
        })
}

/// An object as the root of a file, in any layout.
fn any_root() -> impl Strategy<Value = String> {
    let names = vec!["a", "b", "model", "env"];
    let entry = (prop::sample::select(names), gap(), gap(), any_json(), gap());
    let own = prop::sample::select(vec![
        "",
        "\"hooks\": {},",
        "\"hooks\":{\"PostToolUse\":[ ]},",
        "\"mcpServers\" :{\n}, ",
        "\"plugin\": [\"own\" // c\n],",
    ]);
    (
        own,
        prop::collection::vec(entry, 0..4),
        gap(),
        gap(),
        any::<bool>(),
    )
        .prop_map(|(own, entries, first, last, comma)| {
            let entries: Vec<String> = entries
                .into_iter()
                .map(|(name, gap, other, value, end)| {
                    format!("{other}\"{name}\"{gap}:{value}{end}")
                })
                .collect();
            let comma = if comma && !entries.is_empty() {
                ","
            } else {
                ""
            };
            format!("{first}{{{own}{}{comma}{last}}}", entries.join(","))
        })
}

fn any_toml() -> impl Strategy<Value = String> {
    let lines = vec![
        "",
        "# c",
        "  # c",
        "[mcp_servers.db]\ncommand = \"db\"",
        "[a]\nb = 1",
        "[[list]]\nx = '''\n[y]\n'''",
        "[hooks.state.k]\ntrusted_hash = \"h\"",
    ];
    let end = prop::sample::select(vec!["\n", "\r\n"]);
    (
        prop::collection::vec((prop::sample::select(lines), end), 0..6),
        any::<bool>(),
    )
        .prop_map(|(lines, is_ended)| {
            let mut seen = Vec::new();
            let mut text = String::from("model = \"x\"\n");
            for (line, end) in lines {
                if !line.starts_with("[[") && line.contains('[') && seen.contains(&line) {
                    continue;
                }
                seen.push(line);
                text.push_str(line);
                text.push_str(end);
            }
            match is_ended {
                true => text,
                false => text.trim_end().to_owned(),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_comes_back_byte_for_byte(json in any_root(), toml in any_toml(), client in 0..FILES.len()) {
        let (client, files) = FILES[client];
        let files: Vec<(String, Before)> = files[1]
            .iter()
            .map(|file| {
                let text = if file.ends_with("toml") { &toml } else { &json };
                (format!("home/{file}"), Some(text.clone()))
            })
            .collect();
        if let Err(problem) = there_and_back(client, true, &files) {
            // What an entry is that we need may be anything else, and is refused then.
            prop_assert!(problem.contains("mend it first"), "{problem}");
        }
    }
}
