-- has_tokens() — whether anybody could come in over the network: some token holds

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
