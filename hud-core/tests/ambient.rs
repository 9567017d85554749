//! Ambient values: given by a tag, read by an argument.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

use std::rc::Rc;
use std::sync::Arc;

use hud_core::mdast::{Mdast, text};
use hud_core::node::{Item, List};
use hud_core::{
    Children, Density, Element, Lower, LowerResult, Node, Provide, Registry, Renderer, Scope, Tag,
    component, one_way, render, rsx,
};

fn full(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Theme {
    bullet: String,
}

fn theme(bullet: &str) -> Theme {
    Theme {
        bullet: bullet.to_owned(),
    }
}

/// Not `Default`, not `Clone`.
struct Language {
    yes: &'static str,
}

const GERMAN: Language = Language { yes: "ja" };

#[component]
fn Bullet(#[prop(ambient, default = theme("*"))] theme: &Theme) -> Element {
    rsx! { {theme.bullet.as_str()} }
}

#[component]
fn Titled<'a>(
    title: &'a str,
    /// How it looks.
    #[prop(ambient)]
    theme: &Theme,
    #[prop(ambient)] language: Option<&Language>,
    density: Density,
) -> Element<'a> {
    rsx! {
        {theme.bullet.as_str()} {title} {language.map(|language| language.yes)} {density.name()}
    }
}

#[component]
fn Owned(#[prop(ambient)] theme: Theme, #[prop(ambient)] maybe: Option<Arc<str>>) -> Element {
    rsx! { {theme.bullet} {maybe} }
}

#[component]
fn Explicit<'a>(#[prop(ambient)] theme: &'a Theme, scope: &Scope) -> Element<'a> {
    rsx! { {&theme.bullet} {scope.ambient::<Language>().map(|language| language.yes)} }
}

#[test]
fn the_innermost_value_of_a_type_counts() {
    let (outer, inner) = (theme("-"), theme("+"));
    let element = rsx! {
        <Bullet />
        <Provide value={&outer}>
            <Bullet />
            <Provide value={&GERMAN}>
                <Provide value={&inner}><Bullet /> <Titled title="t" /></Provide>
                <Bullet /> <Titled title="u" /> <Explicit />
            </Provide>
        </Provide>
        <Bullet /> <Titled title="v" />
    };
    assert_eq!(
        full(&element),
        "\\* │ - │ + │ +tjafull │ - │ -ujafull │ -ja │ * │ vfull\n"
    );
}

#[test]
fn a_value_that_is_not_provided_has_its_types_default_or_is_none() {
    assert_eq!(full(&rsx! { <Titled title="t" /> }), "tfull\n");
    assert_eq!(full(&rsx! { <Owned /> <Explicit /> }), "");
}

#[component]
fn Themed<'a>(#[prop(provide)] theme: &'a Theme, children: Children<'a>) -> Element<'a> {
    rsx! { {theme.bullet.len()} {children} }
}

#[component]
fn Spoken<'a>(#[prop(provide)] words: Arc<str>, children: Children<'a>) -> Element<'a> {
    rsx! { {words.len()} {children} }
}

#[component]
fn Making<'a>(bullet: &'a str) -> Element<'a> {
    let made = Rc::new(theme(bullet));
    rsx! { <Provide value={made}><Bullet /> <Inner /></Provide> }
}

#[component]
fn Inner(#[prop(ambient)] theme: Option<Theme>) -> Element {
    rsx! { {theme.map(|theme| theme.bullet)} }
}

#[test]
fn a_value_may_be_lent_or_shared() {
    let (word, bullet) = (Arc::<str>::from("s"), theme("t"));
    let element = rsx! {
        <Making bullet="m" /> " "
        <Provide value={Arc::new(theme("a"))}><Bullet /></Provide> " "
        <Provide value={&word}><Owned /></Provide> " "
        <Themed theme={&bullet}><Bullet /></Themed> " "
        <Spoken words={Arc::from("w")}><Owned /></Spoken>
    };
    assert_eq!(full(&element), "m │ m a s 1t 1w\n");
}

#[test]
fn a_density_changes_no_ambient_value_and_the_other_way_round() {
    let outer = theme("o");
    let element = rsx! {
        <Provide value={&outer}>
            <Titled title="t" density={Density::Compact} />
            <Dense><Titled title="u" /></Dense>
        </Provide>
    };
    assert_eq!(full(&element), "otcompact │ ouminimal\n");
}

#[component]
fn Dense<'a>(
    #[prop(default = Density::Minimal)] density: Density,
    children: Children<'a>,
) -> Element<'a> {
    let _ = density;
    children
}

#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Mark {}

#[test]
fn a_rule_reads_them_too() {
    fn lower(_: &Mark, _: &[Element<'_>], walk: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
        let theme = walk.scope().ambient::<Theme>();
        Ok(vec![text(theme.map_or("none", |theme| &theme.bullet))])
    }
    let mut registry = Registry::builtin();
    registry.register(one_way(lower));
    let renderer = Renderer::new(registry);

    let inner = theme("in");
    let layout = rsx! {
        <List>
            <Item><Mark /></Item>
            <Item><Provide value={&inner}><Mark /></Provide></Item>
        </List>
    };
    let at = |scope| renderer.markdown(&layout, scope).unwrap();
    assert_eq!(at(Scope::default()), "- none\n- in\n");
    let outer = theme("out");
    let provided = Scope::new(Density::Full).provide(&outer);
    assert_eq!(at(provided.scope()), "- out\n- in\n");
    assert_eq!(at(provided.scope()), at(provided.scope()));
}

#[test]
fn what_is_ambient_is_described_but_is_no_prop() {
    let names = Titled::META.props.iter().map(|prop| prop.name);
    assert!(names.eq(["title", "density"]));
    let [theme, language] = Titled::META.ambient else {
        unreachable!("two");
    };
    assert_eq!((theme.name, theme.ty), ("theme", "&Theme"));
    assert_eq!(theme.docs, "How it looks.");
    assert_eq!(language.ty, "Option<&Language>");
}
