-- What events name by its hash, each text once, packed.
CREATE TABLE content (
    id   INTEGER PRIMARY KEY,
    hash BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    size INTEGER NOT NULL,
    body BLOB    NOT NULL
) STRICT;

-- Which event names which content, and whether it names the call that said it. It could be read from the events.
CREATE TABLE kept (
    seq    INTEGER PRIMARY KEY,
    hash   BLOB    NOT NULL,
    called INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_by_hash ON kept (hash);
