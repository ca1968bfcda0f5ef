import { figureOf } from '../../shared/cells.ts'
import { format } from '../../shared/format.ts'
import { columns, labelOf } from './markdown.ts'
import type { PeerResult } from './result.ts'
import { type Row, rows } from './rows.ts'

/** A sentence for each row in which a peer is ahead of Tusk by more than this. */
const margin = 1.05

export function losses(result: PeerResult): string[] {
  return rows.flatMap((row) => {
    const behind = columns
      .slice(1)
      .flatMap(({ subject, title }) => behindBy(result, row, subject, title))
    return behind.length === 0 ? [] : [`- **${labelOf(result, row)}**: ${behind.join('; ')}.`]
  })
}

function behindBy(result: PeerResult, row: Row, subject: string, title: string): string[] {
  const texts = pairsOf(result, row, subject).flatMap(([own, other]) => {
    if (own === undefined || other === undefined) return []
    const ratio = row.isRate ? other / own : own / other
    return ratio > margin ? [`${format(own, row.unit)} against ${format(other, row.unit)}`] : []
  })
  return texts.length === 0 ? [] : [`${texts.join(', ')} of ${title.replace(/,? (tuned)$/, '')}`]
}

/** The figures of Tusk and of the other. CPU of Node and of the database are added up. */
function pairsOf(result: PeerResult, row: Row, subject: string) {
  const pairs = row.sources.map(
    (source) =>
      [
        figureOf(result, 'tusk', source)?.median,
        figureOf(result, subject, source)?.median,
      ] as const,
  )
  if (row.unit !== 'micros') return pairs
  const sum = (place: 0 | 1) => pairs.reduce((all, pair) => all + (pair[place] ?? Number.NaN), 0)
  return [[sum(0), sum(1)] as const]
}
