//! What can be written in `rsx!`, and what it renders.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use hud_core::node::{Code, Delete, Item, List, Paragraph, Section, Strong};
use hud_core::{Children, Component, Density, Element, Layer, Scope, Tag, component, render, rsx};

fn full(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[test]
fn text_and_elements_stand_side_by_side() {
    let element = rsx! { "one " <Strong>"two"</Strong> " three" };
    assert_eq!(full(&element), "one **two** three\n");
}

#[test]
fn a_fragment_needs_no_name() {
    assert_eq!(
        full(&rsx! { <><Strong>"a"</Strong> <>"b"</></> }),
        "**a**b\n"
    );
    assert_eq!(full(&rsx! {}), "");
}

#[test]
fn values_of_many_kinds_are_shown() {
    let (owned, some, none) = ("s".to_owned(), Some("o"), None::<u8>);
    let inner = rsx! { <Strong>"e"</Strong> };
    let element =
        rsx! { {1} {'c'} {&owned} {some} {none} {vec!["v", "w"]} {&inner} {()} {inner.clone()} };
    assert_eq!(full(&element), "1csovw**e**__e__\n");
}

#[test]
fn results_collections_and_iterators_are_shown() {
    let names = vec!["a".to_owned(), "b".to_owned()];
    let (ok, failed) = (Ok::<u8, String>(1), Err::<u8, _>("why".to_owned()));
    let nested = [Some("n")];
    let element = rsx! {
        {&names} {names.as_slice()} {names.iter().rev()} {&ok} {failed} {nested.iter()}
        " " {names.iter().take(1).map(|name| rsx! { <Strong>{name}</Strong> })} " " {1..3}
        {format_args!("{ok:?}")}
    };
    assert_eq!(full(&element), "ababba1whyn **a** 12Ok(1)\n");
}

#[test]
fn props_take_literals_expressions_and_their_own_name() {
    let ordered = true;
    let element = rsx! {
        <List ordered start=3>
            <Item checked=true>"a"</Item> <Item checked={Some(false)}>"b"</Item>
        </List>
    };
    assert_eq!(full(&element), "3. [x] a\n4. [ ] b\n");
}

#[test]
fn if_for_and_match_are_children() {
    let (names, owner) = (["x", "y"], Some("z"));
    let element = rsx! {
        if names.is_empty() { "none" } else if names.len() > 9 { "many" } else { "some" }
        <List>for name in names { <Item>{name}</Item> }</List>
        if let Some(owner) = owner { <Paragraph>{owner}</Paragraph> }
        match names.len() {
            0 => "zero",
            count if count > 5 => {},
            count => { "count " {count} }
        }
    };
    assert_eq!(full(&element), "some\n\n- x\n- y\n\nz\n\ncount 2\n");
}

#[test]
fn if_for_and_match_are_rust_in_braces() {
    struct Point {
        x: u8,
    }
    let points = [Point { x: 1 }, Point { x: 2 }];
    let element = rsx! {
        {for Point { x } in &points { rsx! { <Code>{x}</Code> } }}
        {if points.is_empty() { "none" }}
        {if let Some(Point { x }) = points.first() { x } else { &0 }}
        {match points.len() { 2 => "two", _ => "?" }}
        {if true { 1 } else { 2 } + 3}
    };
    assert_eq!(full(&element), "`1` `2`1two4\n");
}

/// Shows its children struck out, unless little is said.
#[component]
fn Gone<'a>(density: Density, #[prop(default)] children: Children<'a>) -> Element<'a> {
    match density {
        Density::Full => rsx! { <Delete>{children}</Delete> },
        Density::Compact => children,
        Density::Minimal => rsx! {},
    }
}

#[test]
fn a_component_is_rendered_again_for_each_density() {
    let element = rsx! { "a " <Gone>"b"</Gone> };
    let at = |density| render(&element, density).unwrap();
    assert_eq!(at(Density::Full), "a ~~b~~\n");
    assert_eq!(at(Density::Compact), "a b\n");
    assert_eq!(at(Density::Minimal), "a&#x20;\n");
}

#[test]
fn a_density_prop_holds_for_all_that_is_below() {
    let element = rsx! { <Gone density={Density::Full}><Gone>"b"</Gone></Gone> };
    assert_eq!(render(&element, Density::Minimal).unwrap(), "~~~~b~~~~\n");
    let element = rsx! { <Gone density={Density::Compact}>"b"</Gone> };
    assert_eq!(full(&element), "b\n");
}

#[component]
fn Named<'a>(
    title: &'a str,
    #[prop(into)] note: String,
    limit: Option<usize>,
    #[prop(default = 2)] times: usize,
    header: Element<'a>,
    children: Children<'a>,
) -> Element<'a> {
    rsx! {
        {header} {title} {note} {limit.unwrap_or(9)} {times} {children}
    }
}

