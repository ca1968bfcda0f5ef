import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms } from './rooms.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** One import of one file of src/. */
export interface Import {
  /** The file that imports, seen from src/. */
  readonly file: string
  readonly room: string
  /** What it imports: a file seen from src/, or a package. */
  readonly target: string
  /** The room of that file; undefined for a package. */
  readonly targetRoom: string | undefined
  readonly isTypeOnly: boolean
}

const forms = [
  /^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm,
  /\b(?:vi\.)?import(\()\s*'([^']+)'/g,
  /\bnew (URL)\('(\.[^']+\.(?:ts|js))', import\.meta\.url\)/g,
]

/** Every import of every file of src/. */
export function readImports(): readonly Import[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js)$/.test(file))
    .flatMap((file) => importsOf(file, readFileSync(join(source, file), 'utf8')))
}

/** The imports of one file, given its place in src/ and its text. */
export function importsOf(file: string, text: string): readonly Import[] {
  return forms.flatMap((form) =>
    Array.from(text.matchAll(form), ([, mark, name = '']) => {
      const isOurs = name.startsWith('.')
      const target = isOurs ? relative('.', join(dirname(file), name)) : name
      return {
        file,
        room: roomOf(file),
        target,
        targetRoom: isOurs && !target.startsWith('..') ? roomOf(target) : undefined,
        // In JavaScript a type is imported by import('./file.ts') in a comment.
        isTypeOnly: mark?.startsWith('type') || (mark === '(' && file.endsWith('.js')),
      }
    }),
  )
}

/** The innermost room that holds a file; a folder that no line of the table covers is one by itself. */
export function roomOf(file: string): string {
  const folder = dirname(file)
  if (Object.hasOwn(rooms, folder) || !folder.includes('/')) return folder
  return roomOf(folder)
}
