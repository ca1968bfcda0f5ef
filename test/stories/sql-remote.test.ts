import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { stopAll } from '../../src/embedded/inspect.ts'
import { launchIn, query } from '../support/home.ts'
import { test as base } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

const test = base.extend<{ home: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'tusk-home-'))
    await use(home)
    await stopAll(home)
    await rm(home, { recursive: true })
  },
})

describe('a remote server that is killed in mid-query', () => {
  test('fails its task alone, which runs once the server is back', { timeout: 300_000 }, async ({
    home,
    engine,
    workSql,
    enqueueSql,
    endOf,
    runSql,
  }) => {
    const remote = await launchIn(home)
    await query(remote.url, 'create table tries (n serial)')
    await workSql({ allowConnectionStrings: true })
    const sql = `insert into tries default values; commit; select pg_sleep(case count(*) when 1 then 60 else 0 end) from tries`
    const id = await enqueueSql(
      { sql, connection: { dsn: remote.url } },
      { maxAttempts: 100, backoff: { kind: 'fixed', base: '500 milliseconds' } },
    )
    await until(async () => (await query(remote.url, 'select from tries')).length > 0)

    process.kill(remote.pid, 'SIGQUIT')
    await until(() => engine.value('select exists (select from attempt)'))
    const meanwhile = await runSql('select 7')
    await launchIn(home, { port: Number(new URL(remote.url).port) })

    expect(meanwhile.output.results[0]?.rows).toEqual([['7']])
    expect((await endOf(id)).state).toBe('done')
    const [first] = await engine.rows<{ code: string }>(
      `select error->>'code' as code from attempt order by attempt limit 1`,
    )
    expect(['57P02', '57P01', 'connection_lost']).toContain(first?.code)
  })
})
