import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const reported = ['end', 'requeue', 'history', 'count'] as const
const single = { doors: ['single'] } as const
const bulk = { doors: ['bulk'] } as const
const queues = { doors: ['queues'] } as const

/** Mutants of verbs that forget what was reported. */
export const verbs: readonly Mutant[] = [
  ...(
    [
      ['forgets the output', ['p_outputs => array[p_output]', 'p_outputs => null']],
      [
        'forgets when the task began',
        ['p_started_ats => array[p_started_at]', 'p_started_ats => null'],
      ],
      ['refuses no caller', ['perform require_held(p_id, p_claim, false);', 'null;']],
      ['takes a task that no worker holds', ['p_claim is null or', '']],
    ] satisfies Short[]
  ).map(of('complete', [...reported, 'lease'], single)),
  ...(
    [
      ['forgets the outputs', [`'done', null, v_rows.outputs, null`, `'done', null, null, null`]],
      ['forgets when tasks began', ['null, v_rows.started_ats,', 'null, null,']],
    ] satisfies Short[]
  ).map(of('complete_many', reported, bulk)),
  ...(
    [
      ['forgets the outputs', [`'done', null, p_outputs, null`, `'done', null, null, null`]],
      ['takes every pack for one task', [', p_sizes => p_sizes);', ');']],
      [
        'tells of no task that was lost',
        ['if cardinality(v_done) <', 'if false and cardinality(v_done) <'],
      ],
    ] satisfies Short[]
  ).map(of('complete_packs', [...reported, 'lease'], queues)),
  ...(
    [
      ['forgets the error', ['array[p_error]', 'array[null::jsonb]']],
      ['forgets the reason', ['array[p_reason], array[p_error]', `array['error'], array[p_error]`]],
      ['forgets that trying again does not help', ['array[p_retry]', 'array[true]']],
      ['forgets the delay', ['array[p_delay], false', 'array[null::interval], false']],
      ['forgets when the task began', ['array[p_started_at]', 'null']],
      ['refuses no caller', ['perform require_held(p_id, p_claim, false);', 'null;']],
    ] satisfies Short[]
  ).map(of('fail', [...reported, 'lease'], single)),
  ...(
    [
      ['forgets the errors', ['p_reasons, p_errors,', 'p_reasons, null,']],
      ['forgets the reasons', [`coalesce(p_reasons[i], 'error')`, `'error'`]],
      [
        'forgets that trying again does not help',
        ['p_retries, p_delays, false', 'null, p_delays, false'],
      ],
      ['forgets the delays', ['p_retries, p_delays, false', 'p_retries, null, false']],
      ['forgets when tasks began', ['p_errors, p_started_ats,', 'p_errors, null,']],
    ] satisfies Short[]
  ).map(of('fail_many', reported, bulk)),
  ...(
    [
      ['forgets the error', ['array[p_error]', 'array[null::jsonb]']],
      ['forgets the delay', ['array[p_delay], false', 'array[null::interval], false']],
      ['gives another reason', [`array['rejected']`, `array['error']`]],
      ['refuses no caller', ['perform require_held(p_id, p_claim, found);', '']],
    ] satisfies Short[]
  ).map(of('reject', [...reported, 'lease'], single)),
  ...(
    [
      ['forgets the error', ['array[truncate_error(p_error)]', 'null']],
      ['gives another reason', [`array['killed']`, `array['error']`]],
      ['writes no attempt down', [', p_records_attempt => true', '']],
      ['refuses no caller', ['perform require_held(p_id, p_claim, false);', 'null;']],
      ['takes a task that no worker holds', ['p_claim is null or', '']],
    ] satisfies Short[]
  ).map(of('kill', [...reported, 'lease'], single)),
  ...([['keeps the attempt', [`'returned'`, `'kept'`]]] satisfies Short[]).map(
    of('release', ['release'], single),
  ),
  ...(
    [
      ['forgets the payload', ['p_run_at, p_payload) is null', 'p_run_at, null) is null']],
      ['refuses no caller', ['perform require_held(p_id, p_claim, false);', 'null;']],
    ] satisfies Short[]
  ).map(of('reschedule', ['reschedule', 'lease'], single)),
  ...(
    [
      [
        'rescues any queue',
        ['lost_tasks(p_queue, p_state, p_limit)', 'lost_tasks(null, p_state, p_limit)'],
      ],
      [
        'rescues for any state',
        ['lost_tasks(p_queue, p_state, p_limit)', 'lost_tasks(p_queue, null, p_limit)'],
      ],
    ] satisfies Short[]
  ).map(of('rescue_queue', ['rescue'], single)),
  ...(
    [
      ['forgets the time', ['array[p_run_at]', 'null']],
      ['forgets the reason', [`array['rejected']`, `array['error']`]],
    ] satisfies Short[]
  ).map(of('reject_one', ['fetchq', 'requeue'], single)),
]
