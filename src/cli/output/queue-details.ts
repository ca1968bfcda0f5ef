import type { QueueStats } from '../../engine/measuring.ts'
import type { Queue, SettingInForce } from '../../engine/queue-settings.ts'
import type { Json } from '../../engine/task.ts'
import type { Details } from './screen.ts'
import { fromNow } from './spans.ts'

/** A queue for `tusk queue show`: its counts, then each setting that holds in it, and where its value comes from. */
export function queueDetails(
  name: string,
  set: Queue | null,
  stats: QueueStats | undefined,
  settings: readonly SettingInForce[],
): Details {
  return [
    ['queue', name],
    ['paused', fromNow(set?.paused_at ?? null) ?? 'no'],
    ...(stats === undefined ? [] : counts(stats)),
    ...settings.filter(({ value }) => value !== null).map(settingLine),
  ]
}

function counts(stats: QueueStats): Details {
  return [
    ['running', stats.running],
    ['due', stats.due],
    ['oldest due', fromNow(stats.oldest_due_at)],
    ['later', stats.later],
    ['asleep', stats.asleep],
    ['last hour', `${stats.done_last_hour} done, ${stats.failed_last_hour} failed`],
  ]
}

function settingLine({ setting, value, source }: SettingInForce): readonly [string, string] {
  return [setting.replaceAll('_', ' '), `${textOf(value)}${sources[source]}`]
}

/** What was set for the queue itself stands alone; the rest says where it comes from. */
const sources = { queue: '', '*': '  (from queue *)', default: '  (default)' } as const

function textOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isObject(value)) return wordsOf(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A backoff reads "exponential, base 1 second, cap 1 hour, jitter 0". */
function wordsOf({ kind, ...rest }: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(rest)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name} ${textOf(value)}`)
  return [...(kind === undefined ? [] : [textOf(kind)]), ...parts].join(', ')
}
