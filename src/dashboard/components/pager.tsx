import type { JSX } from 'preact'
import { place, setQuery } from '../router.ts'
import { Button } from './button.tsx'

/**
 * Goes through pages by cursor. The way back is the browser's: every page is an address, and
 * "Newest" is the first one.
 */
export function Pager({ next }: { readonly next: string | null }): JSX.Element | null {
  const isFirst = !place.value.query.has('cursor')
  if (isFirst && next === null) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <Button disabled={isFirst} onClick={() => setQuery({ cursor: null })}>
        Newest
      </Button>
      <Button disabled={isFirst} onClick={() => history.back()}>
        Back
      </Button>
      <Button disabled={next === null} onClick={() => setQuery({ cursor: next })}>
        Next
      </Button>
    </nav>
  )
}
