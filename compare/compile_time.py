"""The same 200 components and 1,000 uses, for each library in its own way."""

import random

COMPONENTS = 200
USES = 1000
NAMES = "title owner limit depth label note text colour height width state count".split()


class Use:
    """One use of a component with what is between its tags: texts, numbers and other uses."""

    def __init__(self, component, props, number, children):
        self.component = component
        self.props = props
        self.number = number
        self.optional = number % 2 == 1
        self.default = number % 3 == 0
        self.children = children


def spec():
    """The props of each component, and the uses of each function."""
    chance = random.Random(1)
    components = [chance.sample(NAMES, 5) for _ in range(COMPONENTS)]
    functions = []
    for number in range(USES // 5):
        a = [chance.randrange(COMPONENTS) for _ in range(5)]
        use = lambda at, number, *children: Use(a[at], components[a[at]], number, children)
        functions.append(
            use(0, number,
                use(1, number, '"t"'),
                use(2, number + 2, use(3, number + 1, '"deep"')),
                use(4, number + 3, '"x"', 1)))
    return components, functions


def whole(header, component, function):
    components, functions = spec()
    parts = [header]
    parts += [component(number, props) for number, props in enumerate(components)]
    parts += [function(number, use) for number, use in enumerate(functions)]
    return "\n".join(parts) + "\n"


def in_brackets(u):
    """A use in the syntax that hud and Leptos have in common."""
    if not isinstance(u, Use):
        return u if isinstance(u, str) else f"{{{u}}}"
    p = u.props
    text = f'<C{u.component} {p[0]}="a" {p[1]}={u.component} {p[4]}="x"'
    text += f" {p[2]}=5" if u.optional else ""
    text += f" {p[3]}=7" if u.default else ""
    return f"{text}>{' '.join(map(in_brackets, u.children))}</C{u.component}>"


def hud():
    def component(n, p):
        return (f"#[component]\npub fn C{n}<'a>({p[0]}: &'a str, {p[1]}: u32, {p[2]}: Option<usize>, "
                f"#[prop(default = 3)] {p[3]}: u64, #[prop(into)] {p[4]}: String, children: Children<'a>) "
                f"-> Element<'a> {{\n    rsx! {{ {{{p[0]}}} {{{p[1]}}} {{{p[2]}}} {{{p[3]}}} {{{p[4]}}} {{children}} }}\n}}")

    return whole("use hud_core::{Children, Element, component, rsx};", component,
                 lambda n, u: f"pub fn use{n}() -> Element<'static> {{\n    rsx! {{ {in_brackets(u)} }}\n}}")


def by_hand():
    def component(n, p):
        return (f"pub struct C{n}<'a> {{ pub {p[0]}: &'a str, pub {p[1]}: u32, pub {p[2]}: Option<usize>, "
                f"pub {p[3]}: u64, pub {p[4]}: String, pub children: Element<'a> }}\n"
                f"pub fn c{n}<'a>(props: C{n}<'a>) -> Element<'a> {{\n    Element::fragment([props.{p[0]}.into_element(), "
                f"props.{p[1]}.into_element(), props.{p[2]}.into_element(), props.{p[3]}.into_element(), "
                f"props.{p[4]}.into_element(), props.children])\n}}")

    def use(u):
        if not isinstance(u, Use):
            return f"{u}.into_element()"
        p = u.props
        children = [use(child) for child in u.children]
        children = children[0] if len(children) == 1 else f"Element::fragment([{', '.join(children)}])"
        return (f'c{u.component}(C{u.component} {{ {p[0]}: "a", {p[1]}: {u.component}, '
                f'{p[2]}: {"Some(5)" if u.optional else "None"}, {p[3]}: {7 if u.default else 3}, '
                f'{p[4]}: "x".into(), children: {children} }})')

    return whole("use hud_core::{Element, IntoElement};", component,
                 lambda n, u: f"pub fn use{n}() -> Element<'static> {{\n    {use(u)}\n}}")


def dioxus():
    def component(n, p):
        return (f"#[component]\npub fn C{n}({p[0]}: &'static str, {p[1]}: u32, {p[2]}: Option<usize>, "
                f"#[props(default = 3)] {p[3]}: u64, #[props(into)] {p[4]}: String, children: Element) -> Element {{\n"
                f"    rsx! {{ {{{p[0]}}} {{{p[1]}.to_string()}} {{{p[2]}.map(|n| n.to_string())}} {{{p[3]}.to_string()}} "
                f"{{{p[4]}}} {{children}} }}\n}}")

    def use(u):
        if not isinstance(u, Use):
            return u if isinstance(u, str) else f'{{"{u}"}}'
        p = u.props
        props = [f'{p[0]}: "a"', f"{p[1]}: {u.component}", f'{p[4]}: "x"']
        props += [f"{p[2]}: 5"] if u.optional else []
        props += [f"{p[3]}: 7"] if u.default else []
        return f"C{u.component} {{ {', '.join(props + list(map(use, u.children)))} }}"

    return whole("use dioxus::prelude::*;", component,
                 lambda n, u: f"pub fn use{n}() -> Element {{\n    rsx! {{ {use(u)} }}\n}}")


def leptos():
    def component(n, p):
        return (f"#[component]\npub fn C{n}({p[0]}: &'static str, {p[1]}: u32, #[prop(optional)] {p[2]}: Option<usize>, "
                f"#[prop(default = 3)] {p[3]}: u64, #[prop(into)] {p[4]}: String, children: Children) -> impl IntoView {{\n"
                f"    view! {{ {{{p[0]}}} {{{p[1]}}} {{{p[2]}}} {{{p[3]}}} {{{p[4]}}} {{children()}} }}\n}}")

    return whole("use leptos::prelude::*;", component,
                 lambda n, u: f"pub fn use{n}() -> impl IntoView {{\n    view! {{ {in_brackets(u)} }}\n}}")


def hypertext():
    def component(n, p):
        return (f"#[component]\npub fn c{n}<R: Renderable>({p[0]}: &'static str, {p[1]}: u32, {p[2]}: Option<usize>, "
                f"{p[3]}: u64, {p[4]}: &String, children: &R) -> impl Renderable {{\n"
                f"    rsx! {{ ({p[0]}) ({p[1]}) ({p[2]}) ({p[3]}) ({p[4]}) (children) }}\n}}")

    def use(u):
        if not isinstance(u, Use):
            return u if isinstance(u, str) else f"({u})"
        p = u.props
        return (f'<C{u.component} {p[0]}="a" {p[1]}=({u.component}) {p[2]}=({"Some(5)" if u.optional else "None"}) '
                f'{p[3]}=({7 if u.default else 3}) {p[4]}=("x".into())>{" ".join(map(use, u.children))}</C{u.component}>')

    return whole("use hypertext::prelude::*;", component,
                 lambda n, u: f"pub fn use{n}() -> Rendered<String> {{\n    rsx! {{ {use(u)} }}.render()\n}}")


def maud():
    def component(n, p):
        return (f"pub fn c{n}({p[0]}: &str, {p[1]}: u32, {p[2]}: Option<usize>, {p[3]}: u64, {p[4]}: String, "
                f"children: Markup) -> Markup {{\n    html! {{ ({p[0]}) ({p[1]}) @if let Some(n) = {p[2]} {{ (n) }} "
                f"({p[3]}) ({p[4]}) (children) }}\n}}")

    def use(u):
        if not isinstance(u, Use):
            return u if isinstance(u, str) else f"({u})"
        return (f'(c{u.component}("a", {u.component}, {"Some(5)" if u.optional else "None"}, '
                f'{7 if u.default else 3}, "x".into(), html! {{ {" ".join(map(use, u.children))} }}))')

    return whole("use maud::{Markup, html};", component,
                 lambda n, u: f"pub fn use{n}() -> Markup {{\n    html! {{ {use(u)} }}\n}}")


def iocraft():
    def component(n, p):
        return (f"#[derive(Props)]\npub struct C{n}Props<'a> {{ pub {p[0]}: &'a str, pub {p[1]}: u32, "
                f"pub {p[2]}: Option<usize>, pub {p[3]}: u64, pub {p[4]}: String, pub children: Vec<AnyElement<'a>> }}\n"
                f"impl Default for C{n}Props<'_> {{\n    fn default() -> Self {{\n        Self {{ {p[0]}: \"\", {p[1]}: 0, "
                f"{p[2]}: None, {p[3]}: 3, {p[4]}: String::new(), children: Vec::new() }}\n    }}\n}}\n"
                f"#[component]\npub fn C{n}<'a>(props: &mut C{n}Props<'a>) -> impl Into<AnyElement<'a>> {{\n"
                f"    element! {{ View {{ Text(content: props.{p[0]}) Text(content: props.{p[1]}.to_string()) "
                f"#(props.{p[2]}.map(|n| element! {{ Text(content: n.to_string()) }})) Text(content: props.{p[3]}.to_string()) "
                f"Text(content: props.{p[4]}.clone()) #(&mut props.children) }} }}\n}}")

    def use(u):
        if not isinstance(u, Use):
            return f"Text(content: {u})" if isinstance(u, str) else f'Text(content: "{u}")'
        p = u.props
        props = [f'{p[0]}: "a"', f"{p[1]}: {u.component}u32", f'{p[4]}: "x"']
        props += [f"{p[2]}: Some(5)"] if u.optional else []
        props += [f"{p[3]}: 7u64"] if u.default else []
        return f"C{u.component}({', '.join(props)}) {{ {' '.join(map(use, u.children))} }}"

    return whole("use iocraft::prelude::*;", component,
                 lambda n, u: f"pub fn use{n}() -> impl Into<AnyElement<'static>> {{\n    element! {{ {use(u)} }}\n}}")


SOURCES = {
    "by hand": by_hand, "hud": hud, "dioxus": dioxus, "leptos": leptos,
    "hypertext": hypertext, "maud": maud, "iocraft": iocraft,
}
