import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const settings = [
  'max_attempts',
  'max_payload',
  'group_max_running',
  'keep_done',
  'keep_failed',
  'keep_cancelled',
  'backoff',
  'on_lost',
] as const

/** Mutants of reading what holds in a queue. */
export const rules: readonly Mutant[] = [
  ...settings.flatMap(
    (name) =>
      [
        [
          `ignores ${name} of the queue`,
          [`coalesce(own.${name}, common.${name})`, `common.${name}`],
        ],
        [`ignores ${name} of all queues`, [`coalesce(own.${name}, common.${name})`, `own.${name}`]],
      ] satisfies Short[],
  ),
  ...([
    ['forgets that the queue is paused', ['select own.paused_at,', 'select null::timestamptz,']],
    ['forgets that the queue has a limit', ['coalesce(own.is_counted, false)', 'false']],
    ['forgets that the queue is fair', ['coalesce(own.is_fair, false)', 'false']],
    ['forgets that the queue records events', ['coalesce(own.records_events, false) or', '']],
    ['forgets that events are followed', ['or coalesce(common.followed_until > now(), false)', '']],
  ] satisfies Short[]),
].map(
  of('queue_rules', [
    'claim',
    'limit',
    'requeue',
    'rescue',
    'history',
    'expire',
    'event',
    'store',
    'end',
  ]),
)
