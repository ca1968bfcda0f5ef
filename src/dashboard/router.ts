import { computed, signal } from '@preact/signals'
import { base } from './lib/base.ts'
import { type Query, toSearch } from './lib/query.ts'

/** Where the viewer is: the path without the base, and the query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** A page's pattern such as `/tasks/:id` against a path. */
export type Params = Readonly<Record<string, string | undefined>>

const current = signal<Place>(readPlace())

export const place = computed(() => current.value)

/** One value of the query, '' where there is none. */
export function queryValue(name: string): string {
  return place.value.query.get(name) ?? ''
}

/** The address of a page, for links. */
export function href(path: string, query: Query = {}): string {
  return `${base}${path}${toSearch(query)}`
}

/** Goes to a page of ours. Replacing leaves no step behind, as for each key typed into a filter. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  current.value = readPlace()
}

/** Changes some names of the query, keeps the others, stays on the page. */
export function setQuery(changes: Query, options: { readonly replace?: boolean } = {}): void {
  const query = new URLSearchParams(place.value.query)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    const values = Array.isArray(value) ? value : [value]
    for (const one of values) {
      if (one !== null && one !== undefined && one !== '') query.append(name, String(one))
    }
  }
  const text = query.toString()
  navigate(`${base}${place.value.path}${text === '' ? '' : `?${text}`}`, options)
}

/** The parameters if the path fits the pattern, else null. */
export function matchPath(pattern: string, path: string): Params | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodePart(value)
    else if (part !== value) return null
  }
  return params
}

/** Follows the browser's own steps and clicks on links of ours; others are left to the browser. */
export function startRouter(): void {
  window.addEventListener('popstate', () => {
    current.value = readPlace()
  })
  document.addEventListener('click', (event) => {
    const link = linkOf(event)
    if (link === null) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })
}

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const hasKey = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (event.defaultPrevented || event.button !== 0 || hasKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  const isOurs = link.origin === location.origin && link.pathname.startsWith(`${base}/`)
  return isOurs && !link.pathname.startsWith(`${base}/api/`) ? link : null
}

function readPlace(): Place {
  const path = location.pathname.slice(base.length).replace(/\/+$/, '')
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
