//! The position of the user, which is the turn, the pane and the search, and the effect of each key.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use hud_core::Density;
use hud_store::event::SessionId;

use super::page::{Asked, Page};
use super::sessions::Sessions;

/// The number of turns in a large step.
const STEP: u64 = 10;

/// The number of rows in a page of a pane.
const ROWS: isize = 10;

/// The maximum number of characters of a search.
const LONGEST: usize = 200;

/// The page, and the position of the user in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Screen {
    pub(super) page: Page,
    /// The requested turn.
    pub(super) turn: u64,
    /// True if the screen follows the newest turn.
    pub(super) follows: bool,
    pub(super) density: Option<Density>,
    pub(super) pane: Pane,
    /// The number of rows by which each pane is scrolled down.
    pub(super) moved: [isize; 3],
    pub(super) is_help: bool,
    /// True if the HUD is shown as the changes since the previous turn.
    pub(super) is_diff: bool,
    /// The sessions of the log, while the user chooses one.
    pub(super) sessions: Option<Sessions>,
    /// The text of a search that is being typed.
    pub(super) typed: Option<String>,
    pub(super) found: Found,
    /// A message for the user, such as the reason why the log cannot be read.
    pub(super) notice: Option<String>,
    /// The number of events that were read, while there are more.
    pub(super) reading: Option<u64>,
}

/// A pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pane {
    /// The HUD that the model sees.
    #[default]
    Hud,
    /// The tokens of each section, and the reasons for hidden items.
    Why,
    /// The events.
    Events,
}

impl Pane {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Hud => "What the model sees",
            Self::Why => "Why",
            Self::Events => "Events",
        }
    }

    const fn at(self) -> usize {
        match self {
            Self::Hud => 0,
            Self::Why => 1,
            Self::Events => 2,
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Hud => Self::Why,
            Self::Why => Self::Events,
            Self::Events => Self::Hud,
        }
    }

    const fn before(self) -> Self {
        match self {
            Self::Hud => Self::Events,
            Self::Why => Self::Hud,
            Self::Events => Self::Why,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The words of the search, in lower case.
    pub(super) words: Vec<String>,
    /// The version and the turn of each event that contains the words, the oldest first.
    pub(super) hits: Vec<(u64, u64)>,
    /// The index of the current hit.
    pub(super) at: usize,
}

impl Found {
    /// Returns the version of the current hit.
    pub(super) fn version(&self) -> Option<u64> {
        self.hits.get(self.at).map(|(version, _)| *version)
    }
}

/// The action for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Draws the screen again, without reading anything.
    Draw,
    /// Reads another turn, or the same turn with other options.
    Show,
    /// Searches for words.
    Search(String),
    /// Lists the sessions.
    Sessions,
    /// Watches another session.
    Open(SessionId),
    Quit,
}

impl Screen {
    /// Returns a screen that follows the newest turn.
    pub(super) fn following() -> Self {
        Self {
            turn: u64::MAX,
            follows: true,
            ..Self::default()
        }
    }

    /// Returns the options for the page.
    pub(super) const fn asked(&self) -> Asked {
        Asked {
            density: self.density,
            is_diff: self.is_diff,
        }
    }

    /// Returns the number of rows by which a pane is scrolled down.
    pub(super) const fn moved(&self, pane: Pane) -> isize {
        self.moved[pane.at()]
    }

    pub(super) const fn set_moved(&mut self, pane: Pane, rows: isize) {
        self.moved[pane.at()] = rows;
    }

    /// Sets the page.
    pub(super) fn take(&mut self, page: Page) {
        if page.turn != self.page.turn || page.session != self.page.session {
            self.moved = [0; 3];
        }
        self.turn = page.turn;
        self.page = page;
    }

    /// Sets the result of a search, and goes to the first hit after the shown state, or else to the first hit.
    pub(super) fn take_found(&mut self, words: &str, mut hits: Vec<(u64, u64)>) {
        hits.sort_unstable();
        let at = hits
            .iter()
            .position(|(version, _)| *version > self.page.version);
        self.notice = hits
            .is_empty()
            .then(|| format!("nothing that was recorded in this session has: {words}"));
        self.found = Found {
            words: words.split_whitespace().map(str::to_lowercase).collect(),
            at: at.unwrap_or(0),
            hits,
        };
        self.go_to_found();
    }