#[test]
fn props_may_be_optional_defaulted_converted_and_slots() {
    let title = String::from("t");
    let element = rsx! {
        <Named title={&title} note="n" limit={4} header={rsx! { <Strong>"h"</Strong> }}>"c"</Named>
        <Named title="t" note={String::new()} limit={None} times=1 header="h">"c" "d"</Named>
    };
    assert_eq!(full(&element), "**h**tn42c │ ht91cd\n");
}

#[component]
#[derive(Clone)]
fn Card<'a>(
    title: &'a str,
    limit: Option<u8>,
    #[prop(default = 7)] mut depth: u8,
    footer: Option<Element<'a>>,
    #[prop(default)] children: Children<'a>,
) -> Element<'a> {
    depth += 1;
    rsx! {
        {title} {limit} {depth}
        if let Some(footer) = footer { "(" {footer} ")" }
        {children}
    }
}

#[test]
fn props_are_spread_and_overridden() {
    let base = Card {
        title: "t",
        limit: Some(1),
        depth: 2,
        footer: None,
        children: Element::text("c"),
    };
    let element = rsx! {
        <Card {..base.clone()} />
        " " <Card {..base.clone()} title="u" limit={None} />
        " " <Card {..base}>"d"</Card>
    };
    assert_eq!(full(&element), "t13c u3c t13d\n");
}

#[test]
fn what_is_spread_is_evaluated_before_the_props_behind_it() {
    let note = String::from("n");
    let named = |note: &str| Named {
        title: "t",
        note: format!("not {note}"),
        limit: None,
        times: 1,
        header: Element::empty(),
        children: Element::empty(),
    };
    let element = rsx! { <Named {..named(&note)} note={note} /> };
    assert_eq!(full(&element), "tn91\n");
}

#[test]
fn a_slot_may_be_left_out_or_be_an_element() {
    let none = None::<Element<'_>>;
    let element = rsx! {
        <Card title="a" /> <Card title="b" footer=<Strong>"x"</Strong> />
        <Card title="c" footer={none} /> <Card title="d" footer="text" />
        <Card title="e" footer=<>"y" {1}</> />
    };
    assert_eq!(full(&element), "a8 │ b8(**x**) │ c8 │ d8(text) │ e8(y1)\n");
}

#[component(layer = static)]
#[derive(Clone, Debug, PartialEq)]
fn Plain<'a>(title: &'a str, depth: u8) -> Element<'a> {
    rsx! { {title} {depth} }
}

#[component]
fn Kind<'a>(r#type: &'a str, given: u8, unknown: u8) -> Element<'a> {
    rsx! { {r#type} {given} {unknown} }
}

#[test]
fn a_prop_may_have_a_name_that_is_a_keyword_or_the_macros() {
    assert_eq!(
        full(&rsx! { <Kind r#type="t" given=1 unknown=2 /> }),
        "t12\n"
    );
    assert_eq!(Kind::META.props[0].name, "type");
}

#[test]
fn a_component_derives_what_its_function_says() {
    let plain = Plain {
        title: "t",
        depth: 1,
    };
    assert_eq!(plain, plain.clone());
    assert_eq!(format!("{plain:?}"), "Plain { title: \"t\", depth: 1 }");
}

#[test]
fn a_tag_is_described_by_its_type() {
    let part = Plain::META.part.as_ref().unwrap();
    assert_eq!((&*part.name, part.layer), ("Plain", Layer::Static));
    assert_eq!(Card::META.part, None);
    assert_eq!([Plain::META.children, Card::META.children], [false, true]);
    let required: Vec<_> = Card::META
        .props
        .iter()
        .map(|prop| (prop.name, prop.ty, prop.required))
        .collect();
    assert_eq!(
        required,
        [
            ("title", "&'a str", true),
            ("limit", "Option<u8>", false),
            ("depth", "u8", false),
            ("footer", "Option<Element<'a>>", false),
            ("children", "Children<'a>", false),
        ]
    );
}

#[component]
fn Elided(words: &[&str], children: Children) -> Element {
    rsx! { for word in words { {*word} } {children} }
}

#[component]
fn Shown<T: Clone + std::fmt::Display>(value: T) -> Element<'static> {
    rsx! { {value.to_string()} }
}

#[component]
fn Called<F: Clone + Fn(u8) -> u8>(with: F) -> Element<'static> {
    rsx! { {with(2)} }
}

fn double(number: u8) -> u8 {
    number * 2
}

mod nested {
    use hud_core::{Element, Scope, component, rsx};

    #[component]
    pub(super) fn Ambient(scope: &Scope) -> Element {
        rsx! { {scope.density().name()} }
    }
}

#[test]
fn lifetimes_may_be_left_out_and_tags_may_be_generic_or_paths() {
    let words = ["a", "b"];
    let element = rsx! {
        <Elided words={&words}>"c"</Elided>
        <Shown value=5 /> <Shown::<char> value='x' /> <nested::Ambient />
        <Called<fn(u8) -> u8> with={double} />
    };
    assert_eq!(full(&element), "abc │ 5 │ x │ full │ 4\n");
}

#[test]
fn a_props_struct_can_be_built_by_hand() {
    let gone = Gone {
        density: Some(Density::Full),
        children: Element::text("x"),
    };
    assert_eq!(full(&gone.render(&Scope::new(Density::Compact))), "x\n");
    assert_eq!(full(&Element::component(gone)), "~~x~~\n");
    assert_eq!(
        Gone::META.docs,
        "Shows its children struck out, unless little is said."
    );
}

#[test]
fn headings_follow_the_nesting_of_sections() {
    let element = rsx! {
        <Section title="a">
            <Section title="b"><Section title="c" level=5>"d"</Section></Section>
        </Section>
    };
    assert_eq!(full(&element), "# a\n\n## b\n\n##### c\n\nd\n");
}

/// The difference between the compiler and the one whose messages the `.stderr` files hold. None if it is that one.
#[cfg(feature = "slow-tests")]
pub(super) fn other_compiler() -> Option<String> {
    const TOOLCHAIN: &str = "rustc 1.95.";
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc)
        .arg("-V")
        .output()
        .unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let is_it = version.starts_with(TOOLCHAIN);
    (!is_it).then(|| format!("the messages are those of {TOOLCHAIN}x, this is {version}"))
}

