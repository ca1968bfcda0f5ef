import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cappedCount } from '../../lib/format.ts'
import { type TaskFilter, withoutName, withWords } from '../../lib/task-filter.ts'
import { taskStates } from '../../model.ts'
import { navigate } from '../../router.ts'
import { tasksWhere } from './tasks-where.ts'
import { useCounts } from './use-counts.ts'

interface StateTabsProps {
  readonly query: string
  readonly filter: TaskFilter
}

/** One tab per state, each with its count. Several may be chosen by links; a tab chooses one. */
export function StateTabs({ query, filter }: StateTabsProps): JSX.Element {
  const counts = useCounts(filter)
  const chosen: readonly string[] = [filter['state'] ?? []].flat()
  const choose = (to: string) => () => navigate(tasksWhere(to))
  const tabs = useRef<HTMLElement>(null)
  // On a phone there is not room for all of them.
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen.join()])
  return (
    <nav class="tabs" aria-label="States" ref={tabs}>
      <Tab
        text="all"
        isChosen={chosen.length === 0}
        onClick={choose(withoutName(query, 'state'))}
      />
      {taskStates.map((state) => {
        const known = counts.value.get(state)
        return (
          <Tab
            key={state}
            text={state}
            isChosen={chosen.includes(state)}
            count={known === undefined ? '\u00a0' : cappedCount(known)}
            onClick={choose(withWords(query, `state:${state}`))}
          />
        )
      })}
    </nav>
  )
}

function Tab(props: {
  readonly text: string
  readonly isChosen: boolean
  readonly count?: string
  readonly onClick: () => void
}): JSX.Element {
  return (
    <button
      type="button"
      class={`tab tone-${props.text}`}
      aria-current={props.isChosen ? 'true' : undefined}
      onClick={props.onClick}
    >
      {props.text}
      {props.count !== undefined && <span class="tab__count">{props.count}</span>}
    </button>
  )
}
