//! Which sessions of a log are listed, and in which order.

use super::SessionInfo;
use crate::event::SessionId;

/// Which sessions are listed, and in which order. The default is all of them, in the order of their first
/// events.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Expected, Listing, Log, Order};
/// use hud_store::memory::MemoryLog;
///
/// let mut log = MemoryLog::new();
/// for name in ["a", "b", "c"] {
///     let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
///     log.append(&SessionId::new(name)?, Expected::Any, &[NewEvent::now(1, Actor::Agent, note)])?;
/// }
/// let mut listing = Listing { order: Order::Newest, limit: 2, ..Listing::default() };
/// let page = log.list(&listing)?;
/// assert_eq!((page[0].id.as_str(), page[1].id.as_str()), ("c", "b"));
///
/// listing.after = page.last().cloned();
/// assert_eq!(log.list(&listing)?[0].id.as_str(), "a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Only those that this session made: its sub-agents' ([`Origin::parent`](crate::state::Origin)).
    pub parent: Option<SessionId>,
    /// Which of them come first.
    pub order: Order,
    /// Only those behind this one, which was the last of the page before. Nothing comes behind a session that
    /// the log does not have.
    pub after: Option<SessionInfo>,
    /// How many at most.
    pub limit: usize,
}

impl Default for Listing {
    fn default() -> Self {
        Self {
            parent: None,
            order: Order::default(),
            after: None,
            limit: usize::MAX,
        }
    }
}

impl Listing {
    /// Those of all sessions that this asks for, where a log has them all at hand in the order of their first
    /// events.
    pub fn of(&self, all: Vec<SessionInfo>) -> Vec<SessionInfo> {
        let after = self.after.as_ref();
        let last = after.map(|last| (last, all.iter().position(|info| info.id == last.id)));
        let is_behind = |nth: usize, info: &SessionInfo| match (last, self.order) {
            (None, _) => true,
            (Some((_, None)), _) => false,
            (Some((_, Some(place))), Order::Begun) => nth > place,
            (Some((last, Some(place))), Order::Newest) => {
                (info.last_at, nth) < (last.last_at, place)
            }
        };
        let wanted = all.into_iter().enumerate();
        let mut wanted: Vec<_> = wanted
            .filter(|(nth, info)| is_behind(*nth, info) && self.includes(info))
            .collect();
        if self.order == Order::Newest {
            wanted.sort_by_key(|(nth, info)| std::cmp::Reverse((info.last_at, *nth)));
        }
        let wanted = wanted.into_iter().map(|(_, info)| info);
        wanted.take(self.limit).collect()
    }

    /// Whether a session is one of those that this asks for, wherever it comes in their order.
    pub fn includes(&self, info: &SessionInfo) -> bool {
        self.parent.is_none() || self.parent == info.origin.parent
    }
}

/// The order in which sessions are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By their first events: a page of it stays what it was, whatever is appended.
    #[default]
    Begun,
    /// By the times of their last events, the latest first; of equals, the one that began last. A session
    /// that is written to between two pages moves to the front, and may be missed behind it.
    Newest,
}
