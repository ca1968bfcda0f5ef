import type pg from 'pg'
import { test as base, testRoles } from './engine.ts'
import type { TestEngine } from './test-engine.ts'

interface RoleFixtures {
  /** The verbs as a role, on a connection of its own. */
  as: (role: string) => Promise<TestEngine>
}

/** A real engine, and the verbs as other roles. Roles belong to the cluster and stay after the test. */
export const test = base.extend<RoleFixtures>({
  as: async ({ engine, connect }, use) => {
    await use(async (role) => {
      const client = await connect()
      await client.query(`set role ${role}`)
      return engine.on(client)
    })
  },
})

/**
 * Makes a role that is a member of these; other files may make it at the same moment. The four roles
 * of the engine are named `producer`, `worker`, `operator` and `admin`.
 */
export async function makeRole(db: pg.Pool, role: string, ...memberOf: string[]): Promise<string> {
  await quietly(db, `create role ${role} nologin`)
  for (const one of memberOf) {
    const isOurs = ['producer', 'worker', 'operator', 'admin'].includes(one)
    await quietly(db, `grant ${isOurs ? `${testRoles}_${one}` : one} to ${role}`)
  }
  return role
}

async function quietly(db: pg.Pool, statement: string): Promise<void> {
  await db.query(
    `do $$ begin ${statement}; exception when duplicate_object or unique_violation then null; end $$`,
  )
}
