import type { JSX } from 'preact'

/** The state of a task, or of anything else that has a word and a colour (`tone`). */
export function Badge({
  state,
  tone = state,
  title,
}: {
  readonly state: string
  readonly tone?: string
  readonly title?: string | undefined
}): JSX.Element {
  return (
    <span class={`badge tone-${tone}`} title={title}>
      <span class="badge__dot" aria-hidden="true" />
      {state}
    </span>
  )
}
