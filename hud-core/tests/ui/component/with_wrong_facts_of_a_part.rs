use hud_core::{Element, component, rsx};

#[component(worth = -1)]
fn Negative() -> Element {
    rsx! {}
}

#[component(worth = 256)]
fn TooMuch() -> Element {
    rsx! {}
}

#[component(worth = 0.5)]
fn Half() -> Element {
    rsx! {}
}

#[component(floor = medium)]
fn Medium() -> Element {
    rsx! {}
}

#[component(cap = "ten")]
fn Ten() -> Element {
    rsx! {}
}

#[component(part = menu)]
fn Unquoted() -> Element {
    rsx! {}
}

#[component(part = " ")]
fn Blank() -> Element {
    rsx! {}
}

#[component(heading = 1)]
fn Level() -> Element {
    rsx! {}
}

fn main() {}
