import type { JSX } from 'preact'
import { queryValue, setQuery } from '../router.ts'
import { Icon } from './icons.tsx'

/** Narrows a list that is all here already; kept in the address, reached by `/`. */
export function SearchBox({
  name,
  label,
}: {
  /** Of the value in the address. */
  readonly name: string
  readonly label: string
}): JSX.Element {
  return (
    <search class="filter">
      <Icon name="search" />
      <div class="filter__box">
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          data-search
          autocomplete="off"
          spellcheck={false}
          value={queryValue(name)}
          onInput={(event) => setQuery({ [name]: event.currentTarget.value }, { replace: true })}
        />
      </div>
    </search>
  )
}
