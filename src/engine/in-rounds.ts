/** This many per round stay far below a statement timeout and hold their row locks only for a moment. */
const mostInRound = 1_000

/**
 * Calls a verb in rounds and joins the results in order. On a pool each round commits separately: if one fails, earlier
 * rounds stay done. In a caller's transaction they commit together.
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
