import type { z } from '@hono/zod-openapi'
import type * as model from '../../src/dashboard/model.ts'
import type { operation } from '../../src/http/schemas/operation.ts'
import type { queueStats } from '../../src/http/schemas/queue.ts'
import type { schedule } from '../../src/http/schemas/schedule.ts'
import type { series, stats } from '../../src/http/schemas/stats.ts'
import type { task } from '../../src/http/schemas/task.ts'
import type { attempt, logLine, runningSql } from '../../src/http/schemas/task-details.ts'
import type { worker } from '../../src/http/schemas/worker.ts'
import { type Equal, expectType } from './expect-type.ts'

/**
 * The fields that the dashboard takes for something else than the API tells. What the API says nothing
 * about (any JSON) may be read as anything; what the dashboard can do without need not be told.
 */
type Mistaken<Told, Read> = {
  [Name in keyof Read]-?: Name extends keyof Told
    ? unknown extends Told[Name]
      ? never
      : Told[Name] extends Read[Name]
        ? never
        : Name
    : undefined extends Read[Name]
      ? never
      : Name
}[keyof Read]

// The dashboard is not built from the schemas, which would bring zod into the browser.
expectType<Equal<Mistaken<z.infer<typeof task>, model.Task>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof attempt>, model.Attempt>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof logLine>, model.LogLine>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof runningSql>, model.RunningSql>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof queueStats>, model.QueueStats>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof stats>, model.Stats>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof series>, model.Series>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof schedule>, model.Schedule>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof worker>, model.Worker>, never>>(true)
expectType<Equal<Mistaken<z.infer<typeof operation>, model.Operation>, never>>(true)

// And it would tell.
expectType<Equal<Mistaken<z.infer<typeof task>, { id: number; state: string }>, 'id'>>(true)
expectType<Equal<Mistaken<z.infer<typeof task>, { colour: string }>, 'colour'>>(true)
