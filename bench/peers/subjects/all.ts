import type { PeerSubject } from './adapter.ts'
import { graphileDefault, graphileTuned } from './graphile.ts'
import { bossDefault, bossTuned } from './pg-boss.ts'
import { plain } from './plain.ts'
import { tusk } from './tusk.ts'

export const subjects: readonly PeerSubject[] = [
  tusk,
  graphileTuned,
  graphileDefault,
  bossTuned,
  bossDefault,
  plain,
]

export function subjectNamed(name: string): PeerSubject {
  const subject = subjects.find((candidate) => candidate.name === name)
  if (subject === undefined) {
    const known = subjects.map((each) => each.name).join(', ')
    throw new Error(`unknown subject "${name}". There are ${known}.`)
  }
  return subject
}
