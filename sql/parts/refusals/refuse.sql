-- refuse() — says no, in one of the engine's own SQLSTATEs
--
--   TK001 lease lost        TK003 wrong state          TK005 payload too large
--   TK002 task not found    TK004 invalid argument     TK006 key taken
--   TK007 leadership lost   TK008 schedule not found   TK009 token not found
--   TK010 operation not found                         TK013 not permitted
--
-- TK011, TK012 and TK014 are the installer's.

create or replace function refuse(p_code text, p_message text, p_hint text)
  returns void
  language plpgsql
as $$
begin
  raise exception using errcode = p_code, message = p_message, hint = p_hint;
end;
$$;
