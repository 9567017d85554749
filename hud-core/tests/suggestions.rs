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

use hud_core::mdast::{Mdast, text};
use hud_core::node::{Break, Code, Item, List, Section, Strong};
use hud_core::{
    Children, Density, Element, Lower, Lowered, Node, Registry, Renderer, component, one_way,
    render, rsx,
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

fn lower(key: &Key, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> Lowered<Mdast> {
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
