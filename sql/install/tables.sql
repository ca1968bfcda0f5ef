-- What is installed in this schema, file by file. The migrator writes it; workers
-- read it when they start.
--
-- `creates` lists what a file made in words that follow `drop`, so that what the
-- file no longer makes can be taken away again.
create table if not exists installed (
  path        text        not null,
  hash        text        not null,
  is_breaking boolean     not null default false,
  creates     text[]      not null default '{}',
  applied_at  timestamptz not null default now(),

  constraint installed_pkey primary key (path)
);

-- The files of the version to install, in order. Gone when the run is over.
create table install_files (
  position    integer generated always as identity,
  path        text    not null,
  hash        text    not null,
  is_breaking boolean not null,
  text        text    not null
);
