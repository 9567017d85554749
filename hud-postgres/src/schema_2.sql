-- Homes: which log writes a session, and the machines that send theirs.

-- `home` is the id of the log that writes the session, or NULL where its events are appended here. `epoch`
-- counts how often that changed.
ALTER TABLE {log}.session
    ADD COLUMN home  uuid,
    ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
CREATE INDEX session_by_home ON {log}.session (home);

-- The logs that send their events, and when they were heard of last.
CREATE TABLE {log}.home (
    id      uuid        PRIMARY KEY,
    machine text        NOT NULL,
    sent_by name        NOT NULL,
    seen    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- What an event said can be taken out, and nothing else of it changes but the sum. The setting guards against
-- mistakes: nobody but the owner may update a row at all.
CREATE OR REPLACE FUNCTION {log}.hud_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('hud.takes_out', true) = 'yes'
        AND (NEW.seq, NEW.id, NEW.stream, NEW.ver, NEW.turn, NEW.ts, NEW.actor)
            = (OLD.seq, OLD.id, OLD.stream, OLD.ver, OLD.turn, OLD.ts, OLD.actor)
        AND NEW.cause IS NOT DISTINCT FROM OLD.cause
        AND (NEW.kind = 'event.redacted' OR (NEW.kind, NEW.v, NEW.payload) = (OLD.kind, OLD.v, OLD.payload))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'HU002';
END
$$;

-- Takes out what an event said: its row, what it kept, and the states that may say it. The caller has the lock
-- of the log, and seals the session anew.
CREATE FUNCTION {log}.hud_take_out(of_stream text, of_ver bigint, new_v bigint, new_payload text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    place bigint;
    named bytea;
BEGIN
    PERFORM set_config('hud.takes_out', 'yes', true);
    UPDATE {log}.event e SET kind = 'event.redacted', v = new_v, payload = new_payload
        WHERE e.stream = of_stream AND e.ver = of_ver RETURNING e.seq INTO STRICT place;
    PERFORM set_config('hud.takes_out', '', true);
    DELETE FROM {log}.kept k WHERE k.seq = place RETURNING k.hash INTO named;
    DELETE FROM {log}.content c
        WHERE c.hash = named AND NOT EXISTS (SELECT FROM {log}.kept k WHERE k.hash = named);
    -- A state is kept without saying from which events it has its words.
    DELETE FROM {log}.snapshot;
END
$$;

-- Seals a session anew from a version on, and gives its new sum.
CREATE FUNCTION {log}.hud_reseal(of_stream text, of_ver bigint) RETURNS bytea
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    item   {log}.event;
    newest bytea;
BEGIN
    PERFORM set_config('hud.takes_out', 'yes', true);
    SELECT e.sum INTO newest FROM {log}.event e WHERE e.stream = of_stream AND e.ver = of_ver - 1;
    newest := coalesce(newest, decode(repeat('00', 32), 'hex'));
    FOR item IN SELECT * FROM {log}.event e WHERE e.stream = of_stream AND e.ver >= of_ver ORDER BY e.ver LOOP
        newest := {log}.hud_sum(newest, item.seq, item.id, item.stream, item.ver, item.turn, item.ts, item.kind,
            item.v, item.actor, item.cause, item.payload);
        UPDATE {log}.event e SET sum = newest WHERE e.seq = item.seq;
    END LOOP;
    UPDATE {log}.session s SET sum = newest WHERE s.stream = of_stream;
    PERFORM set_config('hud.takes_out', '', true);
    RETURN newest;
END
$$;

-- Appends a batch to one session, for the functions below, which have the lock of the log and its newest seq.
--
-- `outcome` is `met`, `unmet` (the version is not the one that is expected) or `moved` (another log is the
-- session's home: the events before those that are duplicates here, and the home is given). For who sends its
-- own sessions (`of_home`), an id that is another session's is replaced by its spare, and an event whose words
-- were taken out at one side is the same still: they are taken out at the other, too.
CREATE FUNCTION {log}.hud_append_to(
    newest bigint, of_stream text, expected bigint, of_home uuid, of_epoch bigint, resumes text,
    ids uuid[], spares uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[],
    causes uuid[], payloads text[], hashes bytea[], bodies bytea[],
    OUT outcome text, OUT version bigint, OUT first_seq bigint, OUT last_seq bigint, OUT duplicates bigint,
    OUT home uuid, OUT epoch bigint, OUT seq bigint
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known   {log}.event;
    own     {log}.session;
    item    record;
    place   bigint;
    start   text;
    deleted boolean;
    is_home boolean;
    is_met  boolean := false;
    lowest  bigint;
BEGIN
    seq := newest;
    first_seq := 0;
    last_seq := 0;
    duplicates := 0;
    SELECT * INTO own FROM {log}.session s WHERE s.stream = of_stream;
    is_home := NOT FOUND OR (own.home IS NOT DISTINCT FROM of_home AND own.epoch = coalesce(of_epoch, own.epoch));
    IF own.ver IS NULL THEN
        own.home := of_home;
        own.epoch := coalesce(of_epoch, 0);
    END IF;
    own.ver := coalesce(own.ver, 0);
    own.sum := coalesce(own.sum, decode(repeat('00', 32), 'hex'));
    deleted := own.is_deleted;
    home := own.home;
    epoch := own.epoch;
    version := own.ver;
    FOR item IN
        SELECT * FROM ROWS FROM (
            unnest(ids), unnest(spares), unnest(turns), unnest(times), unnest(kinds), unnest(versions),
            unnest(actors), unnest(causes), unnest(payloads), unnest(hashes), unnest(bodies)
        ) AS n (id, spare, turn, ts, kind, v, actor, cause, payload, hash, body)
    LOOP
        SELECT * INTO known FROM {log}.event e WHERE e.id = item.id;
        IF FOUND AND known.stream <> of_stream AND item.spare IS NOT NULL THEN
            item.id := item.spare;
            SELECT * INTO known FROM {log}.event e WHERE e.id = item.id;
        END IF;
        IF FOUND THEN
            IF of_home IS NOT NULL AND known.stream = of_stream
                AND 'event.redacted' IN (item.kind, known.kind) AND item.kind <> known.kind
            THEN
                IF is_home AND item.kind = 'event.redacted' THEN
                    PERFORM {log}.hud_take_out(of_stream, known.ver, item.v, item.payload);
                    lowest := least(lowest, known.ver);
                END IF;
            ELSIF (known.stream, known.turn, known.ts, known.kind, known.v, known.actor, known.cause, known.payload)
                IS DISTINCT FROM
                (of_stream, item.turn, item.ts, item.kind, item.v, item.actor, item.cause, item.payload)
            THEN
                IF NOT is_home THEN
                    outcome := 'moved';
                    RETURN;
                END IF;
                RAISE EXCEPTION 'the id names another event'
                    USING ERRCODE = 'HU001', DETAIL = format('%s %s', item.id, known.seq);
            END IF;
            duplicates := duplicates + 1;
            place := known.seq;
        ELSE
            IF NOT is_home THEN
                outcome := 'moved';
                RETURN;
            END IF;
            IF lowest IS NOT NULL THEN
                own.sum := {log}.hud_reseal(of_stream, lowest);
                lowest := NULL;
            END IF;
            IF NOT is_met THEN
                -- Of what a log sends, some may be there from a time whose end it does not know.
                IF (of_home IS NULL AND expected <> own.ver)
                    OR (of_home IS NOT NULL AND expected + duplicates IS DISTINCT FROM own.ver)
                THEN
                    outcome := 'unmet';
                    RETURN;
                END IF;
                is_met := true;
            END IF;
            seq := seq + 1;
            place := seq;
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
    IF lowest IS NOT NULL THEN
        own.sum := {log}.hud_reseal(of_stream, lowest);
    END IF;
    IF is_met THEN
        start := coalesce(start, own.origin, '{}');
        IF resumes IS NOT NULL THEN
            BEGIN
                start := (start::jsonb || jsonb_build_object('resumes', resumes))::text;
            EXCEPTION WHEN others THEN
                -- An origin with what jsonb refuses is kept as it is.
                NULL;
            END;
        END IF;
        INSERT INTO {log}.session AS s
            (stream, ver, first, last, first_ts, last_ts, origin, is_deleted, sum, home, epoch)
            VALUES (of_stream, own.ver, own.first, own.last, own.first_ts, own.last_ts, start, deleted, own.sum,
                own.home, own.epoch)
            ON CONFLICT (stream) DO UPDATE SET ver = excluded.ver, last = excluded.last,
                last_ts = excluded.last_ts, origin = excluded.origin, is_deleted = excluded.is_deleted,
                sum = excluded.sum;
    END IF;
    outcome := 'met';
    version := own.ver;
END
$$;

-- What is acknowledged is on disk, and where standbys are demanded on one of those, whatever a role's or a
-- database's settings are. Gives the newest seq, with the lock of the log.
CREATE FUNCTION {log}.hud_begin(patience integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint;
BEGIN
    IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM set_config('lock_timeout', patience::text, true);
    SELECT h.seq INTO STRICT newest FROM {log}.head h FOR UPDATE;
    RETURN newest;
END
$$;

-- Appends a batch to a session that is written here. An unmet expectation is an answer and no error: it is
-- usual where several write. So is `moved_to`, the home of a session that is written elsewhere.
--
-- `expected` is the version that is demanded, or nothing; `patience` is how long the lock is waited for, in
-- milliseconds. Raises HU001 for an id that names another event, and then nothing was appended.
DROP FUNCTION {log}.hud_append(text, bigint, integer, uuid[], bigint[], bigint[], text[], bigint[], text[],
    uuid[], text[], bytea[], bytea[]);
CREATE FUNCTION {log}.hud_append(
    of_stream text, expected bigint, patience integer,
    ids uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[], causes uuid[],
    payloads text[], hashes bytea[], bodies bytea[],
    OUT is_met boolean, OUT version bigint, OUT first_seq bigint, OUT last_seq bigint, OUT duplicates bigint,
    OUT moved_to uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    done record;
BEGIN
    IF cardinality(ids) = 0 THEN
        SELECT s.ver INTO version FROM {log}.session s WHERE s.stream = of_stream;
        version := coalesce(version, 0);
        is_met := expected IS NULL OR expected = version;
        first_seq := 0;
        last_seq := 0;
        duplicates := 0;
        RETURN;
    END IF;
    SELECT * INTO done FROM {log}.hud_append_to(
        {log}.hud_begin(patience), of_stream, expected, NULL, NULL, NULL, ids, NULL, turns, times, kinds,
        versions, actors, causes, payloads, hashes, bodies);
    is_met := done.outcome = 'met';
    version := done.version;
    first_seq := done.first_seq;
    last_seq := done.last_seq;
    duplicates := done.duplicates;
    IF done.outcome = 'moved' THEN
        moved_to := done.home;
    END IF;
    IF is_met THEN
        -- Also when all of them are duplicates. What they repeat may wait for a standby still: only a commit
        -- that writes waits for it as well, and must not be acknowledged before.
        UPDATE {log}.head SET seq = done.seq;
    END IF;
END
$$;

-- Appends what a log sends of its own sessions: a batch for each of `streams`, of `counts` events. What is
-- answered for one of them does not keep the others back. Raises HU001 as above.
CREATE FUNCTION {log}.hud_append_many(
    of_home uuid, of_machine text, patience integer,
    streams text[], expecteds bigint[], epochs bigint[], resumed text[], counts integer[],
    ids uuid[], spares uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[],
    causes uuid[], payloads text[], hashes bytea[], bodies bytea[]
) RETURNS TABLE (
    outcome text, version bigint, first_seq bigint, last_seq bigint, duplicates bigint, home uuid, epoch bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint;
    done   record;
    a      integer := 1;
    b      integer;
BEGIN
    IF of_home IS NULL THEN
        RAISE EXCEPTION 'a log that sends its events has an id';
    END IF;
    newest := {log}.hud_begin(patience);
    FOR nth IN 1 .. coalesce(cardinality(streams), 0) LOOP
        b := a + counts[nth] - 1;
        SELECT * INTO done FROM {log}.hud_append_to(
            newest, streams[nth], expecteds[nth], of_home, epochs[nth], resumed[nth], ids[a:b], spares[a:b],
            turns[a:b], times[a:b], kinds[a:b], versions[a:b], actors[a:b], causes[a:b], payloads[a:b],
            hashes[a:b], bodies[a:b]);
        newest := done.seq;
        a := b + 1;
        outcome := done.outcome;
        version := done.version;
        first_seq := done.first_seq;
        last_seq := done.last_seq;
        duplicates := done.duplicates;
        home := done.home;
        epoch := done.epoch;
        RETURN NEXT;
    END LOOP;
    INSERT INTO {log}.home AS h (id, machine, sent_by, seen)
        VALUES (of_home, left(of_machine, 200), session_user, clock_timestamp())
        ON CONFLICT (id) DO UPDATE
            SET machine = excluded.machine, sent_by = excluded.sent_by, seen = excluded.seen;
    UPDATE {log}.head SET seq = newest;
END
$$;

-- Makes a log the home of a session, or none if `of_home` is NULL, unless its epoch is another by now.
CREATE FUNCTION {log}.hud_claim(
    of_stream text, of_home uuid, of_epoch bigint, patience integer,
    OUT is_taken boolean, OUT version bigint, OUT home uuid, OUT epoch bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM {log}.hud_begin(patience);
    UPDATE {log}.session s SET home = of_home, epoch = s.epoch + 1
        WHERE s.stream = of_stream AND s.epoch = of_epoch;
    is_taken := FOUND;
    SELECT s.ver, s.home, s.epoch INTO version, home, epoch FROM {log}.session s WHERE s.stream = of_stream;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {log} FROM PUBLIC;
GRANT SELECT ON {log}.home TO {writer}, {reader};
GRANT EXECUTE ON FUNCTION
    {log}.hud_append(text, bigint, integer, uuid[], bigint[], bigint[], text[], bigint[], text[], uuid[], text[],
        bytea[], bytea[]),
    {log}.hud_append_many(uuid, text, integer, text[], bigint[], bigint[], text[], integer[], uuid[], uuid[],
        bigint[], bigint[], text[], bigint[], text[], uuid[], text[], bytea[], bytea[]),
    {log}.hud_claim(text, uuid, bigint, integer)
    TO {writer};
