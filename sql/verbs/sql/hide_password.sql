-- hide_password() — a payload as people may see it: a SQL task's without the password of its connection string
--
-- Called by views, so every role that reads those may call it; it reads nothing. It
-- sets nothing and names everything in full, so it means the same for every caller.
-- One pass over the text, and a text that is too long for a connection string is not
-- shown at all: a hostile one must not make the views slow for others.

create or replace function hide_password(p_kind text, p_payload jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
declare
  c_longest constant integer := 4096;
  c_secret  constant text := '(pass|pwd|secret|token|key)';
  c_within  constant text := $re$(pass|pwd|secret|token|key)\w*\s*=$re$;
  c_options constant text := $re$^(host|hostaddr|port|dbname|user|options|application_name|connect_timeout|$re$
    operator(pg_catalog.||) $re$client_encoding|ssl\w*|target_session_attrs)\Z$re$;
  c_hosts   constant text := $re$^(\[[^]]*\]|[^]:/?,[]*)(:\d*)?(,(\[[^]]*\]|[^]:/?,[]*)(:\d*)?)*([/?].*|)\Z$re$;
  v_dsn     text;
  v_scheme  integer;
  v_place   text;
  v_shown   text := '';
  v_blank   text := '';
  v_hiding  boolean := false;
  v_token   text[];
begin
  if p_kind is distinct from 'sql' or p_payload operator(pg_catalog.#>) '{connection,dsn}' is null then
    return p_payload;
  end if;
  v_dsn := p_payload operator(pg_catalog.#>>) '{connection,dsn}';
  if pg_catalog.length(v_dsn) operator(pg_catalog.>) c_longest then
    v_shown := '***';
  elsif v_dsn operator(pg_catalog.~) $re$^\s*[\w+.:-]*://$re$ then
    -- A URI that was written down wrongly, with a blank before it or a scheme of another driver, has a password too.
    v_scheme := pg_catalog.strpos(v_dsn, '://') operator(pg_catalog.+) 2;
    v_place := pg_catalog.substr(v_dsn, v_scheme operator(pg_catalog.+) 1);
    if v_place operator(pg_catalog.~) '^[^:]*:.*@' then
      v_place := pg_catalog.regexp_replace(v_place, '^([^:]*):.*@', $re$\1:***@$re$);
    elsif v_place operator(pg_catalog.!~) c_hosts then
      -- What looks like a port and is not a number may be a password that lost its host.
      v_place := pg_catalog.split_part(v_place, ':', 1) operator(pg_catalog.||) ':***';
    end if;
    v_shown := pg_catalog.left(v_dsn, v_scheme) operator(pg_catalog.||) pg_catalog.regexp_replace(
      v_place, '([?&](?:[^=&]*(?:pass|pwd|secret|token|key|%)[^=&]*)=)[^&]*', $re$\1***$re$, 'gi');
  else
    -- Names with values, blanks, and words that are neither.
    for v_token in
      select pg_catalog.regexp_matches(
        v_dsn, $re$(\w+)(\s*=\s*)('(?:[^'\\]|\\.)*'?|(?:[^\s\\]|\\.)*\\?)|(\s+)|(\S+)$re$, 'g')
    loop
      if v_token[4] is not null then
        v_blank := v_token[4];
        continue;
      end if;
      -- After a password, a word that is not an option is the rest of that, which lacks its quotes.
      if v_hiding and (v_token[5] is not null or v_token[1] operator(pg_catalog.!~) c_options) then
        v_blank := '';
        continue;
      end if;
      v_shown := v_shown operator(pg_catalog.||) v_blank;
      v_blank := '';
      if v_token[5] is not null then
        v_shown := v_shown operator(pg_catalog.||) '***';
      else
        v_hiding := v_token[1] operator(pg_catalog.~*) c_secret;
        v_shown := pg_catalog.concat(v_shown, v_token[1], v_token[2], case
          when v_hiding or v_token[3] operator(pg_catalog.~*) c_within then '***'
          when v_token[3] operator(pg_catalog.~) ':.*@'
            then pg_catalog.regexp_replace(v_token[3], '^((?:[^:]*://)?[^:]*):.*@', $re$\1:***@$re$)
          else v_token[3]
        end);
      end if;
    end loop;
    v_shown := v_shown operator(pg_catalog.||) v_blank;
  end if;
  return pg_catalog.jsonb_set(p_payload, '{connection,dsn}', pg_catalog.to_jsonb(v_shown));
end;
$$;
