import { join } from 'node:path'
import type { Account } from './account.ts'
import { runProgram } from './run-program.ts'

/** A set of Postgres programs that was seen to run here. */
export interface Installation {
  readonly bin: string
  readonly version: string
  readonly major: number
}

/** The path of one of an installation's programs. */
export function program(bin: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(bin, process.platform === 'win32' ? `${name}.exe` : name)
}

/**
 * Asks the programs in `bin` for their version, as the account that will run them.
 * Running them is the test: it finds a directory the account may not enter, a missing library
 * and a foreign C library alike, where a look at permissions finds only the first.
 */
export async function probe(bin: string, account: Account | undefined): Promise<Installation> {
  const [postgres] = await Promise.all([
    runProgram(program(bin, 'postgres'), ['--version'], account),
    runProgram(program(bin, 'initdb'), ['--version'], account),
  ])
  const version = /\d+(\.\d+)?\w*/.exec(postgres)?.[0]
  if (version === undefined) throw new Error(`no version in ${JSON.stringify(postgres)}`)
  return { bin, version, major: Number.parseInt(version, 10) }
}
