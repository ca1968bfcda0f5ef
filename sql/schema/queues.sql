-- Settings of queues, the priorities in use in each queue, and the keys that are taken.

-- Settings of a queue. Null means the default, which is in the row '*'.
--
-- The last three columns matter only in that row, which every verb reads anyway.
-- `followed_until`: a client follows the events, so they are recorded for all queues until
-- then. `followed_from`: events after this id are complete, because some client has been
-- following since then and nothing was swept. `has_grants`: whether queue_grants has rows;
-- without grants, checking them costs nothing.
create table queues (
  name              text collate "C" not null,
  paused_at         timestamptz,
  is_counted        boolean not null default false,
  is_fair           boolean not null default false,
  keeps_keys        boolean not null default false,
  records_events    boolean not null default false,
  packs             boolean,
  max_attempts      integer,
  max_payload       integer,
  group_max_running integer,
  keep_done         interval,
  keep_failed       interval,
  keep_cancelled    interval,
  backoff           jsonb,
  on_lost           text,
  timeout           interval,
  sql_max_rows      integer,
  sql_max_bytes     integer,
  followed_until    timestamptz,
  followed_from     bigint  not null default 0,
  has_grants        boolean not null default false,

  constraint queues_pkey primary key (name),
  constraint on_lost_is_known check (on_lost in ('retry', 'fail')),
  constraint defaults_are_complete check (
    name <> '*' or (
      max_attempts is not null and max_payload is not null and keep_done is not null
      and keep_failed is not null and keep_cancelled is not null and backoff is not null
      and on_lost is not null and packs is not null
    )
  )
);

insert into queues (name, packs, max_attempts, max_payload, keep_done, keep_failed, keep_cancelled, backoff, on_lost)
values (
  '*', true, 5, 262144, '7 days', '7 days', '7 days',
  '{"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0}', 'retry'
);

-- The priorities in use, per queue. Not unique on purpose: two producers that open the same
-- lane at once must not wait for each other's transaction. Lanes without tasks are removed
-- in three steps, see close_lanes(): `closing_by` is the transaction that marked the lane,
-- and `waits_for` has the transactions that may have read it before they could see the mark.
-- `has_packs`: rows of this lane may be packs, so a claim reads fewer of them at first.
create table lanes (
  queue      text    collate "C" not null,
  priority   integer not null,
  has_packs  boolean not null default false,
  closing_by xid8,
  waits_for  text[]
);

-- Read by claim() and by enqueue_many().
create index lanes_of_queue on lanes (queue, priority desc);

-- Read by split_live_packs(), to see whether there are packs at all.
create index lanes_with_packs on lanes (queue) where has_packs;

-- A key that is taken: by a live task, or after its end until `until`.
create table keys (
  queue text        collate "C" not null,
  key   text        collate "C" not null,
  task  bigint      not null,
  until timestamptz not null default '-infinity',

  constraint keys_pkey primary key (queue, key)
) with (fillfactor = 70);

-- Read by sweep(): keys held for a time. Keys of live tasks ('-infinity'), and keys kept as
-- long as their task ('infinity'), are not in the index, so that they cost a task nothing.
create index keys_to_sweep on keys (until) where until > '-infinity' and until < 'infinity';
