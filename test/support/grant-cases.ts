/** What the statements below speak of: all of it lies in the queue `closed`. */
export interface Held {
  readonly queued: string
  readonly running: string
  readonly claim: string
  readonly finished: string
  readonly operation: string
}

export type Statement = (held: Held) => string

const plan = `'{"task": {"queue": "closed"}, "every": "1 hour"}'`

/** Verbs that name a queue, group, schedule or task: one statement per overload. */
export const refused: Readonly<Record<string, readonly Statement[]>> = {
  enqueue: [() => `select enqueue('closed')`],
  enqueue_many: [
    () => `select enqueue_many('{open,closed}', array['{}', '{}']::jsonb[])`,
    () => `select enqueue_many('[{"queue": "open"}, {"queue": "closed"}]')`,
  ],
  sql: [() => `select sql('select 1', 'closed')`],
  statement: [() => `select statement('one', p_queue => 'closed')`],
  run: [() => `select run('grants_procedure', p_queue => 'closed')`],
  claim: [() => `select claim('closed')`],
  claim_queues: [() => `select claim_queues('{open,closed}')`],
  claim_fitting: [() => `select claim_fitting('closed', 10, 1000)`],
  extend: [({ claim }) => `select extend('{${claim}}')`],
  heartbeat: [({ running, claim }) => `select heartbeat('w1', '{${running}}', '{${claim}}')`],
  progress: [({ running, claim }) => `select progress(${running}, ${claim}, '1')`],
  log: [({ running, claim }) => `select log('{${running}}', '{${claim}}', '{info}', '{hello}')`],
  save_steps: [
    ({ running, claim }) => `select save_steps('{${running}}', '{${claim}}', '{charge}')`,
  ],
  read_steps: [({ running, claim }) => `select read_steps(${running}, ${claim})`],
  spawn: [
    ({ running, claim }) => `select spawn(${running}, ${claim}, '{a}', '[{"queue": "open"}]')`,
  ],
  suspend: [
    ({ running, claim }) =>
      `select suspend(${running}, ${claim}, '[{"kind": "signal", "name": "paid"}]')`,
  ],
  write_chunks: [({ running, claim }) => `select write_chunks(${running}, ${claim}, '{1}')`],
  find_documents: [() => `select find_documents('closed', '{}')`],
  signal: [
    ({ queued }) => `select signal(${queued}, 'paid')`,
    () => `select signal('closed', 'key', 'paid')`,
  ],
  enqueue_batch: [() => `select enqueue_batch('[{"queue": "closed"}]', '{"queue": "open"}')`],
  complete: [({ running, claim }) => `select complete(${running}, ${claim})`],
  complete_packs: [
    ({ running, claim }) => `select complete_packs('{${running}}', '{1}', '{${claim}}')`,
  ],
  complete_many: [({ running, claim }) => `select complete_many('{${running}}', '{${claim}}')`],
  fail: [({ running, claim }) => `select fail(${running}, ${claim})`],
  fail_many: [({ running, claim }) => `select fail_many('{${running}}', '{${claim}}')`],
  reject: [({ running, claim }) => `select reject(${running}, ${claim})`],
  kill: [({ running, claim }) => `select kill(${running}, ${claim})`],
  reschedule: [({ running, claim }) => `select reschedule(${running}, ${claim}, now())`],
  release: [({ running, claim }) => `select release('{${running}}', '{${claim}}')`],
  open_procedure: [
    ({ running, claim }) =>
      `select open_procedure(${running}, ${claim}, format('%I.grants_procedure', current_schema()), '{}')`,
  ],
  report_sql: [
    ({ running, claim }) => `select report_sql('{${running}}', '{${claim}}', '{1}', '{null}')`,
  ],
  sleep: [() => `select sleep('w1', '{closed}')`],
  next_due: [() => `select next_due('{open,closed}')`],
  register_worker: [() => `select register_worker('w2', '{open,closed}', 1, 'h', 1, '0')`],
  explain: [({ queued }) => `select explain(${queued})`],
  cancel: [({ queued }) => `select cancel(${queued})`],
  cancel_many: [({ queued }) => `select cancel_many('{${queued}}')`],
  kill_running: [({ running }) => `select kill_running(${running})`],
  read_chunks: [({ finished }) => `select read_chunks(${finished})`],
  read_family: [({ finished }) => `select read_family(${finished})`],
  read_dependencies: [({ finished }) => `select read_dependencies(${finished})`],
  retry: [({ finished }) => `select retry(${finished})`],
  move: [({ queued }) => `select move(${queued}, now())`],
  amend: [({ queued }) => `select amend(${queued}, '{"priority": 3}')`],
  delete: [({ finished }) => `select delete(${finished})`],
  delete_many: [({ queued, finished }) => `select delete_many('{${queued},${finished}}')`],
  pause: [() => `select pause('closed')`],
  resume: [() => `select resume('closed')`],
  set_queue: [() => `select set_queue('closed', '{"max_attempts": 2}')`],
  pause_group: [() => `select pause_group('closed:g')`],
  resume_group: [() => `select resume_group('closed:g')`],
  set_group: [() => `select set_group('closed:g', '{"max_running": 2}')`],
  lock_for_edit: [({ queued }) => `select lock_for_edit('task', '${queued}')`],
  series: [() => `select series('closed')`],
  handler_stats: [() => `select handler_stats(p_queue => 'closed')`],
  read_settings: [() => `select read_settings('closed')`],
  set_schedule: [() => `select set_schedule('other', ${plan})`],
  apply_schedules: [
    () => `select apply_schedules('{"other": {"task": {"queue": "closed"}, "every": "1 hour"}}')`,
  ],
  delete_schedule: [() => `select delete_schedule('s')`],
  pause_schedule: [() => `select pause_schedule('s')`],
  resume_schedule: [() => `select resume_schedule('s')`],
  run_schedule: [() => `select run_schedule('s')`],
  backfill: [() => `select backfill('s', now() - interval '1 hour', now())`],
  preview_schedule: [() => `select preview_schedule('s'::text)`],
  set_trigger: [
    () =>
      `select set_trigger('grants_rows', 'on_grants', '{"on": ["insert"], "handler": "h", "queue": "closed"}')`,
  ],
  advance_operation: [({ operation }) => `select advance_operation(${operation})`],
  cancel_operation: [({ operation }) => `select cancel_operation(${operation})`],
}
