-- The name of this log among others, whatever its file is called.
CREATE TABLE self (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id  BLOB    NOT NULL CHECK (length(id) = 16)
) STRICT;
INSERT INTO self VALUES (1, randomblob(16));

-- The logs that the events of this one are sent to: up to which seq they are there, up to which they may be
-- there, when that was known last, and what kept the rest back since.
CREATE TABLE remote (
    url     TEXT    NOT NULL PRIMARY KEY,
    seq     INTEGER NOT NULL,
    tried   INTEGER NOT NULL,
    ts      INTEGER NOT NULL,
    trouble TEXT
) STRICT, WITHOUT ROWID;

-- The sessions that are another one there, or were one there first: by which name, up to which version they
-- came from there, in which epoch this log is their home, and which session they go on from.
CREATE TABLE remote_session (
    url     TEXT    NOT NULL,
    stream  TEXT    NOT NULL,
    name    TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    epoch   INTEGER NOT NULL,
    resumes TEXT,
    PRIMARY KEY (url, stream)
) STRICT, WITHOUT ROWID;
