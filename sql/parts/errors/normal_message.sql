-- normal_message() — a message without what differs from one time to the next
--
--   connect to 10.0.0.7:5432 timed out after 31 ms  →  connect to … timed out after … ms
--   no account "ada" in 3f2a…-… (0x1f)              →  no account … in … (…)
--   mailbox of ada@example.org is full              →  mailbox of … is full
--
-- Quoted texts, e-mail addresses, what a URL asks for, moments, network addresses, UUIDs, hexadecimal,
-- ids of letters and digits, and other numbers become an ellipsis. An apostrophe inside
-- a word opens no quotation. A word with digits at one place only keeps its letters:
-- "30000ms" and "3600000ms" say the same, and sha256 is no id.

create or replace function normal_message(p_message text)
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
