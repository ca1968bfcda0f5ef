import type { NewTask } from '../engine/task.ts'
import { toInterval } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import { requireOptions } from '../lib/require-known.ts'
import { backoffInSql } from '../tasks/backoff-in-sql.ts'
import { encodeJson, requireText, writtenJson } from '../tasks/encode-json.ts'
import { type RawTask, rawTaskOptions } from '../tasks/enqueue-options.ts'

/**
 * Converts a task to the form that the engine takes. Rejects values that would fail the statement it shares with other
 * tasks.
 */
export function newTask(task: RawTask): NewTask {
  requireOptions('a task', task, rawTaskOptions)
  if (task.delay !== undefined && task.runAt !== undefined) {
    throw new TuskError('invalid_argument', 'a task has either runAt or delay', {
      hint: 'Leave one of them out.',
    })
  }
  requireTime('runAt', task.runAt)
  requireTime('deadline', task.deadline)
  requireTexts(task)
  // Each property is written out: this runs once per task, and object spread cost more than everything else here.
  return {
    queue: task.queue,
    payloadJson: payloadOf(task),
    handler: task.handler,
    kind: task.kind,
    priority: task.priority,
    runAt: task.runAt,
    delay: toInterval('delay', task.delay),
    key: task.key,
    onDuplicate: task.onDuplicate,
    window: toInterval('window', task.window),
    freesKey: task.freesKey,
    groups: task.groups,
    maxRunning: task.maxRunning,
    tags: task.tags,
    version: task.version,
    maxAttempts: task.maxAttempts,
    backoff: copied('backoff', backoffInSql(task.backoff)),
    timeout: toInterval('timeout', task.timeout),
    deadline: task.deadline,
    retention: toInterval('retention', task.retention),
    parent: task.parent,
    meta: copied('meta', task.meta),
    after: task.after,
    afterFailure: task.afterFailure,
  }
}

function payloadOf({ payload, payloadText: text }: RawTask): string {
  if (text === undefined || text === null) {
    return encodeJson('payload', payload === undefined ? {} : payload)
  }
  requireText('payloadText', text)
  if (payload === undefined) return writtenJson('payload', text)
  throw new TuskError('invalid_argument', 'a task has either payload or payloadText', {
    hint: 'Leave one of them out.',
  })
}

/** A copy as JSON returns it, so that it cannot fail later in a statement shared with other tasks. */
function copied<T>(what: string, value: T | undefined): T | undefined {
  return value === undefined || value === null
    ? undefined
    : (JSON.parse(encodeJson(what, value)) as T)
}

/** Rejects a value that is not a valid time. undefined is allowed. */
export function requireTime(name: string, time: Date | undefined): void {
  if (time === undefined || time === null) return
  if (time instanceof Date && !Number.isNaN(time.getTime())) return
  throw new TuskError('invalid_argument', `${name} is not a time`, { hint: 'Give a valid Date.' })
}

function requireTexts({ queue, key, handler, groups, tags, after }: RawTask): void {
  requireText('the queue', queue)
  if (key !== undefined && key !== null) requireText('the key', key)
  if (handler !== undefined && handler !== null) requireText('the handler', handler)
  requireList('groups', 'a group', groups)
  requireList('tags', 'a tag', tags)
  requireList('after', 'the id of a task', after)
}

function requireList(name: string, one: string, texts: readonly string[] | undefined): void {
  if (texts === undefined || texts === null) return
  if (!Array.isArray(texts)) {
    throw new TuskError('invalid_argument', `${name} is not an array`, {
      hint: 'Give an array of texts.',
    })
  }
  for (const text of texts) requireText(one, text)
}
