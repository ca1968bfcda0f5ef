import type { Database } from '../database.ts'
import { type Io, say } from '../io.ts'
import type { Service } from './services.ts'

/** A cluster that ran before us stays: someone else started it and may be using it. */
export function databaseService(database: Database, io: Io): Service {
  return {
    stop: async () => {
      if (database.kind === 'given') return
      if (database.cluster.attached) {
        say(io, 'Postgres keeps running: it ran before. Stop it with: tusk db stop')
        return
      }
      await database.cluster.stop()
      say(io, 'Postgres is stopped.')
    },
  }
}
