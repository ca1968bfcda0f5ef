import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeJson } from '../../report/json.ts'
import { table } from './markdown.ts'
import type { PeerResult } from './result.ts'

/** bench/results/<date>-<time>-peers.json and .md, by the start of the run: results of two runs can be merged. */
export async function writeResult(project: string, result: PeerResult): Promise<string[]> {
  const startedAt = result.machine.at.slice(0, 16).replace('T', '-').replace(':', '')
  const base = join(project, 'bench', 'results', `${startedAt}-peers`)
  await writeJson(`${base}.json`, result)
  await writeFile(`${base}.md`, `${table(result, { isWithSpread: true })}\n`)
  return [`${base}.json`, `${base}.md`]
}
