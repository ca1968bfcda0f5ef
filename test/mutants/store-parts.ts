import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

/** Mutants of what store_tasks() calls, and of what makes tasks for it. */
export const storingParts: readonly Mutant[] = [
  ...(
    [
      ['finds no fault', ['fault_code(task, p_now) is not null', 'false']],
      [
        'finds no fault of SQL',
        ['sql_fault(task.payload, p_by) end is not null', 'null end is not null'],
      ],
      ['finds no meta that is too large', [`or pg_column_size(task.meta) > bound('meta')`, '']],
    ] satisfies Short[]
  ).map(of('check_tasks', ['store', 'sql'], { doors: ['bulk'] })),
  ...(
    [
      ['finds no fault of one', ['v_fault := task_fault(v_one, p_now);', 'v_fault := null;']],
      ['finds no fault of one SQL', ['v_fault := sql_fault(v_one.payload, p_by);', 'null;']],
      [
        'finds no meta of one that is too large',
        [`if pg_column_size(v_one.meta) > bound('meta') then`, 'if false then'],
      ],
    ] satisfies Short[]
  ).map(of('check_tasks', ['store', 'sql'], { doors: ['single'] })),
  ...(
    [['gives no payload by default', [`v_tasks[i].payload := '{}';`, 'null;']]] satisfies Short[]
  ).map(of('read_tasks', ['store'], { doors: ['objects'] })),
  ...(
    [
      ['calls a taken key of many free', [`else 'taken' end`, `else 'created' end`]],
    ] satisfies Short[]
  ).map(of('take_keys', ['key'], { doors: ['bulk'] })),
  ...(
    [['forgets the window', ['p_now + p_window', `timestamptz '-infinity'`]]] satisfies Short[]
  ).map(of('key_until', ['key'])),
  ...([['forgets the window', ['v_held.until > p_now or', '']]] satisfies Short[]).map(
    of('key_holder', ['key']),
  ),
  ...(
    [
      [
        'names the task that was not stored',
        ['key_holder((p_tasks[v_place]).queue, (p_tasks[v_place]).key, p_now)', 'p_ids[v_place]'],
      ],
      [
        'keeps out a task whose key was freed',
        [`coalesce(v_answer.outcomes[1], 'created')`, `'kept'`],
      ],
      ['lets no task move up', [`if v_left <> '{}' then`, 'if false then']],
    ] satisfies Short[]
  ).map(of('resolve_duplicates', ['key', 'limit'])),
  ...(
    [
      [
        'changes a task that runs',
        ['where id = p_holder and claim is null and waits is null;', 'where id = p_holder;'],
      ],
      [
        'calls a debounced task replaced',
        [`'replaced' else 'debounced'`, `'replaced' else 'replaced'`],
      ],
      ['calls a throttled task kept', [`then 'throttled'`, `then 'kept'`]],
      [
        'calls a kept task throttled',
        [`and until < 'infinity')`, ')'],
        [`when v_mode = 'throttle'`, 'when true'],
        ['and until > v_now', ''],
      ],
      ['debounces without a window', ['v_now + p_task."window"', 'v_now']],
      [
        'leaves the task parked',
        [
          /deadline {2}= (.*),\s+parked_on = null/,
          'deadline = coalesce(p_task.deadline, deadline)',
        ],
      ],
    ] satisfies Short[]
  ).map(of('enqueue_duplicate', ['key', 'limit'])),
  ...(
    [
      ['loses the time', ['v_task.run_at := p_run_at;', '']],
      ['loses the meta of the template', [`coalesce(v_task.meta, '{}') ||`, '']],
      ['does not say of which schedule it is', [`'schedule', p_schedule.name,`, '']],
      ['does not say of which time it is', [`'planned_at', to_char`, `'planned', to_char`]],
      [
        'loses the groups of the template',
        ['v_task.groups := v_task.groups ||', `v_task.groups := '{}'::text[] ||`],
      ],
      ['gives no group of the schedule', [`if p_schedule.overlap = 'queue' then`, 'if false then']],
      [
        'loses the template',
        [
          'jsonb_populate_record(null::new_task, p_schedule.task)',
          `jsonb_populate_record(null::new_task, jsonb_build_object('queue', p_schedule.task ->> 'queue'))`,
        ],
      ],
      ['gives no payload by default', [`coalesce(v_task.payload, '{}')`, 'v_task.payload']],
    ] satisfies Short[]
  ).map(of('occurrence_task', ['schedule'], { doors: ['single'] })),
  ...(
    [
      ['keeps the key while the task runs', [`'frees_key', true`, `'frees_key', false`]],
      ['gives no key', [`when p_trigger ? 'key' then`, 'when false then']],
    ] satisfies Short[]
  ).map(of('trigger_task', ['trigger'], { doors: ['single'] })),
  ...([['repeats in another name', ['p_by => p_by', `p_by => 'nobody'`]]] satisfies Short[]).map(
    of('store_planned', ['pg-task'], { doors: ['single'], home: 'pgTask' }),
  ),
  ...(
    [
      [
        'forgets as whom the SQL runs',
        ['if p_as.role is not null and v_row.remote is null then', 'if false then'],
      ],
    ] satisfies Short[]
  ).map(of('plan_rows', ['pg-task'], { doors: ['single'], home: 'pgTask' })),
  ...(
    [
      [
        'repeats at the old time',
        [/timestamptz := next_plan\([^;]*;/, 'timestamptz := p_row.plan;'],
      ],
    ] satisfies Short[]
  ).map(of('write_repeat', ['pg-task'], { doors: ['single'], home: 'pgTask' })),
]
