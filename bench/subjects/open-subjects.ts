import { classic } from '../designs/classic.ts'
import { fetchq } from '../designs/fetchq.ts'
import { functions } from '../designs/functions.ts'
import { plain } from '../designs/plain.ts'
import { engineKind } from './engine.ts'
import { copyOfWorkingTree, sqlOfRef } from './sql-snapshot.ts'
import type { SubjectKind } from './subject.ts'

const designs: readonly SubjectKind[] = [plain, classic, functions, fetchq]

/** The working tree first: the others are measured against it. */
export async function openSubjects(
  project: string,
  scratch: string,
  refs: readonly string[],
  designNames: readonly string[],
): Promise<SubjectKind[]> {
  const subjects = [engineKind('here', await copyOfWorkingTree(project, scratch))]
  for (const ref of refs) subjects.push(engineKind(ref, await sqlOfRef(project, ref, scratch)))
  for (const name of designNames) subjects.push(designNamed(name))
  return subjects
}

function designNamed(name: string): SubjectKind {
  const design = designs.find((candidate) => candidate.name === name)
  if (design === undefined) {
    throw new Error(`no design ${name}; there are ${designs.map((each) => each.name).join(', ')}`)
  }
  return design
}
