-- The installation of Fetchq whose documents were taken over: under which names it is kept, until drop_adopted().
create table adopted (
  since         timestamptz not null default now(),
  system_schema text        not null,
  data_schema   text        not null
);
