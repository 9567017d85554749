//! What an agent has on its HUD in short dialogues of several languages and clients, before each message of the
//! user and at the end.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::PathBuf;

use hud_agent::frame::Frame;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_core::Density;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::state::HudState;

/// The HUD of a dialogue, each time with the message that comes next.
fn shown(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/dialogues")
        .join(format!("{name}.jsonl"));
    let setup = Setup::default();
    let hud = |state: &HudState| {
        let frame = Frame::whole(state, Some(Density::Full), &setup).unwrap();
        frame.system
    };
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let mut text = String::new();
    Transcript::open(path)
        .unwrap()
        .read(&mut |entry| {
            if let Observation::User { text: said } = &entry.observation {
                if replay.turn() > 0 {
                    writeln!(text, "{}", hud(replay.state())).unwrap();
                }
                writeln!(text, ">>> {said}\n").unwrap();
            }
            replay.observe(entry);
            Ok::<_, TranscriptError>(())
        })
        .unwrap();
    text += &hud(replay.state());
    text
}

macro_rules! dialogues {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                insta::assert_snapshot!($name, shown($name));
            }
        )*
    };
}

dialogues! {
    a_fix_that_is_done_and_another_task "english-exporter"
    an_offer_that_is_taken_with_a_rule "deutsch-migration"
    an_option_that_is_taken_with_a_rule "francais-panier"
    a_complaint_that_is_mended_without_a_check "espanol-despliegue"
    thanks_with_the_next_request "russkij-parser"
    a_choice_in_a_language_without_spaces "zhongwen-huancun"
    a_build_that_fails_behind_a_pipe "nihongo-build"
    a_language_from_right_to_left "arabi-taqrir"
    a_plan_in_the_text_and_a_rule_on_the_way "english-backup"
    an_order_in_what_a_tool_says "mixed-travel"
}
