-- cron_fields() — the six fields of a cron expression, in capitals; nicknames are written out

create or replace function cron_fields(p_text text)
  returns text[]
  language plpgsql
  stable
as $$
declare
  c_how    constant text := 'Write minute hour day month weekday, such as 30 2 * * *; a sixth field, in front, is the second.';
  v_text   text := btrim(upper(regexp_replace(left(p_text, 1001), '[[:space:]]+', ' ', 'g') collate "C"));
  v_fields text[];
begin
  if coalesce(v_text, '') = '' then
    perform refuse('TK004', 'the cron expression is empty', c_how);
  end if;
  if length(v_text) > 1000 then
    perform refuse('TK004', 'the cron expression is longer than 1000 characters', c_how);
  end if;
  if v_text like '@%' then
    v_text := case v_text
      when '@YEARLY' then '0 0 1 1 *'
      when '@ANNUALLY' then '0 0 1 1 *'
      when '@MONTHLY' then '0 0 1 * *'
      when '@WEEKLY' then '0 0 * * 0'
      when '@DAILY' then '0 0 * * *'
      when '@MIDNIGHT' then '0 0 * * *'
      when '@HOURLY' then '0 * * * *'
    end;
    if v_text is null then
      perform refuse(
        'TK004',
        format('cron %s: there is no such nickname', quote_cron(p_text)),
        'The nicknames are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly.');
    end if;
  end if;
  v_fields := string_to_array(v_text, ' ');
  if cardinality(v_fields) = 5 then
    return array_prepend('0', v_fields);
  end if;
  if cardinality(v_fields) <> 6 then
    perform refuse(
      'TK004',
      format('cron %s has %s %s', quote_cron(p_text), cardinality(v_fields),
        case cardinality(v_fields) when 1 then 'field' else 'fields' end),
      c_how || case when cardinality(v_fields) = 7 then ' There is no field for the year.' else '' end);
  end if;
  return v_fields;
end;
$$;
