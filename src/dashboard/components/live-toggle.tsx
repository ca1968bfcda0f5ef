import type { JSX } from 'preact'
import { liveStatus, togglePaused } from '../live.ts'
import { Icon } from './icons.tsx'

const words = {
  live: 'Live',
  connecting: 'Connecting',
  offline: 'Reconnecting',
  paused: 'Paused',
  hidden: 'Hidden',
  denied: 'Needs scope read',
} as const

/** Whether the page follows what happens, and the button that stops it. */
export function LiveToggle(): JSX.Element {
  const status = liveStatus.value
  const isPaused = status === 'paused'
  return (
    <button
      type="button"
      class={`live live--${status}`}
      aria-pressed={isPaused}
      aria-label={`${words[status]}. ${isPaused ? 'Go on' : 'Pause'} live updates`}
      title={isPaused ? 'Go on (p)' : 'Pause (p)'}
      disabled={status === 'denied'}
      onClick={togglePaused}
    >
      <span class="live__dot" aria-hidden="true" />
      <span class="live__word">{words[status]}</span>
      {status !== 'denied' && <Icon name={isPaused ? 'play' : 'pause'} />}
    </button>
  )
}
