import type { Sensible } from './odd-calls.ts'
import type { TestEngine } from './test-engine.ts'

/** Fills an engine with one of everything, under the ids and names that `sensible` has. */
export async function furnish(engine: TestEngine): Promise<void> {
  const values = async (text: string) => engine.rows(text)
  await values(`select enqueue('mail', p_groups => '{g}', p_tags => '{t}')`)
  await values(`select enqueue('mail', p_groups => '{g}')`)
  await values(`select enqueue('mail', '{"a": 1}', p_key => 'k')`)
  await values(`select enqueue('later', p_run_at => now() + interval '1 day')`)
  await values(`select register_worker('w', '{mail}', 1, 'here', 1, '1')`)
  await values(`select claim('mail', 2, 'w', '1 hour')`)
  await values(`select enqueue('ended')`)
  await values(`select claim('ended', 1, 'w', '1 hour')`)
  await values(`select complete(id, claim) from tasks where queue = 'ended'`)
  await values(
    `select register_chores('w', '[{"name": "c", "every": "1 minute", "strategy": "lease"}, {"name": "adv", "every": "1 minute", "strategy": "advisory"}]')`,
  )
  await values(`select lead_chores('w', '{c}', '{null}')`)
  await values(`select set_schedule('s', '{"task": {"queue": "mail"}, "every": "1 hour"}')`)
  await values(
    `select set_statement('st', '{"sql": "select $1", "params": ["a"], "granted_to": ["*"]}')`,
  )
  await values(`select create_token('t', 'aaaaaaaa', sha256('a'), '{read}')`)
  await values(`select start_operation('cancel', '{"queue": "later"}')`)
}

