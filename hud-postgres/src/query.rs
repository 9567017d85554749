//! What the server is asked, each as one statement that is prepared once in a connection.

/// How many events a page has at most.
pub(crate) const PAGE: usize = 1000;

/// After how many bytes of payloads a page ends: it is held in memory, and one may be large.
const PAGE_BYTES: usize = 1024 * 1024;

/// How many sessions are listed at a time.
pub(crate) const SESSIONS: usize = 10_000;

/// The columns of an event.
const EVENT: &str =
    "e.seq, e.id, e.stream, e.ver, e.turn, e.ts, e.kind, e.v, e.actor, e.cause, e.payload, e.sum";

/// A statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Query {
    /// The schema of the log, and whether the server takes no writes.
    Schema,
    Append,
    /// What a log sends of its own sessions: see [`crate::home`].
    AppendMany,
    /// Makes a log the home of a session.
    Claim,
    /// The home of a session.
    Home,
    /// The machines that send their events.
    Homes,
    /// A page of a session: see [`crate::read`].
    Session,
    /// A page of the log.
    Log,
    /// The event of an id.
    Event,
    Sessions,
    Content,
    Snapshot,
    SaveSnapshot,
}

impl Query {
    /// Its text, for the log whose schema has that name, in quotes.
    pub(crate) fn text(self, log: &str) -> String {
        match self {
            Self::Schema => format!(
                "SELECT h.schema, current_setting('transaction_read_only') = 'on' FROM {log}.head h"
            ),
            Self::Append => format!(
                "SELECT is_met, version, first_seq, last_seq, duplicates, moved_to FROM {log}.hud_append\
                 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
            ),
            Self::AppendMany => format!(
                "SELECT outcome, version, first_seq, last_seq, duplicates, home, epoch \
                 FROM {log}.hud_append_many($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, \
                 $15, $16, $17, $18, $19)"
            ),
            Self::Claim => format!(
                "SELECT is_taken, version, home, epoch FROM {log}.hud_claim($1, $2, $3, $4)"
            ),
            Self::Home => {
                format!("SELECT ver, home, epoch FROM {log}.session WHERE stream = $1")
            }
            Self::Homes => format!(
                "SELECT h.id, h.machine, h.sent_by::text, \
                 (extract(epoch FROM clock_timestamp() - h.seen) * 1000000)::bigint, count(s.stream) \
                 FROM {log}.home h LEFT JOIN {log}.session s ON s.home = h.id AND NOT s.is_deleted \
                 GROUP BY h.id ORDER BY h.seen DESC, h.id"
            ),
            // At least one row comes, with what else is known of the session: all of it is of one moment.
            Self::Session => format!(
                "SELECT s.ver, s.sum, s.last, b.sum, {EVENT} \
                 FROM (SELECT 1) AS one \
                 LEFT JOIN {log}.session s ON s.stream = $1 \
                 LEFT JOIN {log}.event b ON b.stream = $1 AND b.ver = $2::bigint - 1 \
                 LEFT JOIN LATERAL (SELECT * FROM \
                     (SELECT *, sum(octet_length(payload)) OVER (ORDER BY ver) - octet_length(payload) AS room \
                      FROM {log}.event WHERE stream = $1 AND ver >= $2::bigint ORDER BY ver LIMIT {PAGE}) AS page \
                     WHERE room < {PAGE_BYTES}) AS e ON true \
                 ORDER BY e.ver"
            ),
            Self::Log => format!(
                "SELECT h.seq, NULL::bytea, h.seq, b.sum, {EVENT} \
                 FROM {log}.head h \
                 LEFT JOIN LATERAL (SELECT * FROM \
                     (SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS room \
                      FROM {log}.event WHERE seq >= $1 ORDER BY seq LIMIT {PAGE}) AS page \
                     WHERE room < {PAGE_BYTES}) AS e ON true \
                 LEFT JOIN {log}.event b ON b.stream = e.stream AND b.ver = e.ver - 1 \
                 ORDER BY e.seq"
            ),
            Self::Event => format!("SELECT {EVENT} FROM {log}.event e WHERE e.id = $1"),
            Self::Sessions => format!(
                "SELECT stream, ver, first, first_ts, last_ts, origin FROM {log}.session \
                 WHERE first > $1 AND NOT is_deleted ORDER BY first LIMIT {SESSIONS}"
            ),
            Self::Content => format!("SELECT body FROM {log}.content WHERE hash = $1"),
            Self::Snapshot => format!(
                "SELECT s.ver, s.state, s.sum, e.sum FROM {log}.snapshot s \
                 JOIN {log}.event e ON e.stream = s.stream AND e.ver = s.ver \
                 WHERE s.stream = $1 AND s.projector = $2"
            ),
            Self::SaveSnapshot => {
                format!("SELECT {log}.hud_save_snapshot($1, $2, $3, $4)")
            }
        }
    }
}
