-- nearest_word() — the one of these words that was probably meant; null when none is close
--
-- Counts letters to insert, drop or replace: a third of the word may be wrong, and two
-- letters swapped in a short one. Words of another length are not compared, and after
-- 100,000 pairs of letters no further word is: the names of 1,000 schedules took seconds.

create or replace function nearest_word(p_word text, p_words text[])
  returns text
  language plpgsql
  immutable
as $$
declare
  v_given text := left(lower(p_word), 50);
  v_word  text;
  v_row   integer[];
  v_left  integer;
  v_above integer;
  v_near  text;
  v_pairs integer := 0;
  v_least integer := greatest(length(v_given) / 3, case when length(v_given) > 3 then 2 else 1 end) + 1;
begin
  if p_word is null then
    return null;
  end if;
  foreach v_word in array p_words loop
    continue when abs(length(v_word) - length(v_given)) >= v_least;
    v_pairs := v_pairs + length(v_word) * length(v_given);
    exit when v_pairs > 100000;
    v_row := array(select n from generate_series(0, length(v_word)) as n);
    for i in 1 .. length(v_given) loop
      v_above := v_row[1];
      v_row[1] := i;
      for j in 1 .. length(v_word) loop
        v_left := v_row[j + 1];
        v_row[j + 1] := least(
          v_row[j] + 1, v_left + 1,
          v_above + (substr(v_given, i, 1) <> substr(v_word, j, 1))::integer);
        v_above := v_left;
      end loop;
    end loop;
    if v_row[length(v_word) + 1] < v_least then
      v_least := v_row[length(v_word) + 1];
      v_near := v_word;
    end if;
  end loop;
  return v_near;
end;
$$;
