use hud_core::rsx;

fn main() {
    let late = true;
    let _ = rsx! { <If condition={late}>"a"</If> };
    let _ = rsx! { <Match when={late}>"a"</Match> };
}
