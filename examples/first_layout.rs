//! A layout in ten lines. Run it with `cargo run --example first_layout`.

use hud_core::node::{Code, Item, List, Section};
use hud_core::{Density, LowerError, render, rsx};

fn main() -> Result<(), LowerError> {
    let files = ["src/main.rs", "docs/design notes.md"];
    let layout = rsx! {
        <Section title="Changed files">
            <List>for file in files { <Item><Code>{file}</Code></Item> }</List>
        </Section>
    };
    anstream::print!("{}", render(&layout, Density::Full)?);
    Ok(())
}
