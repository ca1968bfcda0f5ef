/** A day, which begins at midnight in UTC, or a time that says its offset; null for anything else. */
export function parseExactTime(text: string): string | null {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)([T ].*(Z|[+-]\d\d:?\d\d))?$/.exec(text) ?? []
  // JavaScript takes February 30 for March 2.
  return inUtc(day)?.startsWith(day) ? inUtc(text) : null
}

/** What is no time at all is null in JSON. */
function inUtc(text: string): string | null {
  return new Date(text).toJSON()
}
