import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject } from 'vitest'
import { test as base } from '../support/processes.ts'
import { until } from '../support/until.ts'

const hasScript = await promisify(execFile)('script', ['--version']).then(
  () => true,
  () => false,
)

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Typing {
  /** Resolves when the terminal shows these words. */
  shows(words: string): Promise<void>
  type(text: string): void
  readonly ended: Promise<Ended>
}

/** The real program in processes of its own. */
const test = base.extend<{
  pipe: (...args: string[]) => Promise<Ended>
  /** A line of the shell, in which the program is `tusk`. */
  inShell: (line: string) => Promise<Ended>
  atTerminal: (...args: string[]) => Typing
}>({
  pipe: async ({ build, schema, db: _ }, use) => {
    const file = join(build, 'dist/cli/main.js')
    await use((...args) => start(process.execPath, [file, ...args], schema).ended)
  },
  inShell: async ({ build, schema, db: _ }, use) => {
    const program = `'${process.execPath}' '${join(build, 'dist/cli/main.js')}'`
    await use((line) => start('sh', ['-c', `tusk() { ${program} "$@"; }; ${line}`], schema).ended)
  },
  atTerminal: async ({ build, schema, db: _ }, use) => {
    const file = join(build, 'dist/cli/main.js')
    // script(1) gives the command a terminal and passes on its exit code.
    await use((...args) => {
      const line = [process.execPath, file, ...args].map((word) => `'${word}'`).join(' ')
      return start('script', ['-qec', `exec ${line}`, '/dev/null'], schema)
    })
  },
})

function start(program: string, args: readonly string[], schema: string): Typing {
  const env = { PATH: process.env['PATH'], DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
  const child = spawn(program, args, { cwd: '/', env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' } })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...said }))
  })
  const shows = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => said.stdout.includes(words) && resolve()
      child.stdout.on('data', look)
      child.on('close', () => reject(new Error(`never showed ${words}: ${said.stdout}`)))
      look()
    })
  return { shows, type: (text) => child.stdin.write(text), ended }
}

// The first test also builds the program.
describe('the program in a pipe', { timeout: 300_000 }, () => {
  test('gives JSON without colours, and its exit codes', async ({ pipe, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const list = await pipe('task', 'list')
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(list.stdout)).toMatchObject([{ id, queue: 'mail' }])
    expect(await pipe('task', 'show', '999999')).toMatchObject({ code: 3, stdout: '' })
    const refused = await pipe('task', 'delete', id)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).not.toContain('\x1b')
  })

  test('ends endless output when its reader has gone', async ({ inShell }) => {
    const { stdout, stderr } = await inShell('tusk stats --watch 1 | head -n 1')

    expect(JSON.parse(stdout)).toMatchObject({ queues: [] })
    expect(stderr).toBe('')
  })

  test('stops following the lines of a task when the reader has gone', async ({
    inShell,
    engine,
  }) => {
    const { id, claim } = await engine.running()
    const write = (message: string) =>
      engine.log([{ id, claim, message, level: 'info', at: new Date() }])
    await write('one')
    let isOver = false

    const following = inShell(
      `{ tusk task logs ${id} -f -o jsonl; echo "ended with $?" >&2; } | head -n 1`,
    ).finally(() => {
      isOver = true
    })
    await until(async () => isOver || (await write('more')))
    const { stdout, stderr } = await following

    expect(JSON.parse(stdout)).toMatchObject({ message: 'one' })
    expect(stderr).toBe('ended with 0\n')
    expect(await engine.task(id)).toMatchObject({ state: 'running' })
  })

  test.runIf(existsSync('/dev/full'))('fails when its output has no room', async ({ inShell }) => {
    const { code, stderr } = await inShell('tusk queue list > /dev/full')

    expect(code).toBe(1)
    expect(stderr).toMatch(/^tusk: the output cannot be written: ENOSPC.*\n$/)
  })
})

describe('every noun of the real program', { timeout: 300_000 }, () => {
  const lists = [
    'task',
    'operation',
    'queue',
    'group',
    'schedule',
    'worker',
    'chore',
    'token',
    'audit',
  ]

  test.for([...lists.map((noun) => `${noun} list`), 'stats', 'task add mail -o json'])(
    'answers tusk %s with JSON and nothing else',
    async (line, { pipe }) => {
      const { code, stdout, stderr } = await pipe(...line.split(' '))

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toBeTypeOf('object')
    },
  )

  test.for([
    [2, ['queue', 'set', 'mail']],
    [2, ['task', 'list', '--colour']],
    [3, ['schedule', 'show', 'none']],
    [3, ['group', 'show', 'none']],
    [3, ['token', 'revoke', '1', '--yes']],
    [124, ['task', 'add', 'mail', '--wait', '1']],
  ] as const)('ends with %d after %j', async ([code, args], { pipe }) => {
    expect(await pipe(...args)).toMatchObject({ code, stdout: '' })
  })
})

describe.runIf(hasScript)('the program at a terminal', () => {
  test('prints tables in colour by default', async ({ atTerminal, engine }) => {
    await engine.inState('failed')

    const coloured = await atTerminal('task', 'list').ended
    const plain = await atTerminal('task', 'list', '--no-color').ended

    expect(coloured).toMatchObject({ code: 0 })
    expect(coloured.stdout).toContain('\x1b[31mfailed\x1b[0m')
    expect(plain.stdout).toMatch(/^id │ state +│ queue/)
    expect(plain.stdout).not.toContain('\x1b')
  })

  test('asks before it deletes, and heeds the answer', async ({ atTerminal, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const no = atTerminal('task', 'delete', id)
    await no.shows('Go on? [y/N]')
    no.type('\r')
    expect(await no.ended).toMatchObject({ code: 1 })
    expect(await engine.task(id)).not.toBeNull()

    const yes = atTerminal('task', 'delete', id)
    await yes.shows('Go on? [y/N]')
    yes.type('y\r')
    expect(await yes.ended).toMatchObject({ code: 0 })
    expect(await engine.task(id)).toBeNull()
  })

  test('watches until Ctrl-C', async ({ atTerminal }) => {
    const watching = atTerminal('stats', '--watch', '1')
    await watching.shows('done a second')
    watching.type('\x03')

    expect(await watching.ended).toMatchObject({ code: 0 })
  })
})
