//! An agent reads, tries and sets the layout of its own HUD, and takes it back.

use hud_agent::section::AgentSection as _;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_core::{Density, Element, render, rsx};
use hud_layout::live::Current;
use hud_layout::section::AgentLayout;
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use hud_store::section::Section as _;
use jiff::Timestamp;
use serde_json::{Value, json};

#[test]
fn an_agent_sets_its_layout_only_if_it_holds_and_takes_it_back() {
    let setup = Setup::default().with::<AgentLayout>().unwrap();
    let log = MemoryLog::new().with_sections(setup.sections.clone());
    let mut session = Session::open(log, SessionId::new("s").unwrap())
        .unwrap()
        .with_operations(setup.operations.clone());
    let mut call = |tool: &str, args: Value| {
        let call = json!({ "tool": tool, "args": args });
        let answer = session.call(&call, Timestamp::UNIX_EPOCH);
        let own: Element<'_> = rsx! { "built-in" };
        let shown = render(
            &Current::default().show(session.state(), own),
            Density::Compact,
        )
        .unwrap();
        (answer.map_err(|error| error.to_string()), shown)
    };
    let (got, shown) = call("layout.get", json!({}));
    let got = got.unwrap();
    assert_eq!((&got["from"], &*shown), (&json!("built-in"), "built-in\n"));

    let wrong = call("layout.set", json!({ "source": "<TaskSecton />" }))
        .0
        .unwrap_err();
    assert!(wrong.contains("did you mean `<TaskSection>`?"), "{wrong}");
    let long = call("layout.set", json!({ "source": "{'word '.repeat(3000)}" }))
        .0
        .unwrap_err();
    assert!(long.contains("tokens, and"), "{long}");

    // What is in the way and the task are there, whatever is set.
    let (set, shown) = call(
        "layout.set",
        json!({ "source": "Small steps.\n", "base": got["hash"] }),
    );
    assert!(set.is_ok(), "{set:?}");
    assert_eq!(shown, "**Task:** not set\n\nSmall steps.\n");
    let stale = call("layout.set", json!({ "source": "x", "base": got["hash"] }))
        .0
        .unwrap_err();
    assert!(stale.contains("another by now"), "{stale}");

    assert_eq!(call("layout.undo", json!({})).1, "built-in\n");
    assert!(call("layout.undo", json!({})).0.is_err());
    assert!(call("layout.reset", json!({})).0.is_err());
    assert_eq!((AgentLayout::NAME, AgentLayout::NOUN), ("layout", "layout"));
}
