use hud_core::node::{Image, Link, Section, Strong};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Link href="https://a.b">"a"</Link> };
    let _ = rsx! { <Link url="https://a.b" target="_blank">"a"</Link> };
    let _ = rsx! { <Image src="a.png" alt="a" /> };
    let _ = rsx! { <Section title="t" className="wide">"a"</Section> };
    let _ = rsx! { <Strong style="color: red" class="a">"a"</Strong> };
}
