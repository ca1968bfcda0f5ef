-- hidden() — a connection string without its passwords

create or replace function hidden(p_remote text)
  returns text
  language sql
  immutable
as $$
  select regexp_replace(
    regexp_replace(p_remote, '(://[^:@/]*):.*@', '\1:***@'),
    '(password|passwd|pwd)(\s*=\s*)(''(?:[^''\\]|\\.)*''|[^\s&,;)]+)', '\1\2***', 'gi');
$$;
