import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { isNever } from '../../../../lib/waits.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { JsonView } from '../../../components/json-view.tsx'
import { Time } from '../../../components/time.tsx'
import { duration, plural } from '../../../lib/format.ts'
import type { StepRow } from '../../../lib/step-rows.ts'
import { property } from '../../../lib/task-summary.ts'
import type { Json, Step, TaskError } from '../../../model.ts'
import { href } from '../../../router.ts'
import { ErrorView } from '../error-view.tsx'

interface StepLineProps {
  readonly row: StepRow
  /** Null while the task has not ended, and for viewers without the right. */
  readonly onRetry: ((step: Step) => void) | null
}

const tones = { open: 'waiting', retrying: 'retrying', done: 'done', failed: 'failed' } as const

/** A step, or an attempt of the task that failed: when it was, how long it took, and what it gave. */
export function StepLine({ row, onRetry }: StepLineProps): JSX.Element {
  const isOpen = useSignal(false)
  const { step, attempt } = row
  const tone = step === null ? 'failed' : tones[step.state]
  return (
    <li>
      <details
        class="step"
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary class={`tone-${tone}`}>
          <span class="step__name">
            {step?.name ?? `Attempt ${attempt?.attempt}`}{' '}
            {step !== null && step.kind !== 'step' && <span class="muted">{step.kind}</span>}
          </span>
          <span class="step__track" aria-hidden="true">
            <span
              class={`step__bar step__bar--${isWait(step) ? 'waits' : 'works'}`}
              style={{ left: `min(${row.left}%, 100% - 3px)`, width: `${row.width}%` }}
            />
          </span>
          <span class="step__end">
            {step !== null && step.attempt > 1 && (
              <span class="step__attempts">{plural(step.attempt, 'attempt')}</span>
            )}
            {step?.state !== 'done' && (
              <Badge state={step?.state ?? attempt?.reason ?? ''} tone={tone} />
            )}
            {step?.kind !== 'version' && (
              <span class="muted nowrap">{duration((row.to - row.from) / 1000)}</span>
            )}
          </span>
        </summary>
        {isOpen.value && (
          <div class="step__body stack">
            {step !== null && <StepBody step={step} onRetry={onRetry} />}
            {attempt?.error != null && <ErrorView error={attempt.error} />}
          </div>
        )}
      </details>
    </li>
  )
}

/** Drawn lighter: nothing runs meanwhile. */
function isWait(step: Step | null): boolean {
  return step !== null && step.kind !== 'step'
}

function StepBody({
  step,
  onRetry,
}: { readonly step: Step } & Omit<StepLineProps, 'row'>): JSX.Element {
  const { state, kind, output, error, child, signal, until } = step
  const facts = [
    ['Started', step.started_at && <Time at={step.started_at} />],
    ['Ended', step.finished_at && <Time at={step.finished_at} />],
    ['Until', until !== null && !isNever(new Date(until)) && <Time at={until} />],
    ['Child', child !== null && <a href={href(`/tasks/${child}`)}>#{child}</a>],
    [
      'Signal',
      kind === 'signal' && state === 'done' && (signal === null ? 'time-out' : `#${signal}`),
    ],
  ] as const
  return (
    <>
      <Facts facts={facts.filter(([, value]) => value !== null && value !== false)} />
      {error !== null && <ErrorView error={errorOf(error)} />}
      {output !== null && <JsonView value={output} label="Result" />}
      {onRetry !== null && (
        <p>
          <Button icon="retry" onClick={() => onRetry(step)}>
            Retry from here
          </Button>
        </p>
      )}
    </>
  )
}

/** Of a child its own error, where it has one. */
function errorOf(error: Json): TaskError {
  return (property(error, 'error') ?? error) as unknown as TaskError
}
