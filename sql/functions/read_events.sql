-- read_events() — what happened since, without a gap
--
-- Give the (xid, id) of the last event you saw. Only events of transactions that
-- can no longer be overtaken are shown: ids are given out before commits, so a
-- reader that followed the id alone would skip what commits late.

create or replace function read_events(
  p_xid   xid8    default '0',
  p_id    bigint  default 0,
  p_limit integer default 1000
)
  returns setof events
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  return query
    select *
    from events
    where (xid, id) > (p_xid, p_id) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by xid, id
    limit p_limit;
end;
$$;
