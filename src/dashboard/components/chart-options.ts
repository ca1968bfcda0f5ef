import type uPlot from 'uplot'
import type { ChartProps, ChartSeries } from './chart.tsx'

/** How uPlot draws a chart in the colours of the theme. The props are read late: they change, it stays. */
export function chartOptions(latest: {
  readonly current: ChartProps
}): Omit<uPlot.Options, 'width' | 'height'> {
  const styles = getComputedStyle(document.documentElement)
  const colour = (name: string) => styles.getPropertyValue(`--${name}`).trim()
  const font = '11px system-ui, sans-serif'
  const axis = {
    stroke: colour('ink-3'),
    font,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  }
  const { sync, steps } = latest.current
  return {
    legend: { show: false, live: false },
    // At the right there is room for half of the last label.
    padding: [8, 24, 0, 0],
    cursor: {
      y: false,
      points: { size: 6 },
      drag: { x: true, y: false, setScale: false },
      ...(sync === undefined ? {} : { sync: { key: sync } }),
    },
    scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] } },
    axes: [
      { ...axis, space: 72, size: 24, values: (plot, at) => timesInWords(plot, at) },
      {
        ...axis,
        size: 52,
        space: 32,
        incrs: [...steps],
        values: (_plot, values) => values.map((value) => latest.current.format(value)),
      },
    ],
    series: [{}, ...latest.current.series.map((one) => seriesOptions(one, colour))],
    hooks: { setSelect: [(plot) => zoom(plot, latest.current.onZoom)] },
    plugins: [tooltip(latest)],
  }
}

function seriesOptions(one: ChartSeries, colour: (name: string) => string): uPlot.Series {
  const stroke = colour(`tone-${one.tone}`)
  return {
    label: one.label,
    stroke,
    width: 1.5,
    // A value between two gaps has no line; it is a dot.
    points: { show: true, size: 5, fill: stroke, filter: (plot, index) => loneValues(plot, index) },
    spanGaps: false,
    ...(one.filled === true ? { fill: `${stroke}22` } : {}),
    ...(one.dashed === true ? { dash: [4, 4] } : {}),
  }
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Moments under the axis: the time of day, or the day where there are many of them. */
function timesInWords(plot: uPlot, moments: readonly number[]): string[] {
  const { min = 0, max = 0 } = plot.scales['x'] ?? {}
  const isLong = (max ?? 0) - (min ?? 0) > 2 * 86_400
  return moments.map((at) => (isLong ? day : clock).format(new Date(at * 1000)))
}

function loneValues(plot: uPlot, index: number): number[] {
  const values = plot.data[index] ?? []
  const isGap = (at: number) => (values[at] ?? null) === null
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1))
}

function zoom(plot: uPlot, onZoom: ChartProps['onZoom']): void {
  const { left, width } = plot.select
  if (width < 4) return
  const at = (x: number) => new Date(plot.posToVal(x, 'x') * 1000)
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  onZoom?.(at(left), at(left + width))
}

/** What the lines say under the cursor. */
function tooltip(latest: { readonly current: ChartProps }): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart__tip'
  box.hidden = true
  return {
    hooks: {
      init: [(plot: uPlot) => void plot.over.append(box)],
      setCursor: [(plot: uPlot) => show(plot, box, latest.current)],
    },
  }
}

function show(plot: uPlot, box: HTMLElement, { series, format, times }: ChartProps): void {
  const { idx, left = -1 } = plot.cursor
  const time = idx === null || idx === undefined ? undefined : times[idx]
  box.hidden = time === undefined || left < 0
  if (time === undefined || idx === null || idx === undefined) return
  const lines = series.map(({ label, values }) => {
    const value = values[idx] ?? null
    return `${label}  ${value === null ? '–' : format(value)}`
  })
  box.textContent = [new Date(time * 1000).toLocaleString(), ...lines].join('\n')
  const isRight = left > plot.over.clientWidth / 2
  box.style.left = isRight ? '' : `${left + 12}px`
  box.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : ''
}
