/** A line of two texts beside each other: in both, only in the one before, or only in the one after. */
export interface DiffLine {
  readonly side: 'both' | 'before' | 'after'
  readonly text: string
}

/** More lines than this are not compared one by one: it takes the product of both. */
const mostLines = 1_000

/** How one text became another, line by line: the most lines that both have in the same order stay. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n')
  const now = after.split('\n')
  const isLong = old.length > mostLines || now.length > mostLines
  return isLong ? [...marked(old, 'before'), ...marked(now, 'after')] : compared(old, now)
}

function compared(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const common = commonLengths(old, now)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  for (; i < old.length && j < now.length; ) {
    const [text = '', other = ''] = [old[i], now[j]]
    const isDropped = (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)
    const line = nextLine(text, other, isDropped)
    lines.push(line)
    i += Number(line.side !== 'after')
    j += Number(line.side !== 'before')
  }
  return [...lines, ...marked(old.slice(i), 'before'), ...marked(now.slice(j), 'after')]
}

function nextLine(old: string, now: string, isDropped: boolean): DiffLine {
  if (old === now) return { side: 'both', text: old }
  return isDropped ? { side: 'before', text: old } : { side: 'after', text: now }
}

function marked(lines: readonly string[], side: DiffLine['side']): DiffLine[] {
  return lines.map((text) => ({ side, text }))
}

/** At [i][j]: how many lines the rest of both have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const rows = [new Array<number>(now.length + 1).fill(0)]
  for (const line of [...old].reverse()) rows.push(rowAbove(line, now, rows.at(-1) ?? []))
  return rows.reverse()
}

function rowAbove(line: string, now: readonly string[], below: readonly number[]): number[] {
  const row = new Array<number>(now.length + 1).fill(0)
  for (let j = now.length - 1; j >= 0; j -= 1) {
    row[j] = line === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
  }
  return row
}
