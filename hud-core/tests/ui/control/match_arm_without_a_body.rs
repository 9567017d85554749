use hud_core::rsx;

fn main() {
    let number = 1;
    let _ = rsx! {
        match number {
            1 => "one",
            _ =>
        }
    };
}
