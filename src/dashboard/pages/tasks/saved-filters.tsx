import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { forgetFilter, savedFilters, saveFilter } from '../../lib/saved-filters.ts'
import { navigate } from '../../router.ts'
import { tasksWhere } from './tasks-where.ts'

/** Filters that were named: one is chosen, or the current one is named or forgotten. */
export function SavedFilters({ query }: { readonly query: string }): JSX.Element {
  const isNaming = useSignal(false)
  const current = savedFilters.value.find((one) => one.query === query)
  const items: MenuItem[] = [
    ...savedFilters.value.map(({ name, query: saved }) => ({
      text: name,
      onSelect: () => navigate(tasksWhere(saved)),
    })),
    current === undefined
      ? {
          text: 'Save this filter…',
          icon: 'plus' as const,
          disabled: query === '',
          onSelect: () => {
            isNaming.value = true
          },
        }
      : {
          text: `Forget “${current.name}”`,
          icon: 'trash' as const,
          danger: true,
          onSelect: () => forgetFilter(current.name),
        },
  ]
  return (
    <>
      <Menu label="Saved filters" text={current?.name ?? 'Saved filters'} items={items} />
      {isNaming.value && (
        <NameDialog
          query={query}
          onClose={() => {
            isNaming.value = false
          }}
        />
      )}
    </>
  )
}

function NameDialog({
  query,
  onClose,
}: {
  readonly query: string
  readonly onClose: () => void
}): JSX.Element {
  const name = useSignal('')
  const submit = async () => {
    saveFilter(name.value.trim(), query)
    onClose()
  }
  return (
    <Dialog title="Save this filter" onClose={onClose}>
      <Form action="Save" onClose={onClose} onSubmit={submit}>
        <TextField
          label="Name"
          hint={`Finds ${query}. It is kept in this browser.`}
          value={name}
          required
          autofocus
        />
      </Form>
    </Dialog>
  )
}
