import { absurd } from './absurd.ts'
import { dbos } from './dbos.ts'
import { openWorkflow } from './openworkflow.ts'
import type { DurableSubject } from './subject.ts'
import { tusk } from './tusk.ts'
import { vercel } from './vercel.ts'

export const subjects: readonly DurableSubject[] = [tusk, absurd, dbos, openWorkflow, vercel]

export function subjectNamed(name: string): DurableSubject {
  const subject = subjects.find((candidate) => candidate.name === name)
  if (subject === undefined) {
    const known = subjects.map((each) => each.name).join(', ')
    throw new Error(`unknown subject "${name}". There are ${known}.`)
  }
  return subject
}
