import type { SqlFile } from '../db/sql-files.ts'

/** A function as a file writes it. */
export interface WrittenRoutine {
  readonly path: string
  readonly name: string
  /** What Postgres keeps of it, letter by letter. */
  readonly body: string
  readonly isDefiner: boolean
}

const creation =
  /create\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(\w+)\s*\(([\s\S]*?)\bas\s+(\$\w*\$)([\s\S]*?)\3/gi

/** Read once per file: there are hundreds, and who watches a database asks every few seconds. */
const routinesIn = new WeakMap<SqlFile, readonly WrittenRoutine[]>()

/** The functions that the files of one version make. */
export function writtenRoutines(files: readonly SqlFile[]): WrittenRoutine[] {
  return files.flatMap((file) => {
    const routines = routinesIn.get(file) ?? readRoutines(file)
    routinesIn.set(file, routines)
    return routines
  })
}

function readRoutines({ path, text }: SqlFile): WrittenRoutine[] {
  return [...text.replaceAll(/^--.*$/gm, '').matchAll(creation)].map(
    ([, name = '', head = '', , body = '']) => ({
      path,
      name,
      body,
      isDefiner: /\bsecurity\s+definer\b/i.test(head),
    }),
  )
}
