import type { JSX } from 'preact'
import type { Task } from '../../model.ts'

type Reasons = NonNullable<Task['waiting']>

/** Why a task waits, and what to do about it: as the engine explains it. What a durable task waits for has a part of its own. */
export function WaitingNote({ reasons: all }: { readonly reasons: Reasons }): JSX.Element | null {
  const reasons = all.filter(({ code }) => code !== 'waiting')
  if (reasons.length === 0) return null
  return (
    <section class="note note--warn" aria-label="Why it waits">
      <div>
        <strong>Why it waits</strong>
        {reasons.map(({ code, message, hint }) => (
          <div key={message} data-code={code}>
            {capital(message)}. {hint !== null && <span class="muted">{hint}</span>}
          </div>
        ))}
      </div>
    </section>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
