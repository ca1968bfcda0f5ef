import type { Held } from '../../engine/outcomes.ts'
import { Problem } from './problem.ts'

/** In the words of the engine, for verbs on many that leave out what is no longer held. */
export function lostLease({ id, claim }: Held): Problem {
  return new Problem(409, 'lease_lost', `claim ${claim} no longer holds task ${id}`, {
    hint: 'Stop working on it and drop the result: its lease ran out, or it was cancelled.',
  })
}
