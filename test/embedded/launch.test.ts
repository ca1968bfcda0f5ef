import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { launchIn, query, test } from '../support/home.ts'
import { until } from '../support/until.ts'

describe('launch', () => {
  test('makes a cluster with a database for Tusk', async ({ home }) => {
    const cluster = await launchIn(home)

    const [row] = await query(
      cluster.url,
      `select current_database() as name, current_setting('data_directory') as directory,
              current_setting('synchronous_commit') as synchronous_commit`,
    )
    expect(row).toEqual({
      name: 'tusk',
      directory: cluster.dataDirectory,
      synchronous_commit: 'on',
    })
    expect(cluster).toMatchObject({ attached: false, version: expect.stringMatching(/^\d+\.\d+$/) })
    expect(cluster.dataDirectory).toBe(
      join(home, `pg${Number.parseInt(cluster.version, 10)}`, 'data'),
    )
  })

  test('finds its rows, its port and its password again after a stop', async ({ home }) => {
    const first = await launchIn(home, { mode: 'durable' })
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()

    const second = await launchIn(home, { mode: 'durable' })

    const kept = await query(
      second.url,
      `select answer, current_setting('fsync') as fsync from kept`,
    )
    expect(kept).toEqual([{ answer: 42, fsync: 'on' }])
    expect(second).toMatchObject({ attached: false, url: first.url })
  })

  test('attaches to a cluster that runs, and leaves it running', async ({ home }) => {
    const owner = await launchIn(home)

    const guest = await launchIn(home)
    await guest.stop()

    expect(guest).toMatchObject({ attached: true, pid: owner.pid, url: owner.url })
    expect(await findRunning(home)).toMatchObject({ pid: owner.pid })
  })

  test('gives starters at once one cluster', async ({ home }) => {
    const clusters = await Promise.all([launchIn(home), launchIn(home), launchIn(home)])

    expect(new Set(clusters.map(({ pid }) => pid)).size).toBe(1)
    expect(clusters.filter(({ attached }) => !attached)).toHaveLength(1)
  })

  test('listens on the port asked for, and says so when it is taken', async ({ home }) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => taken.once('listening', done))
    const { port } = taken.address() as { port: number }

    await expect(launchIn(home, { port })).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: `port ${port} is taken by another program`,
    })

    await new Promise((done) => taken.close(done))
    expect(await launchIn(home, { port })).toMatchObject({ port })
  })

  test('gives starters at once that ask for one port one cluster', async ({ home }) => {
    const first = await launchIn(home)
    await first.stop()
    const { port } = first

    const clusters = await Promise.all([launchIn(home, { port }), launchIn(home, { port })])

    expect(clusters.map(({ pid }) => pid)).toEqual([clusters[0]?.pid, clusters[0]?.pid])
  })

  test('gives the reason when Postgres does not start', async ({ home }) => {
    const settings = { max_connections: 'many' }

    await expect(launchIn(home, { settings })).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: expect.stringContaining('invalid value for parameter "max_connections"'),
    })
  })
})

describe('stop', () => {
  test('ends the server and may be asked twice', async ({ home }) => {
    const cluster = await launchIn(home)

    await cluster.stop()
    await cluster.stop()

    expect(await findRunning(home)).toBeUndefined()
  })

  test('does not wait for open sessions', async ({ home }) => {
    const cluster = await launchIn(home)
    const asleep = expect(query(cluster.url, 'select pg_sleep(600)')).rejects.toThrow()
    const sleepers = `select from pg_stat_activity where query = 'select pg_sleep(600)'`
    await until(async () => (await query(cluster.url, sleepers)).length > 0)

    await Promise.all([asleep, cluster.stop()])

    expect(await findRunning(home)).toBeUndefined()
  })
})
