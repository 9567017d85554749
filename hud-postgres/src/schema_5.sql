-- What several sessions that are written here get at once, and what is taken out of them.

-- Appends batches to sessions that are written here, a batch of `counts` events for each of `streams`: all of them
-- or none. Raises HU001 as `hud_append` does, and HU003 for a batch that is not met, with its place (from 1), its
-- outcome, the session's version and its home.
CREATE FUNCTION {log}.hud_append_all(
    patience integer, streams text[], expecteds bigint[], counts integer[],
    ids uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[], causes uuid[],
    payloads text[], hashes bytea[], bodies bytea[]
) RETURNS TABLE (version bigint, first_seq bigint, last_seq bigint, duplicates bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint := {log}.hud_begin(patience);
    done   record;
    a      integer := 1;
    b      integer;
BEGIN
    FOR nth IN 1 .. coalesce(cardinality(streams), 0) LOOP
        b := a + counts[nth] - 1;
        SELECT * INTO done FROM {log}.hud_append_to(
            newest, streams[nth], expecteds[nth], NULL, NULL, NULL, ids[a:b], NULL, turns[a:b], times[a:b],
            kinds[a:b], versions[a:b], actors[a:b], causes[a:b], payloads[a:b], hashes[a:b], bodies[a:b]);
        IF done.outcome = 'met' AND counts[nth] = 0 AND expecteds[nth] <> done.version THEN
            done.outcome := 'unmet';
        END IF;
        IF done.outcome <> 'met' THEN
            RAISE EXCEPTION 'a batch is not met' USING ERRCODE = 'HU003',
                DETAIL = format('%s %s %s %s', nth, done.outcome, done.version, done.home);
        END IF;
        newest := done.seq;
        a := b + 1;
        version := done.version;
        first_seq := done.first_seq;
        last_seq := done.last_seq;
        duplicates := done.duplicates;
        RETURN NEXT;
    END LOOP;
    -- Also when all of them are duplicates: see `hud_append`.
    UPDATE {log}.head SET seq = newest;
END
$$;

-- Takes out what an event of a session that is written here said, and appends an event that says so. `outcome` is
-- `done`, `before` (somebody did it already), `missing`, or `moved`, with the home of a session that is written
-- elsewhere. Raises HU001 as `hud_append` does.
CREATE FUNCTION {log}.hud_redact(
    patience integer, of_stream text, of_ver bigint, new_v bigint, new_payload text,
    ids uuid[], turns bigint[], times bigint[], kinds text[], versions bigint[], actors text[], causes uuid[],
    payloads text[], hashes bytea[], bodies bytea[],
    OUT outcome text, OUT home uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint := {log}.hud_begin(patience);
    found  text;
    done   record;
BEGIN
    SELECT s.home INTO home FROM {log}.session s WHERE s.stream = of_stream;
    SELECT e.kind INTO found FROM {log}.event e WHERE e.stream = of_stream AND e.ver = of_ver;
    outcome := CASE
        WHEN found IS NULL THEN 'missing'
        WHEN home IS NOT NULL THEN 'moved'
        WHEN found <> 'event.redacted' THEN 'done'
        -- The answer to an earlier try was lost.
        WHEN EXISTS (SELECT FROM {log}.event e WHERE e.id = ids[1] AND e.stream = of_stream) THEN 'done'
        ELSE 'before'
    END;
    IF outcome = 'done' AND found <> 'event.redacted' THEN
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

REVOKE ALL ON FUNCTION
    {log}.hud_append_all(integer, text[], bigint[], integer[], uuid[], bigint[], bigint[], text[], bigint[], text[],
        uuid[], text[], bytea[], bytea[]),
    {log}.hud_redact(integer, text, bigint, bigint, text, uuid[], bigint[], bigint[], text[], bigint[], text[],
        uuid[], text[], bytea[], bytea[])
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    {log}.hud_append_all(integer, text[], bigint[], integer[], uuid[], bigint[], bigint[], text[], bigint[], text[],
        uuid[], text[], bytea[], bytea[]),
    {log}.hud_redact(integer, text, bigint, bigint, text, uuid[], bigint[], bigint[], text[], bigint[], text[],
        uuid[], text[], bytea[], bytea[])
    TO {writer};
