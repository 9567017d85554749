//! The built-in layout as a file renders the same bytes as the compiled one.

use hud_agent::layout::Layout;
use hud_agent::settings::Settings;
use hud_core::Density;
use hud_core::part::{Layer, PartMeta};
use hud_layout::{Catalogue, Template, states};
use hud_store::state::HudState;

fn rendered(layout: &Layout, state: &HudState, density: Density, layer: Option<Layer>) -> String {
    let choose = &mut |part: &PartMeta| {
        (layer.is_none_or(|layer| part.layer == layer)).then(|| part.at(density))
    };
    layout
        .render(state, &Settings::default(), density, choose)
        .map_or_else(|error| error.to_string(), |shown| shown.markdown)
}

#[test]
fn the_built_in_layout_as_a_file_renders_the_same_bytes() {
    let catalogue = Catalogue::built_in();
    let template = Template::built_in(&catalogue).unwrap_or_else(|wrong| panic!("{wrong}"));
    let (compiled, written) = (Layout::default(), template.layout());
    for (name, state) in [
        ("empty", HudState::default()),
        ("overfull", states::overfull().clone()),
        ("hostile", states::hostile().clone()),
    ] {
        for density in Density::ALL {
            for layer in [None, Some(Layer::Static), Some(Layer::Dynamic)] {
                let expected = rendered(&compiled, &state, density, layer);
                let found = rendered(&written, &state, density, layer);
                assert_eq!(found, expected, "{name} at {density}");
            }
        }
    }
}
