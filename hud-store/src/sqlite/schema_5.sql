-- The latest sessions are found without a look at all others.
CREATE INDEX session_by_time ON session (last_ts, first);
