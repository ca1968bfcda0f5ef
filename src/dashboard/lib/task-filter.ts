/** By what tasks are found, in the names of the API; the same in the address bar. */
const plainNames = [
  'queue',
  'key',
  'handler',
  'kind',
  'tag',
  'group',
  'parent',
  'reason',
  'worker',
  'host',
  'error',
  'code',
  'text',
  'submitted_by',
] as const

export const timeNames = [
  'created_after',
  'created_before',
  'run_after',
  'run_before',
  'finished_after',
  'finished_before',
] as const

/** A filter as the API takes it, in a query as in a body. */
export type TaskFilter = Readonly<Record<string, string | readonly string[]>>

/** What the address says about which tasks are meant. Times may be relative: `1 hour ago`. */
export function filterOf(query: URLSearchParams, nowMs: number = Date.now()): TaskFilter {
  const filter: Record<string, string | readonly string[]> = {}
  for (const name of plainNames) {
    const value = query.get(name)
    if (value !== null && value !== '') filter[name] = value
  }
  for (const name of timeNames) {
    const value = query.get(name)
    if (value !== null && value !== '') filter[name] = momentOf(value, nowMs)
  }
  const states = query.getAll('state')
  if (states.length > 0) filter['state'] = states
  return filter
}

const steps: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** `1 hour ago`, `90m` and `today` as moments; what is none of them is left for the server to judge. */
export function momentOf(text: string, nowMs: number): string {
  const relative = /^-?(\d+)\s*([smhdw])[a-z]*(?:\s+ago)?$/i.exec(text.trim())
  if (relative !== null) {
    const seconds = Number(relative[1]) * (steps[relative[2]?.toLowerCase() ?? ''] ?? 0)
    return new Date(nowMs - seconds * 1000).toISOString()
  }
  if (text === 'today') return new Date(new Date(nowMs).setHours(0, 0, 0, 0)).toISOString()
  const exact = new Date(text)
  return Number.isNaN(exact.getTime()) ? text : exact.toISOString()
}
