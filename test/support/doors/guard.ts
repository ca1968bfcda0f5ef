import type { Door, DoorVerbs } from './door.ts'
import { doorVerbs } from './door.ts'
import { goesThroughDoor } from './files.ts'

/** A door that lets nothing through in a file of test/engine that is left out of the runs through other doors. */
export function guarded(door: Door, file: string): Door {
  if (!file.includes('/test/engine/') || goesThroughDoor(file)) return door
  const refuse = () => {
    throw new Error(
      `${file} goes through the door, but goesThroughDoor() in test/support/doors/files.ts says that it does not`,
    )
  }
  return () => Object.fromEntries(doorVerbs.map((name) => [name, refuse])) as unknown as DoorVerbs
}
