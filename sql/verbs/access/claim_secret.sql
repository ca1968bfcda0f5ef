-- claim_secret() — what a door signs the claims with that it gives out; made when first asked for
--
-- The ids of claims grow one by one, so a caller that has one can guess the next. A door to
-- people who may serve the same queues and need not trust each other gives out signed
-- ones; all doors of a schema sign alike.

create or replace function claim_secret()
  returns bytea
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_secret bytea;
begin
  select secret into v_secret from secrets where name = 'claims';
  if not found then
    -- A random uuid has 122 bits of chance, and is the only strong chance that every server has.
    insert into secrets (name, secret)
    values ('claims', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    on conflict (name) do nothing;
    select secret into v_secret from secrets where name = 'claims';
  end if;
  return v_secret;
end;
$$;
