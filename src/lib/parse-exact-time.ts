/** A day, which begins at midnight UTC, or a time with an offset. Null for anything else. */
export function parseExactTime(text: string): string | null {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)([T ].*(Z|[+-]\d\d:?\d\d))?$/.exec(text) ?? []
  // JavaScript takes February 30 for March 2.
  return inUtc(day)?.startsWith(day) ? inUtc(text) : null
}

/** An invalid date is null in JSON. */
function inUtc(text: string): string | null {
  return new Date(text).toJSON()
}
