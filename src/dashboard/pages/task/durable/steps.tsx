import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { api } from '../../../api.ts'
import { confirm } from '../../../components/confirm.tsx'
import { Section } from '../../../components/page.tsx'
import { attempt } from '../../../components/toast.tsx'
import { now } from '../../../lib/clock.ts'
import { plural } from '../../../lib/format.ts'
import { rowsOf } from '../../../lib/step-rows.ts'
import type { Attempt, Step, Task } from '../../../model.ts'
import { may } from '../../../session.ts'
import { StepLine } from './step-line.tsx'

const atOnce = 100
/** Steps are stored without an event. The answer has all of their results, so that many are asked for less often. */
const lookMs = 2_000
const lookMsPerStep = 50

interface StepsProps {
  readonly task: Task
  readonly steps: readonly Step[]
  readonly attempts: readonly Attempt[]
  readonly onReload: () => void
  readonly onDone: () => void
}

/** The steps of a task on a line of time, with the attempts of the task that failed. */
export function Steps({ task, steps, attempts, onReload, onDone }: StepsProps): JSX.Element | null {
  const most = useSignal(atOnce)
  const isRunning = task.state === 'running'
  const isOver = task.finished_at !== null
  useEffect(() => {
    if (!isRunning) return undefined
    const pause = Math.max(lookMs, steps.length * lookMsPerStep)
    const timer = setInterval(() => document.hidden || onReload(), pause)
    return () => clearInterval(timer)
  }, [isRunning, steps.length])
  if (steps.length === 0) return null
  const end = isOver ? Date.parse(task.finished_at ?? '') : now.value
  const rows = rowsOf(steps, attempts, end, most.value)
  const left = steps.length + attempts.length - rows.length
  const canRetry = isOver && may('operate')
  return (
    <Section title="Steps" actions={<span class="muted">{plural(steps.length, 'step')}</span>}>
      {left > 0 && (
        <button
          type="button"
          class="link"
          onClick={() => {
            most.value += atOnce
          }}
        >
          {plural(left, 'earlier one')}
        </button>
      )}
      <ol class="steps">
        {rows.map((row) => (
          <StepLine
            key={row.step?.name ?? `attempt ${row.from}`}
            row={row}
            onRetry={canRetry ? (step) => void retryFrom(task, step, onDone) : null}
          />
        ))}
      </ol>
    </Section>
  )
}

async function retryFrom({ id }: Task, { name }: Step, onDone: () => void): Promise<void> {
  const isSure = await confirm({
    title: `Retry task ${id} from ${name}?`,
    text: 'This step and all steps after it are forgotten, and run again. Signals that they received come back, and children that they started are cancelled.',
    action: 'Retry from here',
    danger: false,
  })
  if (!isSure) return
  await attempt(
    () => api.post(`/tasks/${id}/retry`, { from: name }),
    `Task ${id} is queued again, from ${name}.`,
  )
  onDone()
}
