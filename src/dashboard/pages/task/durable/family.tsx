import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/page.tsx'
import { ProblemNote } from '../../../components/problem.tsx'
import { Segments } from '../../../components/segments.tsx'
import { countStates, type Graph, graphOf, narrowed } from '../../../lib/family-graph.ts'
import { count } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { operate } from '../../../lib/operate.ts'
import {
  type Dependencies,
  type Family,
  type FamilyMember,
  type Task,
  taskStates,
} from '../../../model.ts'
import { may } from '../../../session.ts'
import { GraphView } from './graph-view.tsx'

/** As many as the API gives at once. */
const limit = 1_000
/** More names than this are read less well than dots. */
const mostNames = 60

const ended: readonly string[] = ['done', 'failed', 'cancelled']
const looks = [
  { value: 'names', text: 'Names' },
  { value: 'dots', text: 'Dots' },
] as const

interface FamilyProps {
  readonly task: Task
  readonly hasChildren: boolean
  readonly dependencies: Dependencies['items']
}

/** The family of a task and the tasks that it depends on, as a graph; nothing of a task that has none. */
export function FamilySection(props: FamilyProps): JSX.Element | null {
  const { graph, family, members } = useGraph(props)
  const chosen = useSignal<string | null>(null)
  if (graph.nodes.length < 2) return <ProblemNote error={family.error.value} />
  const look = chosen.value ?? (graph.nodes.length > mostNames ? 'dots' : 'names')
  return (
    <Section
      title="Family"
      actions={
        <>
          <Segments
            label="Show tasks as"
            value={look}
            choices={looks}
            onChange={(value) => {
              chosen.value = value
            }}
          />
          <CancelFamily members={members} onDone={family.reload} />
        </>
      }
    >
      <FilteredGraph graph={graph} own={props.task.id} look={look} />
      {family.data.value?.is_complete === false && (
        <p class="muted">The {count(limit)} nearest tasks are shown.</p>
      )}
    </Section>
  )
}

/** Loads what belongs to the graph, again when one of its tasks changes. */
function useGraph({ task, hasChildren, dependencies }: FamilyProps) {
  const shown = useRef<readonly string[]>([])
  const isTouched = {
    when: (changes: { touchesTask: (id: string) => boolean }) =>
      shown.current.some((id) => changes.touchesTask(id)),
    pace: 1_000,
  }
  const path = hasChildren ? `/tasks/${task.id}/family` : null
  const family = useLoad<Family>(path, { limit }, isTouched)
  const above = task.parent === null ? null : `/tasks/${task.parent}`
  const parent = useLoad<Task>(above, {}, isTouched).data.value
  const members = (hasChildren && family.data.value?.items) || []
  const graph = useMemo(
    () => graphOf({ task, parent, family: members, dependencies }),
    [task, parent, family.data.value, dependencies, hasChildren],
  )
  shown.current = graph.nodes.map(({ id }) => id)
  return { graph, family, members }
}

/** Cancels all that have not ended, detached ones too. */
function CancelFamily({
  members,
  onDone,
}: {
  readonly members: readonly FamilyMember[]
  readonly onDone: () => void
}): JSX.Element | null {
  const ids = members.filter(({ state }) => !ended.includes(state)).map(({ id }) => id)
  if (members.length < 2 || ids.length === 0 || !may('operate')) return null
  return (
    <Button
      icon="stop"
      onClick={() => void operate({ action: 'cancel', filter: { ids } }).then(onDone)}
    >
      Cancel the family
    </Button>
  )
}

/** The graph below a button for each state, which shows the tasks in that state with those that lead to them. */
function FilteredGraph({
  graph,
  own,
  look,
}: {
  readonly graph: Graph
  readonly own: string
  readonly look: string
}): JSX.Element {
  const chosen = useSignal('')
  const states = countStates(graph.nodes, taskStates)
  // Once no task is in it, its button is gone.
  const state = states.some(([name]) => name === chosen.value) ? chosen.value : ''
  return (
    <div class="graph">
      <fieldset class="graph__states" aria-label="Show tasks in a state">
        {states.map(([name, many]) => (
          <button
            key={name}
            type="button"
            class={`graph__state tone-${name}`}
            aria-pressed={state === name}
            onClick={() => {
              chosen.value = state === name ? '' : name
            }}
          >
            <span class="badge__dot" aria-hidden="true" /> {count(many)} {name}
          </button>
        ))}
      </fieldset>
      <GraphView graph={state === '' ? graph : narrowed(graph, state, own)} own={own} look={look} />
    </div>
  )
}
