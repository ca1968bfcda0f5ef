import type { Setting } from '../../lib/settings.ts'

/** What may run at once and how fast: of a queue, or of a group over all queues. */
export const limits: readonly Setting[] = [
  {
    name: 'max_running',
    label: 'At most running',
    kind: 'number',
    hint: 'The most tasks that run at once. Empty: no limit.',
    placeholder: 'no limit',
  },
  {
    name: 'gap',
    label: 'Gap',
    kind: 'text',
    hint: 'The least time between two tasks.',
    placeholder: 'none',
  },
  {
    name: 'gap_from',
    label: 'Gap counts from',
    kind: 'choice',
    choices: ['start', 'end'],
    isAlwaysSet: true,
    hint: 'From the start or the end of the previous task.',
  },
  {
    name: 'rate',
    label: 'Rate',
    kind: 'number',
    hint: 'The most starts in any window.',
    placeholder: 'no limit',
  },
  {
    name: 'rate_window',
    label: 'Rate window',
    kind: 'text',
    hint: 'The length of that window.',
    placeholder: '1 minute',
  },
]

/** How long what is over is kept. */
export const retention: readonly Setting[] = [
  {
    name: 'keep_done',
    label: 'Keep done tasks',
    kind: 'text',
    hint: 'They are deleted afterwards, a whole day at a time.',
  },
  { name: 'keep_failed', label: 'Keep failed tasks', kind: 'text' },
  { name: 'keep_cancelled', label: 'Keep cancelled tasks', kind: 'text' },
]

const rules: readonly Setting[] = [
  { name: 'max_attempts', label: 'Attempts', kind: 'number', hint: 'How often a task is tried.' },
  {
    name: 'backoff',
    label: 'Backoff',
    kind: 'backoff',
    hint: 'How long a task waits after a failed attempt.',
  },
  {
    name: 'on_lost',
    label: 'When a worker is lost',
    kind: 'choice',
    choices: ['retry', 'fail'],
    hint: 'What to do with its tasks.',
  },
  {
    name: 'timeout',
    label: 'Timeout',
    kind: 'text',
    hint: 'For tasks without their own.',
  },
  {
    name: 'sql_max_rows',
    label: 'Rows kept of a SQL result',
    kind: 'number',
  },
  {
    name: 'sql_max_bytes',
    label: 'Largest SQL output, bytes',
    kind: 'number',
  },
  {
    name: 'max_payload',
    label: 'Largest payload, bytes',
    kind: 'number',
  },
  {
    name: 'group_max_running',
    label: 'At most running per group',
    kind: 'number',
    hint: 'For groups without their own limit.',
  },
]

const switches: readonly Setting[] = [
  { name: 'is_fair', label: 'Fair among groups', kind: 'flag', hint: 'Groups take turns.' },
  {
    name: 'keeps_keys',
    label: 'Keeps keys',
    kind: 'flag',
    hint: 'A key stays taken after its task has ended.',
  },
  {
    name: 'records_events',
    label: 'Records events',
    kind: 'flag',
    hint: 'Also while no client follows them.',
  },
]

export const queueSettings: readonly Setting[] = [...limits, ...rules, ...retention, ...switches]

/** The queue `*`: what holds where a queue says nothing. Limits belong to one queue each. */
export const defaultSettings: readonly Setting[] = [...retention, ...rules]

export const groupSettings: readonly Setting[] = [
  ...limits,
  { name: 'weight', label: 'Weight', kind: 'number', hint: 'Its share in a fair queue.' },
]
