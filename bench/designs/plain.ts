import { stateColumnKind } from './state-column.ts'

/** The practical limit: it deletes a task when it is done, and has no other features. */
export const plain = stateColumnKind('plain', false)
