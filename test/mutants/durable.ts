import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const about = ['durable'] as const
const single = { doors: ['single'] } as const

/** Mutants of what durable tasks rest on: after, steps, signals, suspend and wake. */
export const durable: readonly Mutant[] = [
  ...(
    [
      ['does not wait', ['v_ended.live > 0 or', 'false or']],
      ['forgets the time of the task', [`'run_at', run_at`, `'run_at', null`]],
      ['counts wrongly', [`'left', v_ended.live`, `'left', 1`]],
      ['always fails', [`coalesce((p_tasks[v_place]).after_failure, 'fail')`, `'fail'`]],
      ['overlooks a failure that came before', ['if v_ended.has_failed and', 'if false and']],
      ['takes a task that does not exist', ['if v_ended.unknown is not null', 'if false']],
    ] satisfies Short[]
  ).map(of('store_after', about, single)),
  ...(
    [
      ['marks no task', ['set is_awaited = true', 'set is_awaited = is_awaited']],
      [
        'notes no wait',
        ['from unnest(p_awaited, p_names)', 'from unnest(p_awaited[1:0], p_names)'],
      ],
      [
        'keeps waits for what has ended',
        ['delete from awaits where', 'delete from awaits where false and'],
      ],
    ] satisfies Short[]
  ).map(of('await_tasks', about, single)),
  ...(
    [
      ['wakes with the first', ['if v_left <= 0 then', 'if true then']],
      ['never wakes', ['if v_left <= 0 then', 'if false then']],
      ['takes a failure for a success', ['if not p_succeeded and', 'if false and']],
      ['keeps no count', ['update tasks set waits = v_waits', 'update tasks set waits = waits']],
    ] satisfies Short[]
  ).map(of('apply_ends', about, single)),
  ...(
    [
      [
        'skips instead of failing',
        [`case p_how when 'fail' then 'failed'`, `case p_how when 'x' then 'failed'`],
      ],
      ['gives another reason', [`array_fill('dependency'::text`, `array_fill('error'::text`]],
      ['tells no task after it', ['return v_awaited;', `return '{}';`]],
    ] satisfies Short[]
  ).map(of('end_quietly', about, single)),
  ...(
    [
      [
        'forgets what a failure means',
        ['.after_failure := p_after_failure', '.after_failure := null'],
      ],
    ] satisfies Short[]
  ).map(of('enqueue_batch', about, single)),
  ...(
    [
      ['overwrites a step', [`and steps.state = 'retrying'`, '']],
      ['counts no attempt', ['steps.attempt + 1', 'steps.attempt']],
      ['takes a step of a lost claim', ['and tasks.claim = given.claim', '']],
      ['tells of no lost claim', ['filter (where not is_held)', 'filter (where false)']],
      ['sorts by name', ['where is_held order by place', 'where is_held order by name']],
    ] satisfies Short[]
  ).map(of('store_steps', about, single)),
  ...(
    [
      ['overlooks tasks of a pack', ['split_live_packs(v_lost) then', 'false then']],
    ] satisfies Short[]
  ).map(of('save_steps', about, single)),
  ...(
    [
      ['leaves a delay open that is over', [`set state = 'done'`, `set state = 'open'`]],
      ['ends a delay too soon', ['and step.until <= clock_timestamp()', '']],
    ] satisfies Short[]
  ).map(of('read_steps', about, single)),
  ...(
    [
      ['keeps the attempts', [`'renewed'`, `'kept'`]],
      ['forgets the time', ['coalesce(v_until, never())', 'never()']],
      ['forgets the signals', [`'signals', to_jsonb(v_signals)`, `'signals', '[]'::jsonb`]],
      ['waits though it is over', ['if v_over is null then', 'if true then']],
    ] satisfies Short[]
  ).map(of('suspend_task', about, single)),
  ...(
    [
      ['takes no signal', ['v_step := take_signal(', 'perform take_signal(']],
      ['never ends by time', ['v_step.until <= p_now', 'false']],
    ] satisfies Short[]
  ).map(of('wait_or_resolve', about, single)),
  ...(
    [
      [
        'begins a delay anew',
        [
          'if found then',
          "delete from steps where task = p_task and name = p_wait ->> 'name'; if false then",
        ],
      ],
    ] satisfies Short[]
  ).map(of('open_wait', about, single)),
  ...(
    [
      ['keeps the signal', ['delete from signals where id = v_signal.id;', '']],
      ['takes the last first', ['order by id limit 1;', 'order by id desc limit 1;']],
      ['takes no signal of the key', ['where task is null and', 'where false and']],
      ['takes the signal of any key', ['and key = p_task.key', '']],
      [
        'takes any signal',
        ['where task = p_task.id and name = p_signal', 'where task = p_task.id'],
      ],
    ] satisfies Short[]
  ).map(of('take_signal', about, single)),
  ...(
    [
      ['wakes no task', ['perform wake_tasks(array[p_id]);', 'null;']],
      ['wakes for any signal', [`waits -> 'signals' ? p_name`, `waits -> 'signals' is not null`]],
      ['takes a task that has ended', ['return false;', 'return true;']],
    ] satisfies Short[]
  ).map(of('wake_for_signal', about, single)),
  ...(
    [
      ['leaves the time as it is', ['greatest(least(run_at, v_now),', 'greatest(run_at,']],
      ['forgets the time of the task', [`(waits #>> '{after,run_at}')::timestamptz`, 'null']],
    ] satisfies Short[]
  ).map(of('wake_tasks', about, single)),
  ...(
    [
      [
        'takes any token',
        [`if (v_run ->> 'token' = procedure_token(id, claim)) is not true`, 'if v_run is null'],
      ],
    ] satisfies Short[]
  ).map(of('read_run', about, single)),
  ...(
    [
      ['takes a step of a lost claim', ['tasks := hold_run()', 'record := read_run()']],
    ] satisfies Short[]
  ).map(of('keep_step', about, single)),
  ...(
    [
      ['takes a name twice', ['if v_seen ? p_name then', 'if false then']],
      ['overlooks another code', ['if v_behind is not null then', 'if false then']],
    ] satisfies Short[]
  ).map(of('use_name', about, single)),
  ...(
    [
      [
        'lets a procedure commit',
        [`if coalesce(current_setting('tusk.mark', true), '') = ''`, 'if false'],
      ],
    ] satisfies Short[]
  ).map(of('require_own_transaction', about, single)),
]
