import { Problem } from './problem.ts'

/** There is no such thing. */
export function notThere(what: string, name: string, hint?: string): Problem {
  return new Problem(404, 'not_found', `there is no ${what} ${JSON.stringify(name)}`, { hint })
}
