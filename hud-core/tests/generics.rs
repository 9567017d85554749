//! Components with parameters: bounds, and parameters that no prop mentions.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

use std::borrow::Cow;
use std::fmt::Display;

use hud_core::node::{Item, List};
use hud_core::{Density, Element, IntoElement, component, render, rsx};

fn full(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[component]
fn Shown<'a, T>(items: &'a [T]) -> Element<'a>
where
    &'a T: IntoElement<'a>,
{
    rsx! { <List>for item in items { <Item>{item}</Item> }</List> }
}

/// Calls a function whose bound is the same, with a type that the compiler has to find.
fn shown<'a, T>(items: &'a [T]) -> Element<'a>
where
    &'a T: IntoElement<'a>,
{
    rsx! { <Shown items /> {items} }
}

#[test]
fn what_a_reference_shows_may_be_a_bound() {
    let (sizes, names) = (vec![1_u8, 2], [Some("a"), None]);
    let element = rsx! { <Shown items={&sizes} /> <Shown items={&names[..]} /> };
    assert_eq!(full(&element), "- 1\n- 2\n\n* a\n*\n");
    assert_eq!(full(&shown(&sizes)), "- 1\n- 2\n\n12\n");
    let element = rsx! { {&&1} {&&&"b"} {&[&Ok::<_, u8>(2), &Err(3)]} {&vec![vec!['c']]} };
    assert_eq!(full(&element), "1b23c\n");
}

struct Mine(u8);

impl<'a> IntoElement<'a> for &'a Mine {
    fn into_element(self) -> Element<'a> {
        Element::text(format!("mine {}", self.0))
    }
}

#[test]
fn a_reference_to_a_users_type_may_be_shown() {
    let mine = [Mine(1)];
    assert_eq!(full(&rsx! { for mine in &mine { {mine} } }), "mine 1\n");
    assert_eq!(
        full(&rsx! { <Shown items={&mine} /> {&mine[..]} {&Some(Mine(2))} {&&Mine(3)} }),
        "- mine 1\n\nmine 1mine 2mine 3\n"
    );
}

#[derive(Clone)]
struct Sorted<T: Ord>(Vec<T>);

#[component]
fn Bounded<'a, T: Clone + Ord, U>(some: Cow<'a, [T]>, all: Sorted<U>) -> Element<'a>
where
    U: Ord + Clone + Display,
{
    rsx! { {some.len()} {all.0.iter().map(U::to_string)} }
}

#[test]
fn the_types_of_props_may_have_bounds() {
    let some = [1, 2];
    let element = rsx! { <Bounded some={Cow::Borrowed(&some[..])} all={Sorted(vec!["a", "b"])} /> };
    assert_eq!(full(&element), "2ab\n");
}

/// A type that implements `Display`, and nothing that `rsx!` asks for.
#[derive(Clone)]
struct Version(u8, u8);

impl Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

#[component]
fn Displayed<'a, T: Display>(items: &'a [T], first: Option<&'a T>) -> Element<'a> {
    rsx! {
        for item in items { {item} ";" }
        if let Some(first) = first { {first} }
    }
}

#[test]
fn braces_show_any_value_that_implements_display() {
    let versions = [Version(1, 2), Version(3, 4)];
    let element = rsx! { <Displayed items={&versions} first={&versions[1]} /> };
    assert_eq!(full(&element), "1.2;3.4;3.4\n");
    let (first, second) = (Version(1, 2), Version(3, 4));
    let element = rsx! {
        {&first} " " {&&first} " " {std::rc::Rc::new(first)} " "
        match second.0 {
            3 => { {second} }
            _ => "another"
        }
        " "
        {std::path::Path::new("a/b").display()} " " {std::net::Ipv4Addr::LOCALHOST}
    };
    assert_eq!(full(&element), "1.2 1.2 1.2 3.4 a/b 127.0.0.1\n");
    // An element is shown as itself, though it implements `Display` as well.
    let element = rsx! { {rsx! { <List><Item>"a"</Item></List> }} };
    assert_eq!(full(&element), "- a\n");
}

#[component]
fn Each<'a, T: Display + 'a, I: IntoIterator<Item = &'a T> + Clone>(items: I) -> Element<'a> {
    rsx! { for item in items { {item.to_string()} } }
}

#[component]
fn Named<T: Default + Display>(count: u32) -> Element<'static> {
    rsx! { {count} {T::default().to_string()} }
}

#[component]
fn Grid<'a, const N: usize, const BOLD: bool>(name: &'a str) -> Element<'a> {
    rsx! { {name} {N} {BOLD.to_string()} }
}

#[test]
fn a_parameter_may_be_in_no_prop() {
    let names = ["a".to_owned(), "b".to_owned()];
    let element = rsx! {
        <Each items={&names} />
        <Named<String> count=1 />
        <Named::<u8> count=2 />
        <Grid<3, true> name="x" />
        <Grid<{ 1 + 1 }, false> name="y" />
    };
    assert_eq!(full(&element), "ab │ 1 │ 20 │ x3true │ y2false\n");
}
