import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

/** The scenarios about the end of a task. */
export const ends = ['end', 'history', 'lease', 'limit', 'key', 'count', 'event', 'notify'] as const

const about = [...ends, 'cancel', 'expire', 'requeue', 'delete', 'fetchq'] as const

/** Mutants of ending a task for good. */
export const ending: readonly Mutant[] = [
  ...(
    [
      [
        'keeps the claim',
        ['perform close_claims(coalesce(v_claims, p_claims), v_sizes, v_open);', ''],
      ],
      ['frees no slot', ['if v_is_limited then', 'if false then']],
      ['keeps the key', ['if v_is_keyed or v_one.key is not null then', 'if false then']],
      [
        'frees the key as if the task were deleted',
        ['if p_state is not null then', 'if false then'],
      ],
      ['writes no history', [/where p_state is not null and v_keeps[^;]*;/, 'where false;']],
      [
        'keeps what is to be forgotten',
        [/where p_state is not null and v_keeps[^;]*;/, 'where p_state is not null;'],
      ],
      ['forgets the state', ['task.retention, p_state,', `task.retention, 'done',`]],
      [
        'forgets the reason',
        [
          'p_reasons[v_places[task.ordinality]]',
          `case when p_reasons[v_places[task.ordinality]] is not null then 'dependency' end`,
        ],
      ],
      ['forgets the output', ['p_outputs[v_places[task.ordinality]]', 'null']],
      ['forgets the error', ['p_errors[v_places[task.ordinality]]', 'null']],
      ['forgets the worker', ['v_workers[task.ordinality],', 'null,']],
      [
        'forgets when a task began',
        ['v_begun[task.ordinality], v_now, v_now', 'v_now, v_now, v_now'],
      ],
      ['writes no attempt down', ['if p_records_attempt then', 'if false then']],
      [
        'writes the attempt down without its reason',
        ['v_begun, p_reasons, p_errors', 'v_begun, null, p_errors'],
      ],
      [
        'writes the attempt down without its error',
        ['v_begun, p_reasons, p_errors', 'v_begun, p_reasons, null'],
      ],
      [
        'leaves traces of what is forgotten',
        [`if p_state is null or interval '0' >= any (v_keeps) then`, 'if false then'],
      ],
      [
        'records no event',
        [
          'if v_is_followed or array_position(coalesce(v_claims, p_claims), null) is not null then',
          'if false then',
        ],
      ],
      ['records no event of what ran', ['if v_is_followed or', 'if']],
      [
        'records another event',
        [
          `when 'done' then 'complete' when 'failed' then 'fail'`,
          `when 'done' then 'fail' when 'failed' then 'complete'`,
        ],
      ],
      [
        'records a cancellation as a deletion',
        [`when 'cancelled' then 'cancel' else 'delete'`, `else 'delete'`],
      ],
      ['rings no worker', ['if v_waited then', 'if false then']],
      [
        'forgets slots where nothing else is to do',
        ['if v_is_limited or v_is_followed', 'if v_is_followed'],
      ],
      [
        'forgets events where nothing else is to do',
        ['v_is_limited or v_is_followed or', 'v_is_limited or'],
      ],
      ['forgets waiters where nothing else is to do', ['or v_waited or v_awaited', 'or v_awaited']],
      [
        'forgets keys where nothing else is to do',
        ['or v_is_keyed or v_one.key is not null or p_state', 'or p_state'],
      ],
      [
        'forgets attempts where nothing else is to do',
        ['if p_records_attempt or v_is_keyed', 'if v_is_keyed'],
      ],
    ] satisfies Short[]
  ).map(of('end_tasks', about)),
  // One task alone is looked up without counting …
  ...(
    [
      [
        'believes any claim of one task',
        ['where id = p_ids[1] and claim is not distinct from p_claims[1]', 'where id = p_ids[1]'],
      ],
      [
        'frees no slot of the groups of one task',
        [
          'array[case when v_one.parked_on is null then v_one.groups::text end]',
          'array[null::text]',
        ],
      ],
      ['forgets the worker of one task', ['array[claims.worker]', 'array[null::text]']],
      [
        'forgets when one task began',
        [
          'array[coalesce(plausible_time(p_started_ats[1]), v_one.started_at, claims.claimed_at)]',
          'array[v_now]',
        ],
      ],
      [
        'ignores when the worker began one task',
        ['plausible_time(p_started_ats[1]), v_one.started_at', 'v_one.started_at'],
      ],
      ['ignores when one task began to run', ['v_one.started_at, claims', 'claims']],
      ['ignores the retention of one task', ['coalesce(v_one.retention, case', 'coalesce(case']],
      [
        'keeps one done task like a failed one',
        [
          `v_one.retention, case p_state when 'done' then rules.keep_done`,
          `v_one.retention, case p_state when 'done' then rules.keep_failed`,
        ],
      ],
      [
        'keeps one failed task like a done one',
        [
          `v_one.retention, case p_state when 'done' then rules.keep_done when 'failed' then rules.keep_failed`,
          `v_one.retention, case p_state when 'done' then rules.keep_done when 'failed' then rules.keep_done`,
        ],
      ],
      [
        'keeps one cancelled task like a failed one',
        ['else rules.keep_cancelled end)],', 'else rules.keep_failed end)],'],
      ],
      [
        'frees no slot of the queue of one task',
        ['v_one.groups is not null or rules.is_counted', 'v_one.groups is not null'],
      ],
      [
        'frees no slot of the groups of one task without a limit of its queue',
        ['v_one.groups is not null or rules.is_counted', 'rules.is_counted'],
      ],
      [
        'records no event of one task that ran',
        [/rules\.is_followed, rules\.has_grants,\s+v_one/, 'false, rules.has_grants, v_one'],
      ],
      ['counts one done task as none', [`(p_state is not distinct from 'done')::integer`, '0']],
      ['counts one failed task as none', [`(p_state is not distinct from 'failed')::integer`, '0']],
      [
        'counts one cancelled task as none',
        [`(coalesce(p_state, 'cancelled') = 'cancelled')::integer`, '0'],
      ],
      [
        'counts one deleted task as none',
        [
          `(coalesce(p_state, 'cancelled') = 'cancelled')::integer`,
          `(p_state is not distinct from 'cancelled')::integer`,
        ],
      ],
      ['does not say when one task was due', ['array[v_one.run_at], v_begun', 'null, v_begun']],
      [
        'does not say when one task began',
        ['array[v_one.run_at], v_begun', 'array[v_one.run_at], null'],
      ],
      [
        'rings no worker for one task',
        ['returning exists (select from waiters where task = v_one.id)', 'returning false'],
      ],
    ] satisfies Short[]
  ).map(of('end_tasks', about)),
  // … and many by their claims.
  ...(
    [
      ['believes any claim of many', ['and tasks.claim is not distinct from p_claims[i]', '']],
      [
        'frees no slot of the groups of many',
        ['array_agg(case when parked_on is null then groups::text end)', 'array_agg(null::text)'],
      ],
      ['frees no slot of many', ['v_is_limited := true;', 'v_is_limited := false;']],
      [
        'forgets the workers of many',
        ['v_rules.workers[array_position(v_rules.claims, claim)]', 'null::text'],
      ],
      [
        'confuses the workers of many',
        ['v_rules.workers[array_position(v_rules.claims, claim)]', 'v_rules.workers[1]'],
      ],
      [
        'forgets when many began',
        ['v_rules.claimed_ats[array_position(v_rules.claims, claim)]', 'v_now'],
      ],
      [
        'ignores when the worker began many',
        ['plausible_time(p_started_ats[v_places[ordinality]]), started_at', 'started_at'],
      ],
      [
        'confuses when the worker began many',
        ['p_started_ats[v_places[ordinality]]', 'p_started_ats[ordinality]'],
      ],
      [
        'ignores when many began to run',
        [/started_at,\s+v_rules\.claimed_ats/, 'v_rules.claimed_ats'],
      ],
      [
        'confuses the outputs of many',
        ['p_outputs[v_places[task.ordinality]]', 'p_outputs[task.ordinality]'],
      ],
      ['ignores the retention of many', ['coalesce(retention, v_rules', 'coalesce(v_rules']],
      [
        'ignores how long the queues of many keep tasks',
        [
          'v_rules.keeps[array_position(v_rules.claims, claim)], keep_for(queue, p_state)',
          `interval '7 days'`,
        ],
      ],
      [
        'confuses how long the queues of many keep tasks',
        ['v_rules.keeps[array_position(v_rules.claims, claim)]', 'v_rules.keeps[1]'],
      ],
      [
        'ignores how long queues keep many that waited',
        ['keep_for(queue, p_state)', `interval '7 days'`],
      ],
      [
        'keeps many done tasks like failed ones',
        [`when 'done' then rules.keep_done`, `when 'done' then rules.keep_failed`],
      ],
      [
        'keeps many failed tasks like done ones',
        [`when 'failed' then rules.keep_failed`, `when 'failed' then rules.keep_done`],
      ],
      [
        'keeps many cancelled tasks like failed ones',
        ['else rules.keep_cancelled end) as keeps', 'else rules.keep_failed end) as keeps'],
      ],
      [
        'counts no done task of many',
        [`case when p_state = 'done' then sum(size) else 0 end`, '0'],
      ],
      [
        'counts no failed task of many',
        [`case when p_state = 'failed' then sum(size) else 0 end`, '0'],
      ],
      [
        'counts no cancelled task of many',
        [`case when coalesce(p_state, 'cancelled') = 'cancelled' then sum(size) else 0 end`, '0'],
      ],
      [
        'counts no deleted task of many',
        [
          `case when coalesce(p_state, 'cancelled') = 'cancelled' then sum(size)`,
          `case when p_state = 'cancelled' then sum(size)`,
        ],
      ],
      [
        'does not say when many were due',
        ['array_agg(run_at), array_agg(v_begun', 'null::timestamptz[], array_agg(v_begun'],
      ],
      [
        'does not say when many began',
        [
          'array_agg(run_at), array_agg(v_begun[ordinality])',
          'array_agg(run_at), null::timestamptz[]',
        ],
      ],
      ['records no event of many', ['bool_or(rules.is_followed)', 'null::boolean']],
      [
        'records events of many only where all queues record them',
        ['bool_or(rules.is_followed)', 'bool_and(rules.is_followed)'],
      ],
      [
        'records no event of many that waited',
        [
          'if v_is_followed or array_position(coalesce(v_claims, p_claims), null) is not null then',
          'if v_is_followed then',
        ],
      ],
      ['rings no worker for many', [/v_waited := exists \([^;]*;/, 'v_waited := false;']],
      [
        'deletes traces of what is kept',
        [/where p_state is null or ended\.keep[^;]*;/, 'where true));'],
      ],
      [
        'keeps the keys of many as if all were kept',
        [`v_kept[i] := v_keeps[i] > interval '0';`, 'v_kept[i] := true;'],
      ],
    ] satisfies Short[]
  ).map(of('end_tasks', about, { doors: ['bulk'] })),
]
