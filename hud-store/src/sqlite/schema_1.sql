CREATE TABLE event (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    id      BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    stream  TEXT    NOT NULL,
    ver     INTEGER NOT NULL CHECK (ver > 0),
    turn    INTEGER NOT NULL,
    ts      INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    v       INTEGER NOT NULL DEFAULT 1,
    actor   TEXT    NOT NULL,
    cause   BLOB,
    payload TEXT    NOT NULL CHECK (json_valid(payload)),
    sum     BLOB    NOT NULL,
    UNIQUE (stream, ver)
) STRICT;

CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

-- INSERT OR REPLACE deletes without firing the trigger above, unless the connection has
-- recursive_triggers on. Ours have; this one is for all others.
CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
WHEN EXISTS (
    SELECT 1 FROM event
    WHERE seq = NEW.seq OR id = NEW.id OR (stream = NEW.stream AND ver = NEW.ver)
)
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
