-- Tasks that happened elsewhere: what a dialect knows about them and the engine did not see.

-- backdate_tasks() — gives live tasks the age, the attempts and the iterations that they had elsewhere
--
-- An element that is null leaves what is there.

create or replace function backdate_tasks(
  p_ids bigint[], p_created_ats timestamptz[], p_attempts integer[], p_iterations bigint[]
)
  returns void
  language plpgsql
  set search_path from current
as $$
begin
  update tasks
  set created_at = coalesce(p_created_ats[i], created_at),
      attempt    = coalesce(p_attempts[i], attempt),
      iteration  = coalesce(p_iterations[i], iteration)
  from generate_subscripts(p_ids, 1) as i
  where tasks.id = any (array[p_ids[i]]) and tasks.size = 1;
end;
$$;

-- backdate_ends() — gives ended tasks the time at which they ended elsewhere; one that is to come is none

create or replace function backdate_ends(p_ids bigint[], p_finished_ats timestamptz[])
  returns void
  language plpgsql
  set search_path from current
as $$
begin
  update finished
  set finished_at = p_finished_ats[i]
  from generate_subscripts(p_ids, 1) as i
  where finished.id = any (array[p_ids[i]]) and p_finished_ats[i] < finished.finished_at;
end;
$$;

-- backdate_claim() — lets a claim end when the lock that it stands for does

create or replace function backdate_claim(p_claim bigint, p_expires_at timestamptz)
  returns void
  language plpgsql
  set search_path from current
as $$
begin
  update claims set expires_at = p_expires_at where id = p_claim;
end;
$$;
