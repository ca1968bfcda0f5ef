/** Something that a list can be narrowed by. */
export interface FilterName {
  /** As the API has it, and the address bar: queue, tag, created_after. */
  readonly name: string
  /** What to give, for people. */
  readonly hint: string
  /** What could follow the colon. */
  readonly values?: () => readonly string[]
}

export interface Suggestion {
  /** What the box says if it is taken. */
  readonly text: string
  readonly hint: string
  /** Taken as a filter at once; else there is more to type. */
  readonly isWhole: boolean
}

const most = 8

/** `queue:mail` as a name and a value; null for words without a name that is known. */
export function readFilter(
  text: string,
  names: readonly FilterName[],
): { readonly name: string; readonly value: string } | null {
  const colon = text.indexOf(':')
  if (colon === -1) return null
  const name = text.slice(0, colon).trim().toLowerCase()
  if (!names.some((one) => one.name === name)) return null
  return { name, value: text.slice(colon + 1).trim() }
}

/** What the box offers for what was typed so far: names first, values after the colon. */
export function suggest(text: string, names: readonly FilterName[]): Suggestion[] {
  const given = readFilter(text, names)
  if (given === null) return suggestNames(text.trim().toLowerCase(), names)
  const typed = given.value.toLowerCase()
  const values = names.find(({ name }) => name === given.name)?.values?.() ?? []
  return values
    .filter((value) => value.toLowerCase().includes(typed))
    .slice(0, most)
    .map((value) => ({ text: `${given.name}:${value}`, hint: '', isWhole: true }))
}

function suggestNames(typed: string, names: readonly FilterName[]): Suggestion[] {
  const fitting = names
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, hint }) => ({ text: `${name}:`, hint, isWhole: false }))
  const values = typed.length < 2 ? [] : suggestAnyValue(typed, names)
  return [...fitting, ...values].slice(0, most)
}

/** People type "mail" before they think of "queue:". */
function suggestAnyValue(typed: string, names: readonly FilterName[]): Suggestion[] {
  return names.flatMap(({ name, values = () => [] }) =>
    values()
      .filter((value) => value.toLowerCase().includes(typed))
      .map((value) => ({ text: `${name}:${value}`, hint: '', isWhole: true })),
  )
}
