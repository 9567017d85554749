//! The suggestions of diagnostics compile: each is written here as it is proposed.

#![allow(
    clippy::never_loop,
    clippy::panic,
    clippy::print_stdout,
    clippy::single_match,
    clippy::todo,
    clippy::unimplemented,
    clippy::unwrap_used,
    clippy::useless_conversion,
    reason = "a test that cannot go on has failed, and says where; what rustc proposes is written as it is"
)]

use std::fs;
use std::path::{Path, PathBuf};

use hud_core::mdast::{Mdast, text};
use hud_core::node::{
    Break, Cell, Code, Heading, Image, Item, Link, List, Math, Paragraph, Row, Section, Strong,
    Table, ThematicBreak,
};
use hud_core::{
    Children, Density, Element, Lift, LiftResult, Lower, LowerResult, Node, Provide, Registry,
    Renderer, Scope, component, node, one_way, render, rsx, two_way,
};

fn full(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Key {
    cap: String,
    size: u64,
}

fn lower(key: &Key, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![text(format!("{}{}", key.cap, key.size))])
}

#[test]
fn a_literal_may_call_methods() {
    let name = "n";
    let mut registry = Registry::builtin();
    registry.register(one_way(lower));
    let element = rsx! {
        <Key cap="a".to_string() size=1 />
        <Key cap="a{name}".to_uppercase().replace("N", "m") size=5_u8.into() />
    };
    let shown = Renderer::new(registry).markdown(&element, Default::default());
    assert_eq!(shown.unwrap(), "a1Am5\n");
}

/// A crate that has `hud-core` for its users.
mod facade {
    pub(super) use ::hud_core;
}

#[derive(Debug, PartialEq, Node)]
#[node(leaf, crate = facade::hud_core)]
struct ForeignKey {}

#[component(crate = facade::hud_core)]
fn Foreign() -> Element<'static> {
    rsx! { crate = facade::hud_core; <Strong>"a"</Strong> }
}

#[test]
fn the_crate_may_come_from_another_one() {
    let mut registry = Registry::builtin();
    registry.register(one_way(
        |_: &ForeignKey, _: &[Element<'_>], _: &Lower<'_, Mdast>| Ok(vec![text("b")]),
    ));
    let element = rsx! { <Foreign /> " " <ForeignKey /> };
    let shown = Renderer::new(registry).markdown(&element, Default::default());
    assert_eq!(shown.unwrap(), "**a** b\n");
}

struct Incident {
    id: u8,
    r#type: &'static str,
}

#[test]
fn a_text_shows_values() {
    let (incident, n, r#for, width) = (Incident { id: 7, r#type: "t" }, 1.25, "f", 4);
    let all = [1, 2];
    let element = rsx! {
        <Section title="{incident.id}: {n:.1} {r#for} {incident.r#type:>width$} {{}}">
            "{all.len()} {all[0] + 1:02} {u8::MAX:?} {n}"
        </Section>
    };
    assert_eq!(full(&element), "# 7: 1.2 f    t {}\n\n2 02 255 1.25\n");
}

/// Each expression without a value stands where a value is expected: rustc takes them, and so does `rsx!`.
fn early(n: Option<u8>) -> String {
    let element = rsx! {
        {if n == Some(1) { "a" } else { todo!() }}
        {if n == Some(1) { "b" } else { return "early".into() }}
        if n == Some(1) { "c" } else { unreachable!() }
        match n {
            Some(1) => "d",
            _ => todo!()
        }
        match n {
            Some(1) => "e",
            _ => { panic!("no {n:?}") }
        }
        {match n { Some(1) => "f", _ => return String::new() }}
        <Strong>{match n { Some(1) => rsx! { "g" }, _ => unimplemented!() }}</Strong>
    };
    full(&element)
}

#[test]
fn what_gives_no_value_may_stand_for_one() {
    assert_eq!(early(Some(1)), "abcdef**g**\n");
}

#[test]
fn a_statement_may_end_in_braces() {
    let xs = [1, 2, 3];
    let element = rsx! {
        {for x in xs { if x == 2 { continue; } rsx! { {x} } }}
        {for x in xs { match x { 9 => println!(), _ => {} } <Strong>{x}</Strong> }}
        {if xs.len() > 1 { let n = 1; if n > 9 { println!(); } <Strong>{n}</Strong> }}
        {xs.iter().map(|x| { if *x > 9 { println!(); } <Code>{*x}</Code> })}
        {match xs.len() { 3 => { if false { println!(); } <Strong>"x"</Strong> } _ => <Code>
            "y"
        </Code> }}
        {if xs.len() > 2 { 1 } else { 2 } + 3}
        {for x in xs { loop { break; } <>{x}</> }}
    };
    assert_eq!(
        full(&element),
        "13**1**__2__**3**__1__`1` `2` `3`**x**4123\n"
    );
}

#[test]
fn conditions_may_be_chained() {
    let (some, other) = (Some((1, "a")), Some(2));
    let element = rsx! {
        if let Some((1, name)) = some && let Some(n) = other && n > 1 { {name} {n} }
        {if let Some(n) = other && n == 2 && let Some((_, name)) = some { name } else { "none" }}
    };
    assert_eq!(full(&element), "a2a\n");
}

#[component]
fn Note<'a>(
    by: Option<&'a str>,
    all: Option<&'a [u8]>,
    size: Option<u64>,
    #[prop(into)] tag: Option<String>,
    #[prop(into, default = Some("d".to_owned()))] set: Option<String>,
    density: Density,
    children: Children<'a>,
) -> Element<'a> {
    let _ = density;
    rsx! { {by} {all} {size} {tag} {set} {children} }
}

