import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const about = [
  'store',
  'count',
  'event',
  'notify',
  'key',
  'limit',
  'claim',
  'retry',
  'sql',
] as const

/** Mutants of store_tasks(), besides those of the properties of tasks. */
export const storing: readonly Mutant[] = [
  ...(
    [
      [
        'drops max_running, timeout, retention, tags, meta and parent together',
        ['task.deadline, task.parent, p_iteration', 'task.deadline, null, p_iteration'],
        [
          'task.max_running, task.frees_key, task.timeout, task.retention,',
          'null, task.frees_key, null, null,',
        ],
        [/task\.tags, task\.backoff, task\.meta,/, 'null, task.backoff, null,'],
      ],
      ['stores another submitter', ['v_by, task.groups', `'nobody', task.groups`]],
      ['ignores in whose name it stores', ['coalesce(p_by, submitter())', 'submitter()']],
      ['gives another id', ['ids := p_ids;', 'ids := null;']],
      ['forgets when a task was created', ['coalesce(p_created_at, v_now)', 'v_now']],
      ['forgets the iteration', ['p_iteration, coalesce', '0, coalesce']],
      ['records another event', ['record_events(p_event,', `record_events('enqueue',`]],
      [
        'counts what its key keeps out',
        [
          /where outcomes is null or outcomes\[task\.ordinality\] = 'created'\s+group by/,
          'group by',
        ],
      ],
      ['opens no lane', [/if not v_has_lanes\s+or/, 'if false and']],
      ['records no event', ['if v_is_followed then', 'if false then']],
      ['wakes no worker', ['if v_has_sleepers then', 'if false then']],
      [
        'wakes workers for what its key keeps out',
        [`if (outcomes <@ '{kept,throttled}') is not true then`, 'if true then'],
      ],
      [
        'wakes too early',
        [/coalesce\(\(select min\(.*\), v_now\)\);/, `timestamptz '-infinity');`],
      ],
      ['gives a fair queue no turn', [`coalesce(task.groups[1], '') end`, 'null end']],
      [
        'gives tasks without a group no turn',
        [`coalesce(task.groups[1], '') end`, 'task.groups[1] end'],
      ],
      ['takes a payload of any size', ['if v_is_large and', 'if false and']],
      ['stores what its key keeps out', ['if outcomes is not null then', 'if false then']],
      [
        'leaves duplicates as they are',
        [/if outcomes is not null then(\s+select resolved)/, 'if false then select resolved'],
      ],
      [
        'debounces without a window',
        [`when task.on_duplicate = 'debounce' then`, 'when false then'],
      ],
      [
        'gives no handler by default',
        ['coalesce(task.handler, task.queue)', `coalesce(task.handler, 'none')`],
      ],
      [
        'gives a handler to what is for none',
        [`when coalesce(task.kind, 'handler') = 'handler' then`, 'when true then'],
      ],
      ['checks nothing', ['if not p_is_checked and ( v_many', 'if false and ( v_many']],
      [
        'puts no task in line',
        ['if v_is_grouped or v_one.groups is not null then', 'if false then'],
      ],
      [
        'lets SQL run as any role',
        [`if (v_is_sql or v_one.kind = 'sql') and not p_is_checked then`, 'if false then'],
      ],
      [
        'forgets lanes where nothing else is to do',
        ['if v_has_lanes and not v_is_followed', 'if not v_is_followed'],
      ],
      [
        'forgets events where nothing else is to do',
        ['v_has_lanes and not v_is_followed and', 'v_has_lanes and'],
      ],
      [
        'forgets sleepers where nothing else is to do',
        ['and not v_has_sleepers and outcomes', 'and outcomes'],
      ],
      [
        'forgets duplicates where nothing else is to do',
        ['and outcomes is null and v_sizes', 'and v_sizes'],
      ],
    ] satisfies Short[]
  ).map(of('store_tasks', about)),
  // One task alone is looked up without counting …
  ...(
    [
      ['checks nothing of one task', ['fault_code(v_one, v_now) is not null', 'false']],
      ['checks no meta of one task', [`pg_column_size(v_one.meta) > bound('meta')`, 'false']],
      ['checks no SQL of one task', [`v_one.kind = 'sql' or fault_code`, 'fault_code']],
      [
        'opens no lane for one task',
        [
          /exists \(\s+select from lanes\s+where queue = v_one/,
          (found: string) => `true or ${found}`,
        ],
      ],
      [
        'opens no lane of another priority for one task',
        ['and priority = coalesce(v_one.priority, 0)', ''],
      ],
      [
        'records no event of one task',
        [
          'select rules.has_grants, rules.is_followed',
          'select rules.has_grants, false as is_followed',
        ],
      ],
      [
        'wakes no worker for one task',
        ['exists (select from sleepers where queue = v_one.queue)', 'false'],
      ],
      [
        'ignores that the queue of one task is fair',
        ['case when rules.is_fair then array[v_one.queue] end', 'null::text[]'],
      ],
      [
        'takes one payload of any size',
        ['pg_column_size(v_one.payload) > rules.max_payload', 'false'],
      ],
      ['takes no key of one task', ['if v_one.key is not null then', 'if false then']],
      ['puts one task in no line', ['if v_is_grouped or v_one.groups', 'if v_is_grouped or null']],
      [
        'lets SQL of one task run as any role',
        [`if (v_is_sql or v_one.kind = 'sql')`, 'if v_is_sql'],
      ],
      ['keeps no order for one task', ['if v_has_after or v_one.after', 'if v_has_after or null']],
      ['looks at no options of one task', [/or num_nonnulls\([^)]*\) > 0/, '']],
      [
        'looks at nothing else of one task',
        [/may_have_fault\([^)]*\)\s+or num_nonnulls/, 'num_nonnulls'],
      ],
      ['calls a taken key of one task free', [`outcomes := '{taken}';`, 'null;']],
      ['counts one task as none', ['values (v_one.queue, 1)', 'values (v_one.queue, 0)']],
    ] satisfies Short[]
  ).map(of('store_tasks', about)),
  // … and many by queue and priority.
  ...(
    [
      ['checks nothing but the first of many', ['( v_many or may_have_fault', '( may_have_fault']],
      [
        'opens no lane for many',
        [/bool_and\(exists \(\s+select from lanes/, 'bool_and(true or exists (select from lanes'],
      ],
      [
        'opens lanes for many only where none is open',
        [/bool_and\(exists \(\s+select from lanes/, 'bool_or(exists (select from lanes'],
      ],
      ['opens no lane of another priority for many', ['and priority = used.priority', '']],
      ['records no event of many', ['bool_or(rules.is_followed)', 'false']],
      [
        'records events of many only where all queues record them',
        ['bool_or(rules.is_followed)', 'bool_and(rules.is_followed)'],
      ],
      [
        'wakes no worker for many',
        ['bool_or(exists (select from sleepers', 'bool_and(false and exists (select from sleepers'],
      ],
      [
        'wakes for many only where all queues have sleepers',
        ['bool_or(exists (select from sleepers', 'bool_and(exists (select from sleepers'],
      ],
      [
        'wakes too late for many',
        ['select min(coalesce(run_at, v_now))', 'select max(coalesce(run_at, v_now))'],
      ],
      [
        'ignores that queues of many are fair',
        ['array_agg(used.queue) filter (where rules.is_fair)', 'null::text[]'],
      ],
      [
        'takes every queue of many for a fair one',
        ['array_agg(used.queue) filter (where rules.is_fair)', 'array_agg(used.queue)'],
      ],
      [
        'takes payloads of any size in many',
        ['max(used.largest) > min(rules.max_payload)', 'false'],
      ],
      ['allows many what one queue allows', ['min(rules.max_payload)', 'max(rules.max_payload)']],
      [
        'checks the smallest payload of many',
        ['max(pg_column_size(payload))', 'min(pg_column_size(payload))'],
      ],
      ['takes no key of many', ['bool_or(used.is_keyed)', 'false']],
      [
        'takes keys of many only where all queues have some',
        ['bool_or(used.is_keyed)', 'bool_and(used.is_keyed)'],
      ],
      [
        'takes keys of many only where all have one',
        ['bool_or(key is not null)', 'bool_and(key is not null)'],
      ],
      ['puts many in no line', ['bool_or(used.is_grouped)', 'false']],
      [
        'puts many in line only where all have a group',
        ['bool_or(groups is not null)', 'bool_and(groups is not null)'],
      ],
      ['lets SQL of many run as any role', ['bool_or(used.is_sql)', 'false']],
      ['lets SQL among many run as any role', [`bool_or(kind = 'sql')`, `bool_and(kind = 'sql')`]],
      [
        'counts nothing of many',
        ['select task.queue, sum(coalesce(p_sizes[task.ordinality], 1))', 'select task.queue, 0'],
      ],
    ] satisfies Short[]
  ).map(of('store_tasks', about, { doors: ['bulk'] })),
]
