import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { doorVerbs } from './door.ts'

const directory = join(import.meta.dirname, '../../engine')

/** What a test of the engine writes to reach a verb of the door: the verb itself, or a word that calls one. */
const words = [...doorVerbs, 'claimOne', 'running', 'inState']
const use = new RegExp(`\\b(${words.join('|')})\\(|\\b(drain|crowd)\\(`)

/**
 * Whether a file of test/engine goes through the door. The one rule by which the runs through the other doors leave
 * files out; the fixture `engine` refuses a verb of the door in a file of which this says that it uses none.
 */
export function goesThroughDoor(file: string): boolean {
  return use.test(readFileSync(file, 'utf8'))
}

/** The files of test/engine for which the door makes a difference, as paths from the root. */
export function filesBehindDoor(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.test.ts') && goesThroughDoor(join(directory, name)))
    .map((name) => `test/engine/${name}`)
}
