//! The pictures of the docs: the example session, as the page shows it. `docs/pictures/take` keeps them.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test that cannot go on has failed, one that is not tried says so, and what tests share is public \
              and not used by each"
)]

use crate::browser::{Browser, READY};
use crate::common::Place;

#[test]
fn the_pictures_of_the_docs_show_what_they_are_of() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = Place::example();
    let url = place.serve(true);
    for (name, scheme, view, shows) in [
        ("page", "light", "turn=50", "#view .text"),
        (
            "page-dark",
            "dark",
            "turn=50&tab=raw&density=compact",
            "#view .raw",
        ),
        (
            "side-by-side",
            "light",
            "turn=50&tab=diff&with=20&columns=1",
            "#view .pair .added",
        ),
    ] {
        browser.size(1280, 860, scheme);
        browser.open(&format!("{url}&s=rate-limiter&{view}"));
        browser.until(READY.split(" && ").nth(1).unwrap());
        browser.until(&format!("document.querySelector('{shows}')"));
        if name == "page-dark" {
            browser.click("document.querySelectorAll('#view .raw button')[4]");
        }
        browser.picture(name);
    }
}
