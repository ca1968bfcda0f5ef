import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { setServerTime } from '../../lib/clock.ts'
import { count } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Info, Page, Worker } from '../../model.ts'
import { href } from '../../router.ts'
import type { Chore } from '../chores/chore-model.ts'

interface Sign {
  readonly tone: 'done' | 'blocked' | 'failed' | 'plain'
  readonly text: string
  readonly href?: string
  readonly title?: string
}

/** One line: is it all there, and is it well? */
export function Health(): JSX.Element {
  const info = useLoad<Info>('/info', {}, { every: 15_000 })
  const workers = useLoad<Page<Worker>>('/workers', {}, { every: 5_000 })
  const chores = useLoad<Page<Chore>>('/chores', {}, { every: 15_000 })
  const now = info.data.value?.now
  useEffect(() => {
    if (now !== undefined) setServerTime(now)
  }, [now])
  const signs = [
    ...databaseSigns(info.data.value),
    ...workerSigns(workers.data.value?.items ?? null),
    ...choreSigns(chores.data.value?.items ?? null),
  ]
  return (
    <ul class="health" aria-label="Health">
      {signs.map((sign) => (
        <li key={sign.text} class={`health__sign tone-${sign.tone}`} title={sign.title}>
          <span class="health__dot" aria-hidden="true" />
          {sign.href === undefined ? sign.text : <a href={sign.href}>{sign.text}</a>}
        </li>
      ))}
    </ul>
  )
}

function databaseSigns(info: Info | null): Sign[] {
  if (info === null) return [{ tone: 'plain', text: 'Asking the database' }]
  const { database } = info
  return [
    {
      tone: database.is_standby ? 'blocked' : 'done',
      text: `Postgres ${database.version}, ${database.is_standby ? 'standby' : 'primary'}`,
      href: href('/database'),
    },
    {
      tone: 'plain',
      text: `Tusk ${info.version}`,
      title: `database ${database.name}, schema ${info.schema}, version ${info.schema_version}`,
    },
  ]
}

function workerSigns(workers: readonly Worker[] | null): Sign[] {
  if (workers === null) return []
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  const busy = workers.reduce((sum, worker) => sum + worker.tasks, 0)
  const to = href('/workers')
  if (workers.length === 0) return [{ tone: 'blocked', text: 'No workers', href: to }]
  const noun = workers.length === 1 ? 'worker' : 'workers'
  return [
    {
      tone: 'done',
      text: `${count(workers.length)} ${noun}, ${count(busy)} of ${count(slots)} slots in use`,
      href: to,
    },
  ]
}

function choreSigns(chores: readonly Chore[] | null): Sign[] {
  if (chores === null || chores.length === 0) return []
  const alerts = chores.filter(({ alert }) => alert !== null)
  if (alerts.length === 0) return [{ tone: 'done', text: 'Chores are done', href: href('/chores') }]
  return alerts.map(({ chore, alert }) => ({
    tone: 'failed',
    text: `${chore}: ${alert}`,
    href: href('/chores'),
  }))
}
