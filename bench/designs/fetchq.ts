import { documentsOnlyKind } from './documents-only.ts'

/** The original Fetchq, to compare the dialect with. */
export const fetchq = documentsOnlyKind('fetchq')
