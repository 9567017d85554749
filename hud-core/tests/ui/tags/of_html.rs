use hud_core::rsx;

fn main() {
    let _ = rsx! { <div><h1>"a"</h1> <ul><li>"b"</li></ul></div> };
}