#[test]
fn an_optional_prop_takes_what_a_required_one_takes() {
    let (string, name, all) = (String::from("s"), Some(String::from("n")), vec![1, 2]);
    let element = rsx! {
        <Note by={&string} all={&all} tag="t">"1"</Note>
        <Note by={name.as_deref()} all={&[3]} tag={Some("u")} set={None::<&str>}>"2"</Note>
        <Note size={"abc".len() as u64} tag={Some(string.clone())} density={Density::Full}>
            "3"
        </Note>
    };
    assert_eq!(full(&element), "s12td1 │ n3ud2 │ 3sd3\n");
    assert_eq!(
        full(&rsx! { <Note tag={String::from("s")}>"4"</Note> }),
        "sd4\n"
    );
}

#[component(layer = static)]
fn Moved<'a>(children: Children<'a>) -> Element<'a> {
    rsx! { {children.clone()} <Strong>{children}</Strong> }
}

#[test]
fn what_others_write_has_a_form_of_its_own() {
    let (names, done) = (["a"], true);
    let element = rsx! {
        <Moved>"a" <Break /> "b"</Moved>
        <List ordered=true>for name in names { <Item>{name}</Item> }</List>
        if done { <Section title="t">"x"</Section> }
    };
    assert_eq!(full(&element), "a\\\nb**a\\\nb**\n\n1. a\n\n# t\n\nx\n");
}

/// Components as the suggestions name them.
mod tags {
    use super::*;

