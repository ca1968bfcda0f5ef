import { z } from 'zod'
import type { Json } from '../../src/engine/task.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import type { TestTusk } from '../../src/testing/test-tusk.ts'
import { type Equal, expectType } from './expect-type.ts'

// tsc is the judge of this file: each line that compiles is a promise kept.

const sendMail = defineTask({
  name: 'send_mail',
  run: async (payload: { to: string; by: { name: string; age: number } }) => payload.to.length,
})
const remind = defineTask({
  name: 'remind',
  schema: z.object({ text: z.string().default('Hello') }),
  run: async ({ text }) => text,
})
const tasks = [sendMail, remind] as const

export async function promises(here: TestTusk<typeof tasks>): Promise<void> {
  const task = await here.tusk.enqueue('remind')
  const end = await here.waitFor(task)
  expectType<Equal<typeof end.output, string>>(true)
  const byId = await here.waitFor(task.id)
  expectType<Equal<typeof byId.output, Json>>(true)

  await here.expectEnqueued({ name: 'send_mail', payload: { by: { name: 'ada' } } })
  await here.expectEnqueued({ queue: 'elsewhere', payload: { any: 'thing' } })
  await here.enqueued()

  // @ts-expect-error: no such task
  await here.expectEnqueued({ name: 'send_male' })
  // @ts-expect-error: a payload of another shape
  await here.expectEnqueued({ name: 'send_mail', payload: { to: 7 } })
  // @ts-expect-error: the payload of another task
  await here.expectEnqueued({ name: 'remind', payload: { to: 'ada' } })
  // @ts-expect-error: no such property
  await here.enqueued({ prio: 5 })
}
