import type { SubjectKind } from '../subjects/subject.ts'

/** A design that supports only documents. `documentStore()` creates their tables and functions. */
export function documentsOnlyKind(name: string): SubjectKind {
  const refuse = () =>
    Promise.reject(new Error(`${name} takes part in the scenario documents alone`))
  return {
    name,
    open: (schema) => ({
      name,
      schema,
      takesHints: false,
      keepsGroups: false,
      keepsHistory: true,
      install: async (db) => {
        await db.query(`create schema ${schema}`)
      },
      load: refuse,
      enqueueMany: refuse,
      enqueueOne: refuse,
      claim: refuse,
      complete: refuse,
      limitGroups: refuse,
      limitGroupsOfQueue: refuse,
    }),
  }
}
