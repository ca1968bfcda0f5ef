-- check_chore() — refuses a chore that cannot be meant

create or replace function check_chore(p_chore jsonb)
  returns void
  language plpgsql
as $$
declare
  v_name  text := p_chore ->> 'name';
  v_wrong text;
begin
  perform check_settings(p_chore, array['name', 'strategy', 'every', 'timeout', 'ttl']);
  v_wrong := case
    when coalesce(length(v_name), 0) not between 1 and bound('chore') then format('a chore needs a name of 1 to %s characters', bound('chore'))
    when coalesce(p_chore ->> 'strategy', 'lease') not in ('all', 'skip-locked', 'advisory', 'lease')
      then format('chore %s: there is no strategy %L; use all, skip-locked, advisory or lease', v_name, p_chore ->> 'strategy')
    when coalesce((p_chore ->> 'every')::interval <= '0', true) then format('chore %s: every must be longer than nothing', v_name)
    when (p_chore ->> 'timeout')::interval <= '0' then format('chore %s: timeout must be longer than nothing', v_name)
    when (p_chore ->> 'ttl')::interval < '100 milliseconds' then format('chore %s: ttl must be 100 ms or more', v_name)
    -- Nothing is for ever: a lease without end could not be taken over. Since Postgres 17 there is an interval without end.
    when greatest((p_chore ->> 'every')::interval, (p_chore ->> 'timeout')::interval, (p_chore ->> 'ttl')::interval) > '100 years'
      then format('chore %s: every, timeout and ttl must be 100 years or less', v_name)
  end;
  if v_wrong is not null then
    perform refuse('TK004', v_wrong, 'Write {"name": "tidy", "strategy": "lease", "every": "1 minute", "timeout": "30 seconds", "ttl": "10 seconds"}.');
  end if;
exception
  when data_exception then
    perform refuse('TK004', format('chore %s cannot be registered: %s', v_name, sqlerrm), 'Write times as Postgres does, such as 30 seconds.');
end;
$$;