    #[component]
    pub(super) fn MyItem<'a>(
        name: &'a str,
        #[prop(default = 1)] limit: usize,
        done: Option<bool>,
        header: Option<Element<'a>>,
        r#type: Option<&'a str>,
        children: Children<'a>,
    ) -> Element<'a> {
        rsx! { {name} {limit} {done.map(u8::from)} {header} {r#type} {children} }
    }

    #[component]
    pub(super) fn Task<'a>(
        title: &'a str,
        owner: Option<&'a str>,
        text: Option<Element<'a>>,
        shift: Option<i32>,
    ) -> Element<'a> {
        rsx! { {title} {owner} {text} {shift} }
    }

    #[component]
    pub(super) fn Part<'a>(name: &'a str) -> Element<'a> {
        rsx! { {name} }
    }

    #[component]
    pub(super) fn Both<'x, 'y, T: Clone + ToString>(
        item: T,
        name: &'x str,
        other: &'y str,
    ) -> Element<'x> {
        let _ = other;
        rsx! { {name} {item.to_string()} }
    }

    #[component(layer = dynamic)]
    pub(super) fn Turns(scope: &Scope) -> Element {
        let _ = scope;
        rsx! { "t" }
    }

    #[component(layer = static, worth = 8, floor = minimal, cap = 10, part = "menu", heading, schema)]
    pub(super) fn Menu(#[prop(default)] count: u32) -> Element {
        rsx! { {count} }
    }

    #[derive(Clone, Default)]
    pub(super) struct Theme(pub(super) u8);

    #[component]
    pub(super) fn Themed(
        #[prop(ambient, default = Theme(1))] theme: Theme,
        #[prop(provide)] own: u8,
        #[prop(default = 3)] other: u8,
    ) -> Element {
        rsx! { {theme.0} {own} {other} }
    }

    #[derive(Debug, PartialEq, Node)]
    pub(super) struct Pair<const N: usize = 2> {
        pub(super) of: [u8; N],
    }

    #[component]
    pub(super) fn Shown<T: Clone + ToString>(value: T, children: Children) -> Element {
        rsx! { {value.to_string()} {children} }
    }
}
use tags::{Both, Menu, MyItem, Pair, Part, Shown, Task, Theme, Themed, Turns};

#[test]
fn texts_and_values_have_their_marks() {
    #[allow(
        non_upper_case_globals,
        reason = "a word of a text may be the name of a value"
    )]
    const Hello: &str = "H";
    let (name, n, task, value) = ("a", 1, "t", Some("v"));
    let element = rsx! {
        "It is done" "Hello" {Hello} "Count:" "5" {5} "{name:?}" {format!("{name}")} {n} {n + 1}
        {task}
        {value.unwrap_or("none")} {"{}"} "{{}}" "{{name}}" {name.trim()} "a" "."
    };
    assert_eq!(
        full(&element),
        "It is doneHelloHCount:55\"a\"a12tv{}{}{name}aa.\n"
    );
    let a = 2;
    assert_eq!(
        full(&rsx! { <Math>"\\frac{{a}}{{{a}}}"</Math> }),
        "$\\frac{a}{2}$\n"
    );
}

#[test]
fn choices_and_repetitions_are_those_of_rust() {
    let (condition, items, names, n, value) = (true, [1, 2], ["a"], 3, 4);
    let element = rsx! {
        if condition { "y" } else { "n" }
        if condition { "x" }
        for item in items { {item} }
        for name in items { {name} }
        match n {
            pattern => { {pattern} }
        }
        match n {
            3 => "three",
            _ => {}
        }
        match value {
            pattern => { {pattern} }
        }
        {condition.then(|| <Strong>"b"</Strong>)}
        {names.map(|name| <Code>{name}</Code>)}
        {names.map(|name| name.len())}
        {names.iter().enumerate().map(|(at, name)| <Code>{*name} {at}</Code>)}
    };
    assert_eq!(full(&element), "yx12123three4**b**`a`1`a0`\n");
}

