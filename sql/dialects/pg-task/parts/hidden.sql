-- hidden() — a connection string without its passwords

create or replace function hidden(p_remote text)
  returns text
  language sql
  immutable
as $$
  select regexp_replace(
    regexp_replace(p_remote, '(password\s*=\s*)(''(?:\\.|[^''\\])*''|[^\s&]+)', '\1***', 'gi'),
    '(://[^:/@\s]*:)[^@\s]*@', '\1***@', 'g');
$$;