    /// Handles a key.
    pub(super) fn press(&mut self, key: KeyEvent) -> Act {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            return Act::Quit;
        }
        if self.typed.is_some() {
            return self.type_on(key.code);
        }
        if self.sessions.is_some() {
            return self.choose(key.code);
        }
        if self.is_help {
            self.is_help = false;
            return if key.code == KeyCode::Char('q') {
                Act::Quit
            } else {
                Act::Draw
            };
        }
        self.notice = None;
        let turn = self.page.turn;
        match key.code {
            KeyCode::Char('q') => return Act::Quit,
            KeyCode::Left | KeyCode::Char('[' | 'h') => return self.go(turn.saturating_sub(1)),
            KeyCode::Right | KeyCode::Char(']' | 'l') => return self.go(turn.saturating_add(1)),
            KeyCode::PageUp | KeyCode::Char('{') => return self.go(turn.saturating_sub(STEP)),
            KeyCode::PageDown | KeyCode::Char('}') => return self.go(turn.saturating_add(STEP)),
            KeyCode::Home | KeyCode::Char('g') => return self.go(1),
            KeyCode::End | KeyCode::Char('G' | 'f') => return self.follow(),
            KeyCode::Char('d') => {
                self.density = match self.density {
                    None => Some(Density::Full),
                    Some(Density::Full) => Some(Density::Compact),
                    Some(Density::Compact) => Some(Density::Minimal),
                    Some(Density::Minimal) => None,
                };
                return Act::Show;
            }
            KeyCode::Char('c') => {
                self.is_diff = !self.is_diff;
                self.moved[Pane::Hud.at()] = 0;
                return Act::Show;
            }
            KeyCode::Char('s') => return Act::Sessions,
            KeyCode::Char('n') => return self.next_found(1),
            KeyCode::Char('N') => return self.next_found(-1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll(-1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll(1),
            KeyCode::Char('b') => self.scroll(-ROWS),
            KeyCode::Char(' ') => self.scroll(ROWS),
            KeyCode::Tab => self.pane = self.pane.next(),
            KeyCode::BackTab => self.pane = self.pane.before(),
            KeyCode::Char('w') => {
                self.pane = match self.pane {
                    Pane::Why => Pane::Hud,
                    Pane::Hud | Pane::Events => Pane::Why,
                };
            }
            KeyCode::Char('e') => {
                self.pane = match self.pane {
                    Pane::Events => Pane::Hud,
                    Pane::Hud | Pane::Why => Pane::Events,
                };
            }
            KeyCode::Char('/') => self.typed = Some(String::new()),
            KeyCode::Char('?') => self.is_help = true,
            KeyCode::Esc => self.found = Found::default(),
            _ => {}
        }
        Act::Draw
    }

    /// Handles a key while the user chooses a session.
    fn choose(&mut self, code: KeyCode) -> Act {
        let Some(sessions) = &mut self.sessions else {
            return Act::Draw;
        };
        match code {
            KeyCode::Up | KeyCode::Char('k') => sessions.step(-1),
            KeyCode::Down | KeyCode::Char('j') => sessions.step(1),
            KeyCode::PageUp | KeyCode::Char('b') => sessions.step(-ROWS),
            KeyCode::PageDown | KeyCode::Char(' ') => sessions.step(ROWS),
            KeyCode::Home => sessions.step(isize::MIN),
            KeyCode::End => sessions.step(isize::MAX),
            KeyCode::Enter => {
                let chosen = sessions.chosen().cloned();
                self.sessions = None;
                return chosen.map_or(Act::Draw, Act::Open);
            }
            KeyCode::Esc | KeyCode::Char('s') => self.sessions = None,
            KeyCode::Char('q') => return Act::Quit,
            _ => {}
        }
        Act::Draw
    }

    fn type_on(&mut self, code: KeyCode) -> Act {
        let Some(typed) = &mut self.typed else {
            return Act::Draw;
        };
        match code {
            KeyCode::Enter => {
                let words = self.typed.take().unwrap_or_default();
                if !words.trim().is_empty() {
                    return Act::Search(words);
                }
            }
            KeyCode::Esc => self.typed = None,
            // If there is nothing to delete, Backspace ends the search.
            KeyCode::Backspace if typed.is_empty() => self.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(character) if typed.chars().count() < LONGEST => typed.push(character),
            _ => {}
        }
        Act::Draw
    }

    /// Goes to a turn. The screen follows the newest turn only if this is the newest.
    fn go(&mut self, turn: u64) -> Act {
        self.turn = turn.clamp(1, self.page.next.max(1));
        self.follows = self.turn >= self.page.next;
        Act::Show
    }

    fn follow(&mut self) -> Act {
        self.follows = true;
        Act::Show
    }

    fn scroll(&mut self, by: isize) {
        let moved = &mut self.moved[self.pane.at()];
        *moved = moved.saturating_add(by);
    }

    /// Goes to another hit, and wraps around at the ends.
    fn next_found(&mut self, by: isize) -> Act {
        let count = self.found.hits.len();
        if count == 0 {
            self.notice = Some("nothing was looked for: type / and words".to_owned());
            return Act::Draw;
        }
        let count = isize::try_from(count).unwrap_or(isize::MAX);
        let at = isize::try_from(self.found.at).unwrap_or(0);
        self.found.at = usize::try_from((at + by).rem_euclid(count)).unwrap_or(0);
        self.go_to_found();
        Act::Show
    }

    fn go_to_found(&mut self) {
        if let Some((_, turn)) = self.found.hits.get(self.found.at) {
            self.turn = (*turn).max(1);
            self.follows = false;
            self.moved[Pane::Events.at()] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::sessions::SessionRow;

    fn at(turn: u64, next: u64) -> Screen {
        let page = Page {
            turn,
            next,
            ..Page::default()
        };
        Screen {
            turn,
            page,
            ..Screen::default()
        }
    }

    fn press(screen: &mut Screen, code: KeyCode) -> Act {
        screen.press(KeyEvent::from(code))
    }

    #[test]
    fn turns_are_gone_through_by_one_by_ten_and_to_the_ends() {
        for (code, turn) in [
            (KeyCode::Left, 29),
            (KeyCode::Right, 31),
            (KeyCode::PageUp, 20),
            (KeyCode::PageDown, 40),
            (KeyCode::Home, 1),
        ] {
            let mut screen = at(30, 61);
            assert_eq!(press(&mut screen, code), Act::Show);
            assert_eq!((screen.turn, screen.follows), (turn, false), "{code}");
        }
        let mut screen = at(61, 61);
        press(&mut screen, KeyCode::Right);
        assert_eq!((screen.turn, screen.follows), (61, true));
        let mut screen = at(1, 1);
        press(&mut screen, KeyCode::PageUp);
        assert_eq!(screen.turn, 1);
    }

    #[test]
    fn whoever_moves_does_not_follow_until_they_say_so() {
        let mut screen = at(61, 61);
        screen.follows = true;
        press(&mut screen, KeyCode::Left);
        assert!(!screen.follows);
        press(&mut screen, KeyCode::Char('f'));
        assert!(screen.follows);
    }

    #[test]
    fn what_is_found_is_gone_through_in_its_order_round_and_round() {
        let mut screen = at(5, 10);
        screen.page.version = 25;
        screen.take_found("Redis  PORT", vec![(40, 8), (10, 2), (30, 6)]);
        assert_eq!(screen.found.words, ["redis", "port"]);
        assert_eq!((screen.found.version(), screen.turn), (Some(30), 6));
        for (key, version) in [('n', 40), ('n', 10), ('N', 40)] {
            assert_eq!(press(&mut screen, KeyCode::Char(key)), Act::Show);
            assert_eq!(screen.found.version(), Some(version));
        }
        screen.take_found("nowhere", Vec::new());
        assert!(screen.notice.is_some() && screen.turn == 8);
    }

    #[test]
    fn what_is_typed_is_words_and_no_keys() {
        let mut screen = at(5, 10);
        press(&mut screen, KeyCode::Char('/'));
        for letter in "quit?".chars() {
            assert_eq!(press(&mut screen, KeyCode::Char(letter)), Act::Draw);
        }
        press(&mut screen, KeyCode::Backspace);
        assert_eq!(
            press(&mut screen, KeyCode::Enter),
            Act::Search("quit".to_owned())
        );
        press(&mut screen, KeyCode::Char('/'));
        press(&mut screen, KeyCode::Esc);
        assert_eq!(screen.typed, None);
        assert_eq!(press(&mut screen, KeyCode::Char('q')), Act::Quit);
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(screen.press(interrupt), Act::Quit);
    }

    #[test]
    fn a_session_is_chosen_by_keys_and_left_as_it_was_by_escape() {
        let row = |name: &str| SessionRow {
            id: SessionId::new(name).unwrap_or_else(|_| unreachable!("a good name")),
            events: 1,
            last_at: jiff::Timestamp::UNIX_EPOCH,
            about: String::new(),
        };
        let mut screen = at(5, 10);
        assert_eq!(press(&mut screen, KeyCode::Char('s')), Act::Sessions);
        let sessions = Sessions {
            rows: vec![row("one"), row("two"), row("three")],
            at: 0,
        };
        screen.sessions = Some(sessions.clone());
        for key in [KeyCode::End, KeyCode::Down, KeyCode::Up] {
            assert_eq!(press(&mut screen, key), Act::Draw);
        }
        let chosen = Act::Open(row("two").id);
        assert_eq!(press(&mut screen, KeyCode::Enter), chosen);
        screen.sessions = Some(sessions);
        assert_eq!(press(&mut screen, KeyCode::Esc), Act::Draw);
        assert_eq!((screen.sessions, screen.turn), (None, 5));
    }
}