#[test]
fn props_are_given_with_one_mark() {
    fn size(limit: usize) -> usize {
        limit
    }
    let (name, text, limit, a, b) = ("n", "x", 2, true, false);
    let all = || tags::MyItem {
        name: "p",
        limit: 1,
        done: None,
        header: None,
        r#type: None,
        children: rsx! {},
    };
    let (props, base) = (all(), all());
    let element = rsx! {
        <MyItem name="a" limit=2 done={a && b} header=<Strong>"h"</Strong> r#type="t">"c"</MyItem>
        <MyItem {..props} name="q" /> <MyItem {..base} />
        <MyItem name limit={size(1)}>"c"</MyItem> <MyItem name limit=5 done=true>"c"</MyItem>
        <Task title={name.trim()} owner={name} text={text} />
        <Task title={if true { "a" } else { "b" }} owner="o" text="x" />
        <Task title={& name} owner="o" text="x" />
        <Task title="a" /> <Task title="a" owner="o" />
        <Task title={"a"} owner="o" text=<>"x"</> />
        <MyItem name limit={2 * 3}>"c"</MyItem> <Task title="a" shift={-1 + 3} />
        <Section title="a {name}">"s"</Section> <Section title={format!("a {name}")}>"s"</Section>
        <Section title="a" level={Some(2)}>"s"</Section>
        <Link url="u" title="t">"l"</Link> <Image url="u" />
        <Themed own=2 /> <Part name={name} /> <Both item=1 name="x" other="y" />
    };
    assert!(full(&element).contains("nnx"), "{limit}");
}

#[test]
fn tags_have_their_ends_and_names() {
    #[component]
    fn Name() -> Element {
        rsx! { "n" }
    }
    let value = 1;
    let element = rsx! {
        <>"f"</> <Paragraph>"p"</Paragraph> <node::Strong>"s"</node::Strong>
        <Shown value>"x"</Shown> <Item /> <List /> <ThematicBreak />
        <List><Item>"i"</Item></List>
        <List ordered=true><Item>"i"</Item></List>
        <Table><Row><Cell>"c"</Cell></Row></Table>
        <Section title="Plan">"x"</Section> <Heading level=2>"h"</Heading>
        "a" <Break></Break> "b"
        <Provide value={&Theme(4)}><Themed own=1 /></Provide> <Menu /> <Name /> <Turns />
    };
    assert!(full(&element).contains("413"));
}

#[test]
fn a_rule_may_have_two_ways() {
    fn lift(_: &[hud_core::mdast::Node], _: &Lift<'_, Mdast>) -> LiftResult<Key> {
        Ok(None)
    }
    let mut registry = Registry::builtin();
    registry.register(two_way(lower, lift));
    let shown = Renderer::new(registry).markdown(
        &rsx! { <Key cap={"a".to_string()} size=1 /> },
        Default::default(),
    );
    assert!(shown.is_ok());
    assert_eq!(Pair { of: [1, 2] }, Pair::<2> { of: [1, 2] });
}

/// Components with the names of other libraries' helpers, which are tags as all others.
mod helpers {
    use super::*;

    #[component]
    pub(super) fn Show<'a>(when: bool, children: Children<'a>) -> Element<'a> {
        rsx! { {when.then_some(children)} }
    }

    #[component]
    pub(super) fn For(each: u8) -> Element {
        rsx! { {each} }
    }

    pub(super) mod more {
        use super::*;

        #[component]
        pub(in super::super) fn H1(children: Children) -> Element {
            rsx! { "1" {children} }
        }
    }
}
use helpers::more::*;
use helpers::{For, Show};

#[test]
fn a_component_may_have_the_name_of_a_helper() {
    let n = 2;
    let element = rsx! { <Show when={n > 1}>"s" <For each={n} /></Show> <H1>"h"</H1> };
    assert_eq!(full(&element), "s2 │ 1h\n");
}

#[test]
fn a_borrowed_element_outlives_its_borrow() {
    #[component]
    fn Twice<'a>(children: Children<'a>) -> Element<'a> {
        rsx! { {&children} <Strong>{&children}</Strong> }
    }
    assert_eq!(full(&rsx! { <Twice>"a"</Twice> }), "a**a**\n");
}

