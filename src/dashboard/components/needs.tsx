import type { JSX } from 'preact'
import { may } from '../session.ts'

const names: Readonly<Record<string, string>> = {
  operate: 'operator',
  admin: 'admin',
}

/** Why there are no buttons: said once per page to those who may only look. */
export function Needs({
  scope,
  to,
}: {
  readonly scope: 'operate' | 'admin' | 'enqueue' | 'sql'
  /** What they could do: "pause queues". */
  readonly to: string
}): JSX.Element | null {
  if (may(scope)) return null
  return (
    <p class="needs muted">
      Read-only: to {to}, sign in with a token of the scope <code>{scope}</code>
      {names[scope] === undefined ? '' : ` (${names[scope]})`}.
    </p>
  )
}
