-- Tables that pg_task made and that were taken over: what is needed to give them back.
create table adopted_tables (
  relation  oid         not null,
  since     timestamptz not null default now(),
  -- The trigger and the function that woke pg_task, under their new names; null where there were none.
  trigger   text,
  function  text,
  -- The defaults that were replaced, by column, as SQL.
  defaults  jsonb       not null,

  constraint adopted_tables_pkey primary key (relation)
);
