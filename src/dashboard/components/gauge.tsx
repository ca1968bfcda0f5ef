import type { JSX } from 'preact'
import { shortCount } from '../lib/format.ts'

/** How much of a limit is in use; without a limit, the number alone. */
export function Gauge({
  value,
  limit,
  label,
}: {
  readonly value: number
  readonly limit: number | null
  readonly label: string
}): JSX.Element {
  if (limit === null) return <span class="gauge__text">{shortCount(value)}</span>
  const share = limit === 0 ? 1 : Math.min(value / limit, 1)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter cannot show the numbers beside it.
    <span
      class="gauge"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={value}
    >
      <span class="gauge__track" aria-hidden="true">
        <span
          class={share >= 1 ? 'gauge__bar gauge__bar--full' : 'gauge__bar'}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span class="gauge__text">
        {shortCount(value)}/{shortCount(limit)}
      </span>
    </span>
  )
}
