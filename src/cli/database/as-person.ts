import { hostname, userInfo } from 'node:os'
import type { Tusk } from '../../client/tusk.ts'
import type { Queryable } from '../../db/queryable.ts'
import { callingAs } from '../../engine/calling-as.ts'

/** Does what a person asked for in one transaction, and has it written down as theirs. */
export function asPerson<T>(tusk: Tusk, work: (on: Queryable) => Promise<T>): Promise<T> {
  return callingAs(tusk.pool, { actor: person(), door: 'cli' }, work)
}

/** Who sits at this machine, as far as it knows. */
export function person(): string {
  return `${loginName()}@${hostname()}`
}

function loginName(): string {
  try {
    return userInfo().username
  } catch {
    // An account that the system has no name for, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
