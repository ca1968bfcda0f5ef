-- Settings of queues and groups, the lanes of each queue, and the keys taken.

-- What a queue is set to. Null means: as the row '*' says, which has it all.
create table queues (
  name              text collate "C" not null,
  paused_at         timestamptz,
  is_counted        boolean not null default false,
  is_fair           boolean not null default false,
  keeps_keys        boolean not null default false,
  records_events    boolean not null default false,
  max_attempts      integer,
  max_payload       integer,
  group_max_running integer,
  keep_done         interval,
  keep_failed       interval,
  keep_cancelled    interval,
  backoff           jsonb,
  on_lost           text,

  constraint queues_pkey primary key (name),
  constraint on_lost_is_known check (on_lost in ('retry', 'fail')),
  constraint defaults_are_complete check (
    name <> '*' or (
      max_attempts is not null and max_payload is not null and keep_done is not null
      and keep_failed is not null and keep_cancelled is not null and backoff is not null
      and on_lost is not null
    )
  )
);

insert into queues (name, max_attempts, max_payload, keep_done, keep_failed, keep_cancelled, backoff, on_lost)
values (
  '*', 5, 262144, '7 days', '7 days', '7 days',
  '{"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0}', 'retry'
);

-- A group and its limits. `running` is changed by the statement that starts or
-- ends a task, so it is exact. A queue's own limits are those of the group
-- '@' || queue, to which all its tasks belong without naming it.
create table groups (
  name          text collate "C" not null,
  max_running   integer,
  gap           interval,
  gap_from      text    not null default 'start',
  rate          integer,
  rate_window   interval,
  weight        integer not null default 1,
  paused_at     timestamptz,
  running       integer not null default 0,
  next_start_at timestamptz,
  start_times   timestamptz[] not null default '{}',
  start_counts  integer[]     not null default '{}',
  rate_left     integer,
  used_at       timestamptz   not null default clock_timestamp(),

  constraint groups_pkey primary key (name),
  constraint running_is_never_negative check (running >= 0),
  constraint limits_make_sense check (max_running >= 0 and rate >= 1 and weight >= 1),
  constraint gap_from_is_known check (gap_from in ('start', 'end')),
  constraint rate_has_a_window check ((rate is null) = (rate_window is null))
) with (fillfactor = 50);

-- The priorities in use, per queue. Not unique on purpose: two producers that
-- open the same lane at once must not wait for each other's transaction.
create table lanes (
  queue    text collate "C" not null,
  priority integer not null
);

-- Read by claim() and by enqueue_many().
create index lanes_of_queue on lanes (queue, priority desc);

-- A key that is taken: by a live task, or beyond its end until `until`.
create table keys (
  queue text        collate "C" not null,
  key   text        collate "C" not null,
  task  bigint      not null,
  until timestamptz not null default '-infinity',

  constraint keys_pkey primary key (queue, key)
) with (fillfactor = 70);

-- Read by sweep(): keys held for a time, not those of living tasks.
create index keys_to_sweep on keys (until) where until > '-infinity';
