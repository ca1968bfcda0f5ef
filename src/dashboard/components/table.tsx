import type { ComponentChildren, JSX } from 'preact'

export interface Column<T> {
  readonly title: string
  /** For screen readers alone, where a glance at the cells says it. */
  readonly isTitleHidden?: boolean
  readonly cell: (row: T) => ComponentChildren
  /** Numbers to the right. */
  readonly align?: 'right'
  /** Hidden where there is no room: `wide` below 720 px, `widest` below 1100 px. */
  readonly from?: 'wide' | 'widest'
  /** A class for its width, such as `col-id`. */
  readonly class?: string
}

interface TableProps<T> {
  /** What the table shows, for those who do not see it. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
  /** Where Enter on a row leads; the row itself is no link, one of its cells must be. */
  readonly rowHref?: (row: T) => string
  readonly rowClass?: (row: T) => string
  readonly selection?: Selection<T>
}

export interface Selection<T> {
  readonly has: (key: string) => boolean
  readonly toggle: (row: T) => void
  readonly toggleAll: () => void
  readonly isAll: boolean
  readonly label: (row: T) => string
}

/** Rows and columns; j and k go through the rows, Enter opens one, x selects it (keyboard.ts). */
export function Table<T>(props: TableProps<T>): JSX.Element {
  const { label, columns, rows, selection } = props
  return (
    <div class="table-wrap">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {selection !== undefined && (
              <th scope="col" class="col-check">
                <Check
                  checked={selection.isAll}
                  label="Select all on this page"
                  onChange={selection.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.isTitleHidden === true ? (
                  <span class="hidden">{column.title}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={props.rowKey(row)} row={row} table={props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row<T>({ row, table }: { readonly row: T; readonly table: TableProps<T> }): JSX.Element {
  const { columns, selection, rowKey, rowHref, rowClass } = table
  const isSelected = selection?.has(rowKey(row)) ?? false
  return (
    <tr
      class={`row ${isSelected ? 'row--selected' : ''} ${rowClass?.(row) ?? ''}`}
      data-row={rowKey(row)}
      data-href={rowHref?.(row)}
      tabIndex={-1}
    >
      {selection !== undefined && (
        <td class="col-check">
          <Check
            checked={isSelected}
            label={selection.label(row)}
            onChange={() => selection.toggle(row)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.title} class={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function Check(props: {
  readonly checked: boolean
  readonly label: string
  readonly onChange: () => void
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={props.checked} onChange={props.onChange} />
      <span class="hidden">{props.label}</span>
    </label>
  )
}

function classOf<T>({ align, from, class: own = '' }: Column<T>): string {
  return [own, align === 'right' ? 'right' : '', from === undefined ? '' : `from-${from}`]
    .filter(Boolean)
    .join(' ')
}
