//! The documentation is what the program does: its commands are run, what they print is compared, its
//! links lead somewhere, its reference is what the code gives. `HUD_UPDATE_DOCS=1` writes what is printed
//! now into the pages. Blocks of Rust are compiled by the doctests of `hud-tests`.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

#[cfg(feature = "rooms")]
#[allow(dead_code, reason = "not every test needs all of it")]
#[path = "../model/mod.rs"]
mod model;
#[cfg(feature = "postgres")]
#[allow(dead_code, reason = "other tests use the rest of it")]
#[path = "../../../hud-postgres/tests/fleet/nodes.rs"]
mod nodes;
mod page;
#[path = "../place/program.rs"]
mod program;
mod shell;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use page::{Page, root};
use shell::{Machine, is_like, wrong};

/// The pages whose commands are run: those of the site and the repository, but for the reference, whose examples have
/// tests of their own (`examples`), and the summary.
fn pages() -> Vec<Page> {
    let mut pages = [Page::all(), Page::readmes()].concat();
    pages
        .retain(|page| !page.path.starts_with("docs/reference/") && page.path != "docs/SUMMARY.md");
    pages
}

/// Writes what a page's commands print into the page.
fn update(page: &Page, machine: &Machine) {
    let mut text = page.text.clone();
    for block in page.blocks() {
        match block.info.as_str() {
            "console" => {
                let now = machine.session(&block);
                text = text.replace(
                    &format!("```console\n{}```", block.body),
                    &format!("```console\n{now}```"),
                );
            }
            "sh" => drop(machine.plain(&block)),
            _ => machine.keep(&block),
        }
    }
    fs::write(root().join(&page.path), text).unwrap();
}

/// The machine of a page's reader. `None`, which is said, where a page needs a server and there is none to be had.
fn machine(page: &Page) -> Option<Machine> {
    #[cfg_attr(
        not(any(feature = "rooms", feature = "postgres")),
        expect(unused_mut, reason = "nothing serves without these features")
    )]
    let mut machine = Machine::new();
    #[cfg(feature = "rooms")]
    has_a_model(&mut machine);
    if ["docs/cost.md", "docs/distill.md"].contains(&page.path.as_str()) {
        machine.has_worked();
    }
    if page.path == "docs/fleet.md" {
        #[cfg(feature = "postgres")]
        is_in_a_fleet(&mut machine)?;
        #[cfg(not(feature = "postgres"))]
        return None;
    }
    Some(machine)
}

#[cfg(feature = "rooms")]
fn has_a_model(machine: &mut Machine) {
    let model = model::Model::new(|nth, out| {
        let said = model::said(&format!(
            r#"{{"items": [], "responses": [{{"room_id": 1, "message": "Greeting {nth}"}}]}}"#
        ));
        model::answer(out, 200, "Content-Type: application/json\r\n", &said);
    });
    machine.serve(shell::MODEL, model.url(), model);
}

/// A server with the users of the page, who have made no log yet, and a session to send.
#[cfg(feature = "postgres")]
fn is_in_a_fleet(machine: &mut Machine) -> Option<()> {
    let nodes = nodes::Nodes::begin("")?;
    for sql in [
        "CREATE DATABASE fleet",
        "CREATE ROLE ada LOGIN",
        "CREATE ROLE grace LOGIN",
    ] {
        nodes.sql(sql);
    }
    for program in ["psql", "pg_dump", "pg_restore"] {
        machine.link(&nodes.nodes[0].bin.join(program));
    }
    let address = format!("127.0.0.1:{}", nodes.nodes[0].port);
    machine.serve(shell::SERVER, address, nodes);
    machine.has_worked();
    Some(())
}

