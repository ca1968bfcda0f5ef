import { inject } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { test as base } from './engine.ts'

export interface Said {
  readonly code: number
  /** What went to stdout. */
  readonly data: string
  /** What went to stderr. */
  readonly talk: string
}

/** Runs one command line in this process, with streams and an environment of its own. */
export async function tusk(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stopRequested: () => Promise<void> = () => Promise.resolve(),
  /** What goes to stderr, as it comes. */
  talk: string[] = [],
): Promise<Said> {
  const data: string[] = []
  const code = await main(args, {
    stdout: { write: (text) => data.push(text) },
    stderr: { write: (text) => talk.push(text) },
    env: { PATH: process.env['PATH'], ...env },
    stopRequested,
  })
  return { code, data: data.join(''), talk: talk.join('') }
}

interface TerminalOptions {
  readonly env?: NodeJS.ProcessEnv
  /** What the person answers to each question. */
  readonly answers?: readonly string[]
  readonly columns?: number
  readonly stopRequested?: () => Promise<void>
}

/** The same, as a person at a terminal sees it: `seen` is all of it in order, `asked` the questions. */
export async function terminal(
  args: readonly string[],
  { env = {}, answers = [], columns = 120, stopRequested }: TerminalOptions = {},
): Promise<Said & { readonly seen: string; readonly asked: readonly string[] }> {
  const data: string[] = []
  const talk: string[] = []
  const seen: string[] = []
  const asked: string[] = []
  const left = [...answers]
  const write = (to: string[]) => (text: string) => {
    to.push(text)
    seen.push(text)
  }
  const code = await main(args, {
    stdout: { isTTY: true, columns, write: write(data) },
    stderr: { isTTY: true, columns, write: write(talk) },
    env: { PATH: process.env['PATH'], ...env },
    ask: async (question) => {
      asked.push(question)
      return left.shift() ?? ''
    },
    stopRequested: stopRequested ?? (() => new Promise(() => {})),
  })
  return { code, data: data.join(''), talk: talk.join(''), seen: seen.join(''), asked }
}

interface CliFixtures {
  /** Runs a command on the schema of this test, in a pipe. */
  run: (...args: string[]) => Promise<Said>
  /** Runs it and reads the JSON that it printed. */
  json: (...args: string[]) => Promise<unknown>
  /** Runs it at a terminal without colours, with these answers. */
  type: (args: string[], ...answers: string[]) => ReturnType<typeof terminal>
}

/** Commands on an engine of their own. */
export const test = base.extend<CliFixtures>({
  run: async ({ db: _, schema }, use) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    // No person presses Ctrl-C.
    await use((...args) => tusk(args, env, () => new Promise(() => {})))
  },
  json: async ({ run }, use) => {
    await use(async (...args) => {
      const { code, data, talk } = await run(...args)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${talk}`)
      return JSON.parse(data) as unknown
    })
  },
  type: async ({ db: _, schema }, use) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema, NO_COLOR: '1' }
    await use((args, ...answers) => terminal(args, { env, answers }))
  },
})
