use hud_core::rsx;

fn main() {
    let names = ["a"];
    let done = true;
    let _ = rsx! { <Fragment key="a">"x"</Fragment> };
    let _ = rsx! { <Show when={move || done} fallback={|| "no"}>"yes"</Show> };
    let _ = rsx! { <For each={names}>"x"</For> };
    let _ = rsx! { <Suspense fallback={|| "wait"}>"x"</Suspense> };
    let _ = rsx! { <Div><H2>"Plan"</H2> <Ol><Li>"a"</Li></Ol> <Ul /> <Hr /></Div> };
    let _ = rsx! { <Tr><Th>"a"</Th></Tr> <Br /> };
}
