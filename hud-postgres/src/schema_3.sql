-- What lists sessions without a look at all of them.

CREATE INDEX session_by_last ON {log}.session (last_ts, first) WHERE NOT is_deleted;

-- Few sessions were made by another one. Whoever appends an origin that is no JSON is refused by this, too.
CREATE INDEX session_by_parent ON {log}.session ((origin::json ->> 'parent'), first)
    WHERE NOT is_deleted AND (origin::json ->> 'parent') IS NOT NULL;