/** What `furnish` made, for each parameter. */
export const sensible: Sensible = {
  p_id: '1::bigint',
  p_claim: '1::bigint',
  p_ids: 'array[1, 2]::bigint[]',
  p_claims: 'array[1, 1]::bigint[]',
  p_queue: "'mail'",
  p_queues: "array['mail']",
  'enqueue_many(p_payloads)': "array['{}']::jsonb[]",
  p_payload: `'{"a": 1}'::jsonb`,
  p_limit: '1',
  p_worker: "'w'",
  p_lease: "interval '15 seconds'",
  'retry(p_id)': '5::bigint',
  'move(p_id)': '3::bigint',
  'amend(p_id)': '3::bigint',
  p_run_at: "now() + interval '1 hour'",
  p_changes: `'{"priority": 1}'::jsonb`,
  p_tasks: `'[{"queue": "mail"}]'::jsonb`,
  p_settings: `'{}'::jsonb`,
  p_group: "'g'",
  'set_schedule(p_settings)': `'{"task": {"queue": "mail"}, "every": "1 hour"}'::jsonb`,
  'normalize_schedule(p_settings)': `'{"task": {"queue": "mail"}, "every": "1 hour"}'::jsonb`,
  'preview_schedule(p_settings)': `'{"task": {"queue": "mail"}, "every": "1 hour"}'::jsonb`,
  p_count: '2',
  p_from: "now() - interval '1 hour'",
  'retry(p_from)': "'a step'",
  p_to: 'now()',
  p_width: '60',
  p_name: "'s'",
  'set_statement(p_name)': "'st'",
  'statement(p_name)': "'st'",
  'read_statement(p_name)': "'st'",
  p_params: `'{"a": 1}'::jsonb`,
  p_statement: `'{"sql": "select 1"}'::jsonb`,
  p_connection: `'{"host": "h"}'::jsonb`,
  'sql(p_connection)': 'null::text',
  p_table: "'rows'::regclass",
  p_trigger: `'{"on": ["insert", "update"], "kind": "document", "queue": "mail"}'::jsonb`,
  p_sql: "'select 1'",
  p_options: `'{}'::jsonb`,
  p_filter: `'{"queue": "mail"}'::jsonb`,
  p_within: "interval '1 second'",
  p_cap: '10',
  p_action: "'cancel'",
  p_arguments: `'{}'::jsonb`,
  p_chore: "'c'",
  'run_chore(p_chore)': "'sweep'",
  'run_chore(p_term)': 'null::bigint',
  p_after: "'{}'::bigint[]",
  p_after_failure: "'fail'",
  'read_events(p_after)': '0::bigint',
  'read_chunks(p_after)': '0::bigint',
  'lock_chore(p_chore)': "'adv'",
  'unlock_chore(p_chore)': "'adv'",
  p_term: '1::bigint',
  p_terms: 'array[1]::bigint[]',
  'lead_chores(p_chores)': "array['c']",
  'release_chores(p_chores)': "array['c']",
  'register_chores(p_chores)': `'[{"name": "d", "every": "1 minute"}]'::jsonb`,
  p_runs: `'[{"chore": "c", "runs": 1}]'::jsonb`,
  p_how: "'shutdown'",
  p_slots: '1',
  p_host: "'here'",
  p_pid: '1',
  p_version: 'null',
  'register_worker(p_version)': "'1'",
  'report_sql(p_pids)': 'array[1, 2]',
  p_started: "'{}'::bigint[]",
  p_state: `'{}'::jsonb`,
  'rescue_queue(p_state)': "'queued'",
  p_for: "interval '1 minute'",
  p_caller: "'c'",
  'begin_request(p_key)': "'k'",
  'end_request(p_key)': "'k'",
  p_fingerprint: "sha256('a')",
  p_status: '200',
  p_headers: `'{}'::jsonb`,
  p_body: "'b'",
  p_prefix: "'bbbbbbbb'",
  p_hash: "sha256('b')",
  p_scopes: "array['read']",
  p_schedules: `'{"s": {"task": {"queue": "mail"}, "every": "1 hour"}}'::jsonb`,
  p_submitter: "'web'",
  p_role: 'current_user::text',
  p_messages: "array['line', 'line']",
  p_levels: "array['info', 'info']",
  p_output: `'{"results": [{"columns": [{"name": "a", "type_oid": 23}], "rows": [[1]]}]}'::jsonb`,
  p_format: `'{}'::jsonb`,
  p_kind: 'null',
  'hide_password(p_kind)': "'sql'",
  'lock_for_edit(p_kind)': "'queue'",
  p_reason: "'error'",
  p_minutes: '10',
  p_prune: 'false',
  p_may_be_over: 'false',
  p_leads: 'true',
  p_dead: '10',
  p_since: "interval '1 minute'",
  'handler_stats(p_since)': "now() - interval '1 hour'",
  p_silent: "interval '1 minute'",
}

/** Other ways in which the same parameters are sensible, for the verbs whose way they change. */
export const variations: readonly Variation[] = [
  { sensible },
  {
    verbs: /^(enqueue|sql|statement|cancel|delete|move|amend|retry|watch)/,
    sensible: {
      ...sensible,
      p_key: "'k'",
      p_on_duplicate: "'debounce'",
      p_window: "interval '1 minute'",
      p_id: '3::bigint',
      p_ids: 'array[3, 5]::bigint[]',
    },
  },
  {
    verbs: /^(enqueue|sql|statement|amend|watch|rescue_queue|start_operation)/,
    sensible: {
      ...sensible,
      p_kind: "'sql'",
      'enqueue(p_payload)': `'{"sql": "select 1"}'::jsonb`,
      p_id: '5::bigint',
      p_key: "'l'",
      p_on_duplicate: "'replace'",
      p_groups: "array['g', 'h']",
      'enqueue_many(p_groups)': "array['{g,h}']",
      'enqueue_many(p_kinds)': "array['document']",
      'enqueue_many(p_keys)': "array['k']",
      'enqueue_many(p_on_duplicates)': "array['throttle']",
      'enqueue_many(p_windows)': "array[interval '1 minute']",
      'rescue_queue(p_state)': "'failed'",
      'start_operation(p_action)': "'amend'",
      'start_operation(p_arguments)': `'{"changes": {"priority": 3}}'::jsonb`,
    },
  },
]

interface Variation {
  /** Which verbs it is for; all where it is not said. */
  readonly verbs?: RegExp
  readonly sensible: Sensible
}
