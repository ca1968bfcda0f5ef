import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Selection } from '../components/table.tsx'

export interface RowSelection<T> {
  readonly keys: readonly string[]
  readonly rows: readonly T[]
  /** For the table. */
  readonly forTable: Selection<T>
  readonly clear: () => void
}

interface SelectionOptions<T> {
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
  readonly label: (row: T) => string
  /** Where this changes, other rows are shown, and nothing of them is selected. */
  readonly of: string
}

/** Which rows of a page are selected. Rows that went away are not. */
export function useSelection<T>({ rows, rowKey, label, of }: SelectionOptions<T>): RowSelection<T> {
  const chosen: Signal<ReadonlySet<string>> = useSignal(new Set<string>())
  useEffect(() => {
    chosen.value = new Set()
  }, [of])
  const keys = rows.map(rowKey)
  const shown = keys.filter((key) => chosen.value.has(key))
  const isAll = keys.length > 0 && shown.length === keys.length
  return {
    keys: shown,
    rows: rows.filter((row) => chosen.value.has(rowKey(row))),
    clear: () => {
      chosen.value = new Set()
    },
    forTable: {
      has: (key) => chosen.value.has(key),
      toggle: (row) => {
        const next = new Set(chosen.value)
        if (!next.delete(rowKey(row))) next.add(rowKey(row))
        chosen.value = next
      },
      toggleAll: () => {
        chosen.value = new Set(isAll ? [] : keys)
      },
      isAll,
      label,
    },
  }
}
