-- Who may come in over the network, what people did, and what was asked for already.

-- Bearer tokens. `prefix` is the part of the secret that finds the row; of the rest
-- only the SHA-256 is here: 256 random bits need no slow hash.
create table tokens (
  id           bigint      generated always as identity,
  name         text        not null,
  prefix       text        collate "C" not null,
  hash         bytea       not null,
  scopes       text[]      not null,
  created_at   timestamptz not null,
  created_by   text        not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,

  constraint tokens_pkey primary key (id),
  constraint tokens_prefix_key unique (prefix),
  constraint hash_is_sha256 check (octet_length(hash) = 32)
);

-- What people did, one row per action, written in the transaction of the action. Never
-- changed: the trigger audit_is_kept sees to that. `actor` to `request` are what the
-- door said of its caller, `login` is who was logged in to Postgres.
create table audit (
  id      bigint      generated always as identity,
  at      timestamptz not null default clock_timestamp(),
  actor   text        not null,
  door    text,
  token   bigint,
  address text,
  request text,
  login   text        not null default session_user,
  action  text        not null,
  object  text        not null,
  before  jsonb,
  after   jsonb,

  constraint audit_pkey primary key (id)
);

-- Read by sweep_access().
create index audit_by_age on audit (at);

-- What was answered to requests that came with an Idempotency-Key. `status` is null
-- while the request is under way, so nobody but its own transaction sees it so.
create table requests (
  caller      text        collate "C" not null,
  key         text        collate "C" not null,
  fingerprint bytea       not null,
  status      integer,
  headers     jsonb,
  body        text,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,

  constraint requests_pkey primary key (caller, key)
);

-- Read by sweep_access().
create index requests_by_age on requests (expires_at);

-- Actions on all tasks that match a filter, page by page from the newest task on.
-- `first_id`, `oldest_id` and `created_at` bound what was there when it began; `last_id`
-- is where the next page goes on. `by_chore` is true once its driver was silent for too long and
-- the chore took over. `error` is why it failed, or why the last task refused.
create table operations (
  id          bigint      generated always as identity,
  action      text        not null,
  filter      jsonb       not null,
  arguments   jsonb       not null,
  state       text        not null default 'running',
  matched     bigint      not null default 0,
  done        bigint      not null default 0,
  refused     bigint      not null default 0,
  first_id    bigint      not null,
  oldest_id   bigint      not null,
  last_id     bigint      not null,
  error       text,
  created_by  text        not null,
  created_at  timestamptz not null,
  advanced_at timestamptz not null,
  ended_at    timestamptz,
  by_chore    boolean     not null default false,
  caller      jsonb,

  constraint operations_pkey primary key (id),
  constraint action_is_known check (action in ('cancel', 'kill', 'retry', 'delete', 'move', 'amend')),
  constraint operation_state_is_known check (state in ('running', 'done', 'cancelled', 'failed')),
  constraint ended_when_over check ((state = 'running') = (ended_at is null)),
  constraint matched_is_counted check (matched = done + refused)
) with (fillfactor = 50);

-- Read by the chore operations.
create index operations_to_advance on operations (advanced_at) where state = 'running';

-- Read by sweep_access().
create index operations_by_age on operations (ended_at) where ended_at is not null;
