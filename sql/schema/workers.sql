-- Workers, and which of them wait for tasks.

-- The processes that run tasks. The id is random and new at each start, because host names
-- and process ids repeat. `chores` lists the chores that the worker takes part in; only such
-- a worker can take over a chore. `kinds`, and `handlers` with the versions each of them takes, are
-- what it gives to claim(); null means any. `door` is how it claims: over a database
-- connection of its own (sql) or through the server (http). Who claims over HTTP has no pid.
create table workers (
  id            text        not null,
  host          text        not null,
  pid           integer,
  version       text        not null,
  door          text        not null default 'sql',
  queues        text[]      not null,
  kinds         text[],
  handlers      text[],
  versions_from integer[],
  versions_to   integer[],
  slots         integer     not null,
  started_at    timestamptz not null,
  beat_at       timestamptz not null,
  draining_at   timestamptz,
  state         jsonb       not null default '{}',
  chores        text[]      not null default '{}',

  constraint workers_pkey primary key (id),
  constraint door_is_known check (door in ('sql', 'http'))
) with (fillfactor = 50);

-- Workers that wait for tasks, one row per queue they serve. A verb that makes a task due
-- before `until` wakes them with NOTIFY. While all workers are awake the table is empty, and
-- no NOTIFY is sent.
create table sleepers (
  queue  text        collate "C" not null,
  worker text        not null,
  until  timestamptz not null,

  constraint sleepers_pkey primary key (queue, worker)
) with (fillfactor = 50);

-- Why a task waits: a stable code, a sentence, what to do about it, and the values in both.
create type wait_reason as (
  code    text,
  message text,
  hint    text,
  data    jsonb
);
