-- list_tasks() — the ids of a page of tasks, the newest first
--
--   select * from task where id = any (array(select list_tasks('{"queue": "mail", "states": ["failed"]}'))) order by id desc;
--
-- Of those that match all of p_filter (queue, states, key, handler, kind, tag, group,
-- parent). For the next page give the last id as p_before. Both tables are read by id
-- from the newest on until the page is full, so that it costs the same however many
-- tasks there are; a filter that few match looks through many. A view over both
-- tables would sort them all.

create or replace function list_tasks(p_filter jsonb default '{}', p_before bigint default null, p_limit integer default 100)
  returns setof bigint
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  c_names  constant text[] := '{queue,states,key,handler,kind,tag,group,parent}';
  c_live   constant text[] := '{scheduled,retrying,blocked,ready,running}';
  v_now    timestamptz := clock_timestamp();
  v_before bigint := coalesce(p_before, 9223372036854775807);
  v_states text[];
  v_queue  text   := p_filter ->> 'queue';
  v_key    text   := p_filter ->> 'key';
  v_handler text := p_filter ->> 'handler';
  v_kind   text   := p_filter ->> 'kind';
  v_tag    text   := p_filter ->> 'tag';
  v_group  text   := p_filter ->> 'group';
  v_parent bigint := p_filter ->> 'parent';
  v_faces  boolean;
begin
  if jsonb_typeof(p_filter) is distinct from 'object' or p_filter - c_names <> '{}' then
    perform refuse('TK004', format('tasks cannot be listed by %s', p_filter),
                   format('Give an object with any of %s.', array_to_string(c_names, ', ')));
  end if;
  if p_filter ? 'states' then
    v_states := array(select jsonb_array_elements_text(p_filter -> 'states'));
  end if;
  -- Only these two faces of a task that is due cannot be told from its own row.
  v_faces := ('ready' = any (v_states)) <> ('blocked' = any (v_states));

  return query
    with live as (
      select id
      from tasks
      where id < v_before
        and (v_states is null or v_states && c_live)
        and (v_queue is null or queue = v_queue)
        and (v_key is null or key = v_key)
        and (v_handler is null or handler = v_handler)
        and (v_kind is null or kind = v_kind)
        and (v_tag is null or v_tag = any (tags))
        and (v_group is null or v_group = any (groups))
        and (v_parent is null or parent = v_parent)
        and case
              when v_states is null then true
              when claim is not null then 'running' = any (v_states)
              when run_at > v_now then case when attempt = 0 then 'scheduled' else 'retrying' end = any (v_states)
              when v_faces then (select state from task as shown where shown.id = tasks.id) = any (v_states)
              else 'ready' = any (v_states)
            end
      order by id desc
      limit p_limit
    ), ended as (
      select id
      from finished
      where id < v_before
        and (v_states is null or state = any (v_states))
        and (v_queue is null or queue = v_queue)
        and (v_key is null or key = v_key)
        and (v_handler is null or handler = v_handler)
        and (v_kind is null or kind = v_kind)
        and (v_tag is null or v_tag = any (tags))
        and (v_group is null or v_group = any (groups))
        and (v_parent is null or parent = v_parent)
      order by id desc
      limit p_limit
    )
    select id from live
    union all
    select id from ended
    order by id desc
    limit p_limit;
end;
$$;
