//! What the formatter makes of sources, and what it never does.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;

use hud_fmt::{Error, Options, format};
use proptest::prelude::*;

fn formatted(source: &str) -> String {
    format(source, &Options::default()).unwrap()
}

/// The source of a function whose only line is an `rsx!`.
fn function(body: &str) -> String {
    format!("fn hud() {{\n    rsx! {{ {body} }}\n}}\n")
}

#[test]
fn sources_come_out_as_a_person_would_write_them() {
    insta::glob!("cases/*.rs", |path| {
        let once = formatted(&fs::read_to_string(path).unwrap());
        insta::assert_snapshot!(once);
        assert_eq!(formatted(&once), once, "formatted twice");
    });
}

#[test]
fn a_source_without_rsx_is_not_looked_at() {
    let source = "fn ( { \"";
    assert_eq!(formatted(source), source);
}

#[test]
fn line_ends_stay_as_they_are() {
    let unix = function("<A>\n\"a\\\n  b\"</A>");
    let expected = formatted(&unix).replace('\n', "\r\n");
    assert_eq!(formatted(&unix.replace('\n', "\r\n")), expected);
}

#[test]
fn what_is_before_the_code_is_kept() {
    let source = format!("\u{feff}#!/usr/bin/env rust ( \"\n{}", function("<A/>"));
    let expected = format!("\u{feff}#!/usr/bin/env rust ( \"\n{}", function("<A />"));
    assert_eq!(formatted(&source), expected);
    let inner = format!("#![allow(x)]\n{}", function("<A/>"));
    assert_eq!(formatted(&inner), inner.replace("<A/>", "<A />"));
}

#[test]
fn options_are_those_of_rustfmt() {
    let mut options = Options::default();
    options.max_width = 30;
    options.hard_tabs = true;
    let source = function("<Item checked=true>\"text\"</Item>");
    insta::assert_snapshot!(format(&source, &options).unwrap().replace('\t', "→"), @r#"
    fn hud() {
        rsx! {
    →→<Item checked=true>
    →→→"text"
    →→</Item>
    →}
    }
    "#);
}

#[test]
fn what_is_no_layout_is_reported_with_its_place() {
    let bodies = [
        "<A",
        "<A>",
        "<A></B>",
        "</A>",
        "<a::>\"x\"",
        "<A b= />",
        "<A 5 />",
        "<A / b>",
        "<A><B</A>",
        "text",
        "5",
        "if a",
        "if a {} else 5",
        "for a in b",
        "match a { b }",
        "<T<A />",
        "<é>\"ä\"</é>x",
        "{rsx! { <A> }}",
    ];
    let errors: Vec<String> = bodies
        .map(|body| {
            let error = format(&format!("rsx! {{ {body} }}"), &Options::default());
            format!("{body} → {}", error.unwrap_err())
        })
        .into();
    insta::assert_snapshot!(errors.join("\n"));
    let error = format("rsx! { <A /> ", &Options::default()).unwrap_err();
    assert_eq!(error, Error::Rust { line: 1, column: 6 });
}

#[test]
fn nesting_has_an_end() {
    let elements = |depth| function(&format!("{}{}", "<A>".repeat(depth), "</A>".repeat(depth)));
    let calls = |depth| {
        function(&format!(
            "{}{}",
            "{rsx! {".repeat(depth),
            "}}".repeat(depth)
        ))
    };
    let groups = |depth| format!("rsx! {{}} {}{}", "(".repeat(depth), ")".repeat(depth));
    formatted(&elements(140));
    formatted(&calls(70));
    formatted(&groups(150));
    for source in [elements(100_000), calls(10_000), groups(100_000)] {
        let error = format(&source, &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Depth { limit: 150, .. }), "{error}");
    }
}

/// White space and comments, as someone may write them.
fn space() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => Just(" "),
        4 => Just(""),
        2 => Just("\n"),
        1 => Just("\n\n\n  "),
        1 => Just(" // line\n"),
        1 => Just("/* block */"),
        1 => Just("/* of\n  lines */ "),
        1 => Just("\t"),
    ];
    prop::collection::vec(piece, 1..3).prop_map(|pieces| pieces.concat())
}

