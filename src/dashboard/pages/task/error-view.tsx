import type { JSX } from 'preact'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { sqlOf } from '../../lib/task-summary.ts'
import type { Task, TaskError } from '../../model.ts'
import { href } from '../../router.ts'
import { Notices, NotKept, Results } from './sql-results.tsx'

/** Why the task ended, if not well. */
export function ErrorSection({ task }: { readonly task: Task }): JSX.Element | null {
  if (task.error === null) return null
  const { code, results = [], notices = [] } = task.error
  return (
    <Section
      title="Error"
      actions={
        code !== undefined && (
          <a href={href('/tasks', { state: 'failed', code: String(code) })}>All with this code</a>
        )
      }
    >
      <div class="stack">
        <ErrorView error={task.error} />
        {sqlOf(task) !== null && results.length > 0 && (
          <>
            <p class="muted">Before that:</p>
            <Results results={results} />
          </>
        )}
        <Notices notices={notices} />
        <NotKept output={task.error} />
      </div>
    </Section>
  )
}

const details = ['detail', 'hint', 'where', 'schema', 'table', 'column', 'constraint'] as const

/** An error in words: what was said, what else is known, and where it came from. */
export function ErrorView({ error }: { readonly error: TaskError }): JSX.Element {
  const known = error as Readonly<Record<string, unknown>>
  const shown = details.flatMap((name) => {
    const value = known[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return (
    <div class="error">
      <p class="error__message">
        {typeof error.message === 'string' ? error.message : JSON.stringify(error)}
      </p>
      <p class="muted">
        {[error.name, error.code]
          .map((part) => String(part ?? ''))
          .filter((part) => !/^(Error)?$/.test(part))
          .join(' · ')}
      </p>
      {shown.length > 0 && (
        <Facts
          facts={shown.map(([name, value]) => [
            name,
            <span key={name} class="pre">
              {value}
            </span>,
          ])}
        />
      )}
      {typeof error.stack === 'string' && (
        <details class="stack-trace">
          <summary>Stack</summary>
          <pre class="code">{error.stack}</pre>
        </details>
      )}
    </div>
  )
}
