-- begin_procedure() — the first statement of a run, in its session

create or replace function begin_procedure()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform require_read_committed('run');
  perform require_run();
  if is_in_call() then
    execute 'deallocate tusk_call';
  end if;
  perform set_config('tusk.seen', '[]', false);
  perform set_config('tusk.mark', 'open', true);
end;
$$;
