#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { Exit, exitCode, exitCodeOf } from './process/exit-code.ts'
import { type Io, sayError } from './process/io.ts'
import { processIo } from './process/process-io.ts'
import { buildProgram } from './program.ts'

/** Runs one command line and gives its exit code. Never throws, never exits. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    await buildProgram(io).parseAsync(argv, { from: 'user' })
    return exitCode.ok
  } catch (error) {
    const wasSaid = error instanceof CommanderError || error instanceof Exit
    if (!wasSaid) sayError(argv.includes('--no-color') ? withoutColors(io) : io, error)
    return exitCodeOf(error)
  }
}

function withoutColors(io: Io): Io {
  return { ...io, env: { ...io.env, NO_COLOR: '1' } }
}

/** True for `node main.js` and for the link npm makes to it. */
function isTheProgram(): boolean {
  const started = process.argv[1]
  return started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)
}

if (isTheProgram()) process.exitCode = await main(process.argv.slice(2), processIo())
