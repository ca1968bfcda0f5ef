import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, inject } from 'vitest'
import { startProcess, test } from '../support/processes.ts'

const endless = `
  export const endless = (_, { signal }) => new Promise((resolve) => {
    console.log('running')
    signal.addEventListener('abort', () => {
      console.log('hurried')
      resolve()
    })
  })
`

describe('tusk work', () => {
  test('lets what runs finish on the first Ctrl-C, and hurries it on the second', async ({
    build,
    engine,
    schema,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'tusk-hurry-'))
    const path = join(folder, 'tasks.mjs')
    await writeFile(path, endless)
    const { id } = await engine.enqueue({ queue: 'endless', handler: 'endless' })
    const binary = join(build, 'dist/cli/main.js')
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    const worker = startProcess([binary, 'work', path], env)
    await worker.says('running')

    worker.send('SIGINT')
    // A second signal that comes at once is the same wish, delivered twice.
    await pause(1_000)
    const meanwhile = await engine.task(id)
    worker.send('SIGINT')
    const { code } = await worker.ended
    await rm(folder, { recursive: true })

    expect(meanwhile).toMatchObject({ state: 'running' })
    expect({ code, lines: worker.lines }).toEqual({ code: 0, lines: ['running', 'hurried', ''] })
  })
})
