-- A log is a schema with roles of its own. `{log}` is its name.
--
-- Whoever has the writer's role may read the tables and call the functions, and nothing else. The functions
-- run with the owner's rights, and name everything in full: nobody can put a table of their own in its place.

-- One row. Its lock is the order of the log: who holds it appends.
CREATE TABLE {log}.head (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq    bigint  NOT NULL DEFAULT 0,
    schema integer NOT NULL
) WITH (fillfactor = 50);
INSERT INTO {log}.head (schema) VALUES (0);

-- Each session at a glance, and a second witness of how many events it has.
CREATE TABLE {log}.session (
    stream     text    COLLATE "C" PRIMARY KEY,
    ver        bigint  NOT NULL CHECK (ver > 0),
    first      bigint  NOT NULL,
    last       bigint  NOT NULL,
    first_ts   bigint  NOT NULL,
    last_ts    bigint  NOT NULL,
    origin     text    NOT NULL,
    is_deleted boolean NOT NULL,
    sum        bytea   NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX session_by_first ON {log}.session (first);

CREATE TABLE {log}.event (
    seq     bigint PRIMARY KEY,
    id      uuid   NOT NULL UNIQUE,
    stream  text   COLLATE "C" NOT NULL,
    ver     bigint NOT NULL CHECK (ver > 0),
    turn    bigint NOT NULL,
    ts      bigint NOT NULL,
    kind    text   COLLATE "C" NOT NULL,
    v       bigint NOT NULL,
    actor   text   COLLATE "C" NOT NULL,
    cause   uuid,
    -- No jsonb: it refuses NUL and writes numbers anew.
    payload text   COLLATE "C" NOT NULL,
    -- Who sent it. Of no event's content.
    sent_by name   NOT NULL DEFAULT session_user,
    sum     bytea  NOT NULL,
    UNIQUE (stream, ver)
);

-- What events name by its hash, each text once, as the bytes of its UTF-8: texts of PostgreSQL have no NUL.
CREATE TABLE {log}.content (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    body bytea NOT NULL
);

-- Which event names which content.
CREATE TABLE {log}.kept (
    seq  bigint PRIMARY KEY,
    hash bytea  NOT NULL
);
CREATE INDEX kept_by_hash ON {log}.kept (hash);

-- A cache: each row can be removed at any time.
CREATE TABLE {log}.snapshot (
    stream    text   COLLATE "C" NOT NULL,
    projector bigint NOT NULL,
    ver       bigint NOT NULL,
    state     text   COLLATE "C" NOT NULL,
    sum       bytea  NOT NULL,
    PRIMARY KEY (stream, projector)
);

CREATE FUNCTION {log}.hud_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'HU002';
END
$$;
CREATE TRIGGER event_is_never_changed BEFORE UPDATE OR DELETE ON {log}.event
    FOR EACH ROW EXECUTE FUNCTION {log}.hud_refuse_change();
CREATE TRIGGER event_is_never_truncated BEFORE TRUNCATE ON {log}.event
    FOR EACH STATEMENT EXECUTE FUNCTION {log}.hud_refuse_change();

-- A text with its length in front, so that no two rows give the same bytes.
CREATE FUNCTION {log}.hud_bytes(written text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
    SELECT pg_catalog.int8send(pg_catalog.octet_length(written)) || pg_catalog.convert_to(written, 'UTF8')
$$;

-- The sum of an event: over that of the one before it in its session, and over all that is stored of it.
CREATE FUNCTION {log}.hud_sum(
    before bytea, seq bigint, id uuid, stream text, ver bigint, turn bigint, ts bigint, kind text, v bigint,
    actor text, cause uuid, payload text
) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN sha256(
        before || int8send(seq) || uuid_send(id) || {log}.hud_bytes(stream) || int8send(ver) || int8send(turn)
        || int8send(ts) || {log}.hud_bytes(kind) || int8send(v) || {log}.hud_bytes(actor)
        || CASE WHEN cause IS NULL THEN '\x00'::bytea ELSE '\x01'::bytea || uuid_send(cause) END
        || {log}.hud_bytes(payload)
    );
END
$$;

-- Appends a batch. An unmet expectation is an answer and no error: it is usual where several write.
--
-- `expected` is the version that is demanded, or nothing; `patience` is how long the lock is waited for, in
-- milliseconds. Raises HU001 for an id that names another event, and then nothing was appended.
CREATE FUNCTION {log}.hud_append(
    of_stream text, expected bigint, patience integer,
    ids uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[], causes uuid[],
    payloads text[], hashes bytea[], bodies bytea[],
    OUT is_met boolean, OUT version bigint, OUT first_seq bigint, OUT last_seq bigint, OUT duplicates bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known   {log}.event;
    own     {log}.session;
    item    record;
    newest  bigint;
    place   bigint;
    start   text;
    deleted boolean;
BEGIN
    is_met := false;
    first_seq := 0;
    last_seq := 0;
    duplicates := 0;
    IF cardinality(ids) = 0 THEN
        SELECT s.ver INTO version FROM {log}.session s WHERE s.stream = of_stream;
        version := coalesce(version, 0);
        is_met := expected IS NULL OR expected = version;
        RETURN;
    END IF;
    -- What was acknowledged is on disk, and where standbys are demanded on one of those, whatever a role's or a
    -- database's settings are.
    IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM set_config('lock_timeout', patience::text, true);
    SELECT h.seq INTO STRICT newest FROM {log}.head h FOR UPDATE;
    SELECT * INTO own FROM {log}.session s WHERE s.stream = of_stream;
    own.ver := coalesce(own.ver, 0);
    own.sum := coalesce(own.sum, decode(repeat('00', 32), 'hex'));
    deleted := own.is_deleted;
    FOR item IN
        SELECT * FROM ROWS FROM (
            unnest(ids), unnest(turns), unnest(times), unnest(kinds), unnest(versions), unnest(actors),
            unnest(causes), unnest(payloads), unnest(hashes), unnest(bodies)
        ) AS n (id, turn, ts, kind, v, actor, cause, payload, hash, body)
    LOOP
        SELECT * INTO known FROM {log}.event e WHERE e.id = item.id;
        IF FOUND THEN
            IF (known.stream, known.turn, known.ts, known.kind, known.v, known.actor, known.cause, known.payload)
                IS DISTINCT FROM
                (of_stream, item.turn, item.ts, item.kind, item.v, item.actor, item.cause, item.payload)
            THEN
                RAISE EXCEPTION 'the id names another event'
                    USING ERRCODE = 'HU001', DETAIL = format('%s %s', item.id, known.seq);
            END IF;
            duplicates := duplicates + 1;
            place := known.seq;
        ELSE
            IF NOT is_met THEN
                IF expected <> own.ver THEN
                    version := own.ver;
                    RETURN;
                END IF;
                is_met := true;
            END IF;
            newest := newest + 1;
            place := newest;
            own.ver := own.ver + 1;
            own.sum := {log}.hud_sum(own.sum, place, item.id, of_stream, own.ver, item.turn, item.ts, item.kind,
                item.v, item.actor, item.cause, item.payload);
            own.first := coalesce(own.first, place);
            own.first_ts := coalesce(own.first_ts, item.ts);
            own.last := place;
            own.last_ts := item.ts;
            deleted := item.kind = 'session.delete';
            IF item.kind = 'session.start' THEN
                start := item.payload;
            END IF;
            INSERT INTO {log}.event (seq, id, stream, ver, turn, ts, kind, v, actor, cause, payload, sum)
                VALUES (place, item.id, of_stream, own.ver, item.turn, item.ts, item.kind, item.v, item.actor,
                    item.cause, item.payload, own.sum);
            IF item.hash IS NOT NULL THEN
                INSERT INTO {log}.kept (seq, hash) VALUES (place, item.hash);
                IF item.body IS NOT NULL THEN
                    INSERT INTO {log}.content AS c (hash, body) VALUES (item.hash, item.body)
                        ON CONFLICT (hash) DO NOTHING;
                END IF;
            END IF;
        END IF;
        IF first_seq = 0 THEN
            first_seq := place;
        END IF;
        last_seq := place;
    END LOOP;
    IF is_met THEN
        INSERT INTO {log}.session AS s (stream, ver, first, last, first_ts, last_ts, origin, is_deleted, sum)
            VALUES (of_stream, own.ver, own.first, own.last, own.first_ts, own.last_ts,
                coalesce(start, own.origin, '{}'), deleted, own.sum)
            ON CONFLICT (stream) DO UPDATE SET ver = excluded.ver, last = excluded.last,
                last_ts = excluded.last_ts, origin = excluded.origin, is_deleted = excluded.is_deleted,
                sum = excluded.sum;
    END IF;
    -- Also when all of them are duplicates. What they repeat may wait for a standby still: only a commit that
    -- writes waits for it as well, and must not be acknowledged before.
    UPDATE {log}.head SET seq = newest;
    is_met := true;
    version := own.ver;
END
$$;

-- Saves the state of a session at a version, unless there is a newer one.
CREATE FUNCTION {log}.hud_save_snapshot(of_stream text, of_projector bigint, of_ver bigint, new_state text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- A cache, whose loss loses nothing.
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO {log}.snapshot AS s (stream, projector, ver, state, sum)
        SELECT of_stream, of_projector, of_ver, new_state, sha256(e.sum || convert_to(new_state, 'UTF8'))
            FROM {log}.event e WHERE e.stream = of_stream AND e.ver = of_ver
        ON CONFLICT (stream, projector) DO UPDATE
            SET ver = excluded.ver, state = excluded.state, sum = excluded.sum
            WHERE s.ver < excluded.ver;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {log} FROM PUBLIC;
GRANT USAGE ON SCHEMA {log} TO {writer}, {reader};
GRANT SELECT ON {log}.head, {log}.session, {log}.event, {log}.content, {log}.kept, {log}.snapshot
    TO {writer}, {reader};
GRANT EXECUTE ON FUNCTION
    {log}.hud_append(text, bigint, integer, uuid[], bigint[], bigint[], text[], bigint[], text[], uuid[], text[],
        bytea[], bytea[]),
    {log}.hud_save_snapshot(text, bigint, bigint, text)
    TO {writer};
