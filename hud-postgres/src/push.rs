//! Sending the events of a SQLite log to the log of a fleet.
//!
//! A session has one home, so its versions are the same everywhere. Events that are sent twice are stored once,
//! because of their ids and versions. The recorded progress of a log only saves work. Events that the server refuses
//! because the session has another home by now are sent as a separate session.

use jiff::Timestamp;
use uuid::Uuid;

use hud_store::event::{HudEvent, RedactionEvent, SessionId};
use hud_store::jsonl::Line;
use hud_store::log::record::{DELETE, Record};
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Elsewhere, Remote, SqliteLog};

use crate::PgLog;
use crate::home::{Home, Part, Sent};
use crate::sync::{SyncError, other_name, page};

/// The maximum number of attempts to send a page, after the state of a session was corrected.
const TRIES: u32 = 32;

/// The number of seconds without events after which a log reports that it is still active.
const SILENCE: i64 = 60;

/// The result of a push.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pushed {
    /// The number of events that are new there.
    pub events: u64,
    /// The number of events that were there already.
    pub duplicates: u64,
    /// The sessions that were renamed there.
    pub renamed: Vec<Renamed>,
}

/// A session that was given another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The name here.
    pub session: SessionId,
    /// The name in the log of the fleet.
    pub name: SessionId,
    /// The session there that it continues, if its former name belongs to a session that moved; `None` if the name
    /// belongs to an unrelated session.
    pub resumes: Option<SessionId>,
}

/// Sends the events of a log that the log of the fleet does not have, page by page. It can be interrupted at any
/// time, and the next call continues.
///
/// The progress, or the error that stopped it, is recorded in the log, and [`SqliteLog::remote`] returns it.
///
/// # Errors
/// [`SyncError`]. The progress before it is recorded.
pub fn push(from: &SqliteLog, to: &mut PgLog, machine: &str) -> Result<Pushed, SyncError> {
    let url = to.place().to_string();
    let remote = from.remote(&url)?;
    let mut push = Push {
        id: from.id()?,
        from,
        to,
        machine,
        url,
        remote,
        done: Pushed::default(),
    };
    match push.run() {
        Ok(()) => Ok(push.done),
        Err(error) => {
            push.remote.trouble = Some(error.to_string());
            from.set_remote(&push.url, &push.remote)?;
            Err(error)
        }
    }
}

struct Push<'p> {
    from: &'p SqliteLog,
    to: &'p mut PgLog,
    machine: &'p str,
    id: Uuid,
    url: String,
    remote: Remote,
    done: Pushed,
}

/// The events of a session to send.
struct Work {
    session: SessionId,
    /// The version of the first record.
    first: u64,
    records: Vec<Record>,
    /// The versions of earlier events that were redacted.
    taken_out: Vec<u64>,
}

