import type pg from 'pg'
import { bulkDoor } from './bulk.ts'
import { clientDoor } from './client.ts'
import type { Door } from './door.ts'
import { type DoorName, doorNames } from './names.ts'
import { queuesDoor } from './queues.ts'
import { singleDoor } from './single.ts'

/** The door that this run of the tests goes through: TUSK_TEST_DOOR, else the single verbs. */
export function chosenDoor(): DoorName {
  const given = process.env['TUSK_TEST_DOOR'] || 'single'
  const found = doorNames.find((name) => name === given)
  if (found === undefined) {
    throw new Error(`TUSK_TEST_DOOR is ${given}; the doors are ${doorNames.join(', ')}`)
  }
  return found
}

export function openDoor(name: DoorName, pool: pg.Pool): Door {
  if (name === 'client') return clientDoor(pool)
  return { single: singleDoor, bulk: bulkDoor, queues: queuesDoor }[name]
}
