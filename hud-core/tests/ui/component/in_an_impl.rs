use hud_core::{Element, component, rsx};

struct Board;

impl Board {
    #[component]
    fn Times(times: u32) -> Element<'static> {
        rsx! { {times} }
    }
}

fn main() {}
