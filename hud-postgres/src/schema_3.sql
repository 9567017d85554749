-- What lists sessions without a look at all of them.

CREATE INDEX session_by_last ON {log}.session (last_ts, first) WHERE NOT is_deleted;

-- Few sessions were made by another one. Whoever appends an origin that is no JSON is refused by this, too.
CREATE INDEX session_by_parent ON {log}.session ((origin::json ->> 'parent'), first)
    WHERE NOT is_deleted AND (origin::json ->> 'parent') IS NOT NULL;

-- An index for searching: a cache, filled by those who search. Each row can be removed at any time.

CREATE TABLE {log}.search (
    seq   bigint   PRIMARY KEY,
    words tsvector NOT NULL
);
CREATE INDEX search_by_words ON {log}.search USING gin (words);

-- How far the index has come.
CREATE TABLE {log}.searched (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint  NOT NULL DEFAULT 0
);
INSERT INTO {log}.searched DEFAULT VALUES;

-- A word as the index has it. One without a meaning of its own is kept as it is: who looks for it finds it.
CREATE FUNCTION {log}.hud_stem(word text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce((pg_catalog.ts_lexize('pg_catalog.english_stem'::regdictionary, word))[1], word)
$$;

-- What is looked for: all of the words, of which the last may go on.
CREATE FUNCTION {log}.hud_wanted(words text[], goes_on boolean) RETURNS tsquery
LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.string_agg(
        pg_catalog.quote_literal({log}.hud_stem(word))
            || CASE WHEN goes_on AND nth = pg_catalog.cardinality(words) THEN ':*' ELSE '' END,
        ' & ')::tsquery
    FROM pg_catalog.unnest(words) WITH ORDINALITY AS w (word, nth)
$$;

-- Indexes events behind `known` up to `until`, unless somebody else was quicker; says whether it did. `texts` are
-- words with blanks between them.
CREATE FUNCTION {log}.hud_index(known bigint, until bigint, seqs bigint[], texts text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- A cache, whose loss loses nothing.
    PERFORM set_config('synchronous_commit', 'off', true);
    -- Nobody takes words out meanwhile: they would come back.
    PERFORM FROM {log}.head h FOR SHARE;
    UPDATE {log}.searched s SET seq = until
        WHERE s.seq = known AND until <= (SELECT h.seq FROM {log}.head h);
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO {log}.search (seq, words)
        SELECT n.seq, array_to_tsvector(ARRAY(
            SELECT DISTINCT {log}.hud_stem(w.word) FROM unnest(string_to_array(n.said, ' ')) AS w (word)
            WHERE w.word <> ''))
        FROM unnest(seqs, texts) AS n (seq, said)
        JOIN {log}.event e ON e.seq = n.seq AND e.kind <> 'event.redacted'
        ON CONFLICT (seq) DO UPDATE SET words = excluded.words;
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION {log}.hud_stem(text), {log}.hud_wanted(text[], boolean),
    {log}.hud_index(bigint, bigint, bigint[], text[]) FROM PUBLIC;
GRANT SELECT ON {log}.search, {log}.searched TO {writer}, {reader};
GRANT EXECUTE ON FUNCTION {log}.hud_stem(text), {log}.hud_wanted(text[], boolean) TO {writer}, {reader};
GRANT EXECUTE ON FUNCTION {log}.hud_index(bigint, bigint, bigint[], text[]) TO {writer};

-- As before, and out of the index.
CREATE OR REPLACE FUNCTION {log}.hud_take_out(of_stream text, of_ver bigint, new_v bigint, new_payload text)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    place bigint;
    named bytea;
BEGIN
    PERFORM set_config('hud.takes_out', 'yes', true);
    UPDATE {log}.event e SET kind = 'event.redacted', v = new_v, payload = new_payload
        WHERE e.stream = of_stream AND e.ver = of_ver RETURNING e.seq INTO STRICT place;
    PERFORM set_config('hud.takes_out', '', true);
    DELETE FROM {log}.search s WHERE s.seq = place;
    DELETE FROM {log}.kept k WHERE k.seq = place RETURNING k.hash INTO named;
    DELETE FROM {log}.content c
        WHERE c.hash = named AND NOT EXISTS (SELECT FROM {log}.kept k WHERE k.hash = named);
    -- A state is kept without saying from which events it has its words.
    DELETE FROM {log}.snapshot;
END
$$;
