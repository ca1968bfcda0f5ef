import type { Success } from './reporting.ts'

/** Larger outputs are reported one by one: one that exceeds the limit must not fail its neighbours. */
const mostCharacters = 100_000

/** One element of a report: a task, or a pack of which all tasks have been completed. */
export interface DonePack extends Omit<Success, 'pack'> {
  readonly size: number
}

/** Combines the tasks of a pack where all of them follow one another, in order. */
export function toPacks(ends: readonly Success[]): DonePack[] {
  const packs: DonePack[] = []
  for (let at = 0; at < ends.length; ) {
    const end = ends[at] as Success
    const size = wholeFrom(ends, at, end)
    const { id, claim, startedAt } = end
    const output = size === 1 ? end.output : outputOf(ends, at, size)
    packs.push({ id, claim, size, output, startedAt })
    at += size
  }
  return packs
}

function wholeFrom(ends: readonly Success[], at: number, { id, pack }: Success): number {
  if (pack === undefined || pack.id !== id) return 1
  let characters = 0
  for (let place = 0; place < pack.size; place++) {
    const end = ends[at + place]
    if (end?.pack !== pack) return 1
    characters += end.output?.length ?? 0
  }
  return characters > mostCharacters ? 1 : pack.size
}

/** A list of their outputs. Undefined if no task has one. */
function outputOf(ends: readonly Success[], at: number, size: number): string | null {
  const outputs = ends.slice(at, at + size).map(({ output }) => output)
  if (outputs.every((output) => output === null)) return null
  return `[${outputs.map((output) => output ?? 'null').join(',')}]`
}
