import type { ComponentChildren, JSX } from 'preact'
import { Copy } from './copy.tsx'

/** Nothing here yet, and the command that changes that. */
export function EmptyState({
  title,
  children,
  command,
}: {
  readonly title: string
  readonly children?: ComponentChildren
  readonly command?: string
}): JSX.Element {
  return (
    <div class="empty">
      <p class="empty__title">{title}</p>
      {children !== undefined && <p class="muted">{children}</p>}
      {command !== undefined && (
        <div class="command">
          <code>{command}</code>
          <Copy text={command} label="Copy the command" />
        </div>
      )}
    </div>
  )
}
