import { computed } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { now } from '../lib/clock.ts'
import { duration, exactTime, relativeTime } from '../lib/format.ts'

/** A moment, relative to now; the exact one in the viewer's zone on hover. */
export function Time({ at }: { readonly at: string | null | undefined }): JSX.Element {
  if (at === null || at === undefined) return <span class="muted">–</span>
  return <RelativeTime at={at} />
}

function RelativeTime({ at }: { readonly at: string }): JSX.Element {
  // Changes the text node alone, once a second, without rendering the row again.
  const text = useMemo(() => computed(() => relativeTime(at, now.value)), [at])
  return (
    <time class="time" dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  )
}

/** How long something has been going on, counting. */
export function Elapsed({ since }: { readonly since: string }): JSX.Element {
  const text = useMemo(() => {
    const from = Date.parse(since)
    return computed(() => duration(Math.max(Math.floor((now.value - from) / 1000), 0) || 0))
  }, [since])
  return (
    <time class="time" dateTime={since} title={exactTime(since)}>
      {text}
    </time>
  )
}
