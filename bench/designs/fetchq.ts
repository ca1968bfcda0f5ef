import type { SubjectKind } from '../subjects/subject.ts'

/** The original that the dialect of its name speaks for. It knows documents, so it is for `documents` alone. */
export const fetchq: SubjectKind = {
  name: 'fetchq',
  open: (schema) => ({
    name: 'fetchq',
    schema,
    takesHints: false,
    keepsGroups: false,
    keepsHistory: true,
    install: async (db) => {
      await db.query(`create schema ${schema}`)
    },
    load: documentsOnly,
    enqueueMany: documentsOnly,
    enqueueOne: documentsOnly,
    claim: documentsOnly,
    complete: documentsOnly,
    limitGroups: documentsOnly,
  }),
}

function documentsOnly(): Promise<never> {
  return Promise.reject(new Error('fetchq takes part in the scenario documents alone'))
}
