/** So many at once stay far below a statement timeout, and hold their rows for a moment only. */
const mostInRound = 1_000

/**
 * Calls a verb for many things in rounds, and joins the answers in order. On a pool each round commits by itself:
 * if one fails, those before it stay done. In a transaction of the caller's they commit together.
 */
export async function inRounds<Thing, Answer>(
  things: readonly Thing[],
  round: (part: readonly Thing[], from: number) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  if (things.length <= mostInRound) return [...(await round(things, 0))]
  const answers: Answer[] = []
  for (let from = 0; from < things.length; from += mostInRound) {
    for (const answer of await round(things.slice(from, from + mostInRound), from)) {
      answers.push(answer)
    }
  }
  return answers
}
