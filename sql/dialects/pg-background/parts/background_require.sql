-- background_require() — refuses a handle that is nobody's, somebody else's, or has the wrong cookie
--
-- All three in the same words, so that nobody learns by asking what others run.

create or replace function background_require(p_id bigint, p_cookie bigint)
  returns void
  language plpgsql
as $$
begin
  if exists (
    select from background_task
    where id = p_id and cookie = coalesce(p_cookie, cookie) and (submitted_by = (select submitter()) or background_sees_all())
  ) then
    return;
  end if;
  perform refuse(
    '42704',
    format('there is no background task %s%s of yours', coalesce(p_id::text, 'null'),
           case when p_cookie is not null then format(' with cookie %s', p_cookie) end),
    'It never existed, its transaction has not committed, its retention is over, or the cookie is another task''s.');
end;
$$;
