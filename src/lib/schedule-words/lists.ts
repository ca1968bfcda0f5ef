/** a, b and c */
export function andList(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

/** 5 and 7; 9 through 17; 1 through 3, 8 and 12. Two consecutive numbers are listed separately. */
export function listRuns(
  numbers: readonly number[],
  nameOf: (value: number) => string = String,
): string {
  const items = runsIn(numbers).flatMap(([first, last]) => {
    if (last - first >= 2) return `${nameOf(first)} through ${nameOf(last)}`
    return last === first ? nameOf(first) : [nameOf(first), nameOf(last)]
  })
  return andList(items)
}

/** Groups the numbers into ranges without gaps: the first and the last of each. */
function runsIn(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const value of numbers) {
    const run = runs.at(-1)
    if (run?.[1] === value - 1) run[1] = value
    else runs.push([value, value])
  }
  return runs
}

/** The constant distance between neighbours of a list. Undefined if it is not constant. */
export function evenStep(numbers: readonly number[]): number | undefined {
  const [first, second] = numbers
  if (first === undefined || second === undefined) return undefined
  const step = second - first
  return numbers.every((value, index) => value === first + index * step) ? step : undefined
}

/** 1st, 2nd, 3rd, 4th, 11th, 21st */
export function ordinal(value: number): string {
  const isTeen = value % 100 >= 11 && value % 100 <= 13
  return `${value}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][value % 10]) ?? 'th'}`
}
