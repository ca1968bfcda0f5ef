import { documentsOnlyKind } from './documents-only.ts'

/** The original that the dialect of its name speaks for. */
export const fetchq = documentsOnlyKind('fetchq')
