/** What a task waits for, as the engine stores it; see sql/core/durable/waits.sql. */
interface Waits {
  readonly since?: string
  readonly steps?: readonly string[]
  readonly signals?: readonly string[]
  readonly joins?: readonly { readonly left: number }[]
  readonly after?: { readonly left: number }
}

/** The run time that the engine gives a task that does not wait for a time. */
const neverMs = Date.UTC(9999, 11, 31)

/** Whether a time is that of a task that does not wait for a time. */
export function isNever(time: Date): boolean {
  return time.getTime() >= neverMs
}

/** What a task waits for, in a few words: `waits for signal paid`. Null for a task that does not wait. */
export function describeWaits(waits: unknown): string | null {
  if (typeof waits !== 'object' || waits === null) return null
  const { after, signals = [], joins = [], steps = [] } = waits as Waits
  const left = joins.reduce((sum, join) => sum + join.left, 0)
  const others = [
    ...(after === undefined ? [] : [countOf(after.left, 'earlier task', 'earlier tasks')]),
    ...(signals.length === 0 ? [] : [`signal ${signals.join(', ')}`]),
    ...(left === 0 ? [] : [countOf(left, 'child', 'children')]),
  ]
  if (others.length > 0) return `waits for ${others.join(' or ')}`
  return steps.length === 0 ? 'waits for its time' : `waits in ${steps.join(', ')}`
}

/** When a task began to wait. */
export function waitsSince(waits: unknown): Date | null {
  if (typeof waits !== 'object' || waits === null) return null
  const { since } = waits as Waits
  return since === undefined ? null : new Date(since)
}

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
