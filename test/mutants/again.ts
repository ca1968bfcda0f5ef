import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const again = ['requeue', 'lease', 'limit', 'count', 'event', 'notify', 'history', 'end'] as const

/** Mutants of bringing a task back to its queue. */
export const comingBack: readonly Mutant[] = [
  ...(
    [
      ['writes no attempt down', [/perform record_attempts\(.*\);/, '']],
      [
        'allows any number of attempts',
        ['and task.attempt < coalesce(task.max_attempts, rules.max_attempts)', ''],
      ],
      [
        'ignores the attempts that the task allows',
        ['coalesce(task.max_attempts, rules.max_attempts)', 'rules.max_attempts'],
      ],
      [
        'ignores the attempts that the queue allows',
        ['coalesce(task.max_attempts, rules.max_attempts)', 'coalesce(task.max_attempts, 5)'],
      ],
      ['allows one attempt more', ['and task.attempt < coalesce', 'and task.attempt <= coalesce']],
      ['tries again what is not to be tried again', ['coalesce(p_retries[i], true)', 'true']],
      [
        'tries again after an error though the backoff is never',
        [`->> 'kind' <> 'never')`, `->> 'kind' <> '')`],
      ],
      ['tries again SQL that can never succeed', ['and is_permanent(p_errors[i])', 'and false']],
      ['judges handlers by their SQLSTATE', [`task.kind = 'sql' and is_permanent`, 'is_permanent']],
      [
        'does not retry permanent errors where it is configured to',
        [`is distinct from 'retry'`, `is distinct from 'no'`],
      ],
      [
        'gives up what was lost though the backoff is never',
        ['and (p_keeps_place or coalesce', 'and (coalesce'],
      ],
      ['ignores the delay', ['p_delays[i], backoff_delay', 'backoff_delay']],
      [
        'ignores the backoff of the task',
        ['backoff_delay(coalesce(task.backoff, rules.backoff)', 'backoff_delay(rules.backoff'],
      ],
      [
        'ignores the backoff of the queue',
        [
          'backoff_delay(coalesce(task.backoff, rules.backoff)',
          `backoff_delay(coalesce(task.backoff, '{"kind": "exponential"}')`,
        ],
      ],
      [
        'ignores that the backoff of the task is never',
        ['or coalesce(task.backoff, rules.backoff) ->>', 'or rules.backoff ->>'],
      ],
      [
        'ignores the time given',
        ['coalesce(p_run_ats[i], v_now +', 'coalesce(null::timestamptz, v_now +'],
      ],
      [
        'loses the place of what was lost',
        ['case when not p_keeps_place then', 'case when true then'],
      ],
      ['believes any claim', ['and task.claim = told.claim', '']],
      [
        'ends a task twice that is named twice',
        ['select distinct on (p_ids[i], p_claims[i])', 'select'],
      ],
      ['forgets the error', ['v_told.over_errors, v_told.over_begun', 'null, v_told.over_begun']],
      ['forgets the reason', [`'failed', v_told.over_reasons`, `'failed', null`]],
      [
        'forgets when the attempt began',
        ['coalesce(plausible_time(p_started_ats[i]), task.started_at, claims.claimed_at)', 'v_now'],
      ],
      [
        'ignores when the worker began',
        ['plausible_time(p_started_ats[i]), task.started_at', 'task.started_at'],
      ],
      ['forgets the worker', ['v_told.workers, v_told.begun', 'null, v_told.begun']],
      [
        'answers another state',
        [`select over.id, 'failed', null`, `select over.id, 'queued', null`],
      ],
      ['answers no time', ['coalesce(again.run_at, v_now)', 'null::timestamptz']],
    ] satisfies Short[]
  ).map(of('end_attempts', [...again, 'rescue', 'fetchq'], { doors: ['single', 'bulk'] })),
  ...(
    [
      [
        'writes no attempt down',
        [/as i;\s+insert into failures/, 'as i where false; insert into failures'],
      ],
      ['notes no failure', [/as i;\s+if/, 'as i where false; if']],
      [
        'forgets the iteration',
        ['(p_tasks[i]).iteration, (p_tasks[i]).attempt', '0, (p_tasks[i]).attempt'],
      ],
      [
        'forgets which attempt it was',
        ['(p_tasks[i]).iteration, (p_tasks[i]).attempt', '(p_tasks[i]).iteration, 0'],
      ],
      ['forgets when the attempt began', ['p_begun[i]', 'p_now']],
      ['forgets the worker', ['p_workers[i]', 'null']],
      ['forgets the reason', ['p_reasons[i], p_errors', 'null, p_errors']],
      ['forgets the error', ['p_errors[i]\n', 'null\n']],
      ['notes no reason', ['p_reasons[i], error_code', 'null, error_code']],
      ['notes no code', ['error_code(p_errors[i])', 'null']],
      ['notes no message', [/left\(error_message\(.*1000\)/, 'null']],
      [
        'keeps every attempt',
        ['if (p_tasks[1]).iteration > 0 or cardinality(p_tasks) > 1 then', 'if false then'],
      ],
    ] satisfies Short[]
  ).map(of('record_attempts', [...again, 'rescue', 'reschedule'])),
  ...(
    [
      ['deletes attempts of the present round', ['and attempts.iteration < long.iteration', '']],
      ['keeps too few', ['c_enough constant integer := 100', 'c_enough constant integer := 50']],
    ] satisfies Short[]
  ).map(of('trim_attempts', ['requeue', 'reschedule'])),
  ...(
    [
      ['keeps the attempt of what is released', ['else attempt - 1 end', 'else attempt end']],
      [
        'gives back the attempt of what failed',
        [`when 'kept' then attempt when`, `when 'kept' then attempt - 1 when`],
      ],
      ['ignores the time', ['coalesce(p_run_ats[i], run_at)', 'run_at']],
      ['keeps the task running', ['set claim      = null,\n', 'set\n']],
      ['keeps the time of the start', ['started_at = null,\n', '\n']],
      [
        'keeps the claim and the slots',
        ['perform leave_claims(v_claims, v_queues, v_groups, v_now),', 'perform'],
      ],
      [
        'frees no slot of groups',
        [
          'perform leave_claims(v_claims, v_queues, v_groups, v_now),',
          'perform leave_claims(v_claims, v_queues, array_fill(null::text, array[cardinality(v_ids)]), v_now),',
        ],
      ],
      [
        'counts nothing',
        ['select queue, count(*), case p_attempts', 'select queue, 0, case p_attempts'],
      ],
      ['counts no retry', [`case p_attempts when 'kept' then count(*) else 0 end`, '0']],
      [
        'counts a release as a run',
        [/case when p_attempts <> 'returned' then array_agg\(due_at\) end/, 'array_agg(due_at)'],
      ],
      [
        'does not say when it began',
        [
          /case when p_attempts <> 'returned' then array_agg\(began_at\) end/,
          'null::timestamptz[]',
        ],
      ],
      [
        'records no event',
        [
          `record_events(case when p_waits is null then 'requeue' else 'wait' end, v_ids, v_queues),`,
          '',
        ],
      ],
      ['wakes no worker', [', wake_workers(v_queues, v_first);', ';']],
      [
        'believes any claim',
        ['and was.claim = p_claims[i]', ''],
        ['and tasks.claim = p_claims[i]', ''],
      ],
    ] satisfies Short[]
  ).map(of('requeue', [...again, 'release', 'rescue'], { doors: ['single'] })),
  ...(
    [
      ['keeps the attempts', ['attempt    = 0,\n', '\n']],
      ['counts no iteration', ['iteration  = iteration + 1,\n', '\n']],
      ['ignores the time', ['run_at     = p_run_at,\n', '\n']],
      ['ignores the payload', ['coalesce(p_payload, payload)', 'payload']],
      ['loses the payload', ['coalesce(p_payload, payload)', `coalesce(p_payload, '{}')`]],
      ['keeps the task running', ['set claim      = null,\n', 'set\n']],
      ['keeps the time of the start', ['started_at = null,\n', '\n']],
      ['believes any claim', ['where id = p_id and claim = p_claim', 'where id = p_id']],
      ['counts nothing', ['values (v_was.queue, 1, array', 'values (v_was.queue, 0, array']],
      ['keeps the claim', ['perform close_claims(array[v_was.claim]);', '']],
      ['frees no slot', ['if v_held.is_limited then', 'if false then']],
      ['frees no slot of the queue', ['or rules.is_counted as is_limited', 'as is_limited']],
      ['frees no slot of groups', ['v_was.groups is not null or rules', 'rules']],
      [
        'does not say when it was due',
        ['array[v_was.run_at], array[coalesce', 'null, array[coalesce'],
      ],
      [
        'does not say when it began',
        ['array[coalesce(v_was.started_at, v_held.claimed_at)]', 'null'],
      ],
      ['records no event', ['if v_held.is_followed then', 'if false then']],
      ['wakes no worker', ['if v_held.rings then', 'if false then']],
    ] satisfies Short[]
  ).map(of('reschedule_one', ['reschedule', 'fetchq'], { doors: ['single'] })),
  ...(
    [
      ['takes what still has its lease', ['where expires_at < v_now and', 'where']],
      ['takes from other queues', ['and (p_queue is null or queue = p_queue)', '']],
      [
        'ignores the state that is wanted',
        ['and (p_state is null or p_state = case', 'and (true or p_state = case'],
      ],
      ['ignores its limit', ['limit p_limit - cardinality(ids)', '']],
      [
        'tries again what its queue fails',
        [`array_fill(v_rules.on_lost = 'retry', array`, 'array_fill(true, array'],
      ],
    ] satisfies Short[]
  ).map(of('take_lost_tasks', ['rescue', 'lease'], { doors: ['single'] })),
  ...(
    [
      [
        'counts nothing lost',
        [
          'select queue, count(*) from unnest(v_lost.queues)',
          'select queue, 0 from unnest(v_lost.queues)',
        ],
      ],
      ['ignores its limit', ['lost_tasks(null, null, p_limit)', 'lost_tasks(null, null, 1000)']],
      ['loses the place of the task', ['v_lost.again, null, true', 'v_lost.again, null, false']],
      ['gives another reason', [`array_fill('lost'::text`, `array_fill('error'::text`]],
      [
        'forgets what its queue does with lost tasks',
        ['v_lost.again, null, true', 'null, null, true'],
      ],
    ] satisfies Short[]
  ).map(of('rescue', ['rescue', 'count'], { doors: ['single'] })),
  ...(
    [
      ['keeps the deadline', ['v_task.timeout, null,', 'v_task.timeout, v_task.deadline,']],
      ['takes no key', ['if v_task.key is not null then', 'if false then']],
      [
        'leaves the task in the history',
        [
          'delete from finished where id = p_id returning * into v_task',
          'select * into v_task from finished where id = p_id',
        ],
      ],
      ['ignores the time', ['coalesce(p_run_at, v_now), v_task.key', 'v_now, v_task.key']],
      [
        'ignores the payload',
        ['v_task.queue, coalesce(p_payload, v_task.payload),', 'v_task.queue, v_task.payload,'],
      ],
      ['gives another id', ['p_ids => array[v_task.id], ', '']],
      ['records another event', [`p_event => 'retry'`, `p_event => 'enqueue'`]],
    ] satisfies Short[]
  ).map(of('retry', ['retry', 'key', 'count', 'event', 'notify', 'limit'], { doors: ['single'] })),
  ...(
    [
      ['takes the key of another', ['if v_held.task <> p_task.id and', 'if false and']],
    ] satisfies Short[]
  ).map(of('retake_key', ['retry', 'key'], { doors: ['single'] })),
  ...(
    [
      ['does not grow', ['power(2,', 'power(1,']],
      [
        'ignores the base',
        [`coalesce(p_policy ->> 'base', '1 second')::interval`, `interval '1 second'`],
      ],
      ['ignores the kind fixed', [`when 'fixed' then v_base`, `when 'fixed' then interval '0'`]],
      ['ignores the cap', [`coalesce(p_policy ->> 'cap', '1 hour')`, `'1 minute'`]],
    ] satisfies Short[]
  ).map(of('backoff_delay', ['requeue'], { doors: ['single'] })),
  ...(
    [
      ['leaves the task parked', ['case when not v_moves then parked_on end', 'parked_on']],
      [
        'records no event',
        [`perform record_events('amend', array[p_id], array[v_new.queue]);`, ''],
      ],
      ['opens no lane', ['perform open_lanes(array[v_new.queue], array[v_new.priority]);', '']],
      [
        'changes a task that runs',
        [`if v_old.claim is not null and p_changes - c_later <> '{}' then`, 'if false then'],
      ],
    ] satisfies Short[]
  ).map(of('amend', ['amend', 'limit', 'event'], { doors: ['single'] })),
  ...(
    [
      [
        'moves to another time',
        ['set run_at = p_run_at, parked_on', 'set run_at = v_now, parked_on'],
      ],
    ] satisfies Short[]
  ).map(of('move', ['amend'], { doors: ['single'] })),
  ...(
    [
      [
        'moves nothing',
        ['set expires_at = clock_timestamp() + p_lease', 'set expires_at = expires_at'],
      ],
    ] satisfies Short[]
  ).map(of('extend', ['lease', 'rescue'], { doors: ['single'] })),
]
