import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { attempt } from '../../components/toast.tsx'
import { count, duration, shortCount, shortId } from '../../lib/format.ts'
import { inWords } from '../../lib/interval.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { type Chore, type Leader, messageOf, strategies } from './chore-model.ts'

interface Row {
  readonly chore: Chore
  readonly leaders: readonly Leader[]
}

/** Chores: which worker leads them, and how they run. */
export function Chores(): JSX.Element {
  const chores = useLoad<Page<Chore>>('/chores', {}, { every: 2_000 })
  const leaders = useLoad<Page<Leader>>('/leaders', {}, { every: 2_000 })
  const all = chores.data.value?.items ?? null
  const led = leaders.data.value?.items ?? []
  const rows = (all ?? [])
    .map((chore) => ({ chore, leaders: led.filter((one) => one.chore === chore.chore) }))
    .sort((a, b) => Number(b.chore.alert !== null) - Number(a.chore.alert !== null))
  const actions: Column<Row> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (row) => <Resign row={row} onDone={leaders.reload} />,
  }
  return (
    <PageFrame title="Chores">
      <Needs scope="operate" to="have a leader resign" />
      <div class="stack">
        <ProblemNote error={chores.error.value} onRetry={chores.reload} />
        {all !== null && all.length === 0 && (
          <EmptyState title="No chores yet" command="tusk start">
            The first worker brings them: rescue, schedules, counters, retention.
          </EmptyState>
        )}
        {rows.length > 0 && (
          <section class="panel" aria-label="Chores">
            <Table
              label="Chores"
              rows={rows}
              rowKey={({ chore }) => chore.chore}
              columns={[...columns, ...(may('operate') ? [actions] : [])]}
            />
          </section>
        )}
        {rows.map(({ chore }) => (
          <LastError key={chore.chore} chore={chore} />
        ))}
      </div>
    </PageFrame>
  )
}

const columns: readonly Column<Row>[] = [
  {
    title: 'Chore',
    cell: ({ chore }) => (
      <span class="two-lines">
        {chore.chore}
        <span class="muted" title={strategies[chore.strategy]}>
          {chore.strategy}
          {chore.every !== undefined && ` · every ${inWords(chore.every)}`}
        </span>
      </span>
    ),
  },
  {
    title: 'Health',
    cell: ({ chore: { alert, is_led: isLed } }) =>
      alert === null ? (
        <Badge state={isLed ? 'well' : 'waits for a leader'} tone={isLed ? 'done' : 'blocked'} />
      ) : (
        <Badge state={alert} tone="failed" />
      ),
  },
  { title: 'Leader', from: 'wide', cell: (row) => <LedBy row={row} /> },
  {
    title: 'Term',
    align: 'right',
    from: 'wide',
    cell: ({ leaders: [leader] }) => leader?.term ?? dash(),
  },
  {
    title: 'Last run',
    align: 'right',
    from: 'wide',
    cell: ({ chore }) => <Time at={chore.last_run_at} />,
  },
  {
    title: 'Runs',
    align: 'right',
    from: 'wide',
    cell: ({ chore: { runs, processed } }) => (
      <span title={`${count(Number(processed))} things done`}>{shortCount(Number(runs))}</span>
    ),
  },
  {
    title: 'Errors',
    align: 'right',
    from: 'wide',
    cell: ({ chore: { errors } }) =>
      Number(errors) === 0 ? dash() : <span class="what__error">{shortCount(Number(errors))}</span>,
  },
  { title: 'Average', align: 'right', from: 'widest', cell: ({ chore }) => ms(chore.average_ms) },
  { title: 'Longest', align: 'right', from: 'widest', cell: ({ chore }) => ms(chore.longest_ms) },
]

function dash(): JSX.Element {
  return <span class="muted">–</span>
}

function ms(value: number | null): JSX.Element | string {
  return value === null ? dash() : duration(value / 1000)
}

function LedBy({ row: { chore, leaders } }: { readonly row: Row }): JSX.Element {
  const [leader] = leaders
  if (leader === undefined || leader.worker === null) return dash()
  if (leaders.length > 1) {
    return <a href={href('/workers')}>{`${leaders.length} workers`}</a>
  }
  return (
    <span class="two-lines">
      <a href={href(`/workers/${encodeURIComponent(leader.worker)}`)} title={leader.worker}>
        {shortId(leader.worker)}
      </a>
      <span class="muted">
        {leader.acquired_at === null ? (
          chore.strategy
        ) : (
          <>
            since <Time at={leader.acquired_at} />
          </>
        )}
      </span>
    </span>
  )
}

/** Those that one worker leads can be asked for. */
function Resign({
  row: { chore, leaders },
  onDone,
}: {
  readonly row: Row
  readonly onDone: () => void
}): JSX.Element | null {
  const [leader] = leaders
  const isLed = chore.strategy === 'lease' || chore.strategy === 'advisory'
  if (!isLed || leader === undefined) return null
  const ask = async () => {
    const isSure = await confirm({
      title: `Ask the leader of ${chore.chore} to resign?`,
      text: `${leader.worker ?? 'Its leader'} ends the run under way and rests; another worker leads next. With one worker, the same one leads again after its rest.`,
      action: 'Ask it to resign',
      danger: false,
    })
    if (!isSure) return
    const path = `/chores/${encodeURIComponent(chore.chore)}/resign`
    await attempt(() => api.post(path), `The leader of ${chore.chore} was asked to resign.`)
    onDone()
  }
  return <Button onClick={() => void ask()}>Resign…</Button>
}

function LastError({ chore }: { readonly chore: Chore }): JSX.Element | null {
  const message = messageOf(chore.last_error)
  if (message === null || chore.last_error_at === null) return null
  return (
    <div class="note note--warn">
      <div>
        <p>
          {chore.chore}: {message}
        </p>
        <p class="muted">
          <Time at={chore.last_error_at} />
          {chore.last_ok_at !== null && (
            <>
              , well again <Time at={chore.last_ok_at} />
            </>
          )}
        </p>
      </div>
    </div>
  )
}
