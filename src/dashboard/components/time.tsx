import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { now } from '../lib/clock.ts'
import { duration, exactTime, relativeTime } from '../lib/format.ts'

/** A moment, relative to now; the exact one in the viewer's zone on hover. */
export function Time({ at }: { readonly at: string | null | undefined }): JSX.Element {
  if (at === null || at === undefined) return <span class="muted">–</span>
  return <RelativeTime key={at} at={at} />
}

function RelativeTime({ at }: { readonly at: string }): JSX.Element {
  // Changes the text node alone, once a second, without rendering the row again.
  const text = useComputed(() => relativeTime(at, now.value))
  return (
    <time class="time" dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  )
}

/** How long something has been going on, counting. */
export function Elapsed({ since }: { readonly since: string }): JSX.Element {
  return <ElapsedText key={since} since={since} />
}

function ElapsedText({ since }: { readonly since: string }): JSX.Element {
  const text = useComputed(() => {
    const seconds = (now.value - Date.parse(since)) / 1000
    return duration(Math.max(Math.floor(seconds), 0) || 0)
  })
  return (
    <time class="time" dateTime={since} title={exactTime(since)}>
      {text}
    </time>
  )
}
