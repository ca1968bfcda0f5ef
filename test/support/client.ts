import { inject } from 'vitest'
import type { TuskOptions } from '../../src/client/options.ts'
import { Tusk } from '../../src/client/tusk.ts'
import type { Tasks } from '../../src/tasks/task-list.ts'
import { test as base } from './engine.ts'

type Open = <const T extends Tasks = readonly []>(options?: TuskOptions<T>) => Promise<Tusk<T>>

interface ClientFixtures {
  /** Opens clients on the schema of this test; closed afterwards. */
  open: Open
  /** A client without tasks of its own. */
  tusk: Tusk
}

/** A real engine, and clients on it. */
export const test = base.extend<ClientFixtures>({
  open: async ({ db: _, schema }, use) => {
    const opened: { close(): Promise<void> }[] = []
    await use(async (options = {}) => {
      const client = await Tusk.open({ database: inject('pgUrl'), schema, ...options })
      opened.push(client)
      return client
    })
    for (const client of opened) await client.close()
  },

  tusk: async ({ open }, use) => use(await open()),
})
