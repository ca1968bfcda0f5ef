import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { isRawNumber } from '../lib/exact.ts'
import type { Json } from '../model.ts'
import { Copy } from './copy.tsx'

const openDepth = 3
const mostChildren = 200

/** A JSON value as a tree that folds. All of it is text: nothing in a payload is ever markup. */
export function JsonView({
  value,
  label,
}: {
  readonly value: Json
  readonly label: string
}): JSX.Element {
  return (
    <div class="code-box">
      <section class="code json" aria-label={label}>
        <Value value={value} depth={0} />
      </section>
      <Copy text={() => JSON.stringify(value, null, 2)} label={`Copy the ${label.toLowerCase()}`} />
    </div>
  )
}

function Value({ value, depth }: { readonly value: Json; readonly depth: number }): JSX.Element {
  const isNumber = isRawNumber(value)
  if (isNumber || value === null || typeof value !== 'object') {
    const kind = isNumber ? 'number' : value === null ? 'null' : typeof value
    return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
  }
  const entries = Object.entries(value)
  const brackets = Array.isArray(value) ? '[]' : '{}'
  if (entries.length === 0) return <span>{brackets}</span>
  return <Branch entries={entries} isArray={Array.isArray(value)} depth={depth} />
}

function Branch({
  entries,
  isArray,
  depth,
}: {
  readonly entries: readonly (readonly [string, Json])[]
  readonly isArray: boolean
  readonly depth: number
}): JSX.Element {
  const shown = useSignal(mostChildren)
  const isOpen = useSignal(depth < openDepth)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  return (
    <details
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        {open}
        {!isOpen.value && ` ${entries.length} ${close}`}
      </summary>
      {isOpen.value && (
        <ul>
          {entries.slice(0, shown.value).map(([name, child]) => (
            <li key={name}>
              {!isArray && <span class="json-key">{JSON.stringify(name)}: </span>}
              <Value value={child} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
      {isOpen.value && entries.length > shown.value && (
        <button
          type="button"
          class="link"
          onClick={() => {
            shown.value += mostChildren
          }}
        >
          {entries.length - shown.value} more
        </button>
      )}
      {isOpen.value && <span>{close}</span>}
    </details>
  )
}
