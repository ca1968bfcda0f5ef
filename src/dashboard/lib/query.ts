/** What a query may hold; arrays repeat their name, null and '' leave it out. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

/** `?a=1&b=2`, or nothing. */
export function toSearch(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const one of values) {
      if (one !== null && one !== undefined && one !== '') params.append(name, String(one))
    }
  }
  const text = params.toString().replaceAll('%3A', ':')
  return text === '' ? '' : `?${text}`
}
