import { figureOf, type Source } from '../../shared/cells.ts'
import { format, type Unit } from '../../shared/format.ts'
import { subjectNamed } from '../subjects/all.ts'
import { columns } from './markdown.ts'
import type { PeerResult } from './result.ts'

interface Plot {
  readonly name: string
  readonly title: string
  readonly unit: Unit
  readonly bars: readonly { readonly label: string; readonly source: Source }[]
}

const rate = (workload: string, variant: string, metric = 'perSecond'): Source => ({
  workload,
  variant,
  metric,
})

const all: readonly Plot[] = [
  {
    name: 'throughput',
    title: 'Tasks per second, one process; more is better',
    unit: 'rate',
    bars: [
      { label: 'drain', source: rate('drain', 'one') },
      { label: 'bulk enqueue', source: rate('enqueue-bulk', 'one') },
      { label: 'single, 32 callers', source: rate('enqueue-single', 'all', 'many') },
    ],
  },
  {
    name: 'cost',
    title: 'CPU µs per drained task; less is better',
    unit: 'micros',
    bars: [
      { label: 'database', source: rate('drain', 'one', 'databaseMicros') },
      { label: 'Node', source: rate('drain', 'one', 'nodeMicros') },
    ],
  },
  {
    name: 'around',
    title: 'What is left of the drain rate with other tasks around; 1 is best',
    unit: 'share',
    bars: [
      { label: 'future tasks', source: { ...rate('around', 'future'), over: 'none' } },
      { label: 'another queue', source: { ...rate('around', 'other-queue'), over: 'none' } },
      { label: 'lower priority', source: { ...rate('around', 'lower-priority'), over: 'none' } },
    ],
  },
  {
    name: 'pickup',
    title: 'Milliseconds from enqueue to start on an idle worker; less is better',
    unit: 'ms',
    bars: [
      { label: 'p50', source: rate('trickle', 'one', 'p50') },
      { label: 'p99', source: rate('trickle', 'one', 'p99') },
    ],
  },
]

/** The plots whose figures exist. */
export function plots(result: PeerResult): { readonly name: string; readonly svg: string }[] {
  return all.flatMap((plot) => {
    const bars = barsOf(result, plot)
    return bars.length === 0 ? [] : [{ name: plot.name, svg: draw(plot, bars) }]
  })
}

interface Bar {
  readonly group: string
  readonly subject: string
  readonly value: number
}

function barsOf(result: PeerResult, { bars }: Plot): Bar[] {
  return bars.flatMap(({ label, source }) =>
    columns.flatMap(({ subject }) => {
      const value = figureOf(result, subject, source)?.median
      return value === undefined ? [] : [{ group: label, subject, value }]
    }),
  )
}

const [width, left, right, barHeight, gap, top] = [720, 190, 80, 18, 12, 44]

/** The file contains both colour schemes, because a picture cannot know the scheme of its page. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 } .group { font-weight: 600 } .axis { stroke: #8c959f }
  .tusk { fill: #0969da } .graphile { fill: #bc4c00 } .pg-boss { fill: #8250df } .plain { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .axis { stroke: #6e7681 }
    .tusk { fill: #4493f8 } .graphile { fill: #f0883e } .pg-boss { fill: #bc8cff } .plain { fill: #8b949e }
  }`

function draw({ title, unit }: Plot, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value))
  let y = top
  const shapes: string[] = []
  let group = ''
  for (const bar of bars) {
    if (bar.group !== group) {
      y += group === '' ? 0 : gap
      group = bar.group
      shapes.push(`<text class="group" x="12" y="${y + 13}">${escapeXml(group)}</text>`)
      y += barHeight + 2
    }
    const length = Math.max((bar.value / most) * (width - left - right), 1)
    const middle = y + barHeight / 2 + 4
    shapes.push(
      `<text x="24" y="${middle}">${escapeXml(subjectNamed(bar.subject).title)}</text>`,
      `<rect class="${bar.subject}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 3}" rx="2"/>`,
      `<text x="${(left + length + 6).toFixed(1)}" y="${middle}">${format(bar.value, unit)}</text>`,
    )
    y += barHeight
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + 12}" viewBox="0 0 ${width} ${y + 12}" role="img" aria-label="${escapeXml(title)}">
<style>${style}
</style>
<text class="title" x="12" y="22">${escapeXml(title)}</text>
<line class="axis" x1="${left}" y1="${top - 8}" x2="${left}" y2="${y}"/>
${shapes.join('\n')}
</svg>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
