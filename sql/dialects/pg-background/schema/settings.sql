-- What background tasks are allowed, and the types that the calls answer with.

-- What holds for every topic that says nothing else. Null means: as built in.
create table background_defaults (
  is_only                          boolean not null default true,
  max_parallel_running_tasks_count integer,
  delay_in_sec                     numeric,
  retry_count                      integer,
  reserve                          integer,
  max_retry_delay_in_sec           integer,
  retry_jitter                     numeric,

  constraint background_defaults_pkey primary key (is_only),
  constraint there_is_one check (is_only)
);

insert into background_defaults default values;

-- What a topic says for itself. Null means: as the defaults do.
create table background_topics (
  topic                            text collate "C" not null,
  max_parallel_running_tasks_count integer,
  delay_in_sec                     numeric,
  retry_count                      integer,

  constraint background_topics_pkey primary key (topic)
);

-- Through which connection tasks are launched in a transaction of their own; see pg_background_set_loopback().
-- It may hold a password: only the owner reads it.
create table background_loopback (
  is_only    boolean not null default true,
  connection text    not null,

  constraint background_loopback_pkey primary key (is_only),
  constraint there_is_one_loopback check (is_only)
);

-- The schemas in which the calls of the dialect are too; see pg_background_publish().
create table background_published (
  schema   text   not null,
  routines text[] not null default '{}',

  constraint background_published_pkey primary key (schema)
);

-- Tasks that are hidden from the list; they run and end as any other.
create table background_detached (
  task bigint not null,

  constraint background_detached_pkey primary key (task)
);

create type state_enum as enum ('pending', 'running', 'retrying', 'failed', 'finished');

-- The pid is the task's id: it is known before anything runs, and it is never used twice.
create type pg_background_handle as (
  pid    bigint,
  cookie bigint
);

create type pg_background_stats as (
  workers_launched  bigint,
  workers_completed bigint,
  workers_failed    bigint,
  workers_canceled  bigint,
  workers_timed_out bigint,
  workers_active    integer,
  avg_execution_ms  double precision,
  max_workers       integer
);

create type pg_background_progress_info as (
  progress_pct integer,
  progress_msg text
);

create type pg_background_result_info as (
  row_count   bigint,
  command_tag text,
  completed   boolean,
  has_error   boolean,
  started_at  timestamptz,
  finished_at timestamptz
);

create type pg_background_error as (
  sqlstate        text,
  message         text,
  detail          text,
  hint            text,
  context         text,
  schema_name     text,
  table_name      text,
  column_name     text,
  constraint_name text
);

create type pg_background_outcome as (
  pid           bigint,
  cookie        bigint,
  state         text,
  consumed      boolean,
  completed     boolean,
  has_error     boolean,
  row_count     bigint,
  command_tag   text,
  sqlstate      text,
  error_message text,
  label         text,
  launched_at   timestamptz
);
