import { ends } from './end.ts'
import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

/** Mutants of what the verbs that end a task share, and of those that cancel, delete and expire. */
export const endingParts: readonly Mutant[] = [
  ...(
    [
      ['frees no slot', ['perform free_groups(v_names, v_ran, p_now);', 'null;']],
      [
        'frees no slot of the queue',
        ['when claim is not null and queue = any (v_counted)', 'when false'],
      ],
      ['frees no slot of groups', ['names::text[] ||', 'null::text[] ||']],
      ['frees a slot of what did not run', ['(claim is not null)::integer', '1']],
      ['wakes no worker', ['perform wake_workers(v_counted);', 'null;']],
    ] satisfies Short[]
  ).map(of('free_slots', [...ends, 'requeue', 'release', 'cancel', 'delete'])),
  ...(
    [
      ['gives nothing back', ['running - v_ended[i]', 'running']],
      ['finds no group', ['if found then', 'if false then']],
      ['hands nothing on', ['perform unpark_tasks(v_names, v_left);', 'null;']],
    ] satisfies Short[]
  ).map(of('free_groups', ['limit', ...ends, 'requeue', 'release'])),
  ...(
    [
      [
        'keeps the claim',
        [
          'delete from claims\n',
          'delete from claims where false and\n true and id = 0;\n    perform from claims\n',
        ],
      ],
      ['closes the claim with its first task', ['and open <= v_ended', '']],
      ['counts nothing down', ['perform decrement_claims(p_claims, p_sizes);', 'null;']],
      ['takes all claims for the first', ['if p_claims[1] = all (p_claims) then', 'if true then']],
    ] satisfies Short[]
  ).map(of('close_claims', [...ends, 'requeue', 'release', 'cancel', 'delete'])),
  ...(
    [
      ['keeps the claim', ['close_claims(p_claims), free_slots', 'free_slots']],
      ['frees no slot', [', free_slots(p_claims, p_queues, p_groups, p_now);', ';']],
    ] satisfies Short[]
  ).map(of('leave_claims', ['requeue', 'release', 'lease', 'limit'])),
  ...(
    [
      ['leaves attempts', ['delete from attempts where task = any (p_ids);', '']],
      ['leaves lines', ['delete from logs where task = any (p_ids);', '']],
    ] satisfies Short[]
  ).map(of('delete_traces', ['delete', 'history', 'end'])),
  ...(
    [['counts nothing', ['claims.open - told.n as open', 'claims.open as open']]] satisfies Short[]
  ).map(of('decrement_claims', ['lease', 'end'])),
  ...(
    [
      [
        'frees a key that is kept',
        [
          'select array_agg(name) into v_keeping from queues',
          'select null::text[] into v_keeping from queues',
        ],
      ],
      [
        'frees a throttled key',
        [`and (keys.until <= p_now or keys.until = 'infinity' or p_kept is null)`, ''],
      ],
      ['keeps the throttled key of a task that is deleted', ['or p_kept is null)', ')']],
      [
        'frees nothing',
        ['delete from keys\n', 'delete from keys where false;\n  perform from keys,\n'],
        ['using generate_subscripts(p_ids', 'generate_subscripts(p_ids'],
      ],
    ] satisfies Short[]
  ).map(of('free_keys', ['key', 'end', 'delete'], { doors: ['bulk'] })),
  ...(
    [
      [
        'rings no worker',
        [`perform pg_notify(current_schema() || ':finished', v_task::text);`, 'null;'],
      ],
    ] satisfies Short[]
  ).map(of('notify_waiters', ['notify'])),
  ...(
    [
      [
        'notifies no worker',
        [`perform pg_notify(current_schema() || ':cancel', v_gone);`, 'null;'],
      ],
    ] satisfies Short[]
  ).map(of('notify_cancelled', ['notify', 'cancel'])),
  ...(
    [
      [
        'records nothing',
        [
          'insert into events (event, task, queue)\n',
          'perform from (select 1) as nothing;\n    perform\n',
        ],
        [/select p_event, given\.task, given\.queue\n/, ''],
      ],
      [
        'records what its key kept out',
        [
          `where coalesce(given.outcome, 'created') not in ('kept', 'throttled')\n      and`,
          'where',
        ],
      ],
      [
        'records events of every queue',
        ['and (v_all or given.queue in (select name from queues where records_events))', ''],
        ['and (records_events or followed_until > clock_timestamp())', ''],
      ],
    ] satisfies Short[]
  ).map(of('record_events', ['event', 'key'])),
  ...(
    [
      [
        'keeps failed tasks like done ones',
        [`when 'failed' then keep_failed`, `when 'failed' then keep_done`],
      ],
      ['keeps cancelled tasks like failed ones', ['else keep_cancelled', 'else keep_failed']],
    ] satisfies Short[]
  ).map(of('keep_for', ['expire', 'history', 'cancel'])),
  ...(
    [
      ['tells no worker', ['perform notify_cancelled(v_ids, v_claims);', '']],
      ['gives another reason', [`'aborted'`, `'killed'`]],
    ] satisfies Short[]
  ).map(of('cancel_tasks', ['cancel', 'notify', 'history'])),
  ...(
    [
      ['tells no worker', ['perform notify_cancelled(array[p_id], array[v_claim]);', '']],
      ['tries the task again', ['array[false], null, false', 'array[true], null, false']],
      ['forgets the error', ['coalesce(p_error, ', 'coalesce(null::jsonb, ']],
    ] satisfies Short[]
  ).map(of('kill_running', ['cancel', 'notify', 'history', 'end'])),
  ...(
    [
      ['tells no worker', ['perform notify_cancelled(array[p_id], array[v_claim]);', '']],
      ['leaves traces', ['perform delete_traces(array[p_id]);', '']],
      [
        'keeps the key of what has ended',
        [
          'perform free_keys(array[p_id], array[v_queue], array[v_key], null, clock_timestamp());',
          '',
        ],
      ],
      [
        'records no event of what has ended',
        [`perform record_events('delete', array[p_id], array[v_queue]);`, ''],
      ],
    ] satisfies Short[]
  ).map(of('delete', ['delete', 'notify', 'key', 'event'], { doors: ['single'] })),
  ...(
    [
      ['tells no worker', ['perform notify_cancelled(v_live, v_claims);', '']],
      ['leaves traces', ['perform delete_traces(p_ids);', '']],
      [
        'keeps the key of what has ended',
        ['perform free_keys(v_ended, v_queues, v_keys, null, clock_timestamp());', ''],
      ],
      [
        'records no event of what has ended',
        [`perform record_events('delete', v_ended, v_queues);`, ''],
      ],
    ] satisfies Short[]
  ).map(of('delete_many', ['delete', 'notify', 'key', 'event'], { doors: ['bulk'] })),
  ...(
    [
      [
        'takes what is not late',
        [
          'where deadline <= clock_timestamp() and claim is null',
          'where deadline is not null and claim is null',
        ],
      ],
      ['takes what runs', ['and claim is null\n', '\n']],
      ['ignores its limit', ['limit p_limit', '']],
      ['notes no failure', ['from tasks where id = any (v_ids);', 'from tasks where false;']],
      ['gives another reason', [`array_fill('expired'::text`, `array_fill('error'::text`]],
    ] satisfies Short[]
  ).map(of('expire', ['expire'], { doors: ['single'] })),
]
