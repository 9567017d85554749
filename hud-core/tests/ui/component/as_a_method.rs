use hud_core::{Element, component, rsx};

struct State(u32);

impl State {
    #[component]
    fn Part(&self) -> Element<'static> {
        rsx! { {self.0} }
    }
}

fn main() {}
