import { stateColumnKind } from './state-column.ts'

/** The same with a row of history per task, as most task systems keep one. */
export const classic = stateColumnKind('classic', true)
