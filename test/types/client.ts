import { z } from 'zod'
import type { Tusk } from '../../src/client/tusk.ts'
import type { Json } from '../../src/engine/task.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import type { Schedules } from '../../src/tasks/schedule-settings.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { type Equal, expectType } from './expect-type.ts'

// tsc is the judge of this file; it is never run.

const sendMail = defineTask({
  name: 'send_mail',
  run: async (payload: { to: string }) => ({ messageId: payload.to }),
})
const remind = defineTask({
  name: 'remind',
  schema: z.object({ text: z.string().default('Hello') }),
  run: async ({ text }) => text.length,
})
const tasks = [sendMail, remind] as const

export async function promises(tusk: Tusk<typeof tasks>, bare: Tusk): Promise<void> {
  const mail = await tusk.enqueue('send_mail', { to: 'ada' }, { priority: 5 })
  expectType<Equal<Awaited<ReturnType<typeof mail.wait>>, { messageId: string }>>(true)

  const reminder = await tusk.enqueue('remind')
  expectType<Equal<Awaited<ReturnType<typeof reminder.wait>>, number>>(true)

  const known = await tusk.wait<'send_mail'>(mail.id)
  expectType<Equal<typeof known, { messageId: string }>>(true)
  const unknown = await tusk.wait(mail.id)
  expectType<Equal<typeof unknown, Json>>(true)

  await tusk.enqueueMany([{ name: 'send_mail', payload: { to: 'ada' } }, { name: 'remind' }])

  // @ts-expect-error: no such task
  await tusk.enqueue('send_male', { to: 'ada' })
  // @ts-expect-error: a payload of another shape
  await tusk.enqueue('send_mail', { to: 7 })
  // @ts-expect-error: this task cannot do without a payload
  await tusk.enqueue('send_mail')
  // @ts-expect-error: the payload of another task
  await tusk.enqueueMany([{ name: 'send_mail', payload: { text: 'Hello' } }])
  // @ts-expect-error: no such option
  await tusk.enqueue('send_mail', { to: 'ada' }, { prio: 5 })
  // @ts-expect-error: no such task to wait for
  await tusk.wait<'send_male'>(mail.id)
  // @ts-expect-error: a client without tasks enqueues by enqueueTask() only
  await bare.enqueue('send_mail', { to: 'ada' })

  const other = await bare.enqueueTask<{ total: number }>({ queue: 'reports' })
  expectType<Equal<Awaited<ReturnType<typeof other.wait>>, { total: number }>>(true)
}

export async function plans(tusk: Tusk<typeof tasks>, bare: Tusk): Promise<void> {
  await tusk.setSchedule('a', {
    task: { name: 'send_mail', payload: { to: 'ada' } },
    cron: '@daily',
  })
  await tusk.setSchedule('a', { task: { name: 'remind' }, every: '1 hour' })
  await tusk.setSchedule('a', { task: { queue: 'other', payload: [1] } })
  await bare.setSchedule('a', { zone: null })

  // @ts-expect-error: a payload of another shape
  await tusk.setSchedule('a', { task: { name: 'send_mail', payload: { to: 7 } } })
  // @ts-expect-error: this task cannot do without a payload
  await tusk.setSchedule('a', { task: { name: 'send_mail' } })
  // @ts-expect-error: no such task
  await tusk.setSchedule('a', { task: { name: 'send_male', queue: 'mail', payload: {} } })
  // @ts-expect-error: the schedule has the time
  await tusk.setSchedule('a', { task: { queue: 'mail', runAt: new Date() } })
  // @ts-expect-error: no such setting
  await tusk.setSchedule('a', { crn: '@daily' })
  // @ts-expect-error: no such rule
  await tusk.setSchedule('a', { misfire: 'twice' })
}

export async function plansOfWorkers(): Promise<void> {
  const database = 'postgres://localhost/tusk'
  await startWorker({
    database,
    tasks,
    schedules: { a: { task: { name: 'send_mail', payload: { to: 'ada' } }, cron: '@daily' } },
  })
  // @ts-expect-error: a payload of another shape
  const wrong: Schedules<typeof tasks> = { a: { task: { name: 'send_mail', payload: 7 } } }
  await startWorker({ database, tasks, schedules: wrong })
  // @ts-expect-error: no such task
  await startWorker({ database, tasks, schedules: { a: { task: { name: 'send_male' } } } })
}

/** Code that needs no tasks of its own takes any client. */
export function anyClient(tusk: Tusk<typeof tasks>): Tusk {
  return tusk
}
