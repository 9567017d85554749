use hud_core::rsx;

fn main() {
    let (late, names) = (true, ["a"]);
    let _ = rsx! { <if condition={late}>"a"</if> };
    let _ = rsx! { <for each={names}>"a"</for> };
    let _ = rsx! { <match value={late}>"a"</match> };
}
