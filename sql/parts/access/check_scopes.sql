-- check_scopes() — refuses what cannot be the scopes of a token

create or replace function check_scopes(p_scopes text[])
  returns void
  language plpgsql
as $$
declare
  c_known    constant text[] := '{read,enqueue,consume,sql,operate,admin}';
  c_of_queue constant text[] := '{enqueue,consume}';
  v_scope text;
  v_word  text;
begin
  if coalesce(cardinality(p_scopes), 0) = 0 or cardinality(p_scopes) > 100 then
    perform refuse('TK004', 'a token needs 1 to 100 scopes', format('The scopes are %s.', array_to_string(c_known, ', ')));
  end if;
  foreach v_scope in array p_scopes loop
    v_word := split_part(coalesce(v_scope, ''), ':', 1);
    if v_word <> all (c_known) then
      perform refuse('TK004', format('there is no scope %L', v_scope),
                     concat_ws(' ', 'Did you mean ' || nearest_word(v_word, c_known) || '?',
                               format('The scopes are %s; enqueue:mail and consume:mail are for one queue.', array_to_string(c_known, ', '))));
    end if;
    continue when v_scope = v_word;
    if v_word <> all (c_of_queue) then
      perform refuse('TK004', format('scope %L cannot be for one queue', v_word), 'Only enqueue and consume can, as in enqueue:mail.');
    end if;
    perform check_queue(substr(v_scope, length(v_word) + 2));
  end loop;
end;
$$;
