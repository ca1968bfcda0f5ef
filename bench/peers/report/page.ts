import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeRun } from '../../shared/describe-run.ts'
import { fillSections } from '../../shared/fill-sections.ts'
import { losses } from './losses.ts'
import { settingsTable, table } from './markdown.ts'
import { plots } from './plots.ts'
import type { PeerResult } from './result.ts'

/** Rewrites the sections between the markers of docs/performance.md, and the plots beside it. */
export async function writePage(project: string, result: PeerResult): Promise<string[]> {
  const file = join(project, 'docs', 'performance.md')
  const folder = join(project, 'docs', 'performance')
  const sections = {
    run: describeRun(result),
    table: table(result),
    spread: table(result, { isWithSpread: true }),
    subjects: settingsTable(),
    losses: lossesText(result),
  }
  const text = fillSections(await readFile(file, 'utf8'), file, sections)
  await mkdir(folder, { recursive: true })
  await writeFile(file, text)
  const images = plots(result).map(({ name, svg }) => [join(folder, `${name}.svg`), svg] as const)
  for (const [image, svg] of images) await writeFile(image, svg)
  return [file, ...images.map(([image]) => image)]
}

function lossesText(result: PeerResult): string {
  const lines = losses(result)
  return lines.length === 0 ? 'In none of the rows of this run.' : lines.join('\n')
}
