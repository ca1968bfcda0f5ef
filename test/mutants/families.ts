import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const about = ['durable'] as const
const single = { doors: ['single'] } as const

/** Mutants of families: children, joins, steps that are forgotten, and tasks that are notified late. */
export const families: readonly Mutant[] = [
  ...(
    [
      ['takes any child for all', ['if v_open = 0 or (', 'if true or (']],
      [
        'never ends with the first success',
        [`when 'any' then v_done > 0`, `when 'any' then false`],
      ],
      ['never ends with the first end', ['else v_open < cardinality(v_rows)', 'else false']],
      [
        'collects instead of throwing',
        [`when 'all' then v_fails = 'throw' and`, `when 'all' then false and`],
      ],
      [
        'throws instead of collecting',
        [`when 'all' then v_fails = 'throw' and`, `when 'all' then`],
      ],
      ['joins a stranger', ['if v_none is not null then', 'if false then']],
    ] satisfies Short[]
  ).map(of('judge_join', about, single)),
  ...(
    [
      ['wakes with any end', [`when 'any' then p_succeeded`, `when 'any' then true`]],
      [
        'sleeps through a failure',
        [`when 'all' then not p_succeeded and`, `when 'all' then false and`],
      ],
      ['sleeps through the first end', ['else true', 'else false']],
      [
        'forgets how many children are left',
        [
          `array['joins', v_at::text, 'left'], to_jsonb(v_left)`,
          `array['joins', v_at::text, 'left'], '2'`,
        ],
      ],
    ] satisfies Short[]
  ).map(of('apply_ends', about, single)),
  ...(
    [
      [
        'calls a failure a success',
        [`then 'done' else 'failed' end`, `then 'done' else 'done' end`],
      ],
      ['forgets the output', ['p_outputs[array_position(p_ids, gone.awaited)]', 'null']],
      ['forgets the error', ['p_errors[array_position(p_ids, gone.awaited)]', 'null']],
      ['wakes none', ['v_woken := v_woken || v_each.waiter', 'v_woken := v_woken']],
      [
        'keeps what was awaited',
        ['where awaited = any (p_ids) returning', 'where false returning'],
      ],
    ] satisfies Short[]
  ).map(of('tell_waiters', about, single)),
  ...(
    [
      [
        'starts a child again',
        ['where step.task = p_id and step.name = p_names[i])', 'where false)'],
      ],
      ['does not mark those detached', ['coalesce(p_detached[v_new[i]], false)', 'false']],
      ['overlooks a circle', ['if is_awaited_by(p_id, v_ids) then', 'if false then']],
      ['overlooks a child that had ended', ['perform settle_ended_child(p_id, v_child)', 'null']],
    ] satisfies Short[]
  ).map(of('spawn', about, single)),
  ...(
    [
      [
        'takes a success for a failure',
        [`when finished.state = 'done' then 'done'`, `when false then 'done'`],
      ],
      ['forgets the output', ['output = finished.output', 'output = null']],
    ] satisfies Short[]
  ).map(of('settle_ended_child', about, single)),
  ...(
    [
      ['counts from one again', ['1 + coalesce(', '1 + 0 * coalesce(']],
      ['knows no bound', [`if v_depth > bound('depth')`, 'if false']],
    ] satisfies Short[]
  ).map(of('spawn_depth', about, single)),
  ...(
    [
      ['takes those detached', [/and not is_detached/, '']],
      [
        'finds no grandchildren',
        ['from family join steps', 'from family join steps on false join steps as none'],
      ],
    ] satisfies Short[]
  ).map(of('find_children', about, single)),
  ...(
    [
      [
        'lets the step as it is',
        [`set state = 'open', finished_at = null`, 'set finished_at = null'],
      ],
      [
        'notes no wait',
        ['values (p_child, p_parent, v_name)', 'select p_child, p_parent, v_name where false'],
      ],
      ['does not count it', [`(value ->> 'left')::integer + 1`, `(value ->> 'left')::integer`]],
    ] satisfies Short[]
  ).map(of('reopen_child', about, single)),
  ...(
    [
      ['forgets all', ['place >= v_first and', '']],
      [
        'keeps what failed',
        [`(not p_failed_only or state in ('failed', 'retrying'))`, 'not p_failed_only'],
      ],
      ['forgets what was done', [`(not p_failed_only or state in ('failed', 'retrying'))`, 'true']],
      ['takes a step that is not there', ['if not found then', 'if false then']],
      ['keeps the signals', ['perform return_signals(v_gone)', 'null']],
      ['keeps the children', ['perform cancel_tasks(', 'perform cardinality(']],
    ] satisfies Short[]
  ).map(of('forget_steps', about, single)),
  ...(
    [
      [
        'gives signals back behind others',
        ['select signal, task,', `select nextval(pg_get_serial_sequence('signals', 'id')), task,`],
      ],
      ['empties them', ['submitter(), output', `submitter(), 'null'`]],
    ] satisfies Short[]
  ).map(of('return_signals', about, single)),
  ...(
    [
      ['wakes none', ['perform wake_tasks(array[v_task.id])', 'null']],
      ['ends none', ['perform end_dependents(array[v_task.id], v_result)', 'null']],
    ] satisfies Short[]
  ).map(of('fold_wake_notes', about, single)),
  ...(
    [
      ['overlooks a failure', ['if p_has_failed and', 'if false and']],
      ['wakes too soon', [`return case when v_left = 0 then 'wake' end`, `return 'wake'`]],
      ['never wakes', [`return case when v_left = 0 then 'wake' end`, 'return null']],
    ] satisfies Short[]
  ).map(of('look_again', about, single)),
]
