#![allow(unused)]

use hud_core::Node;

#[derive(Debug, Node)]
struct Unit;

#[derive(Debug, Node)]
enum Choice {
    One,
}

#[derive(Debug, Node)]
struct Borrowed<'a> {
    text: &'a str,
}

#[derive(Debug, Node)]
#[node(branch)]
struct Keys {}

fn main() {}
