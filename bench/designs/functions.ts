import { documentsOnlyKind } from './documents-only.ts'

/** A table behind functions that do nothing else: what a call of that name costs at least. */
export const functions = documentsOnlyKind('functions')
