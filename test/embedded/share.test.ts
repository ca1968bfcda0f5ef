import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { findRunning, stopAll } from '../../src/embedded/inspect.ts'
import { defaultStateDirectory } from '../../src/embedded/state-directory.ts'
import { launchIn, query, test } from '../support/home.ts'
import { until } from '../support/until.ts'

describe('a cluster that several programs use', () => {
  test('is stopped by the last one that leaves, which need not be the one that started it', async ({
    home,
  }) => {
    const starter = await launchIn(home)
    const guest = await launchIn(home)

    expect(await starter.stop()).toBe('in use')
    expect(await query(guest.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await guest.stop()).toBe('stopped')
    expect(await findRunning(home)).toBeUndefined()
  })

  test('is left running when it was started to stay', async ({ home }) => {
    const service = await launchIn(home, { keep: true })
    await service.stop()
    const guest = await launchIn(home)

    expect(await guest.stop()).toBe('kept')
    expect(await findRunning(home)).toMatchObject({ pid: service.pid })
  })

  test('stays from the moment it is asked to, also while another program runs it', async ({
    home,
  }) => {
    const starter = await launchIn(home)
    await (await launchIn(home, { keep: true })).stop()

    expect(await starter.stop()).toBe('kept')
  })

  test('is not kept by the mark of a server that ran before', async ({ home }) => {
    await (await launchIn(home, { keep: true })).stop()
    await stopAll(home)

    expect(await (await launchIn(home)).stop()).toBe('stopped')
  })

  test('does not stop under a program that arrives while another leaves', async ({ home }) => {
    let leaving = await launchIn(home)
    for (let round = 0; round < 5; round += 1) {
      const [arrived] = await Promise.all([launchIn(home), leaving.stop()])

      expect(await query(arrived.url, 'select 1 as one')).toEqual([{ one: 1 }])
      leaving = arrived
    }
    expect(await leaving.stop()).toBe('stopped')
  })

  test('knows that its session was lost, and asks again', async ({ home }) => {
    const first = await launchIn(home)
    const second = await launchIn(home)
    const sessions = `from pg_stat_activity where application_name = 'tusk cluster'`
    await query(first.url, `select pg_terminate_backend(pid) ${sessions}`)
    await until(async () => (await query(first.url, `select ${sessions}`)).length === 0)

    expect(await first.stop()).toBe('stopped')
    expect(await second.stop()).toBe('stopped')
  })
})

describe('where a cluster lives', () => {
  test('is a directory of the project, wherever in it you are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tusk-projects-'))
    const env = { XDG_DATA_HOME: '/data' }
    const at = (path: string) => defaultStateDirectory(env, join(folder, path))
    for (const path of ['shop/.git', 'shop/packages/api', 'blog/src', 'plain/sub'])
      await mkdir(join(folder, path), { recursive: true })
    await writeFile(join(folder, 'shop/packages/api/package.json'), '{}')
    await writeFile(join(folder, 'blog/package.json'), '{}')

    expect(at('shop/packages/api')).toBe(at('shop'))
    expect(at('blog/src')).toBe(at('blog'))
    expect(at('plain/sub')).not.toBe(at('plain'))
    expect(new Set([at('shop'), at('blog'), at('plain')]).size).toBe(3)
    expect(at('shop')).toMatch(/\/tusk\/shop-[0-9a-f]{8}$/)
    expect(defaultStateDirectory({ TUSK_HOME: 'here' }, folder)).toBe(join(folder, 'here'))
    await rm(folder, { recursive: true })
  })

  test('tells of a cluster in the place where all projects shared one', async ({ home }) => {
    await (await launchIn(home)).stop()
    const said: string[] = []

    const project = await launchIn(join(home, 'shop-1f3a9c02'), {
      onProgress: (line) => said.push(line),
    })

    await project.stop()
    expect(said).toContainEqual(expect.stringContaining(`set TUSK_HOME=${home}`))
  })
})
