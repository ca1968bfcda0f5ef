import type { JSX } from 'preact'
import { useLoad } from '../../lib/load.ts'
import type { Page, Push } from '../../model.ts'

/** Where the tasks of a queue are delivered to, if they are. */
export function PushedTo({ queue }: { readonly queue: string }): JSX.Element | null {
  const pushes = useLoad<Page<Push>>('/push', {}, { every: 30_000 })
  const own = pushes.data.value?.items.find((push) => push.queue === queue)
  if (own === undefined) return null
  return (
    <p class="note">
      <span>
        Its tasks are pushed to <span class="mono">{own.url}</span>
      </span>
    </p>
  )
}
