-- What has to be said about a claim while another transaction holds its row: that its lease
-- was renewed (expires_at), or that so many of its tasks ended. Rows are only inserted, so
-- that nobody waits; fold_notes() moves them into claims as soon as the row is free.
create table lease_notes (
  claim      bigint      not null,
  ended      integer     not null default 0,
  expires_at timestamptz not null default '-infinity'
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by extend(), lost_tasks() and fold_notes().
create index lease_notes_of_claim on lease_notes (claim);
