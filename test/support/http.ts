import { openEngine } from '../../src/engine/verbs.ts'
import { createHttp, type Http } from '../../src/http/app.ts'
import { SignedClaims } from '../../src/http/gate/signed-claims.ts'
import type { HttpTusk } from '../../src/http/http-context.ts'
import type { HttpOptions } from '../../src/http/options.ts'
import { test as base } from './client.ts'
import { type Ask, openAsk } from './http-ask.ts'

interface HttpFixtures {
  /** Opens doors over the client of this test; closed afterwards. */
  serve: (options?: Partial<HttpOptions>) => Promise<Http>
  /** A door with everything as it is by default. */
  http: Http
  /** Asks that door as an admin; every answer is held to the OpenAPI document. */
  ask: Ask
  /** Opens a session for a token at that door; the answer is its cookie. */
  sessionOf: (token: string, http?: Http) => Promise<string>
  /** A claim that was made in SQL, as it would have come over HTTP. */
  signed: (claim: string) => Promise<string>
}

/** The token of every door that a test opens; it may do everything. */
export const adminToken = `tusk_testtest_${'a'.repeat(43)}`

/** A real engine, a client on it, and the HTTP door over that. */
export const test = base.extend<HttpFixtures>({
  serve: async ({ tusk }, use) => {
    const opened: Http[] = []
    await use(async (options = {}) => {
      const http = await createHttp({ tusk, token: adminToken, logger: false, ...options })
      opened.push(http)
      return http
    })
    for (const http of opened) await http.close()
  },

  http: async ({ serve }, use) => use(await serve()),

  ask: async ({ http }, use) => use(await openAsk(http, adminToken)),

  sessionOf: async ({ http }, use) => {
    await use(async (token, door = http) => {
      const response = await door.fetch(
        new Request('http://tusk.test/api/v1/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token }),
        }),
      )
      return response.headers.get('set-cookie')?.split(';')[0] ?? ''
    })
  },

  signed: async ({ tusk }, use) => {
    const tokens = new SignedClaims(openEngine({ schema: tusk.schema }), tusk.pool)
    await use((claim) => tokens.sign(claim))
  },
})

/** A client that does some things its own way. */
export function otherwise(tusk: HttpTusk, changes: Partial<HttpTusk>): HttpTusk {
  return {
    pool: tusk.pool,
    newClient: (applicationName) => tusk.newClient(applicationName),
    schema: tusk.schema,
    tokens: tusk.tokens,
    enqueueTask: (task) => tusk.enqueueTask(task),
    enqueueTasks: (tasks, on) => tusk.enqueueTasks(tasks, on),
    waitForEnd: (id, options) => tusk.waitForEnd(id, options),
    ...changes,
  }
}
