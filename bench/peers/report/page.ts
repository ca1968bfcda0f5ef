import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { losses } from './losses.ts'
import { settingsTable, table } from './markdown.ts'
import { plots } from './plots.ts'
import type { PeerResult } from './result.ts'

/** Rewrites what lies between the markers of docs/performance.md, and the plots beside it. */
export async function writePage(project: string, result: PeerResult): Promise<string[]> {
  const file = join(project, 'docs', 'performance.md')
  const folder = join(project, 'docs', 'performance')
  const sections = {
    run: runText(result),
    table: table(result),
    spread: table(result, { isWithSpread: true }),
    subjects: settingsTable(),
    losses: lossesText(result),
  }
  const text = fillSections(await readFile(file, 'utf8'), sections)
  await mkdir(folder, { recursive: true })
  await writeFile(file, text)
  const images = plots(result).map(({ name, svg }) => [join(folder, `${name}.svg`), svg] as const)
  for (const [image, svg] of images) await writeFile(image, svg)
  return [file, ...images.map(([image]) => image)]
}

/** A section is `<!-- begin name -->` to `<!-- end name -->`; one that the page lacks is an error. */
export function fillSections(text: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((page, [name, content]) => {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`docs/performance.md has no section "${name}"`)
    return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`
  }, text)
}

function runText({ machine, seed, rounds, runs = 1, loadAfter }: PeerResult): string {
  return [
    `Measured on ${machine.at.slice(0, 10)}: Postgres ${machine.postgres}, Node`,
    `${machine.node.replace('v', '')}, ${machine.cores} cores (${machine.cpu.trim()}). Medians of up to ${rounds} rounds, seed ${seed}${runs > 1 ? `, merged from ${runs} runs` : ''}.`,
    `The load of the machine was ${machine.loadBefore} before and ${loadAfter} after${loadNote(machine.loadBefore, machine.cores)}`,
  ].join('\n')
}

/** Rates of a busy machine must not be taken for those of an idle one. */
function loadNote(load: number, cores: number): string {
  if (load <= cores / 2) return '.'
  return ': **other programs were using it**, so rates are low and\nuneven. Compare CPU times and ratios instead.'
}

function lossesText(result: PeerResult): string {
  const lines = losses(result)
  return lines.length === 0 ? 'In none of the rows of this run.' : lines.join('\n')
}