/// The files in the folders of a folder, at any depth, whose names end so.
pub(super) fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// True if a text holds these pieces, one after the other and near each other.
fn holds(text: &str, pieces: &[&str]) -> bool {
    let Some((first, others)) = pieces.split_first() else {
        return true;
    };
    text.match_indices(first).any(|(at, _)| {
        let mut rest = &text[at + first.len()..];
        others.iter().all(|piece| {
            let found = rest.find(piece).filter(|at| *at < 300);
            if let Some(at) = found {
                rest = &rest[at + piece.len()..];
            }
            found.is_some()
        })
    })
}

/// The code in backticks after `write`, with the alternatives that follow it.
fn suggestions(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, word) in message.match_indices("write `") {
        let mut rest = &message[at + word.len() - 1..];
        while let Some((code, behind)) =
            rest.strip_prefix('`').and_then(|rest| rest.split_once('`'))
        {
            found.push(code);
            rest = behind.trim_start_matches([',', ' ']);
            rest = rest.strip_prefix("or ").unwrap_or(rest);
        }
    }
    found
}

/// The messages of the cases, without the lines that show code.
fn messages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let is_message = |line: &&str| {
            line.starts_with("error") || line.contains("= note:") || line.contains("^ ")
        };
        let lines: Vec<_> = text.lines().filter(is_message).collect();
        (path, lines.join("\n"))
    };
    files(&root.join("tests/ui"), ".stderr")
        .into_iter()
        .map(read)
        .collect()
}

#[test]
fn each_suggestion_is_applied_here() {
    let here = without_spaces(include_str!("suggestions.rs"));
    let messages = messages();
    assert!(messages.len() > 160);
    let mut missing = Vec::new();
    for (path, message) in &messages {
        for code in suggestions(message) {
            let flat = without_spaces(code);
            let pieces: Vec<_> = flat.split("..").collect();
            // `{..props}` is written with its dots.
            if !holds(&here, &pieces) && !here.contains(&flat) {
                missing.push(format!("`{code}` of {}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not applied: {missing:#?}");
}

#[test]
fn each_message_with_a_suggestion_has_a_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hud-macros/src");
    let shown: Vec<_> = messages().into_iter().map(|(_, message)| message).collect();
    let (mut missing, mut sites) = (Vec::new(), 0);
    for file in files(&root, ".rs") {
        let source = fs::read_to_string(&file).unwrap();
        for (at, _) in source.match_indices("write `") {
            let line = source[..at].rsplit('\n').next().unwrap_or_default();
            if line.trim_start().starts_with("//") {
                continue;
            }
            sites += 1;
            let text = literal_around(&source, at);
            let pieces = pieces_of_format(&text);
            let pieces: Vec<_> = pieces.iter().map(String::as_str).collect();
            // A literal that is no format is shown with its braces as they are.
            let is_shown = |message: &String| holds(message, &pieces) || message.contains(&text);
            if !shown.iter().any(is_shown) {
                missing.push(format!("{pieces:?} of {}", file.display()));
            }
        }
    }
    assert!(sites > 50, "{sites} sites");
    assert!(missing.is_empty(), "without a case: {missing:#?}");
}

/// The text of the string literal that a byte of the source is in.
fn literal_around(source: &str, at: usize) -> String {
    let is_quote = |at: &usize| source[*at..].starts_with('"') && !source[..*at].ends_with('\\');
    let is_start = |at: &usize| source.is_char_boundary(*at) && is_quote(at);
    let start = (0..at).rev().find(is_start).unwrap() + 1;
    let end = (at..source.len()).find(is_start).unwrap();
    let mut lines = source[start..end].split("\\\n");
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        text.push_str(line.trim_start());
    }
    text.replace("\\\"", "\"")
}

/// The texts of a format around its `{}`.
fn pieces_of_format(format: &str) -> Vec<String> {
    let format = format.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = format.split('{');
    let mut pieces: Vec<_> = parts.next().into_iter().collect();
    pieces.extend(parts.map(|part| part.split_once('}').map_or(part, |(_, behind)| behind)));
    { pieces.into_iter() }
        .map(|piece| piece.replace('\u{1}', "{").replace('\u{2}', "}"))
        .collect()
}
