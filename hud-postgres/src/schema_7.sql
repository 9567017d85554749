-- Whose a session is. A home belongs to the user of the server who sent from it first, and what changes a session
-- that has one is for that user or for an owner of the log: nobody else sends its events, takes it over, takes words
-- out of it, or saves states of it.

-- The user whom the session was given to: see `hud_give`.
ALTER TABLE {log}.session ADD COLUMN given_to name;

-- A home that was claimed and never sent from is that of whoever wrote the session last.
INSERT INTO {log}.home (id, machine, sent_by, seen)
    SELECT DISTINCT ON (s.home) s.home, '', e.sent_by, to_timestamp(e.ts / 1000000.0)
        FROM {log}.session s JOIN {log}.event e ON e.seq = s.last
        WHERE s.home IS NOT NULL ORDER BY s.home, e.seq DESC
    ON CONFLICT (id) DO NOTHING;

-- Whose session it was when a state of it was saved, or NULL where it has no home. States that were saved before may
-- be anybody's.
DELETE FROM {log}.snapshot;
ALTER TABLE {log}.snapshot ADD COLUMN of_user name;

-- Whether the user is an owner of the log. The functions that ask run with the rights of its owner.
CREATE FUNCTION {log}.hud_is_owner() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_has_role(session_user, current_user, 'MEMBER')
$$;

