import { inspect } from 'node:util'
import type { Task } from '../client/tasks.ts'
import type { AnyFilter } from './enqueued-filter.ts'

const mostListed = 20

/** What was looked for and what was there instead, for the message of a failed expectation. */
export function describeMiss(wanted: string, filter: AnyFilter, there: readonly Task[]): string {
  const which = Object.keys(filter).length === 0 ? '' : ` like ${shown(filter)}`
  return `expected ${wanted}${which} to be enqueued, ${describeWaiting(there)}`
}

function describeWaiting(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'but nothing is waiting'
  const lines = tasks.slice(0, mostListed).map((task) => `  ${describeTask(task)}`)
  const more = tasks.length - lines.length
  if (more > 0) lines.push(`  … and ${more} more`)
  return `but waiting ${tasks.length === 1 ? 'is' : 'are'}:\n${lines.join('\n')}`
}

function describeTask({ handler, queue, payload, key, state, runAt }: Task): string {
  const name = handler ?? queue
  const place = name === queue ? '' : ` in ${queue}`
  const keyed = key === null ? '' : `, key ${JSON.stringify(key)}`
  const due = state === 'ready' || state === 'blocked' ? '' : ` until ${runAt.toISOString()}`
  return `${name}${place} ${shown(payload)} (${state}${due}${keyed})`
}

function shown(value: unknown): string {
  return inspect(value, { depth: 5, breakLength: Number.POSITIVE_INFINITY })
}
