-- Chores, the engine's housekeeping: which worker does them, since when, and how it goes.

-- One row per chore, written when it is registered. A chore with one leader at a time is led
-- by `holder` in `term` until `expires_at`, unless renewed. `term` is the fencing number: it
-- grows whenever the leader changes. `holder` is null when there is no leader. `every` is
-- the longest pause between two runs. `rest_holder` led last and leaves the next term to
-- other workers until `rest_until`. `lock_class` is the first key of its advisory lock, the
-- same for all chores of this schema.
create table chores (
  name            text        collate "C" not null,
  strategy        text        not null,
  every           interval    not null,
  timeout         interval    not null,
  ttl             interval    not null,
  lock_class      integer     not null,
  registered_at   timestamptz not null,
  term            bigint      not null default 0,
  holder          text,
  acquired_at     timestamptz,
  renewed_at      timestamptz,
  expires_at      timestamptz,
  resign_asked_at timestamptz,
  rest_holder     text,
  rest_until      timestamptz,

  constraint chores_pkey primary key (name),
  constraint strategy_is_known check (strategy in ('all', 'skip-locked', 'advisory', 'lease')),
  constraint held_in_a_term check (holder is null or (term > 0 and acquired_at is not null))
) with (fillfactor = 50);

-- How a chore went, per worker, so that no two workers write the same row. The numbers of
-- workers that are gone are kept under the name ''.
create table chore_runs (
  chore         text        collate "C" not null,
  worker        text        not null,
  last_run_at   timestamptz not null,
  last_ok_at    timestamptz,
  last_error_at timestamptz,
  last_error    jsonb,
  runs          bigint      not null,
  processed     bigint      not null,
  errors        bigint      not null,
  last_ms       float8      not null,
  total_ms      float8      not null,
  max_ms        float8      not null,

  constraint chore_runs_pkey primary key (chore, worker)
) with (fillfactor = 50);

-- Which worker led which chore, when, and how it ended. Kept for a day.
create table terms (
  chore       text        collate "C" not null,
  term        bigint      not null,
  worker      text        not null,
  acquired_at timestamptz not null,
  ended_at    timestamptz,
  how         text,

  constraint terms_pkey primary key (chore, term),
  constraint ended_somehow check ((ended_at is null) = (how is null)),
  constraint how_is_known check (how in ('shutdown', 'rotation', 'resign', 'error', 'expired'))
);

-- Read by sweep() and by the view chore_alert.
create index terms_ended on terms (ended_at) where ended_at is not null;
