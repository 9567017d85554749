//! A node of your own with its own rule. Run it with `cargo run --example custom_node`.
//!
//! Components are made of nodes; a rule says how a node becomes markdown. Here a sparkline is
//! a node, so that another target could draw the same data in another way.

use hud_core::mdast::{Mdast, text};
use hud_core::node::Field;
use hud_core::{
    Density, Element, Lower, LowerError, LowerResult, Node, Registry, Renderer, Scope, one_way, rsx,
};

/// A row of readings.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Sparkline {
    /// The readings, oldest first.
    readings: Vec<u32>,
}

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The rule of [`Sparkline`] for markdown: bars, or only the last reading at minimal density.
fn lower_sparkline(
    node: &Sparkline,
    _children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let (Some(max), Some(last)) = (node.readings.iter().max(), node.readings.last()) else {
        return Ok(Vec::new());
    };
    let shown = match lower.scope().density() {
        Density::Minimal => last.to_string(),
        Density::Compact | Density::Full => {
            let bar =
                |reading: &u32| BARS[*reading as usize * (BARS.len() - 1) / (*max).max(1) as usize];
            node.readings.iter().map(bar).collect()
        }
    };
    Ok(vec![text(shown)])
}

fn main() -> Result<(), LowerError> {
    let mut registry = Registry::builtin();
    registry.register(one_way(lower_sparkline));
    let renderer = Renderer::new(registry);

    let layout = rsx! {
        <Field label="Context"><Sparkline readings={vec![21, 34, 60, 71, 86, 91, 16]} /></Field>
    };
    for density in Density::ALL {
        anstream::print!("{}", renderer.markdown(&layout, Scope::new(density))?);
    }
    Ok(())
}
