//! rsx! { <A   /> }
macro_rules! item {
    ($x:expr) => { rsx! { <Item   >{ $x }</Item> } };
}

/// ```
/// rsx! { <A   /> }
/// ```
#[rustfmt::skip]
fn skipped() -> Element<'static> { rsx! { <A   /> } }

fn   kept( )->u8 { "rsx! { <A   /> }"; /* rsx! { <A   /> } */ 'r' as u8 }

fn formatted<'a>() -> Element<'a> {
    #[rustfmt::skip]
    let skipped = rsx! { <A   /> };
    let other = html! { <A   /> };
    show!(rsx! { <A   /> });
    hud_core::rsx! { <A   /> }
}

mod skipped {
    #![rustfmt::skip]
    fn inside() { rsx! { <A   /> } }
}
