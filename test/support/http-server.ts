import { type HttpServer, type ServeHttpOptions, serveHttp } from '../../src/http/serve.ts'
import { adminToken, test as base } from './http.ts'

interface ServerFixtures {
  /** Opens servers on ports that are free; closed afterwards. */
  listen: (options?: Partial<ServeHttpOptions>) => Promise<HttpServer>
}

/** Servers that listen, over the client of this test. */
export const test = base.extend<ServerFixtures>({
  listen: async ({ tusk }, use) => {
    const opened: HttpServer[] = []
    await use(async (options = {}) => {
      const server = await serveHttp({
        tusk,
        token: adminToken,
        port: 0,
        logger: false,
        ...options,
      })
      opened.push(server)
      return server
    })
    for (const server of opened) await server.close()
  },
})
