-- has_tokens() — whether there is a valid token, so that callers can come in over the network

create or replace function has_tokens()
  returns boolean
  language sql
  stable
  security definer
  set search_path from current
as $$
  select exists (
    select from tokens where revoked_at is null and (expires_at is null or expires_at > clock_timestamp()));
$$;
