-- SQL tasks: who may run what, where, and what runs now.

-- Who may send SQL of their own, and as which role it runs: `submitter` (or a
-- member of it) may have SQL run as `role`. Operators may have it run as themselves.
create table sql_roles (
  submitter text not null,
  role      text not null,

  constraint sql_roles_pkey primary key (submitter, role)
);

-- Statements that were written by an admin, for those who may send none. `params`
-- names $1, $2, … in their order; `granted_to` says who may enqueue it.
create table sql_statements (
  name       text   not null,
  sql        text   not null,
  params     text[] not null default '{}',
  role       text,
  connection text,
  settings   jsonb  not null default '{}',
  granted_to text[] not null default '{}',

  constraint sql_statements_pkey primary key (name)
);

-- Databases elsewhere, by name. The secret itself is never here: `secret` says where
-- the worker finds it. `roles` may be taken on there; `granted_to` says who may use it.
create table sql_connections (
  name       text   not null,
  options    jsonb  not null default '{}',
  secret     jsonb,
  roles      text[] not null default '{}',
  granted_to text[] not null default '{}',

  constraint sql_connections_pkey primary key (name)
);

-- Which backend runs a task, for those who look on. A row is there for tasks that
-- take longer than a moment; one whose claim is over means nothing.
create table sql_runs (
  task       bigint      not null,
  claim      bigint      not null,
  pid        integer     not null,
  connection text,
  began_at   timestamptz not null,

  constraint sql_runs_pkey primary key (task)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Triggers on tables of others that enqueue a task for each row that changes, in the
-- name of whoever made them. The secret proves to acting_for() that it is the trigger
-- that enqueues.
create table row_triggers (
  name     text  not null,
  relation oid   not null,
  secret   uuid  not null default gen_random_uuid(),
  set_by   text  not null,
  settings jsonb not null,

  constraint row_triggers_pkey primary key (name)
);
