-- token — who may come in by which token; the secrets are nowhere

create view token as
  select id, name, prefix, scopes, created_at, created_by, expires_at, revoked_at, last_used_at,
         case
           when revoked_at is not null then 'revoked'
           when expires_at <= clock_timestamp() then 'expired'
           else 'alive'
         end as state
  from tokens;
