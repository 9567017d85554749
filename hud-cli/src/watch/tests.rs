//! Screens that are drawn without a terminal.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crossterm::event::{KeyCode, KeyEvent};
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_inspect::model::{History, Verdict};
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use ratatui::style::Color;
use serde_json::{Value, json};

use super::page::{Asked, Page};
use super::screen::{Act, Pane, Screen};
use super::sessions::listed;
use super::theme::Theme;
use super::view;

/// A session and its setup.
struct Watched {
    log: Session<MemoryLog>,
    setup: Setup,
}

impl Watched {
    /// Creates a session of some turns, in which the context fills, notes are added and a test fails.
    fn of(turns: u64) -> Self {
        let mut watched = Self::new("rate-limiter");
        watched.observe(json!({ "type": "user", "text": "Add rate limits to the API" }));
        for turn in 1..=turns {
            watched.observe(json!({ "type": "model_call" }));
            watched.call(json!({ "tool": "notes.add", "args": { "content": format!("limit {turn} is in redis") } }));
            if turn == 5 {
                let test = json!({ "command": "cargo test" });
                watched.observe(json!({ "type": "tool_result", "call": "c", "tool": "bash", "input": test,
                                        "content": "error: test failed, to rerun pass `--lib`", "is_error": true }));
            }
            let window = json!({ "context": 100_000 });
            let used = 7_000 * turn;
            watched.observe(
                json!({ "type": "usage", "input": used / 10, "cache_read": used - used / 10,
                                    "model": "m", "window": window }),
            );
        }
        watched
    }

    fn new(name: &str) -> Self {
        let session = SessionId::new(name).unwrap();
        Self {
            log: Session::open(MemoryLog::new(), session).unwrap(),
            setup: Setup::default(),
        }
    }

    fn observe(&mut self, observation: Value) {
        let observation = hud_clients::report(observation).unwrap().observation;
        self.log.observe(&observation, at()).unwrap();
    }

    fn call(&mut self, call: Value) {
        self.log.call(&call, at()).unwrap();
    }

    fn history(&self) -> History {
        let mut history = History::new(self.log.id().clone(), &self.setup);
        assert!(history.read(self.log.log(), usize::MAX).unwrap());
        history
    }

    fn page(&self, turn: u64, density: Option<Density>) -> Page {
        let history = self.history();
        let asked = Asked {
            density,
            ..Asked::default()
        };
        Page::of(&history, self.log.log(), &self.setup, turn, asked).unwrap()
    }

    fn screen(&self, turn: u64) -> Screen {
        let mut screen = Screen::following();
        screen.follows = turn == u64::MAX;
        screen.take(self.page(turn, None));
        screen
    }
}

fn at() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn drawn(screen: &mut Screen, (width, height): (u16, u16), colours: bool) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let theme = Theme { colours };
    view::settle(screen, Rect::new(0, 0, width, height), theme);
    terminal
        .draw(|frame| view::draw(frame, screen, theme))
        .unwrap();
    terminal.backend().clone()
}

fn press(screen: &mut Screen, keys: &[KeyCode]) {
    for key in keys {
        screen.press(KeyEvent::from(*key));
    }
}

#[test]
fn the_newest_turn_in_the_usual_terminal() {
    let mut screen = Watched::of(12).screen(u64::MAX);
    insta::assert_snapshot!(drawn(&mut screen, (80, 24), true));
}

#[test]
fn a_turn_of_the_past_in_a_wide_terminal_with_what_was_looked_for() {
    let watched = Watched::of(12);
    let mut screen = watched.screen(u64::MAX);
    let history = watched.history();
    let version = history.version_before(6) + 1;
    screen.take_found("Limit 6", vec![(version, 6)]);
    assert_eq!((screen.turn, screen.follows), (6, false));
    screen.take(watched.page(6, None));
    insta::assert_snapshot!(drawn(&mut screen, (132, 36), true));
}

#[test]
fn why_something_is_not_shown_in_a_small_terminal() {
    let mut screen = Watched::of(14).screen(u64::MAX);
    press(&mut screen, &[KeyCode::Char('w')]);
    insta::assert_snapshot!(drawn(&mut screen, (46, 60), false));
}

#[test]
fn the_help_and_the_line_that_is_typed_on() {
    let mut screen = Watched::of(2).screen(1);
    press(&mut screen, &[KeyCode::Char('?')]);
    insta::assert_snapshot!("help", drawn(&mut screen, (64, 20), false));
    press(
        &mut screen,
        &[KeyCode::Esc, KeyCode::Char('/'), KeyCode::Char('r')],
    );
    let typed = drawn(&mut screen, (64, 20), false).to_string();
    assert!(typed.contains("\"/r "), "{typed}");
}

#[test]
fn the_sessions_of_a_log_to_choose_one_of() {
    let watched = Watched::of(3);
    let mut screen = watched.screen(u64::MAX);
    screen.sessions = Some(listed(watched.log.log(), watched.log.id()).unwrap());
    insta::assert_snapshot!(drawn(&mut screen, (80, 10), false));
}

#[test]
fn what_changed_since_the_turn_before() {
    let watched = Watched::of(6);
    let history = watched.history();
    let asked = Asked {
        is_diff: true,
        ..Asked::default()
    };
    let mut screen = watched.screen(6);
    let of = |turn| Page::of(&history, watched.log.log(), &watched.setup, turn, asked).unwrap();
    screen.take(of(6));
    insta::assert_snapshot!(drawn(&mut screen, (80, 20), false));
    screen.take(of(1));
    let first = drawn(&mut screen, (80, 20), false).to_string();
    assert!(first.contains("The same as in the turn before"), "{first}");
}