impl Push<'_> {
    fn run(&mut self) -> Result<(), SyncError> {
        loop {
            let next = self.remote.seq + 1;
            let lines = page(|each| self.from.lines_from(None, next, each))?;
            let Some(last) = lines.last().map(|line| line.seq) else {
                break;
            };
            self.remote.tried = last;
            self.send(lines)?;
            self.remote.seq = last;
            self.heard()?;
        }
        let silent = self
            .remote
            .at
            .map(|at| Timestamp::now().as_second() - at.as_second());
        // A time in the future is from before the clock was set back.
        let is_silent = silent.is_none_or(|silent| !(0..SILENCE).contains(&silent));
        if self.remote.trouble.is_some() || is_silent {
            self.to.send(self.id, self.machine, Vec::new())?;
            self.heard()?;
        }
        Ok(())
    }

    /// Records that the other log answered.
    fn heard(&mut self) -> Result<(), LogError> {
        self.remote.at = Some(Timestamp::now());
        self.remote.trouble = None;
        self.from.set_remote(&self.url, &self.remote)
    }

    fn elsewhere(&self, session: &SessionId) -> Result<Elsewhere, LogError> {
        let known = self.from.elsewhere(&self.url, session)?;
        Ok(known.unwrap_or_else(|| Elsewhere::same(session)))
    }

    /// Sends a page, and repeats until all of it is there.
    fn send(&mut self, lines: Vec<Line>) -> Result<(), SyncError> {
        let mut works = self.works(lines)?;
        for _ in 0..TRIES {
            if works.is_empty() {
                return Ok(());
            }
            let mut parts = Vec::new();
            for work in &works {
                parts.extend(self.parts(work)?);
            }
            let sent = self.to.send(self.id, self.machine, parts)?;
            let mut answers = sent.into_iter();
            let mut left = Vec::new();
            for work in works {
                let own = answers.next();
                let is_there = matches!(own, Some(Sent::Appended { .. }));
                // The redacted events are there if the events after them are.
                let _ = answers.by_ref().take(work.taken_out.len()).count();
                match own {
                    Some(Sent::Appended { duplicates }) => {
                        self.done.events += work.records.len() as u64 - duplicates;
                        self.done.duplicates += duplicates;
                    }
                    Some(answer) => self.settle(&work, answer)?,
                    None => {}
                }
                if !is_there {
                    left.push(work);
                }
            }
            works = left;
        }
        match works.into_iter().next() {
            None => Ok(()),
            Some(work) => Err(SyncError::Unsettled {
                session: work.session,
                place: self.url.clone(),
            }),
        }
    }

    /// The lines grouped by session, without those that came from the fleet.
    fn works(&mut self, lines: Vec<Line>) -> Result<Vec<Work>, SyncError> {
        let mut works: Vec<Work> = Vec::new();
        let mut deleted = Vec::new();
        for line in lines {
            if line.version <= self.elsewhere(&line.session)?.since {
                continue;
            }
            if line.kind == DELETE {
                deleted.push((line.session.clone(), line.version));
            }
            self.put(&mut works, line)?;
        }
        for (session, version) in deleted {
            self.take_out_all(&session, version)?;
        }
        Ok(works)
    }

    fn put(&self, works: &mut Vec<Work>, line: Line) -> Result<(), LogError> {
        let (id, version) = (line.id, line.version);
        let event = HudEvent::decode(&line.kind, line.v, line.payload.get());
        let record = Record::of_line(line, self.from.sections());
        let (session, record) = record.map_err(|reason| LogError::Invalid { id, reason })?;
        let at = works.iter().position(|work| work.session == session);
        let at = at.unwrap_or_else(|| {
            works.push(Work {
                session,
                first: version,
                records: Vec::new(),
                taken_out: Vec::new(),
            });
            works.len() - 1
        });
        let Some(work) = works.get_mut(at) else {
            return Ok(());
        };
        work.records.push(record);
        if let Ok(HudEvent::Redaction(RedactionEvent::Redact(redact))) = event {
            let earlier = redact.version.filter(|version| *version < work.first);
            work.taken_out.extend(earlier);
        }
        Ok(())
    }

    /// A part with the events to send, and a part for each redacted event.
    fn parts(&self, work: &Work) -> Result<Vec<Part>, SyncError> {
        let known = self.elsewhere(&work.session)?;
        let part = |expected, events| Part {
            session: known.name.clone(),
            expected,
            epoch: known.epoch,
            resumes: known.resumes.clone(),
            events,
        };
        let mut parts = vec![part(Some(work.first - 1), work.records.clone())];
        for version in &work.taken_out {
            let stand_in = self.record(&work.session, *version)?;
            parts.push(part(None, stand_in.into_iter().collect()));
        }
        Ok(parts)
    }

    /// The event of a version, as it is stored now.
    fn record(&self, session: &SessionId, version: u64) -> Result<Option<Record>, SyncError> {
        let mut found = None;
        self.from.lines_from(Some(session), version, &mut |line| {
            found = Some(line);
            std::ops::ControlFlow::Break(())
        })?;
        let Some(line) = found else { return Ok(None) };
        let id = line.id;
        let record = Record::of_line(line, self.from.sections());
        let (_, record) = record.map_err(|reason| LogError::Invalid { id, reason })?;
        Ok(Some(record))
    }

    /// Corrects the state that an answer complains about, so that the events can be sent again.
    fn settle(&mut self, work: &Work, answer: Sent) -> Result<(), SyncError> {
        match answer {
            Sent::Appended { .. } => Ok(()),
            Sent::Unmet { version } if version < work.first => {
                self.fill(&work.session, version + 1, work.first - 1)
            }
            // This file is an older copy of one that sent more events, or both copies were continued.
            Sent::Unmet { .. } => self.rename(&work.session, true),
            Sent::Moved { home, shared } => self.moved(work, home, shared),
        }
    }

    fn moved(&mut self, work: &Work, home: Home, shared: u64) -> Result<(), SyncError> {
        if home.log != Some(self.id) {
            return self.rename(&work.session, work.first + shared > 1);
        }
        // This log had claimed the session, but ended before it recorded the new epoch.
        let mut known = self.elsewhere(&work.session)?;
        known.epoch = home.epoch;
        Ok(self.from.set_elsewhere(&self.url, &work.session, &known)?)
    }

    /// Gives a session another name there. It is sent again from its first event on.
    fn rename(&mut self, session: &SessionId, is_former: bool) -> Result<(), SyncError> {
        let known = self.elsewhere(session)?;
        let names = (1..=TRIES).map(|nth| other_name(session, Some(self.id), nth));
        let mut later = names.skip_while(|name| *name != known.name).skip(1);
        let name = match later.next() {
            Some(name) => name,
            None => other_name(session, Some(self.id), 1),
        };
        let elsewhere = Elsewhere {
            name: name.clone(),
            since: 0,
            epoch: 0,
            resumes: is_former.then(|| known.name.clone()),
        };
        self.from.set_elsewhere(&self.url, session, &elsewhere)?;
        self.done.renamed.push(Renamed {
            session: session.clone(),
            name,
            resumes: elsewhere.resumes,
        });
        Ok(())
    }

    /// Sends earlier events of a session that are not there, because the session has a new name or because the server
    /// was restored to an earlier time.
    fn fill(&mut self, session: &SessionId, from: u64, to: u64) -> Result<(), SyncError> {
        let mut next = from;
        while next <= to {
            let Some((works, last)) = self.works_between(session, next, to)? else {
                return Ok(());
            };
            for work in &works {
                let sent = self.to.send(self.id, self.machine, self.parts(work)?)?;
                match sent.first() {
                    Some(Sent::Appended { duplicates }) => {
                        self.done.events += work.records.len() as u64 - duplicates;
                        self.done.duplicates += duplicates;
                    }
                    // The next attempt sends the whole page again and handles the answer.
                    _ => return Ok(()),
                }
            }
            next = last + 1;
        }
        Ok(())
    }

    /// The events to send of a page of a session, from one version to another, and the last version of the page;
    /// `None` if there are no events.
    fn works_between(
        &self,
        session: &SessionId,
        from: u64,
        to: u64,
    ) -> Result<Option<(Vec<Work>, u64)>, SyncError> {
        let mut lines = page(|each| self.from.lines_from(Some(session), from, each))?;
        lines.retain(|line| line.version <= to);
        let Some(last) = lines.last().map(|line| line.version) else {
            return Ok(None);
        };
        let mut works = Vec::new();
        for line in lines {
            self.put(&mut works, line)?;
        }
        Ok(Some((works, last)))
    }

    /// Redacts there the events of a deleted session before that version.
    fn take_out_all(&mut self, session: &SessionId, version: u64) -> Result<(), SyncError> {
        let mut next = self.elsewhere(session)?.since + 1;
        while next < version {
            let Some((works, last)) = self.works_between(session, next, version - 1)? else {
                return Ok(());
            };
            for work in &works {
                let mut parts = self.parts(work)?;
                parts.truncate(1);
                parts.iter_mut().for_each(|part| part.expected = None);
                self.to.send(self.id, self.machine, parts)?;
            }
            next = last + 1;
        }
        Ok(())
    }
}
