import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { ApiError } from '../api.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
  readonly hint: string | undefined
  readonly link: { readonly text: string; readonly href: string } | undefined
}

const most = 4
const shownMs = 6_000

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Says something at the edge of the page, for a while. */
export function toast(
  text: string,
  { tone = 'plain', hint, link }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.value, { id, text, tone, hint, link }].slice(-most)
  // Errors stay longer: there is more to read.
  setTimeout(() => dismiss(id), tone === 'bad' ? shownMs * 2 : shownMs)
}

/** What went wrong, with what to do about it. */
export function toastError(error: unknown): void {
  const hint = error instanceof ApiError ? error.hint : undefined
  toast(error instanceof Error ? error.message : String(error), { tone: 'bad', hint })
}

/** Does it, and says how it went. */
export async function attempt(
  doIt: () => Promise<unknown>,
  done: string | (() => string),
): Promise<boolean> {
  try {
    await doIt()
    toast(typeof done === 'string' ? done : done(), { tone: 'good' })
    return true
  } catch (error) {
    toastError(error)
    return false
  }
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => (
        <div key={one.id} class={`toast toast--${one.tone}`}>
          <div class="toast__text">
            <p>{one.text}</p>
            {one.hint !== undefined && <p class="muted">{one.hint}</p>}
            {one.link !== undefined && <a href={one.link.href}>{one.link.text}</a>}
          </div>
          <Button look="quiet" icon="close" label="Dismiss" onClick={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  )
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