#[test]
fn the_head_line_is_whole_however_narrow_the_terminal_is() {
    let mut screen = Watched::of(12).screen(u64::MAX);
    let heads = [132, 80, 60, 40, 20].map(|width| {
        let shown = drawn(&mut screen, (width, 12), false).to_string();
        shown.lines().next().unwrap_or_default().to_owned()
    });
    insta::assert_snapshot!(heads.join("\n"));
}

#[test]
fn a_session_without_events_says_so() {
    let mut screen = Watched::new("s").screen(u64::MAX);
    press(&mut screen, &[KeyCode::Char('e')]);
    let shown = drawn(&mut screen, (60, 10), false).to_string();
    assert!(shown.contains("nothing has happened yet"), "{shown}");
}

#[test]
fn no_terminal_is_too_small() {
    let mut screen = Watched::of(3).screen(2);
    for pane in [Pane::Hud, Pane::Why, Pane::Events] {
        screen.pane = pane;
        for help in [false, true] {
            screen.is_help = help;
            for size in (1..24).flat_map(|width| (1..14).map(move |height| (width, height))) {
                drawn(&mut screen, size, true);
            }
        }
    }
    for size in [(300, 4), (5, 200), (72, 10), (110, 18)] {
        drawn(&mut screen, size, true);
    }
}

#[test]
fn no_text_of_a_session_reaches_the_terminal_as_an_order() {
    let hostile = "\u{1b}[2J\u{1b}]0;own\u{7} \u{9b}31m nul\0 \u{202e}evil\u{2066} 日本語 👩\u{200d}🚀 e\u{301}\r\nnext";
    let mut watched = Watched::new("s");
    watched.observe(json!({ "type": "user", "text": hostile }));
    watched.observe(json!({ "type": "model_call" }));
    let (long, wide) = ("x".repeat(20_000), "語".repeat(5_000));
    for text in [hostile, long.as_str(), wide.as_str()] {
        watched.call(json!({ "tool": "notes.add", "args": { "content": text } }));
    }
    let mut screen = watched.screen(u64::MAX);
    screen.typed = Some(hostile.to_owned());
    for typed in [Some(hostile.to_owned()), None] {
        screen.notice = Some(hostile.to_owned());
        screen.typed = typed;
        for (pane, size) in [
            (Pane::Hud, (80, 24)),
            (Pane::Why, (50, 30)),
            (Pane::Events, (160, 40)),
        ] {
            screen.pane = pane;
            let backend = drawn(&mut screen, size, true);
            for cell in backend.buffer().content() {
                let symbol = cell.symbol();
                let is_order = |c: char| c.is_control() || ('\u{202a}'..='\u{2069}').contains(&c);
                assert!(!symbol.contains(is_order), "{symbol:?}");
            }
        }
    }
}

#[test]
fn without_colours_there_are_none() {
    let mut screen = Watched::of(12).screen(u64::MAX);
    let coloured = |backend: &TestBackend| {
        let cells = backend.buffer().content().iter();
        cells
            .filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
            .count()
    };
    assert!(coloured(&drawn(&mut screen, (120, 40), true)) > 0);
    assert_eq!(coloured(&drawn(&mut screen, (120, 40), false)), 0);
}

#[test]
fn the_page_says_whether_it_is_what_was_sent() {
    let mut watched = Watched::of(3);
    assert_eq!(watched.page(u64::MAX, None).sent, Verdict::Unknown);
    let state = watched.log.state();
    let placement = hud_agent::placement::Placement::MessageTail;
    let shown = hud_agent::frame::frame(state, None, placement, &watched.setup).unwrap();
    let settings = &watched.setup.settings;
    let kept = hud_agent::sent::sent(&shown, state.version, None, placement, settings);
    watched.log.hand(kept.clone(), at());
    watched.log.record_handed().unwrap();
    assert_eq!(watched.page(u64::MAX, None).sent, Verdict::Same);
    assert_eq!(
        watched.page(u64::MAX, Some(Density::Full)).sent,
        Verdict::Trial
    );
    watched.setup.settings.bands.step = 1;
    assert_eq!(
        watched.page(u64::MAX, None).sent,
        Verdict::Same,
        "it is rendered with the bands of then"
    );
    // This frame has another text than the current rendering.
    let version = watched.log.state().version;
    let other = hud_store::event::ContextFrame {
        version,
        message: hud_store::event::FrameText::of("# Another HUD\n"),
        ..kept
    };
    watched.log.hand(other.clone(), at());
    watched.log.record_handed().unwrap();
    assert_eq!(watched.page(u64::MAX, None).sent, Verdict::Other);
    let version = watched.log.state().version;
    watched.log.hand(
        hud_store::event::ContextFrame {
            version,
            base: Some(1),
            ..other
        },
        at(),
    );
    watched.log.record_handed().unwrap();
    assert_eq!(watched.page(u64::MAX, None).sent, Verdict::OtherChanges);
}

#[test]
fn a_pane_is_not_moved_beyond_its_ends() {
    let mut screen = Watched::of(12).screen(u64::MAX);
    press(&mut screen, &[KeyCode::Char(' '); 50]);
    drawn(&mut screen, (80, 14), false);
    let most = screen.moved(Pane::Hud);
    assert!((1..100).contains(&most), "{most}");
    assert_eq!(screen.press(KeyEvent::from(KeyCode::Char('k'))), Act::Draw);
    drawn(&mut screen, (80, 14), false);
    assert_eq!(screen.moved(Pane::Hud), most - 1);
}
