import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const where = ['claim', 'limit', 'expire', 'lease', 'count', 'event', 'key'] as const

/** Mutants of claiming. */
export const claiming: readonly Mutant[] = [
  ...(
    [
      ['takes tasks of a paused queue', ['if v_rules.paused_at is not null then', 'if false then']],
      [
        'ignores the limit of the queue',
        [
          'select least(p_limit, group_room(held, null, null, v_now)) into p_limit',
          'select p_limit into p_limit',
        ],
      ],
      [
        'charges the queue nothing',
        [
          'if v_rules.is_counted then\n    perform charge_groups',
          'if false then\n    perform charge_groups',
        ],
      ],
      ['ignores turns', ['if v_rules.is_fair then\n    select', 'if false then\n    select']],
      ['forgets the attempts that its queue allows', ['v_rules.max_attempts),', '5),']],
      ['counts no attempt', ['attempt = tasks.attempt + 1', 'attempt = tasks.attempt']],
      ['leaves the task queued', ['set claim   = v_token,\n        attempt', 'set attempt']],
      [
        'halves the lease',
        ['v_now, v_now + p_lease, v_tasks', 'v_now, v_now + p_lease / 2, v_tasks'],
      ],
      [
        'tells another lease',
        ['v_now + p_lease, tasks.meta', `v_now - interval '1 hour', tasks.meta`],
      ],
      ['writes down another worker', ['values (p_queue, v_worker,', `values (p_queue, 'nobody',`]],
      ['counts one open task', ['v_tasks, has_started', '1, has_started']],
      ['names no tasks', ['(v_now), v_ids,', `(v_now), '{}',`]],
      ['counts nothing', ['values (p_queue, v_tasks);', 'values (p_queue, 0);']],
      ['keeps keys that are to be freed', ['if v_frees then', 'if false then']],
      [
        'frees keys that are to be kept',
        ['v_frees  boolean := false', 'v_frees  boolean := true'],
        ['and tasks.frees_key', ''],
        ['v_frees := v_frees or v_more.frees_keys;', ''],
      ],
      [
        'records no event',
        [
          `if v_rules.is_followed then\n    perform record_events('claim'`,
          `if false then\n    perform record_events('claim'`,
        ],
      ],
    ] satisfies Short[]
  ).map(of('claim_tasks', where, { doors: ['single'] })),
  ...(
    [
      [
        'takes from the first queue only',
        ['exit when not found;', 'exit when not found or v_left < p_limit;'],
      ],
      ['takes more than its limit', ['v_left := v_left - v_found.tasks + v_found.following;', '']],
      ['counts followers', ['v_found.tasks + v_found.following', 'v_found.tasks']],
      ['looks at no queue', ['exit when v_left <= 0;\n    fetch', 'exit when true;\n    fetch']],
      ['leaves tasks of a fair queue', ['exit when v_found.tasks = 0 or v_left <= 0;', 'exit;']],
      ['forgets what a group is owed', ['perform unpark_owed_groups();', 'null;']],
      ['rings no worker', ['perform wake_workers(v_held);', 'null;']],
      ['waits for no group', ['if v_left < p_limit then', 'if true then']],
    ] satisfies Short[]
  ).map(of('claim_queues', where, { doors: ['queues'] })),
  ...(
    [
      ['takes the last along', ['order by priority desc, run_at, id', 'order by id desc']],
      ['takes nothing along', ['cardinality(started.groups) = 1', 'false']],
    ] satisfies Short[]
  ).map(of('pick_line', where, { doors: ['queues'] })),
  ...(
    [
      ['passes nothing on', ['where claims.line is not null', 'where false']],
      ['passes to the last', [/order by priority desc, run_at, id/g, 'order by id desc']],
    ] satisfies Short[]
  ).map(of('pass_slots', where, { doors: ['queues'] })),
  ...(
    [
      ['passes over turns', ['turn is not null limit 1)', 'false limit 1)']],
      ['passes over queues without hints', ['asked.hints = 0 and (', 'asked.hints = 0 or (']],
      ['knows one lane', ['tasks.priority = lanes.priority', 'tasks.priority = 0']],
    ] satisfies Short[]
  ).map(of('due_queues', where, { doors: ['queues'] })),
  ...(
    [
      ['ignores its limit', ['limit v_chunk', 'limit v_chunk + 5'], [/\[:v_wanted\]/g, '']],
      ['ignores priorities', ['order by priority desc', 'order by priority']],
      ['ignores time', ['order by run_at, id', 'order by id']],
      ['ignores arrival', ['order by run_at, id', 'order by run_at, id desc']],
      ['takes what is not due', ['and run_at <= p_now', '']],
      ['takes what is past its deadline', ['and (deadline is null or deadline > p_now)', '']],
      ['takes what does not suit', [/and can_run\([^)]*\)/, '']],
      ['takes what runs', ['and claim is null', '']],
      [
        'takes from other queues',
        ['where queue = p_queue and parked_on is null', 'where parked_on is null'],
        ['from lanes where queue = p_queue group', 'from lanes group'],
      ],
      ['ignores groups', ['if v_grouped then', 'if false then']],
      [
        'forgets keys that are to be freed',
        ['frees_keys := frees_keys or coalesce(v_frees, false)', 'frees_keys := false'],
      ],
    ] satisfies Short[]
  ).map(of('pick_tasks', where, { doors: ['single'] })),
  ...(
    [
      ['takes what is not due', ['and run_at <= p_now', '']],
      ['takes what is past its deadline', ['and (deadline is null or deadline > p_now)', '']],
      ['takes what does not suit', [/and can_run\([^)]*\)/, '']],
      ['serves one group only', ['and turn = line.turn', `and turn = 'a'`]],
    ] satisfies Short[]
  ).map(of('pick_fair_tasks', where, { doors: ['single'] })),
  ...(
    [
      [
        'takes any kind',
        ['(p_kinds is null or p_kind = any (p_kinds))', 'true'],
        [`(p_kind <> 'handler' and p_kind = any (p_kinds) and`, `(p_kind <> 'handler' and`],
      ],
      ['takes any handler', ['(p_handlers is null\n', '(true\n']],
      [
        'takes older versions',
        [/p_version between p_versions_from\[[^\]]*\]\s+and/, 'p_version <='],
      ],
      [
        'takes newer versions',
        [
          /between (p_versions_from\[[^\]]*\])\s+and p_versions_to\[[^\]]*\]/,
          '>= p_versions_from[array_position(p_handlers, p_handler)]',
        ],
      ],
    ] satisfies Short[]
  ).map(of('can_run', where, { doors: ['single'] })),
  ...(
    [
      ['takes other versions', ['array[par_version], array[par_version]', 'array[0], array[99]']],
      ['halves the lock', ['greatest(v_lock, interval', 'greatest(v_lock / 2, interval']],
      ['ignores its limit', ['coalesce(par_limit, 2147483647)', '2147483647']],
    ] satisfies Short[]
  ).map(of('pick_documents', ['fetchq'], { doors: ['single'], home: 'fetchq' })),
]
