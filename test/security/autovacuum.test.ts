import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { launchIn, test } from '../support/home.ts'
import { type Attempt, plantOwnersCode, restricted, takeAttempts } from '../support/owners-code.ts'
import { until } from '../support/until.ts'

test('autovacuum stores no SQL task of a producer in the name of a superuser', async ({ home }) => {
  const settings = { autovacuum: 'on', autovacuum_naptime: '1s' }
  const cluster = await launchIn(home, { settings })
  const db = await logIn(cluster.url)
  const byAutovacuum: Attempt[] = []
  try {
    await migrate(db)
    await db.query(`create role mallory login password 'm'; grant tusk_producer to mallory`)
    await plantOwnersCode(
      db,
      'mallory',
      `select tusk.enqueue('sql', '{"sql": "alter role mallory superuser"}', p_kind => 'sql')`,
    )
    const mallory = await logIn(cluster.url, { user: 'mallory', password: 'm' })

    await until(async () => {
      await mallory.query('insert into mallory.bait values (2)')
      const attempts = await takeAttempts(mallory, 'mallory')
      byAutovacuum.push(...attempts.filter(({ session_user }) => session_user !== 'mallory'))
      return byAutovacuum.length > 0
    })
    await mallory.end()

    expect(byAutovacuum[0]).toMatchObject({ current_user: 'mallory', outcome: restricted })
    expect((await db.query('select from tusk.task')).rows).toEqual([])
  } finally {
    await db.end()
    await cluster.stop()
  }
})

async function logIn(url: string, as: pg.ClientConfig = {}): Promise<pg.Client> {
  const { host, port, database, user, password } = new pg.Client(url)
  const client = new pg.Client({ host, port, database, user, password, ...as } as pg.ClientConfig)
  await client.connect()
  return client
}
