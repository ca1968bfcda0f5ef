const special = /["\\]/g

/**
 * A Postgres array as text, such as `{"a",NULL}`. Text is the one kind of parameter that every
 * driver and query builder hands over unchanged; how they write arrays differs.
 */
export function arrayLiteral(elements: readonly (string | null)[]): string {
  let text = '{'
  for (const element of elements) {
    if (text.length > 1) text += ','
    text += element === null ? 'NULL' : `"${element.replace(special, '\\$&')}"`
  }
  return `${text}}`
}
