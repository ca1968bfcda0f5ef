import type { JSX } from 'preact'
import { Needs } from '../../components/needs.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Stats } from '../../model.ts'
import { queryValue, setQuery } from '../../router.ts'
import { OperationProgress } from '../tasks/operation-progress.tsx'
import { ErrorGroups } from './error-groups.tsx'

/** What goes wrong, each thing once. */
export function Errors(): JSX.Element {
  const stats = useLoad<Stats>('/stats', {}, { every: 60_000 })
  const queue = queryValue('queue')
  const names = (stats.data.value?.queues ?? []).map((one) => one.queue)
  const known = queue === '' || names.includes(queue) ? names : [queue, ...names]
  return (
    <PageFrame title="Errors" actions={<OperationProgress />}>
      <Needs scope="operate" to="retry or delete what failed" />
      <ErrorGroups
        title="By message"
        key={queue}
        queue={queue}
        limit={100}
        actions={
          <select
            class="select-small"
            aria-label="Queue"
            value={queue}
            onChange={(event) => setQuery({ queue: event.currentTarget.value })}
          >
            <option value="">All queues</option>
            {known.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        }
      />
    </PageFrame>
  )
}
