import { signal } from '@preact/signals'

/** How far the database's clock is ahead of the viewer's, in milliseconds. */
let ahead = 0

/** The database's time, once a second while the page is visible. */
export const now = signal(Date.now())

/** Set by every answer that has the time of the database. */
export function setServerTime(iso: string): void {
  ahead = Date.parse(iso) - Date.now()
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now() + ahead
  }, 1_000)
}
