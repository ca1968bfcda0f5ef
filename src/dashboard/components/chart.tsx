import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { shownTheme } from '../lib/theme.ts'
import { chartOptions } from './chart-options.ts'

export interface ChartSeries {
  readonly label: string
  /** One per time; null is a gap. */
  readonly values: readonly (number | null)[]
  /** The name of a colour of the theme, as for badges. */
  readonly tone: string
  readonly filled?: boolean
  readonly dashed?: boolean
}

export interface ChartProps {
  readonly title: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** How a value is written. */
  readonly format: (value: number) => string
  /** How far the lines across may be apart, so that all have a number that is short in words. */
  readonly steps: readonly number[]
  /** A part was chosen by dragging. */
  readonly onZoom?: (from: Date, to: Date) => void
  /** Charts of one name share their cursor. */
  readonly sync?: string
}

const height = 168

/** Lines over time; dragging chooses a part. */
export function Chart(props: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const theme = shownTheme()
  const shape = props.series.map(({ label }) => label).join()

  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const { plot: drawn, remove } = draw(element, latest)
    plot.current = drawn
    return () => {
      remove()
      plot.current = null
    }
  }, [theme, shape])

  useEffect(() => {
    plot.current?.setData(dataOf(props))
  }, [props.times, props.series])

  return (
    <figure class="chart">
      <figcaption class="chart__head">
        <h3>{props.title}</h3>
        <Legend {...props} />
      </figcaption>
      <div class="chart__plot" ref={box} role="img" aria-label={summary(props)} />
    </figure>
  )
}

function draw(
  element: HTMLElement,
  latest: { readonly current: ChartProps },
): { readonly plot: uPlot; readonly remove: () => void } {
  const size = () => ({ width: Math.max(element.clientWidth, 200), height })
  const plot = new uPlot({ ...chartOptions(latest), ...size() }, dataOf(latest.current), element)
  const observer = new ResizeObserver(() => plot.setSize(size()))
  observer.observe(element)
  const remove = () => {
    observer.disconnect()
    plot.destroy()
  }
  return { plot, remove }
}

function Legend({ series, format }: ChartProps): JSX.Element {
  return (
    <ul class="legend">
      {series.map(({ label, tone, values, dashed = false }) => {
        const last = values.findLast((value) => value !== null)
        return (
          <li key={label} class={`tone-${tone}`}>
            <span
              class={dashed ? 'legend__mark legend__mark--dashed' : 'legend__mark'}
              aria-hidden="true"
            />
            {label}
            <span class="legend__value">
              {last === undefined || last === null ? '–' : format(last)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function dataOf({ times, series }: ChartProps): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData
}

/** For those who do not see the lines. */
function summary({ title, series, format }: ChartProps): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return `${label}: no data`
    return `${label}: last ${format(known.at(-1) ?? 0)}, highest ${format(Math.max(...known))}`
  })
  return `${title}. ${parts.join('; ')}`
}
