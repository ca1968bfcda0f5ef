import type { z } from '@hono/zod-openapi'
import type { TaskFilter } from '../../engine/looking.ts'
import type { filter } from '../schemas/filter.ts'

/** As the engine's TypeScript names it. */
export function toFilter(given: z.output<typeof filter>): TaskFilter {
  const { submitted_by, created_after, created_before, run_after, run_before, ...rest } = given
  const { finished_after, finished_before, ...same } = rest
  return {
    ...same,
    submittedBy: submitted_by,
    createdAfter: toDate(created_after),
    createdBefore: toDate(created_before),
    runAfter: toDate(run_after),
    runBefore: toDate(run_before),
    finishedAfter: toDate(finished_after),
    finishedBefore: toDate(finished_before),
  }
}

function toDate(given: string | undefined): Date | undefined {
  return given === undefined ? undefined : new Date(given)
}
