/** The properties that each object takes, by verb and parameter. */
const names: Readonly<Record<string, string>> = {
  'amend(p_changes)':
    'payload meta parent retention run_at deadline priority version groups max_running tags timeout max_attempts backoff',
  'enqueue_many(p_tasks)':
    'queue payload handler kind priority run_at key on_duplicate window frees_key groups max_running tags version ' +
    'max_attempts backoff timeout deadline retention parent meta',
  'set_queue(p_settings)':
    'max_running gap gap_from rate rate_window max_attempts max_payload group_max_running keep_done keep_failed ' +
    'keep_cancelled backoff on_lost is_fair keeps_keys records_events',
  'set_group(p_settings)': 'max_running gap gap_from rate rate_window weight',
  'set_schedule(p_settings)':
    'task cron every at zone starts_at ends_at jitter misfire misfire_after catch_up overlap drift keep',
  'set_statement(p_statement)': 'sql params role connection settings granted_to',
  'set_connection(p_connection)':
    'host hostaddr port dbname user sslmode connect_timeout application_name options target_session_attrs secret ' +
    'roles granted_to password',
  'set_trigger(p_trigger)':
    'on columns statement params kind handler queue key on_duplicate window delay priority max_attempts timeout',
  'sql(p_options)': 'sql statement params role connection settings isolation reads',
  'output_as_text(p_format)': 'header string delimiter quote escape null implied',
  'page_tasks(p_filter)':
    'queue states key handler kind tag group parent reason worker host error code text submitted_by created_after ' +
    'created_before run_after run_before finished_after finished_before ids',
  'register_chores(p_chores)': 'name strategy every timeout ttl',
  'report_chores(p_runs)':
    'chore ago_ms ok_ago_ms error_ago_ms error runs processed errors last_ms total_ms max_ms',
  'start_operation(p_arguments)': 'run_at changes',
  'enqueue(p_backoff)': 'kind base cap jitter',
}

/** Objects of other verbs that are read the same way. */
const alike: Readonly<Record<string, string>> = {
  'normalize_schedule(p_settings)': 'set_schedule(p_settings)',
  'preview_schedule(p_settings)': 'set_schedule(p_settings)',
  'count_tasks(p_filter)': 'page_tasks(p_filter)',
  'count_states(p_filter)': 'page_tasks(p_filter)',
  'count_operation(p_filter)': 'page_tasks(p_filter)',
  'start_operation(p_filter)': 'page_tasks(p_filter)',
  'count_operation(p_arguments)': 'start_operation(p_arguments)',
  'lead_chores(p_runs)': 'report_chores(p_runs)',
}

const values: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '1.5',
  '1e15',
  '1e30',
  '1e400',
  '"text"',
  '""',
  '"infinity"',
  '"-infinity"',
  '"NaN"',
  '"178000000 years"',
  '"-178000000 years"',
  '"2147483647 days"',
  '"-1 second"',
  '"294276-12-31 23:59:59+00"',
  '"4713-01-02 00:00:00+00 BC"',
  '[]',
  '{}',
  '[null]',
  '["a", "a"]',
  '[["a"], ["b"]]',
  '[[1], [2, 3]]',
  '{"a": [null]}',
  '"{a,"',
]

/** Objects like the sensible one with one of their properties odd, as SQL expressions. */
export function oddProperties(place: string, sensible: string): string[] {
  const known = names[alike[place] ?? place]
  if (known === undefined) return []
  const long = `to_jsonb(repeat(md5('x'), 10000))`
  // A list has one object.
  const isList = sensible.startsWith("'[")
  return known.split(' ').flatMap((name) =>
    [...values.map((value) => `'${value}'::jsonb`), long].map((value) => {
      const property = `jsonb_build_object('${name}', ${value})`
      return isList
        ? `jsonb_build_array(${sensible} -> 0 || ${property})`
        : `${sensible} || ${property}`
    }),
  )
}
