use hud_core::rsx;

async fn load() -> String {
    String::new()
}

fn main() {
    let _ = rsx! { {load()} };
}
