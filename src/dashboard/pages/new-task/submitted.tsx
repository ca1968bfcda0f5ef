import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Badge } from '../../components/badge.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Time } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Task } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { ErrorSection } from '../task/error-view.tsx'
import { OutputSection } from '../task/payload.tsx'

/** What became of the task that was submitted last, as it happens. */
export function Submitted({ id }: { readonly id: string }): JSX.Element {
  const loaded = useLoad<Task>(
    may('read') ? `/tasks/${id}` : null,
    {},
    { when: (changes) => changes.touchesTask(id), every: 3_000, pace: 200 },
  )
  const task = loaded.data.value
  const box = useRef<HTMLDivElement>(null)
  const isEnded = task !== null && task.finished_at !== null
  // Below a long form it would not be seen: when it appears, and when its output does.
  useEffect(() => box.current?.scrollIntoView({ block: isEnded ? 'start' : 'nearest' }), [isEnded])
  return (
    <div class="stack submitted" role="status" ref={box}>
      <Section title={`Task ${id}`} actions={<a href={href(`/tasks/${id}`)}>All about it</a>}>
        <ProblemNote error={loaded.error.value} />
        {task !== null && (
          <p class="lead">
            <Badge state={task.state} />
            <span class="muted">
              {task.finished_at === null ? 'due' : 'ended'}{' '}
              <Time at={task.finished_at ?? task.run_at} />
            </span>
          </p>
        )}
      </Section>
      {task !== null && <ErrorSection task={task} />}
      {task !== null && <OutputSection task={task} />}
    </div>
  )
}
