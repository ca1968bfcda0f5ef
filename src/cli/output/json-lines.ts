import { visible } from '../process/visible.ts'

/** A value over several lines, without what would move the cursor: JSON leaves some of that in. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, undefined, 2).split('\n').map(visible)
}