-- Whether what a session says is the user's: its home is, or it has none and all of its events up to a version are.
CREATE FUNCTION {log}.hud_is_own(of_stream text, until bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own    {log}.session;
    sender name;
BEGIN
    IF {log}.hud_is_owner() THEN
        RETURN true;
    END IF;
    SELECT * INTO own FROM {log}.session s WHERE s.stream = of_stream;
    IF own.home IS NULL THEN
        RETURN NOT EXISTS (SELECT FROM {log}.event e
            WHERE e.stream = of_stream AND e.ver <= until AND e.sent_by <> session_user);
    END IF;
    SELECT h.sent_by INTO sender FROM {log}.home h WHERE h.id = own.home;
    RETURN coalesce(sender = session_user, false);
END
$$;

-- Makes a log the user's, unless it is one already; refuses one of another user. The caller has the lock of the log.
CREATE FUNCTION {log}.hud_send_from(of_home uuid, of_machine text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    sender name;
BEGIN
    INSERT INTO {log}.home AS h (id, machine, sent_by, seen)
        VALUES (of_home, left(of_machine, 200), session_user, clock_timestamp())
        ON CONFLICT (id) DO NOTHING;
    SELECT h.sent_by INTO STRICT sender FROM {log}.home h WHERE h.id = of_home;
    IF sender <> session_user AND NOT {log}.hud_is_owner() THEN
        RAISE EXCEPTION 'the log % sends as user %', of_home, sender USING ERRCODE = '42501',
            HINT = 'Send as that user, or let an owner of the log change sent_by in the table home.';
    END IF;
END
$$;

-- As before, from a log that is the user's.
CREATE OR REPLACE FUNCTION {log}.hud_append_many(
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
    PERFORM {log}.hud_send_from(of_home, of_machine);
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
    UPDATE {log}.home h SET machine = left(of_machine, 200), seen = clock_timestamp() WHERE h.id = of_home;
    UPDATE {log}.head SET seq = newest;
END
$$;

-- Makes a log of the user's the home of a session, or none if `of_home` is NULL, unless its epoch is another by now.
-- The session is the user's, or was given to the user.
CREATE OR REPLACE FUNCTION {log}.hud_claim(
    of_stream text, of_home uuid, of_epoch bigint, patience integer,
    OUT is_taken boolean, OUT version bigint, OUT home uuid, OUT epoch bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own {log}.session;
BEGIN
    PERFORM {log}.hud_begin(patience);
    SELECT * INTO own FROM {log}.session s WHERE s.stream = of_stream;
    is_taken := FOUND AND own.epoch = of_epoch;
    IF is_taken THEN
        IF own.given_to IS DISTINCT FROM session_user AND NOT {log}.hud_is_own(of_stream, own.ver) THEN
            RAISE EXCEPTION 'the session is another user''s' USING ERRCODE = '42501',
                HINT = 'Let its user or an owner of the log give it to you with hud_give.';
        END IF;
        IF of_home IS NOT NULL THEN
            PERFORM {log}.hud_send_from(of_home, '');
        END IF;
        UPDATE {log}.session s SET home = of_home, epoch = s.epoch + 1, given_to = NULL
            WHERE s.stream = of_stream RETURNING * INTO own;
    END IF;
    version := own.ver;
    home := own.home;
    epoch := own.epoch;
END
$$;

-- Gives a session to another user, who may take it over from then on.
CREATE FUNCTION {log}.hud_give(of_stream text, to_user name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own {log}.session;
BEGIN
    SELECT * INTO own FROM {log}.session s WHERE s.stream = of_stream FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no session %', of_stream USING ERRCODE = '02000';
    END IF;
    IF NOT {log}.hud_is_own(of_stream, own.ver) THEN
        RAISE EXCEPTION 'the session is another user''s' USING ERRCODE = '42501';
    END IF;
    UPDATE {log}.session s SET given_to = to_user WHERE s.stream = of_stream;
END
$$;

-- As before, of an event that the user appended; an owner of the log takes out any.
CREATE OR REPLACE FUNCTION {log}.hud_redact(
    patience integer, of_stream text, of_ver bigint, new_v bigint, new_payload text,
    ids uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[], causes uuid[],
    payloads text[], hashes bytea[], bodies bytea[],
    OUT outcome text, OUT home uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint := {log}.hud_begin(patience);
    found  text;
    sender name;
    done   record;
BEGIN
    SELECT s.home INTO home FROM {log}.session s WHERE s.stream = of_stream;
    SELECT e.kind, e.sent_by INTO found, sender FROM {log}.event e WHERE e.stream = of_stream AND e.ver = of_ver;
    outcome := CASE
        WHEN found IS NULL THEN 'missing'
        WHEN home IS NOT NULL THEN 'moved'
        WHEN found <> 'event.redacted' THEN 'done'
        -- The answer to an earlier try was lost.
        WHEN EXISTS (SELECT FROM {log}.event e WHERE e.id = ids[1] AND e.stream = of_stream) THEN 'done'
        ELSE 'before'
    END;
    IF outcome = 'done' AND found <> 'event.redacted' THEN
        IF sender <> session_user AND NOT {log}.hud_is_owner() THEN
            RAISE EXCEPTION 'the event is one of user %', sender USING ERRCODE = '42501';
        END IF;
        PERFORM {log}.hud_take_out(of_stream, of_ver, new_v, new_payload);
        PERFORM {log}.hud_reseal(of_stream, of_ver);
        SELECT * INTO STRICT done FROM {log}.hud_append_to(
            newest, of_stream, NULL, NULL, NULL, NULL, ids, NULL, turns, times, kinds, versions, actors, causes,
            payloads, hashes, bodies);
        newest := done.seq;
    END IF;
    UPDATE {log}.head SET seq = newest;
END
$$;

-- Saves the state of a session at a version, unless there is a newer one, or the session is another user's: who reads
-- it would take the state for what its events say.
CREATE OR REPLACE FUNCTION {log}.hud_save_snapshot(
    of_stream text, of_projector bigint, of_ver bigint, new_state text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- A cache, whose loss loses nothing.
    PERFORM set_config('synchronous_commit', 'off', true);
    IF NOT {log}.hud_is_own(of_stream, of_ver) THEN
        RETURN;
    END IF;
    INSERT INTO {log}.snapshot AS s (stream, projector, ver, state, sum, of_user)
        SELECT of_stream, of_projector, of_ver, new_state, sha256(e.sum || convert_to(new_state, 'UTF8')), h.sent_by
            FROM {log}.event e JOIN {log}.session o ON o.stream = e.stream LEFT JOIN {log}.home h ON h.id = o.home
            WHERE e.stream = of_stream AND e.ver = of_ver
        ON CONFLICT (stream, projector) DO UPDATE
            SET ver = excluded.ver, state = excluded.state, sum = excluded.sum, of_user = excluded.of_user
            WHERE s.ver < excluded.ver OR s.of_user IS DISTINCT FROM excluded.of_user;
END
$$;

REVOKE ALL ON FUNCTION {log}.hud_is_owner(), {log}.hud_is_own(text, bigint), {log}.hud_send_from(uuid, text),
    {log}.hud_give(text, name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {log}.hud_give(text, name) TO {writer};
