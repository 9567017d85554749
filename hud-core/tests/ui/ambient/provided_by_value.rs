use hud_core::{Provide, rsx};

struct Theme;

fn main() {
    let _ = rsx! { <Provide value={Theme}>"a"</Provide> };
}
