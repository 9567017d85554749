//! What is written to the disk.

use hud_store::event::StoredEvent;
use hud_store::event::{Actor, EventId, HudEvent, NameError, NewEvent, NoteAdd, SessionId};
use hud_store::log::Expected;
use hud_store::sqlite::Durability;
use jiff::Timestamp;
use uuid::Uuid;

/// The events of one append.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Where they go.
    pub session: SessionId,
    /// The version that the session has before.
    pub expected: Expected,
    /// The events.
    pub events: Vec<NewEvent>,
    /// The seq of the last one.
    pub last_seq: u64,
}

/// One thing that happens to the log.
#[derive(Debug, Clone)]
pub enum Step {
    /// A batch is appended.
    Append(Batch),
    /// Another connection asks for a checkpoint of this kind.
    Checkpoint(&'static str),
    /// What the appends from now on survive.
    Durability(Durability),
    /// The log is closed, which is a checkpoint too, and opened again.
    Reopen,
}

/// What is done to a fresh log, and what it holds in the end.
#[derive(Debug, Clone)]
pub struct Workload {
    /// How the log is opened.
    pub durability: Durability,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// All events as the log must give them back.
    pub stored: Vec<StoredEvent>,
}

impl Workload {
    /// Some forty events of two sessions, one at a time and in small batches. Every few appends
    /// there is a checkpoint of another kind, or the log is opened anew.
    ///
    /// # Errors
    /// Never: the names are good.
    pub fn mixed(durability: Durability) -> Result<Self, NameError> {
        const BATCHES: [usize; 12] = [1, 1, 3, 1, 2, 1, 1, 4, 1, 2, 1, 2];
        const AFTER: [Option<Step>; 6] = [
            None,
            Some(Step::Checkpoint("PASSIVE")),
            Some(Step::Checkpoint("RESTART")),
            Some(Step::Reopen),
            None,
            Some(Step::Checkpoint("TRUNCATE")),
        ];
        let mut workload = Self::new(durability);
        for (i, size) in BATCHES
            .iter()
            .cycle()
            .take(2 * BATCHES.len() + 1)
            .enumerate()
        {
            workload.append(["a", "b", "a"][i % 3], *size)?;
            if i % 2 == 1 {
                workload.steps.extend(AFTER[i / 2 % AFTER.len()].clone());
            }
        }
        Ok(workload)
    }

    /// Some forty events, of which only every third append is durable: those that somebody waits
    /// for.
    ///
    /// # Errors
    /// Never: the name is good.
    pub fn switching() -> Result<Self, NameError> {
        let mut workload = Self::new(Durability::Full);
        for i in 0..39 {
            if i % 3 == 0 {
                workload.steps.push(Step::Durability(Durability::Fast));
            } else if i % 3 == 2 {
                workload.steps.push(Step::Durability(Durability::Full));
            }
            workload.append("a", 1 + i % 2)?;
            if i % 8 == 7 {
                workload.steps.push(Step::Checkpoint("PASSIVE"));
            }
        }
        Ok(workload)
    }

    /// As many single events as it takes for the log to make a checkpoint by itself, and to begin
    /// its write-ahead log anew.
    ///
    /// # Errors
    /// Never: the name is good.
    pub fn long(durability: Durability) -> Result<Self, NameError> {
        let mut workload = Self::new(durability);
        for _ in 0..280 {
            workload.append("a", 1)?;
        }
        Ok(workload)
    }

    /// The appends, in order.
    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.steps.iter().filter_map(|step| match step {
            Step::Append(batch) => Some(batch),
            Step::Checkpoint(_) | Step::Durability(_) | Step::Reopen => None,
        })
    }

    fn new(durability: Durability) -> Self {
        Self {
            durability,
            steps: Vec::new(),
            stored: Vec::new(),
        }
    }

    fn append(&mut self, session: &str, size: usize) -> Result<(), NameError> {
        let session = SessionId::new(session)?;
        let before = self.stored.iter().filter(|event| event.session == session);
        let before = before.count() as u64;
        let events: Vec<_> = (0..size).map(|i| note(self.stored.len() + i + 1)).collect();
        for (version, new) in (before + 1..).zip(events.clone()) {
            self.stored.push(StoredEvent {
                seq: self.stored.len() as u64 + 1,
                session: session.clone(),
                version,
                id: new.id,
                turn: new.turn,
                at: new.at,
                actor: new.actor,
                cause: new.cause,
                event: new.event,
            });
        }
        self.steps.push(Step::Append(Batch {
            session,
            expected: Expected::Exact(before),
            events,
            last_seq: self.stored.len() as u64,
        }));
        Ok(())
    }
}

/// The `n`-th event. Some don't fit in a page of the file.
fn note(n: usize) -> NewEvent {
    let size = if n % 9 == 4 { 9000 } else { 20 + 37 * n % 300 };
    let event = HudEvent::from(NoteAdd {
        id: format!("n{n}"),
        content: format!("note {n} ").repeat(size / 8),
    });
    NewEvent {
        id: EventId::from_uuid(Uuid::from_u128(n as u128)),
        turn: n as u64,
        at: Timestamp::UNIX_EPOCH,
        actor: Actor::Agent,
        cause: None,
        event,
    }
}
