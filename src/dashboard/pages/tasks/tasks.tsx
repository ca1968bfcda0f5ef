import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { TuskError } from '../../../lib/errors.ts'
import { ApiError } from '../../api.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { PageFrame } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { plural } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { toSearch } from '../../lib/query.ts'
import { useSelection } from '../../lib/selection.ts'
import {
  filterOf,
  queryOf,
  saidIn,
  type TaskFilter,
  withoutName,
  withWords,
} from '../../lib/task-filter.ts'
import type { Page, Stats, Task, Worker } from '../../model.ts'
import { navigate, place, queryValue } from '../../router.ts'
import { may } from '../../session.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ExportMenu } from './export-menu.tsx'
import { filterNames } from './filter-names.ts'
import { SavedFilters } from './saved-filters.tsx'
import { StateTabs } from './state-tabs.tsx'
import { TaskTable } from './task-table.tsx'
import { tasksWhere } from './tasks-where.ts'

const pageSize = 50

/** All tasks, the newest first, as they change. */
export function Tasks(): JSX.Element {
  const asked = queryOf(place.value.query)
  const { filter, problem } = useFilter(asked)
  const cursor = queryValue('cursor')
  const query = { ...filter, cursor, limit: pageSize }
  const selected = useRef<readonly string[]>([])
  const shown = useRef<readonly Task[]>([])
  const page = useLoad<Page<Task>>(problem === null ? '/tasks' : null, query, {
    when: (changes) =>
      cursor === ''
        ? changes.touchesQueue(String(filter['queue'] ?? ''))
        : shown.current.some(({ id }) => changes.touchesTask(id)),
    pace: 500,
    // Rows must not move under the hand that is choosing among them.
    isHeld: () => selected.current.length > 0,
  })
  // For a filter without terms, the result of the previous one does not apply.
  const found = problem === null ? page.data.value : null
  const tasks = found?.items ?? []
  shown.current = tasks
  const selection = useSelection({
    rows: tasks,
    rowKey: ({ id }) => id,
    label: ({ id }) => `Select task ${id}`,
    of: toSearch(query),
  })
  selected.current = selection.keys
  return (
    <PageFrame
      title="Tasks"
      actions={
        <>
          <SavedFilters query={asked} />
          {problem === null && <ExportMenu filter={filter} />}
        </>
      }
    >
      <div class="stack">
        <TaskFilterBar tasks={tasks} query={asked} />
        <StateTabs filter={filter} query={asked} />
        <p class="hidden" role="status">
          {found === null ? '' : `${plural(tasks.length, 'task')} on this page`}
        </p>
        <ProblemNote error={problem} />
        <ProblemNote error={page.error.value} onRetry={page.reload} />
        {tasks.length > 0 && (
          <TaskTable
            tasks={tasks}
            selection={may('operate') ? selection.forTable : undefined}
            head={
              may('operate') && (
                <BulkBar filter={filter} selection={selection} onDone={page.reload} />
              )
            }
          />
        )}
        {found !== null && tasks.length === 0 && <NoTasks page={found} filter={filter} />}
        <Pager next={found?.next_cursor ?? null} />
      </div>
    </PageFrame>
  )
}

interface Asked {
  readonly filter: TaskFilter
  readonly problem: ApiError | null
}

/** The same object as long as the address says the same: relative times are read once. */
function useFilter(query: string): Asked {
  return useMemo(() => {
    try {
      return { filter: filterOf(query), problem: null }
    } catch (error) {
      const { message, hint } = error as TuskError
      return { filter: {}, problem: new ApiError({ detail: message, hint }) }
    }
  }, [query])
}

interface TaskFilterBarProps {
  readonly tasks: readonly Task[]
  readonly query: string
}

function TaskFilterBar({ tasks, query }: TaskFilterBarProps): JSX.Element {
  // What is offered there costs more than the list: it is asked for by who comes to the filter.
  const isUsed = useSignal(false)
  const stats = useLoad<Stats>(isUsed.value ? '/stats' : null, {}, { every: 30_000 })
  const workers = useLoad<Page<Worker>>(isUsed.value ? '/workers' : null, {}, { every: 30_000 })
  const latest = useRef(tasks)
  latest.current = tasks
  const names = useMemo(
    () =>
      filterNames(() => ({
        // Read, not peeked at: who types before they are there is offered them when they come.
        stats: stats.data.value,
        workers: workers.data.value,
        tasks: latest.current,
      })),
    [],
  )
  const said = new Map(saidIn(query))
  // The tabs show it.
  said.delete('state')
  return (
    <div onFocusIn={() => (isUsed.value = true)}>
      <FilterBar
        names={names}
        said={said}
        placeholder="Filter: queue:mail tag:invoice after:2h, or any text"
        onSay={(words) => navigate(tasksWhere(withWords(query, words)))}
        onRemove={(name) => navigate(tasksWhere(withoutName(query, name)))}
      />
    </div>
  )
}

function NoTasks({
  page,
  filter,
}: {
  readonly page: Page<Task>
  readonly filter: TaskFilter
}): JSX.Element {
  if (page.next_cursor !== null) {
    return (
      <EmptyState title="Nothing found so far">
        The search stopped before the oldest tasks. Next goes on from there.
      </EmptyState>
    )
  }
  if (Object.keys(filter).length > 0) return <EmptyState title="No task matches" />
  return (
    <EmptyState title="No tasks yet" command={`tusk sql 'select now()' --wait`}>
      This one runs at once, and shows here as it does.
    </EmptyState>
  )
}
