import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { until } from '../support/until.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tusk-pg-task-'))
})
afterAll(() => rm(directory, { recursive: true }))

/** A command that runs until it is stopped. */
function serve(file: string) {
  let talk = ''
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const hear = {
    write: (text: string) => {
      talk += text
    },
  }
  const ended = main(['pg-task', 'serve', '--tables', file], {
    stdout: hear,
    stderr: hear,
    env: { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/home' },
    stopRequested: () => stopped,
  })
  return {
    says: (words: string) => until(() => Promise.resolve(talk.includes(words))),
    heard: () => talk,
    stop: () => {
      stop()
      return ended
    },
  }
}

describe('tusk pg-task serve', () => {
  test('follows its file: written in place, replaced, or at SIGHUP', async () => {
    const file = join(directory, 'pg_task.json')
    await writeFile(file, '[]')
    const command = serve(file)
    await command.says('Serving 0 task tables')

    await writeFile(file, '[{"data": "a"}]')
    await command.says('again: 1 task tables')
    await command.says('a : a task table cannot be served; trying again')
    await writeFile(`${file}.new`, '[{"data": "a"}, {"data": "b"}]')
    await rename(`${file}.new`, file)
    await command.says('again: 2 task tables')
    await writeFile(file, '[{"data": 7}]')
    await command.says('data of table 1 must be a string')
    process.emit('SIGHUP', 'SIGHUP')

    expect(await command.stop()).toBe(0)
    expect(command.heard()).not.toContain('secret')
  })

  test('refuses a file that is not there', async () => {
    const command = serve(join(directory, 'missing.json'))

    expect(await command.stop()).toBe(2)
    expect(command.heard()).toContain('cannot be read')
  })
})
