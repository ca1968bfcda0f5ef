import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Machine } from '../measure/machine.ts'
import type { Cell } from '../run.ts'
import type { Sizes } from '../scenarios/scenario.ts'
import type { Summary } from './summary.ts'

/** Everything about one scenario of one run, rounds included. */
export interface Result {
  readonly scenario: string
  readonly machine: Machine
  readonly loadAfter: number
  readonly sizes: Sizes
  readonly summaries: readonly Summary[]
  readonly cells: readonly Cell[]
}

/** bench/results/<date>-<scenario>.json. A later run of the same day overwrites it. */
export async function writeResult(project: string, result: Result): Promise<string> {
  const day = result.machine.at.slice(0, 10)
  const file = join(project, 'bench', 'results', `${day}-${result.scenario}.json`)
  await writeJson(file, result)
  return file
}

export async function writeJson(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
}
