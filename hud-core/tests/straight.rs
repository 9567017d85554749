//! What is written straight is what would be written of its nodes. A trace has nodes made of everything, so it shows
//! the other way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::node::{
    Beside, Code, Definition, Field, Group, Item, List, Meter, Paragraph, Part, Parts, Section,
    Status, Strong,
};
use hud_core::part::{Arrangement, PartCache, PartMeta};
use hud_core::trace::Trace;
use hud_core::{Density, Element, Renderer, Scope, rsx};
use proptest::prelude::*;

/// What could open something in markdown, where it is.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "plain words, and more of them",
    "# no heading",
    "- no item",
    "1. no item",
    "a_b_c",
    "*stars* and **more**",
    "_",
    "[x] no box",
    "[a]",
    "[a]: /b",
    "<b>",
    "</hud>",
    "&amp;",
    "`",
    "``tick`",
    "\\",
    "a\\",
    "~~no~~",
    "~90k",
    "https://a.b/c_d",
    "me@a.b",
    "www.a.b",
    "| a | b |",
    "---",
    "===",
    "two\nlines",
    "two\r\nlines",
    "\n",
    "\t",
    " at both ends ",
    "\u{FEFF}mark",
    "naïve 日本",
    "\0",
    "!",
    "(",
    ")",
    "+",
    ">",
    "a  b",
    "#",
    "##",
    "12",
    ":",
    "www",
    ".",
    "trailing \\",
];

fn text() -> impl Strategy<Value = String> {
    let hostile = || prop::sample::select(HOSTILE);
    prop_oneof![
        3 => hostile().prop_map(str::to_owned),
        2 => prop::collection::vec(hostile(), 2..4).prop_map(|texts| texts.concat()),
        1 => "[ -~]{0,12}",
        1 => any::<String>(),
    ]
}

/// What is in a line, and now and then what should not be.
fn phrasing() -> impl Strategy<Value = Element<'static>> {
    prop_oneof![
        6 => text().prop_map(Element::text),
        3 => text().prop_map(|text| rsx! { <Code>{text}</Code> }),
        1 => text().prop_map(|state| rsx! { <Status state /> }),
        1 => (any::<u64>(), any::<Option<u64>>())
            .prop_map(|(used, limit)| rsx! { <Meter used limit={limit} unit="tokens" /> }),
        1 => text().prop_map(|text| rsx! { <Strong>{text}</Strong> }),
        1 => prop::collection::vec(text(), 0..3)
            .prop_map(|texts| rsx! { <Group>for text in texts { {text} }</Group> }),
    ]
}

fn line() -> impl Strategy<Value = Element<'static>> {
    prop::collection::vec(phrasing(), 0..4).prop_map(Element::fragment)
}

fn item() -> impl Strategy<Value = Element<'static>> {
    prop_oneof![
        9 => (line(), any::<Option<bool>>()).prop_map(|(line, checked)| {
            rsx! { <Item checked={checked}>{line}</Item> }
        }),
        1 => line(),
    ]
}

fn list() -> impl Strategy<Value = Element<'static>> {
    let items = prop::collection::vec(item(), 0..4);
    (items, any::<bool>(), 0..101_u32, prop::bool::weighted(0.1)).prop_map(
        |(items, ordered, start, spread)| {
            rsx! { <List ordered start spread>for item in items { {item} }</List> }
        },
    )
}

fn block() -> impl Strategy<Value = Element<'static>> {
    prop_oneof![
        3 => line(),
        3 => list(),
        2 => line().prop_map(|line| rsx! { <Paragraph>{line}</Paragraph> }),
        2 => (text(), line()).prop_map(|(label, line)| rsx! { <Field label>{line}</Field> }),
        1 => item(),
    ]
}

fn section() -> impl Strategy<Value = Element<'static>> {
    let leaf = prop::collection::vec(block(), 0..4);
    (
        text(),
        leaf,
        prop::option::of(1..7_u8),
        prop::option::of((text(), block())),
    )
        .prop_map(|(title, blocks, level, inner)| {
            let inner = inner.map(|(title, block)| rsx! { <Section title>{block}</Section> });
            rsx! { <Section title level={level}>for block in blocks { {block} } {inner}</Section> }
        })
}

fn part() -> impl Strategy<Value = Element<'static>> {
    prop_oneof![
        5 => section(),
        2 => block(),
        1 => prop::collection::vec(block(), 0..3).prop_map(Element::fragment),
    ]
}

/// Parts, of which some are beside one another, and now and then what brackets may refer to.
fn layout() -> impl Strategy<Value = Element<'static>> {
    (
        prop::collection::vec(part(), 1..5),
        any::<bool>(),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(parts, is_beside, defines)| {
            let (first, rest) = parts.split_at(parts.len() / 2);
            let part = |part: &Element<'static>| rsx! { <Part heading=true>{part.clone()}</Part> };
            let first: Vec<_> = first.iter().map(part).collect();
            let rest: Vec<_> = rest.iter().map(part).collect();
            rsx! {
                <Parts>
                    if is_beside { <Beside>{first}</Beside> } else { {first} }
                    {rest}
                    if defines { <Part><Definition label="a" url="/b" /></Part> }
                </Parts>
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 4))]

    #[test]
    fn what_is_written_straight_is_what_its_nodes_are_written_as(layout in layout()) {
        let renderer = Renderer::builtin();
        for density in Density::ALL {
            let trace = Trace::default();
            let scope = Scope::new(density);
            let traced = scope.provide(&trace);
            let through_nodes = renderer.markdown(&layout, traced.scope()).unwrap();
            prop_assert_eq!(renderer.markdown(&layout, scope).unwrap(), through_nodes);

            let (mut asked, mut asked_traced) = (0, 0);
            let arrangement = Arrangement::default();
            let parts = renderer.parts(&layout, scope, &arrangement, &mut |_| {
                asked += 1;
                Some(density)
            });
            let through_nodes = renderer.parts(&layout, traced.scope(), &arrangement, &mut |_| {
                asked_traced += 1;
                Some(density)
            });
            let through_nodes = through_nodes.unwrap();
            prop_assert_eq!(&parts.unwrap(), &through_nodes);
            prop_assert_eq!(asked, asked_traced, "nobody is asked twice");

            // What is kept of a part is its text, where it was written straight.
            let known = PartCache::default();
            for _ in 0..2 {
                let mut all = |_: &PartMeta| Some(density);
                let kept = renderer.parts_cached(&layout, scope, &arrangement, &known, &mut all);
                prop_assert_eq!(&kept.unwrap(), &through_nodes);
            }
        }
    }
}
