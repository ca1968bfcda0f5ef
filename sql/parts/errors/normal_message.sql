-- normal_message() — a message without what differs from one time to the next
--
--   connect to 10.0.0.7:5432 timed out after 31 ms  →  connect to … timed out after … ms
--   no account "ada" in 3f2a…-… (0x1f)              →  no account … in … (…)
--
-- Quoted texts, UUIDs, hexadecimal and other numbers become an ellipsis. An apostrophe
-- inside a word opens no quotation.

create or replace function normal_message(p_message text)
  returns text
  language sql
  immutable
as $$
  select left(regexp_replace(
    left(p_message, 1000),
    '(?<!\w)''[^'']*''|"[^"]*"|`[^`]*`|\m[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\M|\m0x[0-9a-f]+\M'
    '|\m(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}\M|[0-9]+([.,:][0-9]+)*',
    '…', 'gi'), 300);
$$;
