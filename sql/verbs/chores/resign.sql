-- resign() — asks the leader of a chore to hand it to another worker
--
-- It hears so at once, or at its next renewal, ends the run under way and rests, so
-- that another worker leads next. Answers with the worker that was asked; null when none leads.

create or replace function resign(p_chore text)
  returns text
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_holder text;
begin
  update chores
  set resign_asked_at = case
        when holder is null then null
        when expires_at is null and exists (select from chore_locks where chore = p_chore) then clock_timestamp()
        when expires_at > clock_timestamp() then clock_timestamp()
      end
  where name = p_chore
  returning case when resign_asked_at is not null then holder end into v_holder;
  if not found then
    perform refuse('TK004', format('there is no chore %s', coalesce(p_chore, 'null')),
                   'The view chore_stats lists them.');
  end if;
  if v_holder is not null then
    perform pg_notify(current_schema() || ':chores', json_build_object('chore', p_chore, 'resign', v_holder)::text);
  end if;
  perform audit_action('resign', 'chore ' || p_chore, jsonb_build_object('holder', v_holder), null);
  return v_holder;
end;
$$;
