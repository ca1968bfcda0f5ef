import { describe, inject } from 'vitest'
import type { TestEngine } from '../../support/test-engine.ts'
import { until } from '../../support/until.ts'
import { signalled, test } from '../../support/worker.ts'

const tasks = { mail: () => {} }
/** Long enough for an idle worker to have said that it lives. */
const hasBeaten = `select bool_and(beat_at > started_at + interval '10 milliseconds') from worker`

/** The connections of workers that were started with this name. */
const connectionsOf = (engine: TestEngine, name: string) =>
  engine.value<number>(
    `select count(*)::int from pg_stat_activity where application_name = '${name}'`,
  )

const named = (name: string) => ({ connectionString: inject('pgUrl'), application_name: name })

describe('a worker without tasks', () => {
  test('keeps two connections: to claim, and to listen', async ({ engine, schema, work }) => {
    await work({ database: named(schema), tasks, chores: false, leaseMs: 1_000 })

    await until(() => engine.value(hasBeaten))
    await until(() => engine.value('select asleep from worker'))

    // On a busy machine it borrowed another for a moment.
    await until(async () => (await connectionsOf(engine, schema)) === 2)
  })

  test('keeps one connection where it does not listen', async ({ engine, schema, work }) => {
    const database = named(schema)
    await work({ database, tasks, chores: false, leaseMs: 1_000, listen: false })

    await until(() => engine.value(hasBeaten))
    await until(() => engine.value('select asleep from worker'))

    await until(async () => (await connectionsOf(engine, schema)) === 1)
  })

  test('is taken back when it had been forgotten', async ({ engine, schema, work, said }) => {
    const { id } = await work({ tasks, chores: false })
    await until(() => engine.value('select asleep from worker'))

    await engine.rows('select forget_workers($1)', [id])
    // Asks for a beat at once.
    await engine.rows('select pg_notify($1, $2)', `${schema}:drain`, id)

    await until(() => engine.value('select count(*) = 1 from worker'))
    await until(async () => said.join().includes('registered again'))
    // Producers ring it again.
    await until(() => engine.value('select asleep from worker'))
  })

  test('lives on when the connection that listens is lost', async ({ engine, schema, work }) => {
    const { id } = await work({ database: named(schema), tasks, chores: false })
    await until(() => engine.value('select asleep from worker'))
    await engine.rows('select forget_workers($1)', [id])

    await engine.rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = '${schema}' and query ilike 'listen%'`)
    await until(async () => {
      await engine.rows('select pg_notify($1, $2)', `${schema}:drain`, id)
      return engine.value('select count(*) = 1 from worker')
    })
  })
})

describe('a worker with a task', () => {
  test('has a connection on which its thread keeps the lease', async ({ engine, schema, work }) => {
    const started = signalled()
    const open = signalled()
    const mail = () => {
      started.resolve()
      return open.promise
    }
    await work({ database: named(schema), tasks: { mail }, chores: false, leaseMs: 8_000 })
    await engine.enqueue({ queue: 'mail' })
    await started.promise

    await until(() =>
      engine.value(`select expires_at > claimed_at + interval '9 seconds' from claims`),
    )
    await until(async () => (await connectionsOf(engine, schema)) === 3)
    open.resolve()
  })
})
