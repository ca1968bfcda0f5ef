import { startWorker } from '../../src/worker/worker.ts'
import { classic } from '../designs/classic.ts'
import { fetchq } from '../designs/fetchq.ts'
import { functions } from '../designs/functions.ts'
import { plain } from '../designs/plain.ts'
import { engineKind } from './engine.ts'
import { copyOfWorkingTree, sqlOfRef, workerOfRef } from './sql-snapshot.ts'
import type { SubjectKind } from './subject.ts'

const designs: readonly SubjectKind[] = [plain, classic, functions, fetchq]

/** The working tree first: the others are measured against it. */
export async function openSubjects(
  project: string,
  scratch: string,
  refs: readonly string[],
  designNames: readonly string[],
): Promise<SubjectKind[]> {
  const here = await copyOfWorkingTree(project, scratch)
  const subjects = [engineKind('here', here, async () => startWorker)]
  for (const ref of refs) {
    const directory = await sqlOfRef(project, ref, scratch)
    subjects.push(engineKind(ref, directory, workerOfRef(project, ref, scratch)))
  }
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
