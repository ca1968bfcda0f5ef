import type { JSX } from 'preact'
import { TextField } from '../../components/field.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Stats } from '../../model.ts'
import { may } from '../../session.ts'
import type { TaskDraft } from './task-draft.ts'

/** Where it goes; the queues that are there are offered, any other may be named. */
export function QueueField({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const stats = useLoad<Stats>(may('read') ? '/stats' : null)
  const isSql = draft.kind.value === 'sql'
  return (
    <TextField
      label="Queue"
      value={draft.queue}
      required={!isSql}
      offers={(stats.data.value?.queues ?? []).map(({ queue }) => queue)}
      placeholder={isSql ? 'sql' : 'mail'}
    />
  )
}
