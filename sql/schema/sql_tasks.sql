-- SQL tasks: which roles may run which statements where, and what runs now.

-- Roles that may submit SQL of their own: members of `submitter` may have it run as `role`.
-- Operators may have it run as themselves.
create table sql_roles (
  submitter text not null,
  role      text not null,

  constraint sql_roles_pkey primary key (submitter, role)
);

-- Statements written by an admin, for callers that may not submit their own. `params` names
-- $1, $2, … in order; `granted_to` lists the roles that may enqueue the statement.
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

-- Connections to other databases, by name. The secret itself is never stored: `secret` says
-- where the worker finds it. `roles` lists the roles that a task may take on there;
-- `granted_to` lists the roles that may use the connection.
create table sql_connections (
  name       text   not null,
  options    jsonb  not null default '{}',
  secret     jsonb,
  roles      text[] not null default '{}',
  granted_to text[] not null default '{}',

  constraint sql_connections_pkey primary key (name)
);

-- Which backend runs a task, for the dashboard and the command line. Only tasks that take
-- longer than a moment have a row. A row whose claim has ended means nothing.
create table sql_runs (
  task       bigint      not null,
  claim      bigint      not null,
  pid        integer     not null,
  connection text,
  began_at   timestamptz not null,

  constraint sql_runs_pkey primary key (task)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Triggers on users' tables that enqueue a task for each changed row, in the name of the
-- role that made them (`set_by`). The secret proves to acting_for() that the trigger enqueues.
create table row_triggers (
  name     text  not null,
  relation oid   not null,
  secret   uuid  not null default gen_random_uuid(),
  set_by   text  not null,
  settings jsonb not null,

  constraint row_triggers_pkey primary key (name)
);
