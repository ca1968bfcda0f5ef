-- hide_password() — a payload as people may see it: a SQL task's without the password of its connection string
--
-- Called by views, so whoever reads those may call it; it reads nothing. Without
-- settings of its own, and everything named in full, so that Postgres inlines it.

create or replace function hide_password(p_kind text, p_payload jsonb)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_kind is distinct from 'sql' or p_payload operator(pg_catalog.#>) '{connection,dsn}' is null then p_payload
    -- A URI that was written down wrongly, with a blank before it or a scheme of another driver, has a password too.
    else pg_catalog.jsonb_set(p_payload, '{connection,dsn}', pg_catalog.to_jsonb(case
      when p_payload operator(pg_catalog.#>>) '{connection,dsn}' operator(pg_catalog.~) $re$^\s*[\w+.:-]*://$re$
      then pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(p_payload operator(pg_catalog.#>>) '{connection,dsn}', '(://[^:@]*):.*@', $re$\1:***@$re$),
        '([?&][^=&]*(?:passw|pwd|secret|_key)[^=&]*=)[^&]*', $re$\1***$re$, 'gi')
      -- A blank in a password that lacks its quotes does not end it, unless another option follows.
      else pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(p_payload operator(pg_catalog.#>>) '{connection,dsn}', '(://[^:@]*):.*@', $re$\1:***@$re$),
        $re$((?:passw|pwd|secret|_key)\w*\s*=\s*)(?:'(?:\\.|[^'\\])*'?|(?:\\.|[^\s\\]|\s(?!\s*\w+\s*=|\s*$))*)$re$, $re$\1***$re$, 'gi')
    end))
  end;
$$;
