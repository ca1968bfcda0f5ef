import { stateColumnKind } from './state-column.ts'

/** The limit to measure against: it forgets a task when it is done, and can do nothing else. */
export const plain = stateColumnKind('plain', false)
