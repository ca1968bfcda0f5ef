-- What the engine does not know of documents: the registry of queues with their
-- settings, maintenance jobs, counters, logs, and two notes about single documents.

create table queues (
  id                serial       not null,
  created_at        timestamptz  not null default now(),
  name              varchar(40)  not null,
  is_active         boolean      not null default true,
  current_version   integer      not null default 0,
  max_attempts      integer      not null default 5,
  logs_retention    varchar(25)  not null default '24h',
  metrics_retention jsonb        not null default '[]',
  config            jsonb        not null default '{}',

  constraint queues_pkey primary key (id),
  constraint queues_have_one_name unique (name)
);

create table jobs (
  id             serial      not null,
  task           varchar(40) not null,
  queue          varchar(40) not null,
  attempts       integer     not null default 0,
  iterations     bigint      not null default 0,
  next_iteration timestamptz,
  last_iteration timestamptz,
  settings       jsonb,
  payload        jsonb,

  constraint jobs_pkey primary key (id),
  constraint one_job_per_queue unique (task, queue)
);

create table metrics (
  id         serial      not null,
  queue      varchar(40) not null,
  metric     varchar(40) not null,
  value      bigint      not null,
  updated_at timestamptz,

  constraint metrics_pkey primary key (id),
  constraint one_value_per_metric unique (queue, metric)
);

-- Changes of the counters, folded into metrics by metric_log_pack(). Rows are only
-- ever inserted here, so no session waits for another. The id is the original's; nothing
-- reads it, so none is made up.
create table metrics_writes (
  id         uuid,
  created_at timestamptz,
  queue      varchar(40) not null,
  metric     varchar(40) not null,
  increment  bigint,
  reset      bigint
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create table doc_logs (
  id         bigint       generated always as identity,
  queue      varchar(40)  not null,
  created_at timestamptz  not null default now(),
  subject    varchar(50)  not null,
  message    varchar(255) not null,
  details    jsonb,
  ref_id     varchar,

  constraint doc_logs_pkey primary key (id)
);

-- Read by trace() and by queries for one document.
create index doc_logs_of_document on doc_logs (queue, subject);

-- Read by queue_drop_logs().
create index doc_logs_to_drop on doc_logs (queue, created_at);

-- Counters as they were at a time.
create table doc_metrics (
  id         bigint      generated always as identity,
  queue      varchar(40) not null,
  created_at timestamptz not null default now(),
  metric     varchar(50) not null,
  value      bigint,

  constraint doc_metrics_pkey primary key (id)
);

-- Read by queue_drop_metrics().
create index doc_metrics_to_drop on doc_metrics (queue, created_at);

-- Documents with status 0: pushed for later, and not counted as pending yet. The
-- engine needs no such note to hand them out when they are due.
create table planned (
  task   bigint      not null,
  queue  varchar(40) not null,
  run_at timestamptz not null,

  constraint planned_pkey primary key (task)
);

-- Read by mnt_make_pending().
create index planned_to_promote on planned (queue, run_at);

-- Of documents that were rejected, rescheduled or killed: what the engine counts and
-- dates otherwise.
create table rounds (
  task           bigint not null,
  rejects        bigint not null default 0,
  last_iteration timestamptz,
  next_iteration timestamptz,

  constraint rounds_pkey primary key (task)
) with (fillfactor = 70);

-- Where clients look for the documents of a queue: <queue>__docs, __logs, __metrics.
do $$
begin
  if to_regnamespace(quote_ident(current_schema() || '_data')) is null then
    execute format('create schema %I', current_schema() || '_data');
  end if;
end;
$$;

insert into jobs (task, queue, next_iteration, settings, payload)
values ('lgp', '*', now(), '{"delay": "3s", "duration": "5m"}', '{}');
