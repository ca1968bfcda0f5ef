import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../measure/machine.ts'
import { writeJson } from '../report/json.ts'

/** bench/results/<date>-<time>-<name>.json and .md, by the start of the run: results of two runs can be merged. */
export async function writeResult(
  project: string,
  name: string,
  result: { readonly machine: Machine },
  page: string,
): Promise<string[]> {
  const startedAt = result.machine.at.slice(0, 16).replace('T', '-').replace(':', '')
  const base = join(project, 'bench', 'results', `${startedAt}-${name}`)
  await writeJson(`${base}.json`, result)
  await writeFile(`${base}.md`, `${page}\n`)
  return [`${base}.json`, `${base}.md`]
}
