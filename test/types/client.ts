import { z } from 'zod'
import type { Tusk } from '../../src/client/tusk.ts'
import type { Json } from '../../src/engine/task.ts'
import type { ClaimedTask } from '../../src/tasks/claimed-task.ts'
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
  await tusk.schedules.set('a', {
    task: { name: 'send_mail', payload: { to: 'ada' } },
    cron: '@daily',
  })
  await tusk.schedules.set('a', { task: { name: 'remind' }, every: '1 hour' })
  await tusk.schedules.set('a', { task: { queue: 'other', payload: [1] } })
  await bare.schedules.set('a', { zone: null })

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

export async function results(tusk: Tusk): Promise<void> {
  const task = await tusk.tasks.get('42')
  if (task === null) return
  expectType<Equal<typeof task.id, string>>(true)
  expectType<Equal<typeof task.iteration, number>>(true)
  expectType<Equal<typeof task.runAt, Date>>(true)
  expectType<Equal<typeof task.maxAttempts, number | null>>(true)
  expectType<Equal<typeof task.payload, Json>>(true)
  // @ts-expect-error: snake_case is for SQL, HTTP and the command line
  task.run_at

  const [claimed] = await tusk.claims.claim('orders')
  expectType<Equal<typeof claimed, ClaimedTask | undefined>>(true)
  const [stats] = await tusk.queues.stats()
  expectType<Equal<NonNullable<typeof stats>['doneLastHour'], number>>(true)
  const [point] = await tusk.queues.series()
  expectType<Equal<NonNullable<typeof point>['waitP50'], number | null>>(true)
  expectType<Equal<Snaky<OfAll<Tusk>>, never>>(true)
  // The judge is not blind.
  expectType<Equal<Snaky<OfAll<{ a: { b(c: string): Promise<{ d_e: 1 }[]> } }>>, 'd_e'>>(true)

  await tusk.tasks.amend('42', { maxAttempts: 3, runAt: new Date(), meta: { sent_by: 'ada' } })
  // @ts-expect-error: no such change
  await tusk.tasks.amend('42', { max_attempts: 3 })
  // @ts-expect-error: a time is a Date
  await tusk.tasks.amend('42', { runAt: '2030-01-01' })
}

type Nouns<T> = {
  [Noun in keyof T]: T[Noun] extends (...given: never) => unknown ? never : T[Noun]
}
type Unpacked<T> = T extends readonly (infer Row)[] ? Row : T

/** What the methods of all nouns give, row by row. */
type OfAll<T> = {
  [Noun in keyof Nouns<T>]: {
    [Method in keyof T[Noun]]: T[Noun][Method] extends (...given: never) => Promise<infer Result>
      ? Unpacked<Result>
      : never
  }[keyof T[Noun]]
}[Exclude<keyof T, 'pool' | 'schema' | 'newClient'>]

/** The names in snake_case among all properties of a result. */
type Snaky<T> = T extends object ? Extract<keyof T, `${string}_${string}`> : never

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
