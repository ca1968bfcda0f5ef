import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cappedCount } from '../../lib/format.ts'
import type { TaskFilter } from '../../lib/task-filter.ts'
import { taskStates } from '../../model.ts'
import { place, setQuery } from '../../router.ts'
import { useCounts } from './use-counts.ts'

/** One tab per state, each with its count. Several may be chosen by links; a tab chooses one. */
export function StateTabs({ filter }: { readonly filter: TaskFilter }): JSX.Element {
  const counts = useCounts(filter)
  const chosen = place.value.query.getAll('state')
  const tabs = useRef<HTMLElement>(null)
  // On a phone there is not room for all of them.
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen.join()])
  return (
    <nav class="tabs" aria-label="States" ref={tabs}>
      <Tab text="all" isChosen={chosen.length === 0} count={null} states={null} />
      {taskStates.map((state) => {
        const known = counts.value.get(state)
        return (
          <Tab
            key={state}
            text={state}
            isChosen={chosen.includes(state)}
            count={known === undefined ? null : cappedCount(known)}
            states={state}
          />
        )
      })}
    </nav>
  )
}

function Tab(props: {
  readonly text: string
  readonly isChosen: boolean
  readonly count: string | null
  readonly states: string | null
}): JSX.Element {
  return (
    <button
      type="button"
      class={`tab tone-${props.text}`}
      aria-current={props.isChosen ? 'true' : undefined}
      onClick={() => setQuery({ state: props.states, cursor: null })}
    >
      {props.text}
      {props.states !== null && <span class="tab__count">{props.count ?? '\u00a0'}</span>}
    </button>
  )
}
