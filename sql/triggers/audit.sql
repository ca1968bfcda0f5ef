-- keep_audit() — what stands in the audit stays, for all, until its time is over
--
-- Also for delete_old_access_rows(): a row can be deleted when it is 90 days old, not before.

create or replace function keep_audit()
  returns trigger
  language plpgsql
  set search_path from current
as $$
begin
  if tg_op = 'DELETE' then
    if old.at < clock_timestamp() - interval '90 days' then
      return old;
    end if;
  end if;
  perform refuse('TK003', 'what was written down in the audit cannot be changed', 'It is swept after 90 days.');
  return null;
end;
$$;

create or replace trigger audit_is_kept before update or delete on audit
  for each row execute function keep_audit();

create or replace trigger audit_is_not_emptied before truncate on audit
  for each statement execute function keep_audit();
