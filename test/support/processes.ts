import { spawn } from 'node:child_process'
import { copyFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { builtPackage } from './built.ts'
import { test as base } from './engine.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const script = fileURLToPath(new URL('../stories/worker-process.mjs', import.meta.url))

/** The options of the worker of a story; the rest is as by default. */
export interface ProcessOptions {
  readonly url?: string
  readonly leaseMs?: number
  readonly maxBlockMs?: number
  readonly deadlineMs?: number
  readonly concurrency?: number
  /** It runs SQL tasks too. */
  readonly sql?: boolean
  readonly queues?: readonly string[]
  /** It is killed at one of its statements. */
  readonly diesAt?: {
    /** Counted from 1, over all of its connections. */
    readonly statement: number
    readonly moment: 'before' | 'sent' | 'answered'
  }
  readonly chores?: { readonly ttlMs?: number }
}

/** A real process with a worker in it. */
export interface WorkerProcess {
  readonly pid: number
  /** What it said so far, line by line. */
  readonly lines: readonly string[]
  /** Resolves when it has said a line with these words; rejects when it ends without. */
  says(words: string): Promise<void>
  send(signal: NodeJS.Signals): void
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

interface ProcessFixtures {
  /** A folder with the built package and what it depends on. */
  build: string
  /** Starts a process with a worker, and waits until it works; it is killed after the test. */
  spawnWorker: (options?: ProcessOptions) => Promise<WorkerProcess>
}

export const test = base.extend<ProcessFixtures>({
  build: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const directory = await mkdtemp(join(tmpdir(), 'tusk-build-'))
      await cp(await builtPackage(), join(directory, 'dist'), { recursive: true })
      await copyFile(join(checkout, 'package.json'), join(directory, 'package.json'))
      await symlink(join(checkout, 'node_modules'), join(directory, 'node_modules'))
      await use(directory)
      await rm(directory, { recursive: true })
    },
    { scope: 'file' },
  ],

  spawnWorker: async ({ build, schema }, use) => {
    const started: WorkerProcess[] = []
    await use(async (options = {}) => {
      const worker = start(build, schema, options)
      started.push(worker)
      await worker.says('ready')
      return worker
    })
    for (const worker of started) worker.send('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
  },
})

function start(build: string, schema: string, { url, ...options }: ProcessOptions): WorkerProcess {
  return startProcess([script], {
    BUILD: build,
    DATABASE_URL: url ?? inject('pgUrl'),
    OPTIONS: JSON.stringify({ schema, ...options }),
  })
}

/** Starts Node with these arguments, behind a command that runs it; what it says on standard output is heard. */
export function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): WorkerProcess {
  const [program = process.execPath, ...rest] = [...prefix, process.execPath, ...args]
  const child = spawn(program, rest, {
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const lines = () => said.split('\n')
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.on('close', (code, signal) => done({ code, signal }))
  })
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => lines().some((line) => line.includes(words)) && resolve()
      child.stdout.on('data', look)
      child.on('close', () => reject(new Error(`it ended and never said ${words}: ${said}`)))
      look()
    })
  return {
    pid: child.pid ?? 0,
    get lines() {
      return lines()
    },
    says,
    send: (signal) => void child.kill(signal),
    ended,
  }
}
