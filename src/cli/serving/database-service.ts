import type { Stopped } from '../../embedded/launch.ts'
import type { Database } from '../database/database.ts'
import { type Io, say } from '../process/io.ts'
import type { Service } from './services.ts'

/** Postgres stays while other programs use it; the last one stops it. */
export function databaseService(database: Database, io: Io): Service {
  return {
    stop: async () => {
      if (database.kind === 'given') return
      say(io, outcomes[await database.cluster.stop()])
    },
  }
}

const outcomes: Readonly<Record<Stopped, string>> = {
  stopped: 'Postgres is stopped.',
  'in use': 'Postgres keeps running: another program uses it, and stops it when it ends.',
  kept: 'Postgres keeps running: tusk db start started it. Stop it with: tusk db stop',
}
