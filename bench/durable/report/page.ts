import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeRun } from '../../shared/describe-run.ts'
import { fillSections } from '../../shared/fill-sections.ts'
import { killTable, speedTable, subjectsTable } from './markdown.ts'
import type { DurableResult } from './result.ts'

/** Rewrites what lies between the markers of docs/durable-compared.md. */
export async function writeDurablePage(project: string, result: DurableResult): Promise<string> {
  const file = join(project, 'docs', 'durable-compared.md')
  const text = fillSections(await readFile(file, 'utf8'), file, {
    run: describeRun(result),
    speed: speedTable(result),
    kill: killTable(result),
    subjects: subjectsTable(),
  })
  await writeFile(file, text)
  return file
}
