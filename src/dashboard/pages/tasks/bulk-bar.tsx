import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { plural } from '../../lib/format.ts'
import { type Bulk, operate } from '../../lib/operate.ts'
import type { RowSelection } from '../../lib/selection.ts'
import type { TaskFilter } from '../../lib/task-filter.ts'
import type { Task } from '../../model.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { OperationProgress } from './operation-progress.tsx'

interface BulkBarProps {
  readonly filter: TaskFilter
  readonly selection: RowSelection<Task>
  readonly onDone: () => void
}

/** What can be done to the selected tasks, or to all that match. */
export function BulkBar({ filter, selection, onDone }: BulkBarProps): JSX.Element {
  const isAllMatching = useSignal(false)
  const changing = useSignal(false)
  const isSelecting = selection.keys.length > 0
  const isPage = selection.forTable.isAll
  const isAll = isAllMatching.value && isPage
  // Who unticks a row, or looks at others, no longer means all of them.
  useEffect(() => {
    if (!isPage) isAllMatching.value = false
  }, [isPage])
  const target: TaskFilter = isAll ? filter : { ids: selection.keys }
  const act = async (bulk: Omit<Bulk, 'filter'>) => {
    if (!(await operate({ ...bulk, filter: target }))) return
    isAllMatching.value = false
    selection.clear()
    onDone()
  }
  const can = possible(isAll ? statesIn(filter) : selection.rows.map(({ state }) => state))
  const what = isAll ? 'All matching' : plural(selection.keys.length, 'task')
  return (
    <div class="bulk" role="toolbar" aria-label="Actions on the selected tasks">
      <span class="bulk__count" aria-live="polite">
        {isSelecting ? `${what} selected` : <span class="muted">Select tasks to act on them</span>}
      </span>
      {isSelecting && (
        <>
          {can.retry && (
            <Button icon="retry" onClick={() => void act({ action: 'retry' })}>
              Retry
            </Button>
          )}
          {can.cancel && (
            <Button icon="stop" onClick={() => void act({ action: 'cancel' })}>
              Cancel
            </Button>
          )}
          <Menu label="More actions" text="More" items={moreActions(act, changing, can)} />
          {isPage && (
            <Button
              look="quiet"
              pressed={isAll}
              onClick={() => {
                isAllMatching.value = !isAllMatching.value
              }}
            >
              {isAll ? 'Only this page' : 'All that match'}
            </Button>
          )}
        </>
      )}
      <OperationProgress />
      {changing.value && (
        <ChangeDialog
          what={what}
          onClose={() => {
            changing.value = false
          }}
          onChange={(bulk) => {
            changing.value = false
            void act(bulk)
          }}
        />
      )}
    </div>
  )
}

type Act = (bulk: Omit<Bulk, 'filter'>) => Promise<void>

/** What some of these states allow. Without any, as when all match, everything. */
function possible(states: readonly string[]) {
  const ended = ['done', 'failed', 'cancelled']
  const isAny = states.length === 0
  return {
    retry: isAny || states.some((state) => ended.includes(state)),
    cancel: isAny || states.some((state) => !ended.includes(state)),
    move: isAny || states.some((state) => ![...ended, 'running', 'waiting'].includes(state)),
    kill: isAny || states.includes('running'),
  }
}

function statesIn({ state = [] }: TaskFilter): readonly string[] {
  return [state].flat()
}

function moreActions(
  act: Act,
  changing: Signal<boolean>,
  can: ReturnType<typeof possible>,
): readonly MenuItem[] {
  return [
    {
      text: 'Run now',
      icon: 'play',
      disabled: !can.move,
      onSelect: () => void act({ action: 'move', run_at: new Date().toISOString() }),
    },
    {
      text: 'Change…',
      icon: 'edit',
      onSelect: () => {
        changing.value = true
      },
    },
    {
      text: 'Kill',
      icon: 'close',
      danger: true,
      disabled: !can.kill,
      onSelect: () => void act({ action: 'kill' }),
    },
    { text: 'Delete', icon: 'trash', danger: true, onSelect: () => void act({ action: 'delete' }) },
  ]
}
