use hud_core::node::Item;
use hud_core::rsx;

fn main() {
    let names = ["a"];
    let _ = rsx! { {names.map((name) => <Item>{name}</Item>)} };
    let _ = rsx! { {names.iter().map((name, at) => <Item>{name} {at}</Item>)} };
    let _ = rsx! { {names.map(name => name.len())} };
}
