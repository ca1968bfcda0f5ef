import * as v from 'valibot'
import { z } from 'zod'
import type { Json } from '../../src/engine/task.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { reschedule } from '../../src/tasks/steering.ts'
import type { InputOf, OutputOf, TaskName } from '../../src/tasks/task-list.ts'
import { type Equal, expectType } from './expect-type.ts'

// tsc is the judge of this file: each line that compiles is a promise kept.

const plain = defineTask({
  name: 'plain',
  run: async (payload: { to: string }) => ({ messageId: payload.to, at: new Date() }),
})
const withZod = defineTask({
  name: 'with_zod',
  schema: z.object({ to: z.string(), subject: z.string().default('Hello') }),
  run: async ({ to, subject }, { attempt }) => to.length + subject.length + attempt,
})
const withValibot = defineTask({
  name: 'with_valibot',
  schema: v.object({ count: v.pipe(v.string(), v.transform(Number)) }),
  run: ({ count }) => (count > 3 ? reschedule(new Date()) : { count }),
})
const silent = defineTask({ name: 'silent', run: async (_payload: { to: string }) => {} })
const elsewhere = defineTask({ name: 'elsewhere', queue: 'other' })

const list = [plain, withZod, withValibot, silent, elsewhere] as const
type List = typeof list

expectType<Equal<TaskName<List>, 'plain' | 'with_zod' | 'with_valibot' | 'silent' | 'elsewhere'>>(
  true,
)
expectType<Equal<InputOf<List, 'plain'>, { to: string }>>(true)
expectType<Equal<OutputOf<List, 'plain'>, { messageId: string; at: string }>>(true)
expectType<Equal<InputOf<List, 'with_zod'>, { to: string; subject?: string | undefined }>>(true)
expectType<Equal<OutputOf<List, 'with_zod'>, number>>(true)
expectType<Equal<InputOf<List, 'with_valibot'>, { count: string }>>(true)
expectType<Equal<OutputOf<List, 'with_valibot'>, { count: number }>>(true)
expectType<Equal<OutputOf<List, 'silent'>, null>>(true)
expectType<Equal<InputOf<List, 'elsewhere'>, Json>>(true)
expectType<Equal<OutputOf<List, 'elsewhere'>, Json>>(true)

const map = {
  send_mail: async (payload: { to: string }) => payload.to,
  tidy_up: async () => {},
  resize: { maxAttempts: 1, run: (payload: { width: number }) => ({ area: payload.width ** 2 }) },
}
type Map = typeof map

expectType<Equal<TaskName<Map>, 'send_mail' | 'tidy_up' | 'resize'>>(true)
expectType<Equal<InputOf<Map, 'send_mail'>, { to: string }>>(true)
expectType<Equal<OutputOf<Map, 'send_mail'>, string>>(true)
expectType<Equal<OutputOf<Map, 'tidy_up'>, null>>(true)
expectType<Equal<InputOf<Map, 'resize'>, { width: number }>>(true)
expectType<Equal<OutputOf<Map, 'resize'>, { area: number }>>(true)

defineTask({
  name: 'wrong',
  // @ts-expect-error: the schema gives something else than the handler takes
  schema: z.object({ to: z.string() }),
  run: (payload: { to: number }) => payload,
})
