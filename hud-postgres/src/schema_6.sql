-- What finds the sessions of sub-agents that have something new, also those that were deleted since. Few sessions were
-- made by another one.
CREATE INDEX session_by_parent_and_last ON {log}.session (last) WHERE (origin::json ->> 'parent') IS NOT NULL;
