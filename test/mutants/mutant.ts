import type { DoorName, Subject } from '../conformance/scenario.ts'

/** Where a function is: in the engine, or in one of the dialects over it. */
export type Home = 'engine' | 'fetchq' | 'pgTask' | 'background'

/** A function by its name; of several with one name, the one that takes so many arguments. */
export interface Target {
  readonly function: string
  readonly takes?: number
  readonly home?: Home
}

/** What to find, and what to write there instead. */
export type Edit = readonly [find: string | RegExp, replace: string | ((found: string) => string)]

/** A change of one function that some scenario has to notice. */
export interface Mutant extends Target {
  readonly id: string
  /** Each finds a place in pg_get_functiondef() and says what to write there; one that finds nothing is an error. */
  readonly edits: readonly Edit[]
  /** Of which scenarios it is expected that they notice. They run first. */
  readonly about: readonly Subject[]
  /** The doors through which the function is reached; by default `single` and `bulk`. */
  readonly doors?: readonly DoorName[]
}

/** The definition with the edits made; an error where one finds nothing. */
export function mutated({ id, edits }: Mutant, definition: string): string {
  return edits.reduce((text, [find, replace]) => {
    const changed = text.replace(anySpacing(find), (found) =>
      typeof replace === 'string' ? replace : replace(found),
    )
    if (changed === text) throw new Error(`${id}: nothing matches ${find}`)
    return changed
  }, definition)
}

/** What a mutant does, and its edits. */
export type Short = readonly [does: string, ...edits: Edit[]]

/** Mutants of one function that the same scenarios are to notice. */
export const mutantsOf =
  (target: string, about: Mutant['about'], more: Partial<Mutant> = {}) =>
  ([does, ...edits]: Short): Mutant => ({
    function: target,
    id: `${target}() ${does}`,
    edits,
    about,
    ...more,
  })

/** A text also matches where its lines are broken elsewhere. */
function anySpacing(find: string | RegExp): RegExp {
  if (typeof find !== 'string') return find
  const words = find.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(words.join('\\s+'))
}
