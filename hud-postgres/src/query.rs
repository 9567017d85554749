//! The queries to the server. Each is one statement that is prepared once per connection.

/// The maximum number of events of a page.
pub(crate) const PAGE: usize = 1000;

/// The number of bytes of payloads after which a page ends. A page is held in memory, and one payload may be large.
const PAGE_BYTES: usize = 1024 * 1024;

/// The maximum number of events of a page of [`Query::Saying`].
pub(crate) const SAYING: usize = 200;

/// The maximum number of hits of a search that are ranked.
const MOST_RANKED: usize = 10_000;

/// The columns of an event.
const EVENT: &str =
    "e.seq, e.id, e.stream, e.ver, e.turn, e.ts, e.kind, e.v, e.actor, e.cause, e.payload, e.sum";

/// The columns of a session.
const SESSION: &str = "stream, ver, first, first_ts, last_ts, origin";

/// The parent of a session, as in the index of `schema_3.sql`.
const PARENT: &str = "(origin::json ->> 'parent')";

/// A statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Query {
    /// The schema of the log, if the server is read-only, and the channel for notifications of appends.
    Schema,
    /// Notifies followers of an append.
    Tell,
    Append,
    /// Appends the events that a log sends of the sessions it is the home of: see [`crate::home`].
    AppendMany,
    /// Appends batches of several sessions that are written here.
    AppendAll,
    /// Redacts an event of a session that is written here.
    Redact,
    /// Makes a log the home of a session.
    Claim,
    /// The home of a session.
    Home,
    /// The machines that send their events.
    Homes,
    /// The sessions of sub-agents whose parents' home is a log and whose own home is another: see [`crate::home`].
    SubAgents {
        is_one: bool,
    },
    /// The health of the server.
    Health,
    /// The settings of the server: see [`crate::checkup`].
    Checkup,
    /// The standbys that are connected.
    Standbys,
    /// A page of a session: see [`crate::read`].
    Session,
    /// A page of the log.
    Log,
    /// The event of that id.
    Event,
    /// The event of a session and a version.
    EventOf,
    /// Events between two seqs whose payloads may contain one of some texts.
    Saying,
    /// A page of the sessions: see [`crate::list`].
    Sessions {
        is_newest: bool,
        is_of_parent: bool,
    },
    /// The session of that name.
    OneSession,
    Content,
    Snapshot,
    SaveSnapshot,
    /// The seq of the newest event.
    Head,
    /// The seq up to which the search index is complete, and the seq of the newest event.
    Searched,
    Index,
    /// Searches the index: see [`crate::search`].
    Search,
}

impl Query {
    /// True if followers have to be notified of it.
    pub(crate) fn appends(self) -> bool {
        matches!(
            self,
            Self::Append | Self::AppendAll | Self::AppendMany | Self::Redact
        )
    }

