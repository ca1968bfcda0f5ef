-- fitting_tasks() — the first of these tasks that fit into so many bytes of JSON; at least one
--
-- p_ids has the newest first. Sizes are those of the JSON that a reader gets: stored
-- values are compressed, up to a hundred times. Read by fifties, so that a page of large
-- tasks unpacks few of them.

create or replace function fitting_tasks(p_ids bigint[], p_bytes bigint)
  returns bigint[]
  language plpgsql
  stable
as $$
declare
  c_chunk constant integer := 50;
  v_bytes bigint := 0;
  v_count integer := 0;
  v_chunk bigint[];
  v_size  bigint;
begin
  for v_from in 1 .. cardinality(p_ids) by c_chunk loop
    v_chunk := p_ids[v_from : v_from + c_chunk - 1];
    for v_size in
      select sized.bytes
      from (
        select id, octet_length(payload::text) + coalesce(octet_length(meta::text), 0) + coalesce(octet_length(progress::text), 0) as bytes
        from tasks
        where id = any (v_chunk)
        union all
        select id, octet_length(payload::text) + coalesce(octet_length(meta::text), 0) + coalesce(octet_length(output::text), 0)
                 + coalesce(octet_length(error::text), 0)
        from finished
        where id = any (v_chunk)
      ) as sized
      order by sized.id desc
    loop
      v_bytes := v_bytes + v_size;
      if v_bytes > p_bytes and v_count > 0 then
        return p_ids[:v_count];
      end if;
      v_count := v_count + 1;
    end loop;
  end loop;
  return p_ids;
end;
$$;
