-- whole_number() — the text of an expression that reads an integer out of JSON; null where it is none

create or replace function whole_number(p_json text)
  returns text
  language sql
  immutable
as $$
  select replace(
    'case when jsonb_typeof(@) = ''number'' then case when (@)::numeric between -2147483648 and 2147483647 then (@)::integer end end',
    '@', p_json);
$$;
