import type { JSX } from 'preact'
import { useLoad } from '../../../lib/load.ts'
import type { Attempt, Dependencies, Page, PendingSignal, Step, Task } from '../../../model.ts'
import { FamilySection } from './family.tsx'
import { Signals } from './signals.tsx'
import { Steps } from './steps.tsx'
import { StreamSection } from './stream.tsx'
import { Waits } from './waits.tsx'

interface DurableProps {
  readonly task: Task
  readonly attempts: readonly Attempt[]
  readonly onDone: () => void
}

/** What a durable task waits for, has done, has started and has written; nothing of any other task. */
export function Durable({ task, attempts, onDone }: DurableProps): JSX.Element {
  const { id } = task
  const path = `/tasks/${encodeURIComponent(id)}`
  const isLive = task.finished_at === null
  const isTouched = {
    when: (changes: { touchesTask: (id: string) => boolean }) => changes.touchesTask(id),
    pace: 600,
  }
  const steps = useLoad<Page<Step>>(`${path}/steps`, {}, isTouched)
  // A task that has ended receives no signal and waits for no other.
  const signals = useLoad<Page<PendingSignal>>(isLive ? `${path}/signals` : null, {}, isTouched)
  const dependencies = useLoad<Dependencies>(isLive ? `${path}/dependencies` : null, {}, isTouched)
  const known = steps.data.value?.items ?? []
  const others = (isLive && dependencies.data.value?.items) || []
  const hasRun = !['scheduled', 'blocked', 'ready'].includes(task.state)
  return (
    <>
      <Waits task={task} steps={known} dependencies={others} />
      {isLive && <Signals list={signals.data.value?.items ?? []} />}
      <Steps
        task={task}
        steps={known}
        attempts={attempts}
        onReload={steps.reload}
        onDone={onDone}
      />
      <FamilySection
        task={task}
        hasChildren={known.some(({ child }) => child !== null)}
        dependencies={others}
      />
      {task.kind !== 'sql' && hasRun && <StreamSection id={id} hasEnded={!isLive} />}
    </>
  )
}
