import { main } from '../../src/cli/main.ts'

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
): Promise<Said> {
  const data: string[] = []
  const talk: string[] = []
  const code = await main(args, {
    stdout: { write: (text) => data.push(text) },
    stderr: { write: (text) => talk.push(text) },
    env: { PATH: process.env['PATH'], ...env },
    stopRequested,
  })
  return { code, data: data.join(''), talk: talk.join('') }
}
