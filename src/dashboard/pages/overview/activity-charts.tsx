import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Chart, type ChartSeries } from '../../components/chart.tsx'
import { Section } from '../../components/page.tsx'
import { duration, shortCount } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { type SettledPoint, settledPoints } from '../../lib/series.ts'
import type { Series } from '../../model.ts'
import { queryValue, setQuery } from '../../router.ts'

/** 0.001, 0.002, 0.005, 0.01 … */
const roundSteps = Array.from({ length: 30 }, (_, at) =>
  Number(`${[1, 2, 5][at % 3]}e${Math.floor(at / 3) - 3}`),
)

/** The same up to 5 seconds, then what is round in minutes, hours and days. */
const timeSteps = [
  ...roundSteps.slice(0, 12),
  ...[10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 604_800],
]

const ranges = ['15m', '1h', '6h', '24h', '7d'] as const

/** What came, what was done, how long it waited and ran; dragging over a chart zooms in. */
export function ActivityCharts({ queue = '' }: { readonly queue?: string }): JSX.Element {
  const [from, to] = [queryValue('from'), queryValue('to')]
  const isZoomed = from !== '' && to !== ''
  const range = queryValue('range') || '1h'
  const query = isZoomed ? { from, to, queue } : { range, queue }
  const series = useLoad<Series>('/stats/series', query, { every: isZoomed ? 60_000 : 10_000 })
  const loaded = series.data.value
  const charts = useMemo(() => linesOf(settledPoints(loaded)), [loaded])
  const zoom = (start: Date, end: Date) => {
    setQuery({ from: start.toISOString(), to: end.toISOString(), range: null })
  }
  const common = { times: charts.times, onZoom: zoom, sync: 'activity' }
  const inTime = { ...common, format: duration, steps: timeSteps }
  return (
    <Section title="Activity" actions={<RangeChoice isZoomed={isZoomed} range={range} />}>
      <div class="charts">
        <Chart
          title="Tasks per minute"
          series={charts.throughput}
          format={perMinute}
          steps={roundSteps}
          {...common}
        />
        <Chart title="Waited" series={charts.waits} {...inTime} />
        <Chart title="Ran" series={charts.runs} {...inTime} />
      </div>
    </Section>
  )
}

function RangeChoice({
  isZoomed,
  range,
}: {
  readonly isZoomed: boolean
  readonly range: string
}): JSX.Element {
  return (
    <>
      {isZoomed && <Button onClick={() => setQuery({ from: null, to: null })}>Zoom out</Button>}
      <fieldset class="segments" aria-label="Range">
        {ranges.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={!isZoomed && one === range}
            onClick={() => setQuery({ range: one, from: null, to: null })}
          >
            {one}
          </button>
        ))}
      </fieldset>
    </>
  )
}

function perMinute(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : shortCount(Math.round(value))
}

interface Lines {
  readonly times: readonly number[]
  readonly throughput: readonly ChartSeries[]
  readonly waits: readonly ChartSeries[]
  readonly runs: readonly ChartSeries[]
}

function linesOf(points: readonly SettledPoint[]): Lines {
  const rate = (field: 'enqueued' | 'done' | 'failed' | 'retried') =>
    points.map((point) => (point[field] * 60) / point.seconds)
  const percentiles = (of: 'wait' | 'run'): ChartSeries[] => [
    {
      label: 'p50',
      tone: 'ready',
      values: points.map((point) => point[`${of}_p50`]),
      filled: true,
    },
    { label: 'p95', tone: 'scheduled', values: points.map((point) => point[`${of}_p95`]) },
    { label: 'p99', tone: 'retrying', values: points.map((point) => point[`${of}_p99`]) },
  ]
  return {
    times: points.map(({ at }) => Date.parse(at) / 1000),
    throughput: [
      { label: 'done', tone: 'done', values: rate('done'), filled: true },
      { label: 'enqueued', tone: 'running', values: rate('enqueued'), dashed: true },
      { label: 'retried', tone: 'blocked', values: rate('retried') },
      { label: 'failed', tone: 'failed', values: rate('failed') },
    ],
    waits: percentiles('wait'),
    runs: percentiles('run'),
  }
}
