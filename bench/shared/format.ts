import type { Spread } from './statistics.ts'

export type Unit = 'rate' | 'micros' | 'ms' | 'share' | 'count' | 'megabytes'

export function withSpread(figure: Spread, unit: Unit): string {
  const median = format(figure.median, unit)
  if (figure.rounds < 2) return median
  return `${median} (${format(figure.min, unit)}..${format(figure.max, unit)})`
}

export function format(value: number, unit: Unit): string {
  switch (unit) {
    case 'rate':
      if (value >= 9_950) return `${(value / 1_000).toFixed(1)} k`
      return value >= 995 ? `${(value / 1_000).toFixed(2)} k` : value.toFixed(value < 10 ? 1 : 0)
    case 'share':
      return value.toFixed(2)
    case 'megabytes':
      return value.toFixed(0)
    case 'micros':
    case 'ms':
    case 'count':
      return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
  }
}

/** A table in Markdown. */
export function markdownTable(
  heads: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  return [heads, heads.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
