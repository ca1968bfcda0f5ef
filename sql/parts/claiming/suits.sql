-- suits() — whether a claimer can run a task: its kind, its handler and its version
--
-- Null for kinds or handlers means any. Handlers run tasks of kind handler; a claimer
-- that names its handlers gets other kinds only if it names those too. A null among the
-- handlers stands for tasks without one: so documents are claimed by their version. One
-- expression, so that Postgres inlines it into the statements that read the claim index.

create or replace function suits(
  p_kind text, p_handler text, p_version integer,
  p_kinds text[], p_handlers text[], p_versions_from integer[], p_versions_to integer[]
)
  returns boolean
  language sql
  immutable
as $$
  select (p_kinds is null or p_kind = any (p_kinds))
     and (p_handlers is null
          or (p_kind <> 'handler' and p_kind = any (p_kinds) and array_position(p_handlers, p_handler) is null)
          or p_version between p_versions_from[array_position(p_handlers, p_handler)]
                           and p_versions_to[array_position(p_handlers, p_handler)]);
$$;
