/** The start of a comment, and everything that can hide one. A quote without an end hides the rest. */
const outside = /'[^']*'?|"[^"]*"?|--[^\n]*|\/\*|\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/gi
const inside = /\/\*|\*\//g

/**
 * Whether comments nest more deeply than `most` levels, found in one pass over the text. Postgres's parser takes
 * quadratic time in the depth: 100,000 levels took 81 seconds.
 */
export function commentsNestBeyond(most: number, text: string): boolean {
  let depth = 0
  let at = 0
  while (depth <= most) {
    const pattern = depth > 0 ? inside : outside
    pattern.lastIndex = at
    const mark = pattern.exec(text)?.[0]
    if (mark === undefined) return false
    at = mark.startsWith('$') ? endOfQuote(text, mark, pattern.lastIndex) : pattern.lastIndex
    depth += steps[mark] ?? 0
  }
  return true
}

const steps: Readonly<Record<string, number>> = { '/*': 1, '*/': -1 }

function endOfQuote(text: string, tag: string, from: number): number {
  const at = text.indexOf(tag, from)
  return at === -1 ? text.length : at + tag.length
}
