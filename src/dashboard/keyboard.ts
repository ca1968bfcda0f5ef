import { signal } from '@preact/signals'
import { togglePaused } from './live.ts'
import { pages } from './pages/all.ts'
import { href, navigate } from './router.ts'

/**
 * Keys that work outside of text fields: `/` to filter, `?` for help, `g` and a letter to go to a
 * page, `p` to pause; j, k, Enter and x in lists.
 */

export const isHelpOpen = signal(false)

const chordMs = 1_500
let goPressedAt = Number.NEGATIVE_INFINITY

const keys: Readonly<Record<string, () => void>> = {
  '/': () => focusSearch(),
  '?': () => {
    isHelpOpen.value = true
  },
  g: () => {
    goPressedAt = performance.now()
  },
  p: () => togglePaused(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  x: () => currentRow()?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click(),
}

export function startKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    if (event.key === 'Enter') openRow(event)
    else press(event)
  })
}

function press(event: KeyboardEvent): void {
  const isChord = performance.now() - goPressedAt < chordMs
  goPressedAt = Number.NEGATIVE_INFINITY
  const page = isChord ? pages.find(({ key }) => key === event.key) : undefined
  const act = page === undefined ? keys[event.key] : () => navigate(href(page.path))
  if (act === undefined) return
  event.preventDefault()
  act()
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  )
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('[data-search]')?.focus()
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main [data-row]')]
}

function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null
}

function moveRow(step: number): void {
  const all = rows()
  const row = currentRow()
  const at = row === null ? (step > 0 ? -1 : all.length) : all.indexOf(row)
  const next = all[Math.min(Math.max(at + step, 0), all.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Only on the row itself: Enter on a link or a button inside it does what that does. */
function openRow(event: KeyboardEvent): void {
  const row = event.target instanceof HTMLElement ? event.target : null
  const to = row?.dataset['href']
  if (to === undefined) return
  event.preventDefault()
  navigate(to)
}
