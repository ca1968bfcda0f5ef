import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { waitsSince } from '../../../../lib/waits.ts'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/page.tsx'
import { Elapsed, Time } from '../../../components/time.tsx'
import { plural } from '../../../lib/format.ts'
import { listWaits, type Wait } from '../../../lib/wait-list.ts'
import type { Dependencies, Step, Task } from '../../../model.ts'
import { href } from '../../../router.ts'
import { may } from '../../../session.ts'
import { SignalDialog } from './signal-dialog.tsx'

const mostLinks = 12

/** What a task in state `waiting` waits for: the first of these wakes it. */
export function Waits({
  task,
  steps,
  dependencies,
}: {
  readonly task: Task
  readonly steps: readonly Step[]
  readonly dependencies: Dependencies['items']
}): JSX.Element | null {
  const sending = useSignal<string | null>(null)
  const after = dependencies.find(({ id }) => id === task.id)?.after ?? []
  const waits = listWaits(task, steps)
  if (waits.length === 0) return null
  const since = waitsSince(task.waits)
  return (
    <Section title="Waits for" actions={since !== null && <Elapsed since={since.toISOString()} />}>
      <ul class="waits">
        {waits.map((wait, index) => (
          <li key={index} class="waits__one">
            <span class="waits__what">{words(wait)}</span>
            {wait.until !== null && (
              <span class="muted">
                {wait.kind === 'signal' && 'time-out '}
                <Time at={wait.until} />
              </span>
            )}
            <TaskLinks ids={wait.kind === 'after' ? after : wait.tasks} />
            {wait.signal !== null && may('enqueue') && (
              <Button
                onClick={() => {
                  sending.value = wait.signal
                }}
              >
                Send signal
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sending.value !== null && (
        <SignalDialog
          task={task}
          name={sending.value}
          onClose={() => {
            sending.value = null
          }}
        />
      )}
    </Section>
  )
}

function words({ kind, name, signal, left }: Wait): JSX.Element {
  switch (kind) {
    case 'signal':
      return (
        <>
          Signal <strong>{signal}</strong> {name !== signal && <span class="muted">as {name}</span>}
        </>
      )
    case 'delay':
      return (
        <>
          Delay <strong>{name}</strong>
        </>
      )
    case 'attempt':
      return (
        <>
          Next attempt of <strong>{name}</strong>
        </>
      )
    case 'children':
      return <>{plural(left, 'child', 'children')}</>
    case 'after':
      return <>{plural(left, 'earlier task')}</>
  }
}

function TaskLinks({ ids }: { readonly ids: readonly string[] }): JSX.Element | null {
  if (ids.length === 0) return null
  return (
    <span class="fact-list">
      {ids.slice(0, mostLinks).map((id) => (
        <a key={id} href={href(`/tasks/${id}`)}>
          #{id}
        </a>
      ))}
      {ids.length > mostLinks && <span class="muted">and {ids.length - mostLinks} more</span>}
    </span>
  )
}
