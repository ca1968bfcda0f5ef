const special = /["\\]/g

/**
 * A Postgres array as text, such as `{"a",NULL}`. Drivers and query builders write arrays in different ways, but all of
 * them pass text through unchanged.
 */
export function arrayLiteral(elements: readonly (string | null)[]): string {
  let text = '{'
  for (const element of elements) {
    if (text.length > 1) text += ','
    text += element === null ? 'NULL' : `"${element.replace(special, '\\$&')}"`
  }
  return `${text}}`
}
