-- Who may come in over the network, who may use which queue, and what people did.

-- Bearer tokens. `prefix` is the part of the secret that finds the row. Of the rest only the
-- SHA-256 is stored: 256 random bits need no slow hash.
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

-- Browser sessions of the dashboard. `hash` is the SHA-256 of the cookie's secret. A session
-- belongs to a row of `tokens` and ends with it, or to the token that a server was started
-- with, whose SHA-256 is `door`.
create table sessions (
  hash       bytea       not null,
  token      bigint,
  door       bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,

  constraint sessions_pkey primary key (hash),
  constraint session_has_one_token check (num_nonnulls(token, door) = 1),
  constraint session_hash_is_sha256 check (octet_length(hash) = 32)
);

-- Read by open_session() and revoke_token().
create index sessions_by_token on sessions (token, created_at) where token is not null;
create index sessions_by_door on sessions (door, created_at) where door is not null;

-- Read by delete_old_access_rows().
create index sessions_by_age on sessions (expires_at);

-- Which roles may enqueue to, consume and operate which queues. A queue that no row covers is
-- open to every role that may call the verb. `queue` is a name, or a prefix followed by *.
-- A row without rights keeps its queues closed after the last right was revoked.
create table queue_grants (
  queue      text        collate "C" not null,
  role       text        collate "C" not null,
  rights     text[]      not null,
  granted_by text        not null,
  granted_at timestamptz not null,

  constraint queue_grants_pkey primary key (queue, role),
  constraint rights_are_known check (rights <@ array['enqueue', 'consume', 'operate'])
);

-- What people did, one row per action, written in the transaction of the action. The trigger
-- audit_is_kept rejects every change. The columns `actor` to `request` are what the door said
-- about its caller; `login` is the login to Postgres.
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

-- Read by delete_old_access_rows().
create index audit_by_age on audit (at);

-- Responses to requests that had an Idempotency-Key. `status` is null only inside the
-- transaction of the request itself.
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

-- Read by delete_old_access_rows().
create index requests_by_age on requests (expires_at);

-- Keys with which doors sign what they give out. A reader of this table can forge it.
create table secrets (
  name   text  primary key,
  secret bytea not null
);
