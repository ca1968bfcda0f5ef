-- heir() — one of the workers that would lead a chore, by chance but the same for the same seed

create or replace function heir(p_chore text, p_worker text, p_seed text)
  returns text
  language sql
as $$
  select id
  from workers
  where p_chore = any (chores) and id <> p_worker and draining_at is null
    and beat_at > clock_timestamp() - interval '1 minute'
  order by beat_at < clock_timestamp() - interval '25 seconds', md5(id || p_seed)
  limit 1;
$$;
