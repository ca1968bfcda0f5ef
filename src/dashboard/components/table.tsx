import { Component, type ComponentChildren, type JSX } from 'preact'
import { useRef } from 'preact/hooks'

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
  /** Where Enter on a row leads; the row itself is not a link, so one of its cells must be. */
  readonly rowHref?: (row: T) => string
  readonly rowClass?: (row: T) => string
  readonly selection?: Selection<T>
  /** New rows take the elements of those that left: for lists that change all the time, without a state in their cells. */
  readonly recycles?: boolean
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
  const { label, columns, rows, rowKey, rowClass, selection, recycles } = props
  const places = usePlaces(rows.map(rowKey))
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
          {rows.map((row, index) => (
            <Row
              key={recycles === true ? places[index] : rowKey(row)}
              row={row}
              table={props}
              isSelected={selection?.has(rowKey(row)) ?? false}
              mark={rowClass?.(row) ?? ''}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps<T> {
  readonly row: T
  readonly table: TableProps<T>
  readonly isSelected: boolean
  readonly mark: string
}

/** Drawn again only when it has changed, or a signal that it shows. */
class Row<T> extends Component<RowProps<T>> {
  override shouldComponentUpdate(next: RowProps<T>, state: object): boolean {
    const { row, table, isSelected, mark } = this.props
    return (
      next.row !== row ||
      next.table.columns !== table.columns ||
      next.isSelected !== isSelected ||
      next.mark !== mark ||
      state !== this.state
    )
  }

  override render({ row, table, isSelected, mark }: RowProps<T>): JSX.Element {
    const { columns, selection, rowKey, rowHref } = table
    return (
      <tr
        class={`row ${isSelected ? 'row--selected' : ''} ${mark}`}
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
}

/**
 * A number for each key, the same as long as it is there. The numbers of keys that left are given to new
 * ones in their order, but for that of the row with the focus, which must not come to stand on another.
 */
function usePlaces(keys: readonly string[]): readonly number[] {
  const before = useRef(new Map<string, number>())
  const current = new Set(keys)
  const focused = document.activeElement?.closest('tr')?.dataset['row']
  const known = [...before.current].filter(([key]) => key !== focused || current.has(key))
  const free = known.filter(([key]) => !current.has(key)).map(([, place]) => place)
  let next = Math.max(-1, ...before.current.values()) + 1
  before.current = new Map(
    keys.map((key) => [key, before.current.get(key) ?? free.shift() ?? next++]),
  )
  return [...before.current.values()]
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