    /// The SQL text, for the log whose schema has that quoted name.
    pub(crate) fn text(self, log: &str) -> String {
        match self {
            Self::Schema => format!(
                // A log of an older program has no channel. JIT compilation is off, because compiling one of our
                // statements takes longer than running it. The planner does not see that, because it estimates the
                // maximum number of rows of a page.
                "SELECT h.schema, current_setting('transaction_read_only') = 'on', \
                 to_json(h) ->> 'channel', set_config('jit', 'off', false) FROM {log}.head h WHERE h.one"
            ),
            // Commits with a notification wait for each other, so this one must not wait for standbys meanwhile. A
            // warning (that many notifications are unread) would be mistaken for a warning of the commit before.
            Self::Tell => "SELECT set_config('synchronous_commit', 'off', true), \
                 set_config('client_min_messages', 'error', true), pg_notify($1, '')"
                .to_owned(),
            Self::Append => format!(
                "SELECT is_met, version, first_seq, last_seq, duplicates, moved_to FROM {log}.hud_append\
                 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
            ),
            Self::AppendMany => format!(
                "SELECT outcome, version, first_seq, last_seq, duplicates, home, epoch \
                 FROM {log}.hud_append_many($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, \
                 $15, $16, $17, $18, $19)"
            ),
            Self::AppendAll => format!(
                "SELECT version, first_seq, last_seq, duplicates FROM {log}.hud_append_all\
                 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
            ),
            Self::Redact => format!(
                "SELECT outcome, home FROM {log}.hud_redact\
                 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
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
            // A parent that was copied to the sub-agent's machine may have been renamed there, with the beginning of
            // its home's id as a suffix. If the sub-agent's home has sent its own session under the parent's name with
            // such a suffix, that session is the parent instead.
            Self::SubAgents { is_one } => {
                let said = "(c.origin::json ->> 'parent')";
                let of = |home: &str| format!("'@' || left(replace({home}::text, '-', ''), 8)");
                let (own, there) = (of("$1::uuid"), of("c.home"));
                let one = if is_one { "AND c.stream = $3" } else { "" };
                format!(
                    "SELECT c.stream, c.ver, c.last, p.stream FROM {log}.session c JOIN {log}.session p \
                     ON p.stream IN ({said}, regexp_replace({said}, '@[0-9a-f]{{8}}$', '')) \
                     AND {said} IN (p.stream, p.stream || {own}) AND p.home = $1 \
                     WHERE c.last > $2 AND {said} IS NOT NULL {one} \
                     AND c.home IS DISTINCT FROM $1 AND NOT EXISTS (SELECT FROM {log}.session o \
                         WHERE o.stream = {said} || {there} AND o.home = c.home) \
                     ORDER BY c.last"
                )
            }
            Self::Health => "SELECT current_setting('server_version'), \
                 current_setting('synchronous_standby_names') <> '', \
                 (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, \
                 (SELECT count(DISTINCT l.pid) FROM pg_locks l WHERE NOT l.granted)"
                .to_owned(),
            Self::Checkup => format!(
                "SELECT current_setting('server_version'), current_setting('server_version_num')::int, \
                 h.schema, h.seq, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, \
                 ARRAY(SELECT s.name FROM pg_settings s \
                     WHERE s.name IN ('fsync', 'full_page_writes') AND s.setting = 'off' ORDER BY s.name), \
                 current_setting('synchronous_standby_names'), \
                 ARRAY(SELECT c.relname::text FROM pg_index i \
                     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid \
                     WHERE t.relnamespace = '{log}'::regnamespace AND NOT (i.indisvalid AND i.indisready) \
                     ORDER BY c.relname), \
                 NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = '{log}.event'::regclass \
                     AND NOT g.tgisinternal AND g.tgenabled NOT IN ('O', 'A')) \
                 AND 2 = (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = '{log}.event'::regclass \
                     AND g.tgname IN ('event_is_never_changed', 'event_is_never_truncated')), \
                 (SELECT count(DISTINCT l.pid) FROM pg_locks l WHERE NOT l.granted), \
                 (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)::bigint \
                     FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid() AND a.backend_type = 'client backend') \
                 FROM {log}.head h"
            ),
            // A process that copies the server for a backup is not a standby. Details are only for users with the
            // right to see them.
            Self::Standbys => "SELECT r.application_name, r.sync_state IN ('sync', 'quorum'), \
                 pg_wal_lsn_diff(pg_current_wal_lsn(), r.flush_lsn)::bigint, \
                 (extract(epoch FROM r.flush_lag) * 1000000)::bigint \
                 FROM pg_stat_replication r WHERE coalesce(r.state IN ('streaming', 'catchup'), true) \
                 ORDER BY r.application_name, r.pid"
                .to_owned(),
            // At least one row is returned, with the other data of the session. All of it is from one database
            // snapshot.
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
                 FROM (SELECT seq FROM {log}.head WHERE one) AS h \
                 LEFT JOIN LATERAL (SELECT * FROM \
                     (SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS room \
                      FROM {log}.event WHERE seq >= $1 ORDER BY seq LIMIT {PAGE}) AS page \
                     WHERE room < {PAGE_BYTES}) AS e ON true \
                 LEFT JOIN {log}.event b ON b.stream = e.stream AND b.ver = e.ver - 1 \
                 ORDER BY e.seq"
            ),
            Self::Event => format!("SELECT {EVENT} FROM {log}.event e WHERE e.id = $1"),
            Self::EventOf => {
                format!("SELECT {EVENT} FROM {log}.event e WHERE e.stream = $1 AND e.ver = $2")
            }
            // Includes payloads with other escapes, which are compared after they are parsed.
            Self::Saying => format!(
                "SELECT {EVENT} FROM {log}.event e WHERE e.seq > $1 AND e.seq <= $2 \
                 AND (EXISTS (SELECT FROM unnest($3::text[]) AS t WHERE strpos(e.payload, t) > 0) \
                 OR strpos(e.payload, chr(92) || 'u') > 0 OR strpos(e.payload, chr(92) || '/') > 0) \
                 ORDER BY e.seq LIMIT {SAYING}"
            ),
            Self::Sessions {
                is_newest,
                is_of_parent,
            } => {
                // Nothing follows a session that does not exist, because nothing is greater than NULL.
                let first = format!("(SELECT a.first FROM {log}.session a WHERE a.stream = $2)");
                let (behind, order) = match is_newest {
                    false => (
                        format!("first > CASE WHEN $2::text IS NULL THEN 0 ELSE {first} END"),
                        "first",
                    ),
                    true => (
                        format!(
                            "(last_ts, first) < (CASE WHEN $2::text IS NULL THEN {max} \
                             WHEN {first} IS NOT NULL THEN $3::bigint END, \
                             CASE WHEN $2 IS NULL THEN {max} ELSE {first} END)",
                            max = i64::MAX
                        ),
                        "last_ts DESC, first DESC",
                    ),
                };
                let parent = match (is_of_parent, is_newest) {
                    (false, _) => String::new(),
                    (true, false) => format!("AND {PARENT} = $3"),
                    (true, true) => format!("AND {PARENT} = $4"),
                };
                format!(
                    "SELECT {SESSION} FROM {log}.session \
                     WHERE {behind} AND NOT is_deleted {parent} ORDER BY {order} LIMIT $1"
                )
            }
            Self::OneSession => {
                format!("SELECT {SESSION} FROM {log}.session WHERE stream = $1 AND NOT is_deleted")
            }
            Self::Content => format!("SELECT body FROM {log}.content WHERE hash = $1"),
            // Only a snapshot that the session's user saved is read. Another user's may contain text that is not in
            // the events.
            Self::Snapshot => format!(
                "SELECT s.ver, s.state, s.sum, e.sum FROM {log}.snapshot s \
                 JOIN {log}.event e ON e.stream = s.stream AND e.ver = s.ver \
                 JOIN {log}.session o ON o.stream = s.stream LEFT JOIN {log}.home h ON h.id = o.home \
                 WHERE s.stream = $1 AND s.projector = $2 AND s.of_user IS NOT DISTINCT FROM h.sent_by"
            ),
            Self::SaveSnapshot => {
                format!("SELECT {log}.hud_save_snapshot($1, $2, $3, $4)")
            }
            // The key in the condition shows the planner that it is one row.
            Self::Head => format!("SELECT seq FROM {log}.head WHERE one"),
            Self::Searched => format!(
                "SELECT s.seq, h.seq FROM {log}.searched s, {log}.head h WHERE s.one AND h.one"
            ),
            Self::Index => format!("SELECT {log}.hud_index($1, $2, $3, $4)"),
            // The hits are selected from the index before they are ranked. Otherwise the planner may scan all events
            // from the newest on to save the sorting. A word that nearly all events contain has too many hits to rank
            // them all.
            Self::Search => format!(
                "WITH wanted AS MATERIALIZED (SELECT {log}.hud_wanted($1::text[], $2::boolean) AS q), \
                 hit AS MATERIALIZED ( \
                     SELECT s.seq, ts_rank(s.words, (SELECT q FROM wanted), 1) AS rank \
                     FROM {log}.search s JOIN {log}.event e ON e.seq = s.seq \
                     WHERE s.words @@ (SELECT q FROM wanted) \
                     AND ($3::text IS NULL OR e.stream = $3) \
                     AND ($4::text IS NULL OR e.kind = $4 OR starts_with(e.kind, $4 || '.')) \
                     LIMIT {MOST_RANKED}) \
                 SELECT ARRAY(SELECT {log}.hud_stem(word) FROM unnest($1::text[]) AS word), b.sum, {EVENT} \
                 FROM hit JOIN {log}.event e ON e.seq = hit.seq \
                 LEFT JOIN {log}.event b ON b.stream = e.stream AND b.ver = e.ver - 1 \
                 ORDER BY hit.rank DESC, hit.seq DESC LIMIT $5"
            ),
        }
    }
}
