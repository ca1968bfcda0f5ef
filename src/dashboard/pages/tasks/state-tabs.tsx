import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cappedCount, shortCount } from '../../lib/format.ts'
import { type TaskFilter, withoutName, withWords } from '../../lib/task-filter.ts'
import { taskStates } from '../../model.ts'
import { navigate } from '../../router.ts'
import { tasksWhere } from './tasks-where.ts'
import { type StateCount, useCounts } from './use-counts.ts'

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
      {taskStates.map((state) => (
        <Tab
          key={state}
          text={state}
          isChosen={chosen.includes(state)}
          count={inWords(counts.find((counted) => counted.state === state))}
          onClick={choose(withWords(query, `state:${state}`))}
        />
      ))}
    </nav>
  )
}

/** A blank keeps the room of what is not known yet. */
function inWords(counted: StateCount | undefined): string {
  if (counted === undefined) return '\u00a0'
  return counted.estimated ? `≈ ${shortCount(counted.count)}` : cappedCount(counted)
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
