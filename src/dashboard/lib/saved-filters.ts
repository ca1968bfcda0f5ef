import { signal } from '@preact/signals'

/** A filter of tasks that the user saved under a name, in this browser. */
export interface SavedFilter {
  readonly name: string
  readonly query: string
}

const key = 'tusk-filters'
const most = 50

export const savedFilters = signal<readonly SavedFilter[]>(read())

/** Saves under a name; what had that name before is replaced. */
export function saveFilter(name: string, query: string): void {
  const others = savedFilters.value.filter((one) => one.name !== name)
  write([...others, { name, query }].slice(-most))
}

export function forgetFilter(name: string): void {
  write(savedFilters.value.filter((one) => one.name !== name))
}

function write(filters: readonly SavedFilter[]): void {
  const sorted = [...filters].sort((a, b) => a.name.localeCompare(b.name))
  savedFilters.value = sorted
  try {
    localStorage.setItem(key, JSON.stringify(sorted))
  } catch {
    // A browser that keeps nothing has them until the page is closed.
  }
}

function read(): readonly SavedFilter[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isSaved) : []
  } catch {
    return []
  }
}

function isSaved(one: unknown): one is SavedFilter {
  const { name, query } = (one ?? {}) as Partial<SavedFilter>
  return typeof name === 'string' && typeof query === 'string'
}
