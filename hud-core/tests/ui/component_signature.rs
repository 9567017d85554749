#![allow(unused)]

use hud_core::{Element, component, rsx};

#[component]
fn lower() -> Element {
    rsx! {}
}

#[component]
async fn Late() -> Element {
    rsx! {}
}

#[component]
fn Pattern((a, b): (u8, u8)) -> Element {
    rsx! {}
}

#[component]
fn Anything(value: impl std::fmt::Display) -> Element {
    rsx! {}
}

#[component]
fn Text() -> String {
    rsx! {}
}

#[component]
fn Keys(#[prop(optional)] a: u8, #[serde(skip)] b: u8) -> Element {
    let _ = (a, b);
    rsx! {}
}

#[component(fast)]
fn Arguments() -> Element {
    rsx! {}
}

#[component]
fn Method(self) -> Element {
    rsx! {}
}

#[component]
struct NoFunction;

fn main() {}