/// Tokens with white space and comments between them.
fn spaced(tokens: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(space(), tokens.len()).prop_map(move |spaces| {
        let parts = spaces.iter().zip(tokens);
        parts
            .map(|(space, token)| format!("{token} {space}"))
            .collect()
    })
}

fn rust() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("value".to_owned()),
        Just("\"a long text that fills the line up to where it is to be broken\"".to_owned()),
        Just("\"of\n   lines\"".to_owned()),
        spaced(&["f", "(", "|", "x", "|", "{", "x", "}", ")"]),
    ]
}

/// The children of an element.
fn nodes() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("\"text\"".to_owned()),
        Just("\"of\n lines\"".to_owned()),
        Just("\"a text that is long enough to fill most of a line of this width\"".to_owned()),
        rust().prop_map(|rust| format!("{{{rust}}}")),
        (space(), rust(), space()).prop_map(|(a, rust, b)| format!("{{{a}{rust}{b}}}")),
        spaced(&["<", "A", "b", "=", "5", "c", "/", ">"]),
        spaced(&[
            "<", "a", "::", "B", "c", "=", "{", "d", "}", ">", "<", "/", "a", "::", "B", ">"
        ]),
    ];
    let list = move |node: BoxedStrategy<String>| {
        prop::collection::vec((space(), node), 0..4)
            .prop_flat_map(|nodes| (Just(nodes), space()))
            .prop_map(|(nodes, end)| {
                let nodes: String = nodes
                    .iter()
                    .map(|(a, node)| format!("{a} {node}"))
                    .collect();
                nodes + &end
            })
    };
    let node = leaf.prop_recursive(4, 24, 4, move |inner| {
        let inside = list(inner.boxed()).boxed();
        let prop =
            (space(), rust(), space()).prop_map(|(a, rust, b)| format!("p={{{a}{rust}{b}}}"));
        prop_oneof![
            (space(), prop, space(), inside.clone())
                .prop_map(|(a, prop, b, inside)| format!("<A {a}{prop}{b}>{inside}</A>")),
            inside.clone().prop_map(|inside| format!("<>{inside}</>")),
            (space(), inside.clone())
                .prop_map(|(a, inside)| format!("<A slot{a}=<>{inside}</> />")),
            (space(), inside.clone(), space(), inside.clone())
                .prop_map(|(a, then, b, other)| format!("if {a} x {{{then}}}{b}else {{{other}}}")),
            inside
                .clone()
                .prop_map(|inside| format!("for x in xs {{{inside}}}")),
            (space(), inside.clone(), space(), space()).prop_map(|(a, inside, b, c)| {
                format!("match x {{{a}1 =>{b}{{{inside}}}{c}2 => \"x\",{a}}}")
            }),
            (inside, space()).prop_map(|(inside, a)| format!("{{f({a}rsx! {{{inside}}})}}")),
        ]
    });
    list(node.boxed())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: ProptestConfig::default().cases.max(2000),
        ..ProptestConfig::default()
    })]

    // That the tokens and comments are the same, `format` sees to itself.
    #[test]
    fn any_layout_is_formatted_once_and_for_all(body in nodes(), tabs in any::<bool>(), width in 20..100_usize) {
        let mut options = Options::default();
        options.hard_tabs = tabs;
        options.max_width = width;
        let once = format(&function(&body), &options);
        prop_assert!(once.is_ok(), "{once:?}");
        let once = once.unwrap_or_default();
        prop_assert_eq!(format(&once, &options), Ok(once.clone()), "formatted twice");
    }

    #[test]
    fn any_source_is_formatted_or_refused(source in "(rsx!|[<>/{}()\"a-c=!#/*\\n ]|if |for |match |=> ){0,40}") {
        if let Ok(once) = format(&source, &Options::default()) {
            prop_assert_eq!(format(&once, &Options::default()), Ok(once.clone()));
        }
    }
}
