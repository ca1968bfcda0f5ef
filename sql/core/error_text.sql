-- What an error says: its code, its message, and the group it belongs to.

-- error_code() — what an error is called: its code, or else its name; null when it has neither
--
-- Executors in other languages may report anything as an error, also a bare text.

create or replace function error_code(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select left(coalesce(p_error ->> 'code', p_error ->> 'name'), 200);
$$;

-- error_message() — what an error says, in one text

create or replace function error_message(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select case
    when jsonb_typeof(p_error) = 'object' then coalesce(p_error ->> 'message', p_error::text)
    else p_error #>> '{}'
  end;
$$;

-- normalize_message() — a message without what differs from one time to the next
--
--   connect to 10.0.0.7:5432 timed out after 31 ms  →  connect to … timed out after … ms
--   no account "ada" in 3f2a…-… (0x1f)              →  no account … in … (…)
--   mailbox of ada@example.org is full              →  mailbox of … is full
--
-- Quoted texts, e-mail addresses, what a URL asks for, moments, network addresses, UUIDs, hexadecimal,
-- ids of letters and digits, and other numbers become an ellipsis. An apostrophe inside
-- a word opens no quotation. A word with digits at one place only keeps its letters:
-- "30000ms" and "3600000ms" say the same, and sha256 is not an id.

create or replace function normalize_message(p_message text)
  returns text
  language sql
  immutable
as $$
  select left(regexp_replace(
    left(p_message, 1000),
    $re$(?<!\w)'[^']*'|"[^"]*"|`[^`]*`$re$
    || $re$|[\w.+%-]+@\w[\w-]*(\.[\w-]+)+$re$
    || $re$|(?<=[\w/])\?[\w.-]+=[^\s)>]*$re$
    || $re$|\m[0-9]{4}-[0-9]{2}-[0-9]{2}([t ][0-9]{2}:[0-9]{2}[0-9:.]*( ?(z|utc|gmt)\M|[+-][0-9]{2}(:?[0-9]{2})?)?)?$re$
    || $re$|\m[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\M|\m0x[0-9a-f]+\M$re$
    || $re$|(?<!\w)(?=[0-9a-f:]*[0-9])[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}(?!\w)$re$
    || $re$|\m(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}\M$re$
    || $re$|\m(?=\w{8})(?=\w*[0-9][a-z]+[0-9])\w+\M$re$
    || $re$|[0-9]+([.,:][0-9]+)*$re$,
    '…', 'gi'), 300);
$$;

-- fingerprint() — the same for failures of one code and one normal message; see normalize_message()

create or replace function fingerprint(p_code text, p_message text)
  returns text
  language sql
  immutable
as $$
  select lpad(to_hex(hashtextextended(concat_ws(E'\n', p_code, p_message) collate "C", 0)), 16, '0');
$$;

-- fingerprint_of() — by which group of failures an error is known

create or replace function fingerprint_of(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select fingerprint(error_code(p_error), normalize_message(error_message(p_error)));
$$;

-- truncate_error() — an error as it is, or if it is too large what matters of it
--
-- Not refused: a worker that cannot report an error would leave its task to the rescue.
-- `cut_from` says how many bytes the error had.

create or replace function truncate_error(p_error jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when pg_column_size(p_error) > bound('error') then
      jsonb_strip_nulls(jsonb_build_object(
        'name', left(case when jsonb_typeof(p_error) = 'object' then p_error ->> 'name' end, 200),
        'code', left(case when jsonb_typeof(p_error) = 'object' then p_error ->> 'code' end, 200),
        'message', left(error_message(p_error), 8000) || ' … (cut)',
        'cut_from', pg_column_size(p_error)))
    else p_error
  end;
$$;
