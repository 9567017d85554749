-- The channel on which those who append say so, for who follows. Only who may read the log knows its name: all of a
-- database may listen to any channel.
ALTER TABLE {log}.head ADD COLUMN channel text NOT NULL DEFAULT 'hud_' || gen_random_uuid();
