import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Menu } from '../../components/menu.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { download, mostExported, tasksFor, toCsv, toJson } from '../../lib/export.ts'
import { count, plural } from '../../lib/format.ts'
import type { TaskFilter } from '../../lib/task-filter.ts'

/** Keeps what matches as a file. */
export function ExportMenu({ filter }: { readonly filter: TaskFilter }): JSX.Element {
  const isBusy = useSignal(false)
  const save = async (kind: 'json' | 'csv') => {
    isBusy.value = true
    try {
      const tasks = await tasksFor(filter)
      if (kind === 'csv') download('tasks.csv', 'text/csv', toCsv(tasks))
      else download('tasks.json', 'application/json', toJson(tasks))
      const isCut = tasks.length === mostExported
      toast(`${plural(tasks.length, 'task')} exported.`, {
        tone: 'good',
        hint: isCut
          ? `Only the newest ${count(mostExported)}; narrow the filter for others.`
          : undefined,
      })
    } catch (error) {
      toastError(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Menu
      label="Export"
      text={isBusy.value ? 'Exporting…' : 'Export'}
      icon="download"
      items={[
        { text: 'As JSON', disabled: isBusy.value, onSelect: () => void save('json') },
        { text: 'As CSV', disabled: isBusy.value, onSelect: () => void save('csv') },
      ]}
    />
  )
}
