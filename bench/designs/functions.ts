import { documentsOnlyKind } from './documents-only.ts'

/** A bare table behind functions of the same names: the least that such a call can cost. */
export const functions = documentsOnlyKind('functions')
