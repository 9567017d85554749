//! The selection and order of the sessions in a list.

use super::SessionInfo;
use crate::event::SessionId;

/// The selection and order of the sessions in a list. The default is all sessions in the order of their first events.
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
    /// Only the sub-agents of this session ([`Origin::parent`](crate::state::Origin)).
    pub parent: Option<SessionId>,
    /// The order.
    pub order: Order,
    /// Only the sessions after this one, which was the last of the previous page. If the log does not have that
    /// session, the list is empty.
    pub after: Option<SessionInfo>,
    /// The maximum number of sessions.
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
    /// Selects from all sessions those that match, for a log that has them all at hand in the order of their first
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

    /// True if a session matches, regardless of its position in the order.
    pub fn includes(&self, info: &SessionInfo) -> bool {
        self.parent.is_none() || self.parent == info.origin.parent
    }
}

/// The order in which sessions are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By their first events. A page of this order never changes when events are appended.
    #[default]
    Begun,
    /// By the times of their last events, the latest first; of equals, the one that began last. A session that is
    /// written to between two pages moves to the front, and a later page may miss it.
    Newest,
}
