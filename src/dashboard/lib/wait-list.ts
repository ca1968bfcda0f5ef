import { isNever } from '../../lib/waits.ts'
import type { Step, Task } from '../model.ts'

/** One thing that a task in state `waiting` waits for. */
export interface Wait {
  readonly kind: 'signal' | 'delay' | 'children' | 'after' | 'attempt'
  /** The step, or null where the wait has no name. */
  readonly name: string | null
  /** The signal to send. */
  readonly signal: string | null
  /** When it is over by time. */
  readonly until: string | null
  /** How many tasks have not ended yet. */
  readonly left: number
  /** The children that have not ended, as far as they are known. */
  readonly tasks: readonly string[]
}

interface Stored {
  readonly steps?: readonly string[]
  readonly signals?: readonly string[]
  readonly joins?: readonly { readonly left: number; readonly children?: readonly string[] }[]
  readonly after?: { readonly left: number }
}

const nothing = { name: null, signal: null, until: null, left: 0, tasks: [] } as const

/** What a task waits for, one by one: the engine stores names, the steps say what they are. */
export function listWaits(
  { state, waits, run_at }: Pick<Task, 'state' | 'waits' | 'run_at'>,
  steps: readonly Step[],
): readonly Wait[] {
  if (state !== 'waiting' || typeof waits !== 'object' || waits === null) return []
  const { steps: names = [], signals = [], joins = [], after } = waits as Stored
  const byName = new Map(steps.map((step) => [step.name, step]))
  // The engine lists signals in the order of their steps.
  const sent = [...signals]
  const named = names.map((name): Wait => {
    const step = byName.get(name)
    if (step?.kind === 'delay') return { ...nothing, kind: 'delay', name, until: step.until }
    if (step?.kind !== 'signal') return { ...nothing, kind: 'attempt', name, until: run_at }
    const until = step.until === null || isNever(new Date(step.until)) ? null : step.until
    return { ...nothing, kind: 'signal', name, signal: sent.shift() ?? name, until }
  })
  const joined = joins.map(({ left, children = [] }): Wait => {
    const open = children.map((name) => byName.get(name)).filter((step) => step?.state === 'open')
    return { ...nothing, kind: 'children', left, tasks: open.flatMap((step) => step?.child ?? []) }
  })
  const others =
    after === undefined ? [] : [{ ...nothing, kind: 'after', left: after.left } as const]
  return [...named, ...joined, ...others]
}
