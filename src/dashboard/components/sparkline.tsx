import type { JSX } from 'preact'

const width = 96
const height = 20

/** The shape of a series, without axes. */
export function Sparkline({
  values,
  label,
  tone = 'running',
}: {
  readonly values: readonly number[]
  readonly label: string
  readonly tone?: string
}): JSX.Element {
  const highest = Math.max(...values, 1)
  const step = width / Math.max(values.length - 1, 1)
  const points = values.map((value, index) => {
    const y = height - 1 - (value / highest) * (height - 2)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      class={`sparkline tone-${tone}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}
