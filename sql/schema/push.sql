-- Queues whose tasks are delivered to an endpoint over HTTPS.

-- One row per queue. `secrets` says where workers find the secrets that sign a delivery, the newest
-- first: during a rotation there are two. The secrets themselves are never stored.
create table push_endpoints (
  queue   text        collate "C" not null,
  url     text        not null,
  secrets jsonb       not null,
  timeout interval    not null default '30 seconds',
  set_by  text        not null,
  set_at  timestamptz not null default clock_timestamp(),

  constraint push_endpoints_pkey primary key (queue)
);