#[cfg(feature = "slow-tests")]
#[test]
fn what_cannot_compile_says_why_at_the_token() {
    if let Some(other) = other_compiler() {
        eprintln!("skipped: {other}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}

#[test]
fn no_message_holds_a_name_that_nobody_wrote() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let folders = std::fs::read_dir(root).unwrap();
    let messages: Vec<_> = folders
        .flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|name| name == "stderr"))
        .filter(|file| !file.ends_with("with_reserved_names.stderr"))
        .collect();
    assert!(messages.len() > 160);
    for file in messages {
        let said = std::fs::read_to_string(&file).unwrap();
        for name in ["__", "Builder", "Factory", "Outer"] {
            // What the user wrote themselves is shown as well, in lines with a bar.
            let foreign = said
                .lines()
                .find(|line| !line.contains('|') && line.contains(name));
            assert_eq!(foreign, None, "in {}", file.display());
        }
    }
}

#[test]
fn a_text_shows_variables() {
    let (name, ratio, width) = ("a*b", 2.0_f64 / 3.0, 6);
    let element = rsx! {
        "{name} failed: {ratio:.2} of {width:>3}{{}}, {name:?} {name:>width$}"
        r#" {{"json": {width}}}"#
        if width > 1 { "; {width}" }
        <Card title="{{t}}" footer="{width}!" />
        <Named title="x" note="{name}{width}" header="h">"c"</Named>
    };
    assert_eq!(
        full(&element),
        "a\\*b failed: 0.67 of   6{}, \"a\\*b\"    a\\*b {\"json\": 6}; 6{t}8(6!) │ hxa\\*b692c\n"
    );
}

/// A type of a user's, which is no text.
struct Seconds(f64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} s", self.0)
    }
}

#[test]
fn a_text_shows_whatever_can_be_displayed() {
    let (took, all) = (Seconds(1.25), [Seconds(2.0), Seconds(3.0)]);
    let element =
        rsx! { "{took} " for one in &all { "of {one}" <Strong>"{one}"</Strong> } " {all[1]}" };
    assert_eq!(
        full(&element),
        "1.2 s of 2.0 s**2.0 s**of 3.0 s**3.0 s** 3.0 s\n"
    );
}

#[test]
fn a_text_in_braces_is_shown_as_it_is() {
    let element = rsx! { {"{name} {}"} {r#"{"json": 1}"#} "{{}}" };
    assert_eq!(full(&element), "{name} {}{\"json\": 1}{}\n");
}

#[test]
fn tags_may_stand_where_rust_expects_a_value() {
    let (names, done, open) = (["x", "y"], true, false);
    let element = rsx! {
        {names.iter().map(|name| <Strong>{name}</Strong>)}
        {done && <Code>"d"</Code>} {open && <Code>"o"</Code>} {!open && done && "{names:?}"}
        {done.then(|| <>"t" {1}</>)}
        {match names.len() { 2 => <Code>"two"</Code>, _ => <></> }}
        {if done { <Code>"if"</Code> } else { <Code>"else"</Code> }}
        {for name in names { let twice = name.repeat(2); <Code>{twice}</Code> }}
        <Card title="a" footer={<Strong>"f"</Strong>} />
        <Called<fn(u8) -> u8> with={double} />
        {<u8>::MAX} {<u8 as Default>::default()} {if 1 < 2 && names.len() > 1 { "less" }}
        {Vec::<u8>::new()} {names.map(<str>::len)}
        {let last = names[1]; <Code>{last}</Code>}
    };
    assert_eq!(
        full(&element),
        "**x**__y__`d`[\"x\", \"y\"]t1`two` `if` `xx` `yy` │ a8(**f**) │ 42550less11`y`\n"
    );
}
