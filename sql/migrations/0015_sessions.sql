-- Sessions of browsers: what the cookie of the dashboard stands for. `hash` is the
-- SHA-256 of the cookie's secret. A session belongs to a row of `tokens` and ends with
-- it; or to the token that a server was started with, whose SHA-256 is `door`.
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

-- Read by sweep_access().
create index sessions_by_age on sessions (expires_at);