#[test]
fn every_command_of_a_page_does_what_the_page_says() {
    let is_update = std::env::var_os("HUD_UPDATE_DOCS").is_some();
    let only = std::env::var("HUD_DOCS_PAGE").unwrap_or_default();
    let mut all = Vec::new();
    for page in pages().iter().filter(|page| page.path.contains(&only)) {
        let Some(machine) = machine(page) else {
            continue;
        };
        match is_update {
            true => update(page, &machine),
            false => all.extend(wrong(page, &machine)),
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

#[test]
fn every_command_in_the_text_names_what_is_there() {
    let machine = Machine::new();
    let mut all = Vec::new();
    for page in pages() {
        for (line, span) in page.spans() {
            let found = machine.mentioned(&span);
            all.extend(
                found
                    .into_iter()
                    .map(|what| format!("{}:{line}: {what}", page.path)),
            );
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn a_stale_block_is_named_with_its_page_and_line() {
    let page = |text: &str| Page {
        path: "docs/page.md".to_owned(),
        text: text.to_owned(),
    };
    let machine = Machine::new();
    let said = |text: &str| wrong(&page(text), &machine).join("\n");
    assert_eq!(
        said("# T\n\n```console\n$ hud where --help\nSay where …\n…\n```\n"),
        ""
    );
    assert!(
        said("# T\n\n```console\n$ hud where\n/elsewhere\n```\n").starts_with("docs/page.md:3: ")
    );
    assert!(
        said("```sh\nhud render --no-such-flag\n```\n")
            .contains("`hud render --no-such-flag` fails")
    );
    assert!(
        said("```sh\ncargo install --path hud-cli --features none\n```\n")
            .contains("no feature `none`")
    );
    assert!(said("```sh\ncargo run --example none\n```\n").contains("there is no `none`"));
    assert!(said("```sh\n.ci/none\n```\n").contains("there is no `.ci/none`"));
}

#[test]
fn a_stale_command_in_the_text_is_named() {
    let machine = Machine::new();
    for (span, missing) in [
        ("hud none", "'none'"),
        ("hud log --al", "`--al`"),
        ("A=1 cargo test -p hud-cli --test none", "`none`"),
        ("python3 compare/none.py", "`compare/none.py`"),
    ] {
        let said = machine.mentioned(span).join("\n");
        assert!(said.contains(missing), "{span}: {said}");
    }
    for span in [
        "hud log --all",
        "hud notes.list",
        "cargo run --example NAME",
    ] {
        assert_eq!(machine.mentioned(span), [""; 0], "{span}");
    }
    let text = "It is `hud\nlog`,\nand `hud at`.\n\n```sh\n`no`\n```\n- `last`\n".to_owned();
    let path = "docs/page.md".to_owned();
    let spans = Page { path, text }.spans();
    let expected = [(1, "hud log"), (1, "hud at"), (8, "last")];
    assert_eq!(spans, expected.map(|(line, span)| (line, span.to_owned())));
}

#[test]
fn what_a_page_leaves_out_may_be_anything_and_the_rest_may_not() {
    assert!(is_like("a\n…\nd\n", "a\nb\nc\nd\n"));
    assert!(is_like("in … ms\n", "in 12 ms\n"));
    assert!(!is_like("a\n…\nd\n", "a\nb\n"));
    assert!(!is_like("in … ms\n", "in 12 s\n"));
}

#[test]
fn every_block_is_of_a_kind_that_is_tried() {
    let kinds = [
        "sh",
        "console",
        "text",
        "json",
        "toml",
        "rust",
        "mdx",
        "mdx component",
        "mdx script",
        "mdx wrong",
        "markdown",
    ];
    let risks = fs::read_to_string(root().join("examples/risks/src/main.rs")).unwrap();
    for page in [Page::all(), Page::readmes()].concat() {
        for block in page.blocks() {
            let place = format!("{}:{}", page.path, block.line);
            // What an example has, all of it or a part, is compiled there.
            if block.info == "rust,ignore" {
                let body = block.body.trim_end();
                let included = body.starts_with("{{#include ../examples/");
                assert!(
                    included && body.lines().count() == 1 || risks.contains(body),
                    "{place}"
                );
                continue;
            }
            assert!(
                kinds.contains(&block.info.as_str()),
                "{place}: `{}`",
                block.info
            );
            match block.info.as_str() {
                "json" => {
                    let read = serde_json::from_str::<serde_json::Value>(&block.body);
                    read.unwrap_or_else(|error| panic!("{place}: {error}"));
                }
                // A manifest: the crates are where it has them.
                "toml" if block.body.starts_with("[dependencies]") => {
                    let lines = block.body.lines().skip(1);
                    for line in lines.filter(|line| !line.is_empty()) {
                        let name = line.split_whitespace().next().unwrap_or_default();
                        let path = format!("path = \"../agent-hud/{name}\"");
                        assert!(
                            line.contains(&path) && root().join(name).join("Cargo.toml").is_file(),
                            "{place}: {line}"
                        );
                    }
                }
                "toml" => {
                    let machine = Machine::new();
                    machine.keep(&block);
                    let (said, is_well) = machine.run("hud config");
                    assert!(is_well, "{place}: {said}");
                }
                "rust" => {
                    let compiled = fs::read_to_string(root().join("tests/pages.rs")).unwrap();
                    assert!(
                        compiled.contains(&format!("../{}\"", page.path)),
                        "{place}: add it to tests/pages.rs"
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = [Page::all(), Page::readmes()].concat();
    let dead: Vec<String> = pages
        .iter()
        .flat_map(|page| page.dead_links(&root()))
        .collect();
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn a_dead_link_is_named_with_its_page_and_line() {
    let page = Page {
        path: "docs/page.md".to_owned(),
        text: "# Here it is\n[a](#here-it-is) [b](#there) [c](none.md)\n[d](../README.md) `[e](none)`\n".to_owned(),
    };
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("docs")).unwrap();
    fs::write(root.join("docs/page.md"), &page.text).unwrap();
    fs::write(root.join("README.md"), "").unwrap();
    let dead = page.dead_links(&root);
    let starts = [
        "docs/page.md:2: #there",
        "docs/page.md:2: none.md",
        "docs/page.md:3: ../README.md",
    ];
    assert_eq!(dead.len(), starts.len(), "{dead:?}");
    for (said, start) in dead.iter().zip(starts) {
        assert!(said.starts_with(start), "{said}");
    }
}

#[test]
fn every_page_is_in_the_summary_once() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: Vec<String> = summary
        .links()
        .into_iter()
        .map(|(_, link)| format!("docs/{link}"))
        .collect();
    let there = Page::all().into_iter().map(|page| page.path);
    let there: BTreeSet<String> = there.filter(|path| path != "docs/SUMMARY.md").collect();
    assert_eq!(
        listed.len(),
        there.len(),
        "a page is listed twice, or not at all"
    );
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), there);
}

#[test]
fn the_reference_is_what_the_code_gives() {
    let folder = tempfile::tempdir().unwrap();
    let written = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["reference", "--dir"])
        .arg(folder.path())
        .status();
    assert!(written.unwrap().success());
    for name in [
        "commands",
        "events",
        "operations",
        "settings",
        "components",
        "mistakes",
    ] {
        let path = format!("docs/reference/{name}.md");
        let now = fs::read_to_string(folder.path().join(format!("{name}.md"))).unwrap();
        let kept = fs::read_to_string(root().join(&path)).unwrap();
        // The page has what programs with any of the features have.
        for part in now.split("\n## ") {
            let title = part.lines().next().unwrap_or_default();
            assert!(
                kept.contains(part.trim_end()),
                "{path}: `{title}` is another one: hud reference --dir docs/reference"
            );
        }
        if cfg!(all(
            feature = "distill",
            feature = "inspect",
            feature = "rooms",
            feature = "watch"
        )) {
            assert_eq!(kept, now, "{path}: hud reference --dir docs/reference");
        }
    }
}

#[test]
fn each_manifest_for_clients_has_the_version_of_the_program() {
    for path in [
        "server.json",
        "integrations/claude-code/.claude-plugin/plugin.json",
        "integrations/gemini/gemini-extension.json",
        "integrations/opencode/package.json",
    ] {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"), "{path}");
    }
}

#[test]
fn the_manifest_for_the_registry_of_servers_is_as_its_schema_says() {
    let text = fs::read_to_string(root().join("server.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let text = |key: &str| manifest[key].as_str().unwrap_or_default();
    assert!(text("$schema").ends_with("/server.schema.json"));
    let (namespace, name) = text("name").split_once('/').unwrap();
    let is_name = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || ".-".contains(c))
    };
    assert!(is_name(namespace) && is_name(name), "{manifest}");
    assert!(
        (1..=100).contains(&text("description").chars().count()),
        "{manifest}"
    );
    assert_eq!(manifest["repository"]["source"], "github");
    assert_eq!(manifest["repository"]["url"], env!("CARGO_PKG_REPOSITORY"));
}
